// RUN: mlt-opt %s --convert-triton-to-tritongpu-warp=num-warps=4 | %filecheck %s

// Both halves of a product are stored as blocks. The first block to ask for a
// layout decides for both results of the split, which have one type. The
// product changes hands as a matrix, not through the dimension of two.
// CHECK-LABEL: @epilogue
// CHECK: mlt.convert_layout %{{.*}} : tensor<64x64xf32, #{{.*}}> -> tensor<64x64xf32, #{{.*}}>
// CHECK-NEXT: tt.reshape
// CHECK-NEXT: tt.trans
// CHECK: tt.split %{{.*}} : tensor<64x32x2xf32, #{{.*}}> -> tensor<64x32xf32, [[L:#.*]]>
// CHECK: tt.store %{{.*}}, %{{.*}} : !tt.ptr<tensor<64x32xf32, [[L]]>>
// CHECK: tt.store %{{.*}}, %{{.*}} : !tt.ptr<tensor<64x32xf32, [[L]]>>
tt.func public @epilogue(%a: tensor<64x32xf16>, %b: tensor<32x64xf16>,
                         %p: !tt.ptr<tensor<64x32xf32>>,
                         %q: !tt.ptr<tensor<64x32xf32>>) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %acc = tt.dot %a, %b, %zero : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
  %parts = tt.reshape %acc : tensor<64x64xf32> -> tensor<64x2x32xf32>
  %last = tt.trans %parts {order = array<i32: 0, 2, 1>} : tensor<64x2x32xf32> -> tensor<64x32x2xf32>
  %left, %right = tt.split %last : tensor<64x32x2xf32> -> tensor<64x32xf32>
  tt.store %p, %left : !tt.ptr<tensor<64x32xf32>>
  tt.store %q, %right : !tt.ptr<tensor<64x32xf32>>
  tt.return
}
