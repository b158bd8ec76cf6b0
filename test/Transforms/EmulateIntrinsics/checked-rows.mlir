// RUN: mlt-opt %s --emulate-intrinsics=checked=true --canonicalize | %filecheck %s

// 1-D messages tell where they begin if they may not; those of shared local
// memory begin anywhere.

llvm.func spir_funccc @_Z27intel_sub_group_block_read2PU3AS1Kj(!llvm.ptr<1>) -> vector<2xi32>
llvm.func spir_funccc @_Z28intel_sub_group_block_write2PU3AS1jDv2_j(!llvm.ptr<1>, vector<2xi32>)
llvm.func spir_funccc @_Z27intel_sub_group_block_read2PU3AS3Kj(!llvm.ptr<3>) -> vector<2xi32>

// CHECK-LABEL: llvm.func spir_kernelcc @k
// CHECK-SAME: %arg2: !llvm.ptr<1>)
// CHECK-SAME: "address of a 1-D read is a multiple of 4", "address of a 1-D write is a multiple of 16"]
// CHECK: %[[V:.*]] = llvm.call spir_funccc @mlt_block_read_32b_x2_as1_checked(%{{.*}}, %arg2, %{{.*}})
// CHECK: llvm.call spir_funccc @mlt_block_write_32b_x2_as1_checked(%{{.*}}, %[[V]], %arg2, %{{.*}})
// CHECK: llvm.call spir_funccc @mlt_block_read_32b_x2_as3
llvm.func spir_kernelcc @k(%p: !llvm.ptr<1>, %s: !llvm.ptr<3>) attributes {mlt.kernel = {args = [], interface = "builtin"}} {
  %v = llvm.call spir_funccc @_Z27intel_sub_group_block_read2PU3AS1Kj(%p) : (!llvm.ptr<1>) -> vector<2xi32>
  llvm.call spir_funccc @_Z28intel_sub_group_block_write2PU3AS1jDv2_j(%p, %v) : (!llvm.ptr<1>, vector<2xi32>) -> ()
  %w = llvm.call spir_funccc @_Z27intel_sub_group_block_read2PU3AS3Kj(%s) : (!llvm.ptr<3>) -> vector<2xi32>
  llvm.store %w, %p : vector<2xi32>, !llvm.ptr<1>
  llvm.return
}

// CHECK-LABEL: llvm.func internal spir_funccc @mlt_block_read_32b_x2_as1_checked
// CHECK-DAG: %[[THREE:.+]] = llvm.mlir.constant(3 : i64)
// CHECK-DAG: %[[RULE:.+]] = llvm.mlir.constant(10 : i32)
// CHECK: %[[LOW:.*]] = llvm.and %{{.*}}, %[[THREE]]
// CHECK: llvm.cond_br %{{.+}}, ^[[BROKEN:.+]], ^[[FINE:.+]]
// CHECK: ^[[BROKEN]]:
// CHECK: llvm.store %{{.+}}, %arg1 {alignment = 4 : i64} : i32, !llvm.ptr<1>
// CHECK-LABEL: llvm.func internal spir_funccc @mlt_block_write_32b_x2_as1_checked
// CHECK-DAG: llvm.mlir.constant(15 : i64)
// CHECK-DAG: llvm.mlir.constant(11 : i32)
