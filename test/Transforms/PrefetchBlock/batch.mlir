// RUN: mlt-opt %s --prefetch-block=distance=1 --canonicalize --cse | %filecheck %s

// Warps share a batch first, then the rows of its matrices: with four matrices
// and eight warps, each fetches half of one.

// CHECK-DAG: #blocked1 = #ttg.blocked<{sizePerWarp = [1, 16, 32], warpsPerCTA = [4, 2, 1], order = [2, 1, 0]}>
// CHECK-LABEL: tt.func @batch
// CHECK: %[[P:.*]] = tt.make_tensor_ptr %{{.*}} : <tensor<4x32x32xf16, #blocked1>>
// CHECK: mlt.prefetch %[[P]] : !tt.ptr<tensor<4x32x32xf16, #blocked1>>
// CHECK: scf.for
// CHECK: mlt.prefetch %{{.*}} : !tt.ptr<tensor<4x32x32xf16, #blocked1>>
// CHECK: tt.advance %{{.*}}, [%c0_i32, %c0_i32, %c32_i32] : <tensor<4x32x32xf16, #blocked1>>
#c = #ttg.blocked<{sizePerWarp = [1, 32, 32], warpsPerCTA = [4, 1, 2], order = [2, 1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #c}>
#b = #ttg.dot_op<{opIdx = 1, parent = #c}>
module attributes {"ttg.num-warps" = 8 : i32} {
  tt.func @batch(%pa: !tt.ptr<f16>, %n: i64, %m: i64, %k: i64, %s: i64, %ki: i32, %b: tensor<4x32x64xf16, #b>) -> tensor<4x32x64xf32, #c> {
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %c1 = arith.constant 1 : i64
    %zero = arith.constant dense<0.0> : tensor<4x32x64xf32, #c>
    %p = tt.make_tensor_ptr %pa, [%n, %m, %k], [%s, %k, %c1], [%c0, %c0, %c0] {order = array<i32: 2, 1, 0>} : <tensor<4x32x32xf16, #a>>
    %r:2 = scf.for %i = %c0 to %ki step %c32 iter_args(%acc = %zero, %q = %p) -> (tensor<4x32x64xf32, #c>, !tt.ptr<tensor<4x32x32xf16, #a>>) : i32 {
      %v = tt.load %q : !tt.ptr<tensor<4x32x32xf16, #a>>
      %d = tt.dot %v, %b, %acc : tensor<4x32x32xf16, #a> * tensor<4x32x64xf16, #b> -> tensor<4x32x64xf32, #c>
      %w = tt.advance %q, [%c0, %c0, %c32] : <tensor<4x32x32xf16, #a>>
      scf.yield %d, %w : tensor<4x32x64xf32, #c>, !tt.ptr<tensor<4x32x32xf16, #a>>
    }
    tt.return %r#0 : tensor<4x32x64xf32, #c>
  }
}
