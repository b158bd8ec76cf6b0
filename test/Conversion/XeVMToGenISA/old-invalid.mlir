// RUN: mlt-opt %s --convert-xevm-to-genisa=generation=old -verify-diagnostics

llvm.func @old(%p: !llvm.ptr<1>, %w: i32, %v: vector<8xi32>) {
  // expected-error@below {{the old compiler generation (ocloc 22.43) has no 2-D block writes and prefetches in SIMT style: it takes their names for reads and drops the data}}
  xevm.blockstore2d %p, %w, %w, %w, %w, %w, %v <{elem_size_in_bits = 32 : i32, tile_width = 16 : i32, tile_height = 8 : i32}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32, vector<8xi32>)
  // expected-error@below {{the old compiler generation}}
  xevm.blockprefetch2d %p, %w, %w, %w, %w, %w <{elem_size_in_bits = 16 : i32, tile_width = 16 : i32, tile_height = 8 : i32, v_blocks = 2 : i32}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32)
  llvm.return
}
