// RUN: mlt-opt %s --convert-vc-to-raw-send --emulate-intrinsics --split-input-file --verify-diagnostics

llvm.func spir_funccc @llvm.genx.lsc.load2d.stateless.v512i32.v1i1.i64(vector<1xi1>, i8, i8, i8, i8, i8, i16, i16, i8, i64, i32, i32, i32, i32, i32) -> vector<512xi32>
// Nothing is loaded from where it would be written back.
llvm.func @write_back(%base: i64, %w: i32, %h: i32, %p: i32, %x0: i32, %y0: i32, %n: i32) {
  %t = llvm.mlir.constant(dense<true> : vector<1xi1>) : vector<1xi1>
  %df = llvm.mlir.constant(0 : i8) : i8
  %one = llvm.mlir.constant(1 : i8) : i8
  %two = llvm.mlir.constant(2 : i8) : i8
  %three = llvm.mlir.constant(3 : i8) : i8
  %w16 = llvm.mlir.constant(16 : i16) : i16
  %h8 = llvm.mlir.constant(8 : i16) : i16
  %h32 = llvm.mlir.constant(32 : i16) : i16
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %c32 = llvm.mlir.constant(32 : i32) : i32
  // expected-error @below {{expected cache options that the hardware has for a 2-D block message, got 3 and 3}}
  %d = llvm.call spir_funccc @llvm.genx.lsc.load2d.stateless.v512i32.v1i1.i64(%t, %three, %three, %two, %one, %two, %w16, %h32, %df, %base, %w, %h, %p, %x0, %y0) : (vector<1xi1>, i8, i8, i8, i8, i8, i16, i16, i8, i64, i32, i32, i32, i32, i32) -> vector<512xi32>
  llvm.return
}

// -----

llvm.func spir_funccc @llvm.genx.raw.send2.v128i32.i1.v16i32(i8, i8, i1, i8, i8, i8, i32, i32, vector<16xi32>, vector<128xi32>) -> vector<128xi32>

// Vnni and transposed at once.
llvm.func @descriptor(%payload: vector<16xi32>) {
  %z8 = llvm.mlir.constant(0 : i8) : i8
  %o8 = llvm.mlir.constant(1 : i8) : i8
  %n8 = llvm.mlir.constant(8 : i8) : i8
  %unit = llvm.mlir.constant(15 : i8) : i8
  %true = llvm.mlir.constant(true) : i1
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c7 = llvm.mlir.constant(7 : i32) : i32
  %none = llvm.mlir.undef : vector<128xi32>
  %desc = llvm.mlir.constant(41976963 : i32) : i32
  // expected-error @below {{expected a constant descriptor of a 2-D block message}}
  %d = llvm.call spir_funccc @llvm.genx.raw.send2.v128i32.i1.v16i32(%z8, %z8, %true, %o8, %n8, %unit, %c0, %desc, %payload, %none) : (i8, i8, i1, i8, i8, i8, i32, i32, vector<16xi32>, vector<128xi32>) -> vector<128xi32>
  llvm.return
}

// -----

llvm.func spir_funccc @llvm.genx.raw.send2.v128i32.i1.v16i32(i8, i8, i1, i8, i8, i8, i32, i32, vector<16xi32>, vector<128xi32>) -> vector<128xi32>

// Fewer registers than the data has.
llvm.func @registers(%payload: vector<16xi32>) {
  %z8 = llvm.mlir.constant(0 : i8) : i8
  %o8 = llvm.mlir.constant(1 : i8) : i8
  %n8 = llvm.mlir.constant(8 : i8) : i8
  %unit = llvm.mlir.constant(15 : i8) : i8
  %true = llvm.mlir.constant(true) : i1
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c7 = llvm.mlir.constant(7 : i32) : i32
  %none = llvm.mlir.undef : vector<128xi32>
  %desc = llvm.mlir.constant(37749763 : i32) : i32
  // expected-error @below {{expected a constant descriptor of a 2-D block message}}
  %d = llvm.call spir_funccc @llvm.genx.raw.send2.v128i32.i1.v16i32(%z8, %z8, %true, %o8, %n8, %unit, %c0, %desc, %payload, %none) : (i8, i8, i1, i8, i8, i8, i32, i32, vector<16xi32>, vector<128xi32>) -> vector<128xi32>
  llvm.return
}

// -----

llvm.func spir_funccc @llvm.genx.raw.send2.v128i32.i1.v16i32(i8, i8, i1, i8, i8, i8, i32, i32, vector<16xi32>, vector<128xi32>) -> vector<128xi32>

// The shape comes from elsewhere.
llvm.func @shape(%payload: vector<16xi32>) {
  %z8 = llvm.mlir.constant(0 : i8) : i8
  %o8 = llvm.mlir.constant(1 : i8) : i8
  %n8 = llvm.mlir.constant(8 : i8) : i8
  %unit = llvm.mlir.constant(15 : i8) : i8
  %true = llvm.mlir.constant(true) : i1
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c7 = llvm.mlir.constant(7 : i32) : i32
  %none = llvm.mlir.undef : vector<128xi32>
  %desc = llvm.mlir.constant(41944067 : i32) : i32
  // expected-error @below {{expected one constant shape of the block in its payload}}
  %d = llvm.call spir_funccc @llvm.genx.raw.send2.v128i32.i1.v16i32(%z8, %z8, %true, %o8, %n8, %unit, %c0, %desc, %payload, %none) : (i8, i8, i1, i8, i8, i8, i32, i32, vector<16xi32>, vector<128xi32>) -> vector<128xi32>
  llvm.return
}

// -----

llvm.func spir_funccc @llvm.genx.raw.send2.v128i32.i1.v16i32(i8, i8, i1, i8, i8, i8, i32, i32, vector<16xi32>, vector<128xi32>) -> vector<128xi32>

// Two shapes.
llvm.func @shapes(%start: vector<16xi32>, %which: i1) {
  %z8 = llvm.mlir.constant(0 : i8) : i8
  %o8 = llvm.mlir.constant(1 : i8) : i8
  %n8 = llvm.mlir.constant(8 : i8) : i8
  %unit = llvm.mlir.constant(15 : i8) : i8
  %true = llvm.mlir.constant(true) : i1
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c7 = llvm.mlir.constant(7 : i32) : i32
  %none = llvm.mlir.undef : vector<128xi32>
  %desc = llvm.mlir.constant(41944067 : i32) : i32
  %a = llvm.insertelement %c0, %start[%c7 : i32] : vector<16xi32>
  %b = llvm.insertelement %c7, %start[%c7 : i32] : vector<16xi32>
  llvm.cond_br %which, ^bb1(%a : vector<16xi32>), ^bb1(%b : vector<16xi32>)
^bb1(%payload: vector<16xi32>):
  // expected-error @below {{expected one constant shape of the block in its payload}}
  %d = llvm.call spir_funccc @llvm.genx.raw.send2.v128i32.i1.v16i32(%z8, %z8, %true, %o8, %n8, %unit, %c0, %desc, %payload, %none) : (i8, i8, i1, i8, i8, i8, i32, i32, vector<16xi32>, vector<128xi32>) -> vector<128xi32>
  llvm.return
}

// -----

llvm.func spir_funccc @llvm.genx.raw.sendsomething(i32)
llvm.func @unknown(%x: i32) {
  // expected-error @below {{expected a raw send of a 2-D block message}}
  llvm.call spir_funccc @llvm.genx.raw.sendsomething(%x) : (i32) -> ()
  llvm.return
}
