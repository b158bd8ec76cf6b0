// RUN: mlt-opt %s --convert-triton-to-tritongpu-warp="num-warps=4 print-analysis-only" --verify-diagnostics | %filecheck %s

// The analysis reports and leaves the module alone.
// CHECK-NOT: #ttg
// CHECK: module {
module {
  tt.func public @gemm(%a: tensor<64x32xf16>, %b: tensor<32x128xf16>, %c: tensor<64x128xf32>, %p: tensor<64x128x!tt.ptr<f32>>) {
    // expected-remark @below {{gemm root: tile [64, 128] over 4 warps, sizePerWarp [32, 64], warpsPerCTA [2, 2] (square, least to load per step of k)}}
    // expected-remark @below {{result 0: 'tensor<64x128xf32, #ttg.blocked<{sizePerWarp = [32, 64], warpsPerCTA = [2, 2], order = [1, 0]}>>'}}
    %d = tt.dot %a, %b, %c : tensor<64x32xf16> * tensor<32x128xf16> -> tensor<64x128xf32>
    // expected-remark @below {{result 0: 'tensor<64x128xf32, #ttg.blocked<{sizePerWarp = [32, 64], warpsPerCTA = [2, 2], order = [1, 0]}>>'}}
    %e = math.exp %d : tensor<64x128xf32>
    tt.store %p, %e : tensor<64x128x!tt.ptr<f32>>
    tt.return
  }
}
