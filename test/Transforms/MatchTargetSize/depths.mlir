// RUN: mlt-opt %s --match-target-size=style=simd | %filecheck %s --check-prefix=SIMD
// RUN: mlt-opt %s --match-target-size | %filecheck %s --check-prefix=SIMT
// RUN: not mlt-opt %s --match-target-size=style=warp 2>&1 | %filecheck %s --check-prefix=STYLE

// STYLE: expected option 'style' to be 'simt' or 'simd', got 'warp'

module attributes {"ttg.num-warps" = 8 : i32, mlt.target = "pvc"} {
// 4 kB of A, 8 kB of B and 8 kB of the result are more than the 16 kB of a thread:
// one that holds whole tiles reads B no deeper than the messages of A, 16 columns.
// SIMD-LABEL: @large
// SIMD-COUNT-2: tt.load %{{.*}} : !tt.ptr<tensor<32x16xf32>>
// SIMD-COUNT-8: tt.load %{{.*}} : !tt.ptr<tensor<16x16xf32>>
// SIMD-NOT: tt.load
// SIMT-LABEL: @large
// SIMT-COUNT-6: tt.load %{{.*}} : !tt.ptr<tensor<32x16xf32>>
// SIMT-NOT: tt.load
tt.func public @large(%a: !tt.ptr<f32>, %b: !tt.ptr<f32>, %s: i64, %c: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %c1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  %p = tt.make_tensor_ptr %a, [%s, %s], [%s, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<32x32xf32>>
  %q = tt.make_tensor_ptr %b, [%s, %s], [%s, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<32x64xf32>>
  %x = tt.load %p : !tt.ptr<tensor<32x32xf32>>
  %y = tt.load %q : !tt.ptr<tensor<32x64xf32>>
  %d = tt.dot %x, %y, %c, inputPrecision = tf32 : tensor<32x32xf32> * tensor<32x64xf32> -> tensor<32x64xf32>
  tt.return %d : tensor<32x64xf32>
}
}
