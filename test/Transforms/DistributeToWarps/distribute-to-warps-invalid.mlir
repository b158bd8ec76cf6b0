// RUN: mlt-opt %s --distribute-to-warps -split-input-file -verify-diagnostics

#b = #ttg.blocked<{sizePerWarp = [16], warpsPerCTA = [4], order = [0]}>

tt.func public @elements() {
  // expected-error @+1 {{cannot be distributed to warps: expected a splat, found elements that differ}}
  %0 = arith.constant dense<"0x00010203"> : tensor<4xi8, #b>
  tt.return
}

// -----

#b = #ttg.blocked<{sizePerWarp = [16], warpsPerCTA = [4], order = [0]}>

tt.func public @histogram(%c: i32) {
  %x = tt.splat %c : i32 -> tensor<64xi32, #b>
  // expected-error @+1 {{cannot be distributed to warps yet}}
  %0 = tt.histogram %x : tensor<64xi32, #b> -> tensor<64xi32, #b>
  tt.return
}

// -----

// expected-error @+1 {{expected sizePerWarp, warpsPerCTA and order of one length}}
#b = #ttg.blocked<{sizePerWarp = [16, 16], warpsPerCTA = [4], order = [0]}>
module {}

// -----

// expected-error @+1 {{expected powers of two}}
#b = #ttg.blocked<{sizePerWarp = [12], warpsPerCTA = [4], order = [0]}>
module {}

// -----

// expected-error @+1 {{expected a number of warps that is a power of two from 1 to 64, got 12}}
module attributes {"ttg.num-warps" = 12 : i32} {}

// -----

#b = #ttg.blocked<{sizePerWarp = [16], warpsPerCTA = [4], order = [0]}>

// expected-error @+1 {{cannot be distributed to warps: expected no parameters or results with a layout}}
tt.func public @parameter(%x: tensor<64xi32, #b>) {
  tt.return
}
