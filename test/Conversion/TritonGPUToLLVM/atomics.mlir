// RUN: mlt-opt %s --convert-tritongpu-to-llvm | %filecheck %s

module attributes {"ttg.num-warps" = 1 : i32, mlt.target = "pvc"} {

// CHECK-LABEL: llvm.func spir_kernelcc @rmw
// CHECK: llvm.cond_br
// CHECK: llvm.atomicrmw fadd %{{.*}}, %{{.*}} syncscope("device") monotonic : !llvm.ptr<1>, f32
// CHECK: llvm.atomicrmw umax %{{.*}}, %{{.*}} syncscope("workgroup") acq_rel : !llvm.ptr<1>, i32
tt.func public @rmw(%p: !tt.ptr<f32>, %q: !tt.ptr<i32>, %n: i32) {
  %i = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %m = tt.splat %n : i32 -> tensor<16xi32>
  %mask = arith.cmpi slt, %i, %m : tensor<16xi32>
  %f = arith.sitofp %i : tensor<16xi32> to tensor<16xf32>
  %b = tt.splat %p : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %r = tt.atomic_rmw fadd, relaxed, gpu, %b, %f, %mask : (tensor<16x!tt.ptr<f32>>, tensor<16xf32>, tensor<16xi1>) -> tensor<16xf32>
  %c = tt.splat %q : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
  %s = tt.atomic_rmw umax, acq_rel, cta, %c, %i : (tensor<16x!tt.ptr<i32>>, tensor<16xi32>) -> tensor<16xi32>
  tt.return
}

// A scalar is updated by one lane, which tells the others what was there.
// CHECK-LABEL: llvm.func spir_kernelcc @scalar
// CHECK: llvm.cond_br
// CHECK: llvm.atomicrmw add %{{.*}}, %{{.*}} syncscope("all_svm_devices") release : !llvm.ptr<1>, i32
// CHECK: llvm.br ^[[JOIN:.*]](%{{.*}} : i32)
// CHECK: ^[[JOIN]](%[[OLD:.*]]: i32):
// CHECK: llvm.call spir_funccc @_Z19sub_group_broadcastij(%[[OLD]]
tt.func public @scalar(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>, %n: i32) {
  %r = tt.atomic_rmw add, release, sys, %p, %n : (!tt.ptr<i32>, i32) -> i32
  tt.store %q, %r : !tt.ptr<i32>
  tt.return
}

// 16 bits: a loop around compare-and-exchange of the dword.
// CHECK-LABEL: llvm.func spir_kernelcc @half
// CHECK: llvm.and %{{.*}} : i64
// CHECK: llvm.load %{{.*}} : !llvm.ptr<1> -> i32
// CHECK: llvm.br ^[[LOOP:.*]](%{{.*}} : i32)
// CHECK: ^[[LOOP]](%[[WORD:.*]]: i32):
// CHECK: llvm.fadd %{{.*}} : f32
// CHECK: llvm.fptrunc %{{.*}} : f32 to f16
// CHECK: llvm.cmpxchg %{{.*}}, %[[WORD]], %{{.*}} syncscope("device") monotonic monotonic
// CHECK: llvm.cond_br
tt.func public @half(%p: !tt.ptr<f16>) {
  %v = arith.constant dense<1.0> : tensor<16xf16>
  %b = tt.splat %p : !tt.ptr<f16> -> tensor<16x!tt.ptr<f16>>
  %r = tt.atomic_rmw fadd, relaxed, gpu, %b, %v : (tensor<16x!tt.ptr<f16>>, tensor<16xf16>) -> tensor<16xf16>
  tt.return
}

// CHECK-LABEL: llvm.func spir_kernelcc @cas
// CHECK: llvm.cmpxchg %{{.*}}, %{{.*}}, %{{.*}} syncscope("device") acq_rel acquire : !llvm.ptr<1>, i32
tt.func public @cas(%p: !tt.ptr<f32>, %a: f32, %b: f32) {
  %r = tt.atomic_cas acq_rel, gpu, %p, %a, %b : (!tt.ptr<f32>, f32, f32) -> f32
  tt.return
}
}
