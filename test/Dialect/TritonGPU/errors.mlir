// RUN: mlt-opt %s --split-input-file --verify-diagnostics

tt.func @unknown_space() {
  // expected-error @below {{expected local, global_read, global_write, tensor_read, tensor_write, all or none, got 'shared'}}
  ttg.barrier local|shared
  tt.return
}

// -----

// expected-error @below {{expected sizePerWarp, warpsPerCTA and order of one length of at least 1, got 2, 1 and 2}}
tt.func private @lengths(tensor<8x8xf32, #ttg.blocked<{sizePerWarp = [8, 8], warpsPerCTA = [1], order = [1, 0]}>>)

// -----

// expected-error @below {{expected powers of two in sizePerWarp and warpsPerCTA}}
tt.func private @powers(tensor<8xf32, #ttg.blocked<{sizePerWarp = [3], warpsPerCTA = [1], order = [0]}>>)

// -----

// expected-error @below {{expected order to be a permutation of 0..1}}
tt.func private @order(tensor<8x8xf32, #ttg.blocked<{sizePerWarp = [8, 8], warpsPerCTA = [1, 1], order = [1, 1]}>>)

// -----

// expected-error @below {{expected opIdx 0 or 1, got 2}}
tt.func private @operand(tensor<8x8xf32, #ttg.dot_op<{opIdx = 2, parent = #ttg.blocked<{sizePerWarp = [8, 8], warpsPerCTA = [1, 1], order = [1, 0]}>}>>)

// -----

// expected-error @below {{expected dim below the parent's rank 2, got 2}}
tt.func private @dim(tensor<8xf32, #ttg.slice<{dim = 2, parent = #ttg.blocked<{sizePerWarp = [8, 8], warpsPerCTA = [1, 1], order = [1, 0]}>}>>)

// -----

// expected-error @below {{expected a parent of rank 2 or more}}
tt.func private @rank(tensor<8xf32, #ttg.slice<{dim = 0, parent = #ttg.blocked<{sizePerWarp = [8], warpsPerCTA = [1], order = [0]}>}>>)

// -----

// expected-error @below {{expected a number of warps that is a power of two from 1 to 64, got 3}}
module attributes {"ttg.num-warps" = 3 : i32} {}

// -----

// expected-error @below {{expected 'ttg.num-warps' to be an i32, got 4 : i64}}
module attributes {"ttg.num-warps" = 4 : i64} {}
