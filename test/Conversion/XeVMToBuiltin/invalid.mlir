// RUN: mlt-opt %s --convert-xevm-to-builtin -split-input-file -verify-diagnostics
// RUN: mlt-opt %s --convert-xevm-to-genisa -split-input-file -verify-diagnostics

llvm.func @inputs(%a: vector<8xi16>, %b: vector<8xi32>, %c: vector<8xf32>) {
  // expected-error@below {{no dot instruction of f16 and bf16}}
  %0 = xevm.mma %a, %b, %c {shape = <m = 8, n = 16, k = 16>, types = <d = f32, a = f16, b = bf16, c = f32>} : (vector<8xi16>, vector<8xi32>, vector<8xf32>) -> vector<8xf32>
  llvm.return
}

// -----

llvm.func @accumulator(%a: vector<8xi16>, %b: vector<8xi32>, %c: vector<8xf32>) {
  // expected-error@below {{a dot of s8 cannot accumulate in f32}}
  %0 = xevm.mma %a, %b, %c {shape = <m = 8, n = 16, k = 32>, types = <d = f32, a = s8, b = s8, c = f32>} : (vector<8xi16>, vector<8xi32>, vector<8xf32>) -> vector<8xf32>
  llvm.return
}

// -----

llvm.func @shape(%a: vector<8xi16>, %b: vector<8xi32>, %c: vector<8xf32>) {
  // expected-error@below {{expected a shape of {1, 2, 4, 8} x 16 x 16 for f16}}
  %0 = xevm.mma %a, %b, %c {shape = <m = 8, n = 8, k = 16>, types = <d = f32, a = f16, b = f16, c = f32>} : (vector<8xi16>, vector<8xi32>, vector<8xf32>) -> vector<8xf32>
  llvm.return
}

// -----

llvm.func @operand(%a: vector<4xi16>, %b: vector<8xi32>, %c: vector<8xf32>) {
  // expected-error@below {{expected 128 bits of A per lane, got 'vector<4xi16>'}}
  %0 = xevm.mma %a, %b, %c {shape = <m = 8, n = 16, k = 16>, types = <d = f32, a = f16, b = f16, c = f32>} : (vector<4xi16>, vector<8xi32>, vector<8xf32>) -> vector<8xf32>
  llvm.return
}

// -----

llvm.func @fences() {
  // expected-error@below {{expected a fence of scope workgroup or device}}
  xevm.memfence <{scope = #xevm.mem_scope<system>, addrspace = #xevm.addr_space<global>}>
  // expected-error@below {{expected a fence of global or shared memory}}
  xevm.memfence <{scope = #xevm.mem_scope<workgroup>, addrspace = #xevm.addr_space<generic>}>
  llvm.return
}

// -----

llvm.func @cache(%o: !llvm.ptr<1>, %w: i32, %v: vector<8xi32>) {
  // expected-error@below {{the hardware has no stores with cache control L1wb_L2uc_L3uc}}
  xevm.blockstore2d %o, %w, %w, %w, %w, %w, %v <{elem_size_in_bits = 32 : i32, tile_width = 16 : i32, tile_height = 8 : i32, cache_control = #xevm.store_cache_control<L1wb_L2uc_L3uc>}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32, vector<8xi32>)
  llvm.return
}

// -----

llvm.func @space(%o: !llvm.ptr<3>, %w: i32, %v: vector<8xi32>) {
  // expected-error@below {{expected a pointer to global memory, got '!llvm.ptr<3>'}}
  xevm.blockstore2d %o, %w, %w, %w, %w, %w, %v <{elem_size_in_bits = 32 : i32, tile_width = 16 : i32, tile_height = 8 : i32}> : (!llvm.ptr<3>, i32, i32, i32, i32, i32, vector<8xi32>)
  llvm.return
}
