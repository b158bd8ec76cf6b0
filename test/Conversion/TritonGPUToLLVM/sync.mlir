// RUN: mlt-opt %s --convert-tritongpu-to-llvm | %filecheck %s

// CHECK-DAG: llvm.func spir_funccc @_Z22__spirv_ControlBarrieriii(i32, i32, i32) attributes {convergent, no_unwind, will_return}
// CHECK-DAG: llvm.func spir_funccc @_Z33__spirv_ControlBarrierArriveINTELiii(i32, i32, i32)
// CHECK-DAG: llvm.func spir_funccc @_Z31__spirv_ControlBarrierWaitINTELiii(i32, i32, i32)
// CHECK-LABEL: llvm.func spir_kernelcc @sync
module attributes {"ttg.num-warps" = 2 : i32, mlt.target = "pvc"} {
  tt.func public @sync(%p: !tt.ptr<i32>) {
    // The lane id is asked for once.
    // CHECK: %[[LANE:.*]] = llvm.call spir_funccc @_Z22get_sub_group_local_idv()
    // The warp id is made the same in all lanes for the compiler.
    // CHECK: %[[ID:.*]] = llvm.call spir_funccc @_Z16get_sub_group_idv()
    // CHECK: %[[W:.*]] = llvm.call spir_funccc @_Z19sub_group_broadcastij(%[[ID]], %{{.*}})
    // CHECK: llvm.call spir_funccc @_Z14get_num_groupsj
    // CHECK: llvm.call spir_funccc @_Z12get_group_idj(%{{.*}})
    // CHECK: llvm.add %[[W]]
    %w = mlt.warp_id : i32
    %n = tt.get_num_programs x : i32
    %z = tt.get_program_id z : i32
    %s = arith.addi %w, %n : i32
    %t = arith.addi %s, %z : i32
    // CHECK: llvm.call spir_funccc @_Z22__spirv_ControlBarrieriii
    mlt.barrier
    // CHECK: llvm.call spir_funccc @_Z33__spirv_ControlBarrierArriveINTELiii
    mlt.barrier_arrive
    // One lane stores a scalar.
    // CHECK: %[[FIRST:.*]] = llvm.icmp "ult" %[[LANE]], %{{.*}} : i32
    // CHECK: llvm.cond_br %[[FIRST]]
    // CHECK: llvm.store
    tt.store %p, %t : !tt.ptr<i32>
    // CHECK: llvm.call spir_funccc @_Z31__spirv_ControlBarrierWaitINTELiii
    mlt.barrier_wait
    tt.return
  }
}
