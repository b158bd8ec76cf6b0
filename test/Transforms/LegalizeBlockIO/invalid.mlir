// RUN: mlt-opt %s --split-input-file --legalize-block-io --verify-diagnostics

#blocked = #ttg.blocked<{sizePerWarp = [8, 16], warpsPerCTA = [1, 1], order = [1, 0]}>
tt.func public @layout(%p: !tt.ptr<tensor<8x16xf16, #blocked>>) {
  // expected-error @below {{expected warp tiles without layout, got 'tensor<8x16xf16, #ttg.blocked<{sizePerWarp = [8, 16], warpsPerCTA = [1, 1], order = [1, 0]}>>'; run --distribute-to-warps first}}
  %v = tt.load %p : !tt.ptr<tensor<8x16xf16, #blocked>>
  tt.return
}

// -----

// expected-error @below {{unknown target 'abacus', expected one of}}
module attributes {mlt.target = "abacus"} {
}
