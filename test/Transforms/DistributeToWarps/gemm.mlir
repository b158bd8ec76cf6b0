// RUN: mlt-opt %s --distribute-to-warps --canonicalize --cse | %filecheck %s

// The paper's GEMM, 256x256x32 over 32 warps as [8, 4]: warps 0-3 share rows of
// A (the coordinate along dimension 0 is w / 4), warps 0, 4, ..., 28 share
// columns of B (the coordinate along dimension 1 is w % 4).

#blocked = #ttg.blocked<{sizePerWarp = [32, 64], warpsPerCTA = [8, 4], order = [1, 0]}>
#dot0 = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#dot1 = #ttg.dot_op<{opIdx = 1, parent = #blocked}>

module attributes {"ttg.num-warps" = 32 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // CHECK-LABEL: tt.func public @gemm
  // CHECK-SAME: (%[[A:.*]]: !tt.ptr<f16>, %[[B:.*]]: !tt.ptr<f16>, %[[C:.*]]: !tt.ptr<f32>,
  tt.func public @gemm(%a: !tt.ptr<f16>, %b: !tt.ptr<f16>, %c: !tt.ptr<f32>, %n: i64, %k: i32, %x: i32, %y: i32) {
    // CHECK-DAG: %[[C4:.*]] = arith.constant 4 : i32
    // CHECK-DAG: %[[C32:.*]] = arith.constant 32 : i32
    // CHECK-DAG: %[[C64:.*]] = arith.constant 64 : i32
    // CHECK: %[[W:.*]] = mlt.warp_id : i32
    // CHECK-DAG: %[[COL:.*]] = arith.remui %[[W]], %[[C4]] : i32
    // CHECK-DAG: %[[ROW:.*]] = arith.divui %[[W]], %[[C4]] : i32
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %c1 = arith.constant 1 : i64
    %zero = arith.constant dense<0.0> : tensor<256x256xf32, #blocked>
    // CHECK: %[[OA:.*]] = arith.muli %[[ROW]], %[[C32]] : i32
    // CHECK: %[[YA:.*]] = arith.addi %{{.*}}, %[[OA]] : i32
    // CHECK: tt.make_tensor_ptr %[[A]], {{.*}}, [%[[YA]], %{{.*}}] {order = array<i32: 1, 0>} : <tensor<32x32xf16>>
    %pa = tt.make_tensor_ptr %a, [%n, %n], [%n, %c1], [%x, %c0] {order = array<i32: 1, 0>} : <tensor<256x32xf16, #dot0>>
    // CHECK: %[[OB:.*]] = arith.muli %[[COL]], %[[C64]] : i32
    // CHECK: %[[XB:.*]] = arith.addi %{{.*}}, %[[OB]] : i32
    // CHECK: tt.make_tensor_ptr %[[B]], {{.*}}, [%{{.*}}, %[[XB]]] {order = array<i32: 1, 0>} : <tensor<32x64xf16>>
    %pb = tt.make_tensor_ptr %b, [%n, %n], [%n, %c1], [%c0, %y] {order = array<i32: 1, 0>} : <tensor<32x256xf16, #dot1>>
    // CHECK: scf.for {{.*}} -> (!tt.ptr<tensor<32x32xf16>>, !tt.ptr<tensor<32x64xf16>>, tensor<32x64xf32>)
    %r:3 = scf.for %i = %c0 to %k step %c32 iter_args(%qa = %pa, %qb = %pb, %acc = %zero) -> (!tt.ptr<tensor<256x32xf16, #dot0>>, !tt.ptr<tensor<32x256xf16, #dot1>>, tensor<256x256xf32, #blocked>) : i32 {
      %ta = tt.load %qa {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<256x32xf16, #dot0>>
      %tb = tt.load %qb {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<32x256xf16, #dot1>>
      // CHECK: tt.dot {{.*}} : tensor<32x32xf16> * tensor<32x64xf16> -> tensor<32x64xf32>
      %d = tt.dot %ta, %tb, %acc : tensor<256x32xf16, #dot0> * tensor<32x256xf16, #dot1> -> tensor<256x256xf32, #blocked>
      %na = tt.advance %qa, [%c0, %c32] : <tensor<256x32xf16, #dot0>>
      %nb = tt.advance %qb, [%c32, %c0] : <tensor<32x256xf16, #dot1>>
      scf.yield %na, %nb, %d : !tt.ptr<tensor<256x32xf16, #dot0>>, !tt.ptr<tensor<32x256xf16, #dot1>>, tensor<256x256xf32, #blocked>
    }
    // CHECK: tt.make_tensor_ptr %[[C]], {{.*}} : <tensor<32x64xf32>>
    %pc = tt.make_tensor_ptr %c, [%n, %n], [%n, %c1], [%x, %y] {order = array<i32: 1, 0>} : <tensor<256x256xf32, #blocked>>
    // Every element has one owner: no predicate.
    // CHECK-NOT: scf.if
    // CHECK: tt.store {{.*}} : !tt.ptr<tensor<32x64xf32>>
    tt.store %pc, %r#2 {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<256x256xf32, #blocked>>
    tt.return
  }
}
