// RUN: mlt-opt %s --split-input-file --convert-triton-to-tritongpu-warp=num-warps=16 --verify-diagnostics

tt.func public @rows(%a: tensor<8x32xf16>, %b: tensor<32x128xf16>, %c: tensor<8x128xf32>) {
  // expected-error @below {{tiling hint "horizontal" cannot be met: 8 rows cannot be split over 16 warps}}
  %d = tt.dot %a, %b, %c {mlt.tiling = "horizontal"} : tensor<8x32xf16> * tensor<32x128xf16> -> tensor<8x128xf32>
  tt.return
}

// -----

tt.func public @columns(%a: tensor<128x32xf16>, %b: tensor<32x128xf16>, %c: tensor<128x128xf32>) {
  // expected-error @below {{tiling hint "vertical" cannot be met: 128 columns cannot be split over 16 warps, a warp needs at least 16 for its dot instruction}}
  %d = tt.dot %a, %b, %c {mlt.tiling = "vertical"} : tensor<128x32xf16> * tensor<32x128xf16> -> tensor<128x128xf32>
  tt.return
}

// -----

tt.func public @unknown(%a: tensor<128x32xf16>, %b: tensor<32x128xf16>, %c: tensor<128x128xf32>) {
  // expected-error @below {{expected 'mlt.tiling' to be "square", "horizontal" or "vertical", got "diagonal"}}
  %d = tt.dot %a, %b, %c {mlt.tiling = "diagonal"} : tensor<128x32xf16> * tensor<32x128xf16> -> tensor<128x128xf32>
  tt.return
}

// -----

tt.func public @notastring(%a: tensor<128x32xf16>, %b: tensor<32x128xf16>, %c: tensor<128x128xf32>) {
  // expected-error @below {{expected 'mlt.tiling' to be a string, got 1 : i32}}
  %d = tt.dot %a, %b, %c {mlt.tiling = 1 : i32} : tensor<128x32xf16> * tensor<32x128xf16> -> tensor<128x128xf32>
  tt.return
}

// -----

tt.func public @disagree(%a: tensor<128x32xf16>, %b: tensor<32x256xf16>, %c: tensor<128x256xf32>) {
  // expected-note @below {{last dot with a hint}}
  %d = tt.dot %a, %b, %c {mlt.tiling = "horizontal"} : tensor<128x32xf16> * tensor<32x256xf16> -> tensor<128x256xf32>
  // expected-error @below {{tiling hint "vertical" cannot be met: the result already has the layout}}
  %e = tt.dot %a, %b, %d {mlt.tiling = "vertical"} : tensor<128x32xf16> * tensor<32x256xf16> -> tensor<128x256xf32>
  tt.return
}

// -----

#blocked = #ttg.blocked<{sizePerWarp = [8], warpsPerCTA = [16], order = [0]}>
tt.func public @twice() {
  // expected-error @below {{expected tensors without layout}}
  %r = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
  tt.return
}

// -----

tt.func public @descriptor(%d: !tt.tensordesc<16x16xf16>, %i: i32) {
  // expected-error @below {{'tt.descriptor_load' has no rule for the layout of its tensors; run --rewrite-tensor-descriptor first}}
  %t = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<16x16xf16> -> tensor<16x16xf16>
  tt.return
}

// -----

tt.func private @callee(%t: tensor<16xf32>) {
  tt.return
}
tt.func public @caller(%t: tensor<16xf32>) {
  // expected-error @below {{'tt.call' has no rule for the layout of its tensors; inline functions that take or return tensors first}}
  tt.call @callee(%t) : (tensor<16xf32>) -> ()
  tt.return
}
