// RUN: mlt-opt %s --convert-xevm-to-builtin | %filecheck %s
// RUN: mlt-opt %s --convert-xevm-to-genisa | %filecheck %s

// CHECK-LABEL: llvm.func @ids
llvm.func @ids() -> i32 {
  // size_t on the device, whatever width is wanted here.
  // CHECK: %[[G:.+]] = llvm.call spir_funccc @_Z12get_group_idj(%{{.+}}) {{.+}} : (i32) -> i64
  // CHECK: llvm.trunc %[[G]] : i64 to i32
  %0 = xevm.group_id.y : i32
  // CHECK: @_Z14get_num_groupsj
  // CHECK-NOT: llvm.trunc
  %1 = xevm.group_count.x : i64
  // CHECK: @_Z12get_local_idj
  %2 = xevm.local_id.z : i32
  // CHECK: @_Z14get_local_sizej
  %3 = xevm.local_size.x : i32
  // CHECK: @_Z22get_sub_group_local_idv()
  %4 = xevm.lane_id : i32
  // CHECK: @_Z16get_sub_group_idv()
  %5 = xevm.subgroup_id : i32
  // CHECK: %[[S:.+]] = llvm.call spir_funccc @_Z18get_sub_group_sizev()
  // CHECK: llvm.zext %[[S]] : i32 to i64
  %6 = xevm.subgroup_size : i64
  llvm.return %0 : i32
}

// CHECK-LABEL: llvm.func @memory
llvm.func @memory(%g: !llvm.ptr<1>, %s: !llvm.ptr<3>) {
  // CHECK: %[[WG:.+]] = llvm.mlir.constant(2 : i32)
  // CHECK: %[[SLM:.+]] = llvm.mlir.constant(264 : i32)
  // CHECK: @_Z21__spirv_MemoryBarrierii(%[[WG]], %[[SLM]]) {convergent
  xevm.memfence <{scope = #xevm.mem_scope<workgroup>, addrspace = #xevm.addr_space<shared>}>
  // CHECK: %[[DEVICE:.+]] = llvm.mlir.constant(1 : i32)
  // CHECK: %[[GLOBAL:.+]] = llvm.mlir.constant(520 : i32)
  // CHECK: @_Z21__spirv_MemoryBarrierii(%[[DEVICE]], %[[GLOBAL]])
  xevm.memfence <{scope = #xevm.mem_scope<device>, addrspace = #xevm.addr_space<global>}>
  // CHECK: @llvm.genx.GenISA.LSCPrefetch.p1(%arg0
  xevm.prefetch %g : (!llvm.ptr<1>)
  // 32-bit elements have no suffix.
  // CHECK: @_Z27intel_sub_group_block_read8PU3AS1Kj(%arg0)
  %0 = xevm.blockload %g : (!llvm.ptr<1>) -> vector<8xi32>
  // CHECK: @_Z26intel_sub_group_block_readPU3AS3Kj(%arg1)
  %1 = xevm.blockload %s : (!llvm.ptr<3>) -> i32
  // CHECK: @_Z30intel_sub_group_block_read_us4PU3AS1Kt(%arg0)
  %2 = xevm.blockload %g : (!llvm.ptr<1>) -> vector<4xi16>
  // CHECK: @_Z31intel_sub_group_block_write_uc2PU3AS1hDv2_h(%arg0, %{{.+}})
  %3 = llvm.mlir.constant(dense<1> : vector<2xi8>) : vector<2xi8>
  xevm.blockstore %g, %3 : (!llvm.ptr<1>, vector<2xi8>)
  llvm.return
}
