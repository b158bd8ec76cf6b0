// RUN: mlt-opt %s --emulate-intrinsics -split-input-file -verify-diagnostics

llvm.func spir_funccc @llvm.genx.no.such() -> i32
llvm.func @unknown() -> i32 {
  // expected-error@below {{unknown device function 'llvm.genx.no.such': no such intrinsic of the vector backend}}
  %0 = llvm.call spir_funccc @llvm.genx.no.such() : () -> i32
  llvm.return %0 : i32
}

// -----

llvm.func spir_funccc @llvm.genx.group.id.x() -> i64
llvm.func @id() -> i64 {
  // expected-error@below {{expected a result of 1 x i32}}
  %0 = llvm.call spir_funccc @llvm.genx.group.id.x() : () -> i64
  llvm.return %0 : i64
}

// -----

llvm.func spir_funccc @llvm.genx.sbarrier(i8)
llvm.func @signal(%s: i8) {
  // expected-error@below {{expected a constant}}
  llvm.call spir_funccc @llvm.genx.sbarrier(%s) : (i8) -> ()
  llvm.return
}

// -----

llvm.func spir_funccc @llvm.genx.dpas2.v128f32.v128f32.v128i32.v64i32(vector<128xf32>, vector<128xi32>, vector<64xi32>, i32, i32, i32, i32, i32, i32) -> vector<128xf32>
llvm.func @precision(%c: vector<128xf32>, %b: vector<128xi32>, %a: vector<64xi32>) -> vector<128xf32> {
  %bf8 = llvm.mlir.constant(11 : i32) : i32
  %c8 = llvm.mlir.constant(8 : i32) : i32
  // expected-error@below {{precision code 11 is not known to mean the same to all compilers}}
  %d = llvm.call spir_funccc @llvm.genx.dpas2.v128f32.v128f32.v128i32.v64i32(%c, %b, %a, %bf8, %bf8, %c8, %c8, %c8, %c8) : (vector<128xf32>, vector<128xi32>, vector<64xi32>, i32, i32, i32, i32, i32, i32) -> vector<128xf32>
  llvm.return %d : vector<128xf32>
}

// -----

llvm.func spir_funccc @llvm.genx.lsc.prefetch2d.stateless.v1i1.i64(vector<1xi1>, i8, i8, i8, i8, i8, i16, i16, i8, i64, i32, i32, i32, i32, i32)
llvm.func @predicated(%p: vector<1xi1>, %b: i64, %s: i32) {
  %c1 = llvm.mlir.constant(1 : i8) : i8
  %c16 = llvm.mlir.constant(16 : i16) : i16
  // expected-error@below {{expected a predicate that is constant and true}}
  llvm.call spir_funccc @llvm.genx.lsc.prefetch2d.stateless.v1i1.i64(%p, %c1, %c1, %c1, %c1, %c1, %c16, %c16, %c1, %b, %s, %s, %s, %s, %s) : (vector<1xi1>, i8, i8, i8, i8, i8, i16, i16, i8, i64, i32, i32, i32, i32, i32) -> ()
  llvm.return
}

// -----

llvm.func spir_funccc @llvm.genx.lsc.prefetch2d.stateless.v1i1.i64(vector<1xi1>, i8, i8, i8, i8, i8, i16, i16, i8, i64, i32, i32, i32, i32, i32)
llvm.func @packed_and_transposed(%b: i64, %s: i32) {
  %true = llvm.mlir.constant(dense<true> : vector<1xi1>) : vector<1xi1>
  %c1 = llvm.mlir.constant(1 : i8) : i8
  %c2 = llvm.mlir.constant(2 : i8) : i8
  %c16 = llvm.mlir.constant(16 : i16) : i16
  // expected-error@below {{transpose and vnni exclude each other}}
  llvm.call spir_funccc @llvm.genx.lsc.prefetch2d.stateless.v1i1.i64(%true, %c1, %c1, %c2, %c2, %c1, %c16, %c16, %c1, %b, %s, %s, %s, %s, %s) : (vector<1xi1>, i8, i8, i8, i8, i8, i16, i16, i8, i64, i32, i32, i32, i32, i32) -> ()
  llvm.return
}

// -----

llvm.func spir_funccc @llvm.genx.lsc.store.stateless.v2i1.v2i64.v2i32(vector<2xi1>, i8, i8, i8, i16, i32, i8, i8, i8, i8, vector<2xi64>, vector<2xi32>, i32)
llvm.func @store_code(%m: vector<2xi1>, %w: vector<2xi64>, %x: vector<2xi32>) {
  %i0 = llvm.mlir.constant(0 : i8) : i8
  %i1 = llvm.mlir.constant(1 : i8) : i8
  %i3 = llvm.mlir.constant(3 : i8) : i8
  %s1 = llvm.mlir.constant(1 : i16) : i16
  %c0 = llvm.mlir.constant(0 : i32) : i32
  // expected-error@below {{expected an element size of 3 to 6 and an operation that all compilers know, got 3 and 0}}
  llvm.call spir_funccc @llvm.genx.lsc.store.stateless.v2i1.v2i64.v2i32(%m, %i0, %i0, %i0, %s1, %c0, %i3, %i1, %i1, %i0, %w, %x, %c0) : (vector<2xi1>, i8, i8, i8, i16, i32, i8, i8, i8, i8, vector<2xi64>, vector<2xi32>, i32) -> ()
  llvm.return
}

// -----

llvm.func spir_funccc @llvm.genx.rdregioni.v4i32.v2i32.i16(vector<2xi32>, i32, i32, i32, i16, i32) -> vector<4xi32>
llvm.func @region(%x: vector<2xi32>) -> vector<4xi32> {
  %s0 = llvm.mlir.constant(0 : i16) : i16
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c2 = llvm.mlir.constant(2 : i32) : i32
  // expected-error@below {{expected a region of 4 elements within 2}}
  %r = llvm.call spir_funccc @llvm.genx.rdregioni.v4i32.v2i32.i16(%x, %c2, %c2, %c1, %s0, %c1) : (vector<2xi32>, i32, i32, i32, i16, i32) -> vector<4xi32>
  llvm.return %r : vector<4xi32>
}

// -----

llvm.func spir_funccc @llvm.genx.exp.v2f32(vector<2xf32>) -> vector<2xi32>
llvm.func @math(%x: vector<2xf32>) -> vector<2xi32> {
  // expected-error@below {{expected floats and a result of the same type}}
  %r = llvm.call spir_funccc @llvm.genx.exp.v2f32(%x) : (vector<2xf32>) -> vector<2xi32>
  llvm.return %r : vector<2xi32>
}

// -----

llvm.func spir_funccc @llvm.genx.lsc.load.stateless.v8i32.v4i1.v4i64(vector<4xi1>, i8, i8, i8, i16, i32, i8, i8, i8, i8, vector<4xi64>, i32) -> vector<8xi32>
llvm.func @gaps(%m: vector<4xi1>, %a: vector<4xi64>) -> vector<8xi32> {
  %i0 = llvm.mlir.constant(0 : i8) : i8
  %i1 = llvm.mlir.constant(1 : i8) : i8
  %i2 = llvm.mlir.constant(2 : i8) : i8
  %i3 = llvm.mlir.constant(3 : i8) : i8
  %s1 = llvm.mlir.constant(1 : i16) : i16
  %c0 = llvm.mlir.constant(0 : i32) : i32
  // expected-error@below {{expected one element per address, or dwords or qwords: up to 4 at each of 16 addresses in plain order or up to 64 at one in transposed order, got code 2 at each of 4 in order 1}}
  %x = llvm.call spir_funccc @llvm.genx.lsc.load.stateless.v8i32.v4i1.v4i64(%m, %i0, %i0, %i0, %s1, %c0, %i3, %i2, %i1, %i0, %a, %c0) : (vector<4xi1>, i8, i8, i8, i16, i32, i8, i8, i8, i8, vector<4xi64>, i32) -> vector<8xi32>
  llvm.return %x : vector<8xi32>
}
