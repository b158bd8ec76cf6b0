// RUN: mlt-opt %s --split-input-file --convert-triton-to-tritongpu-warp=num-warps=8 | %filecheck %s

// A hint on a dot overrides the choice.
// CHECK: #ttg.blocked<{sizePerWarp = [16, 128], warpsPerCTA = [8, 1], order = [1, 0]}>
module {
  tt.func public @horizontal(%a: tensor<128x32xf16>, %b: tensor<32x128xf16>, %c: tensor<128x128xf32>) {
    %d = tt.dot %a, %b, %c {mlt.tiling = "horizontal"} : tensor<128x32xf16> * tensor<32x128xf16> -> tensor<128x128xf32>
    tt.return
  }
}

// -----

// CHECK: #ttg.blocked<{sizePerWarp = [128, 16], warpsPerCTA = [1, 8], order = [1, 0]}>
module {
  tt.func public @vertical(%a: tensor<128x32xf16>, %b: tensor<32x128xf16>, %c: tensor<128x128xf32>) {
    %d = tt.dot %a, %b, %c {mlt.tiling = "vertical"} : tensor<128x32xf16> * tensor<32x128xf16> -> tensor<128x128xf32>
    tt.return
  }
}

// -----

// The second dot of a chain would be horizontal.
// CHECK: #ttg.blocked<{sizePerWarp = [32, 64], warpsPerCTA = [4, 2], order = [1, 0]}>
module {
  tt.func public @square(%a: tensor<128x32xf16>, %b: tensor<32x64xf16>, %c: tensor<128x64xf32>, %e: tensor<64x128xf16>, %f: tensor<128x128xf32>) {
    %d = tt.dot %a, %b, %c : tensor<128x32xf16> * tensor<32x64xf16> -> tensor<128x64xf32>
    %h = arith.truncf %d : tensor<128x64xf32> to tensor<128x64xf16>
    %g = tt.dot %h, %e, %f {mlt.tiling = "square"} : tensor<128x64xf16> * tensor<64x128xf16> -> tensor<128x128xf32>
    tt.return
  }
}
