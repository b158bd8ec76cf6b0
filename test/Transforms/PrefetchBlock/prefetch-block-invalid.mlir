// RUN: not mlt-opt %s --prefetch-block 2>&1 | %filecheck %s
// RUN: not mlt-opt %s --prefetch-block=distance=33 2>&1 | %filecheck %s --check-prefix=FAR
// RUN: not mlt-opt %s --prefetch-block=distance=-1 2>&1 | %filecheck %s --check-prefix=BEHIND

// CHECK: error: expected the number of warps in 'ttg.num-warps', found none; run --convert-triton-to-tritongpu-warp first
// FAR: error: expected distance to be from 0 to 32 iterations, got 33
// BEHIND: error: expected distance to be from 0 to 32 iterations, got -1
module {}
