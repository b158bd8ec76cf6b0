// RUN: not mlt-opt %s --materialize-markers=num-warps=12 2>&1 | %filecheck %s --check-prefix=TWELVE
// RUN: not mlt-opt %s --materialize-markers 2>&1 | %filecheck %s --check-prefix=NONE

// A kernel at the level of warps is written for a number of them.
// TWELVE: error: expected num-warps to be a power of two from 1 to 64, got '12'
// NONE: error: expected a number of warps for a warp-level kernel, found none; give --num-warps
tt.func public @kernel() attributes {mlt.warp_level} {
  %b = tt.elementwise_inline_asm "mlt.barrier" {constraints = "", packed_element = 1 : i32, pure = false} -> i32
  tt.return
}
