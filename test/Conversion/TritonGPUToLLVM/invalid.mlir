// RUN: mlt-opt %s --convert-tritongpu-to-llvm -split-input-file -verify-diagnostics

// expected-error @+1 {{expected the module attribute 'ttg.num-warps' with a power of two in 1..64}}
module {
  tt.func public @no_warps() {
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 1 : i32} {
  // expected-error @+1 {{cannot be lowered: device functions must be inlined before}}
  tt.func private @helper() {
    tt.return
  }
  tt.func public @caller() {
    // expected-error @+1 {{cannot be lowered: calls must be inlined before}}
    tt.call @helper() : () -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 1 : i32} {
  tt.func public @messages(%c: i1) {
    // expected-error @+1 {{cannot be lowered: run 'legalize-triton' first}}
    tt.assert %c, "no" : i1
    // expected-error @+1 {{cannot be lowered: run 'legalize-triton' first}}
    tt.print "x" {hex = false, isSigned = array<i32: 0>} : %c : i1
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerWarp = [8, 16], warpsPerCTA = [1, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 1 : i32} {
  tt.func public @encoded() {
    // expected-error @+1 {{cannot be lowered: expected no encoding but '#mlt.operand' at this level}}
    %c = arith.constant dense<0.0> : tensor<8x16xf32, #blocked>
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 1 : i32} {
  tt.func public @whole_tile(%a: !tt.ptr<f16>, %s: i64, %x: i32) {
    %c1 = arith.constant 1 : i64
    %p = tt.make_tensor_ptr %a, [%s, %s], [%s, %c1], [%x, %x] {order = array<i32: 1, 0>} : <tensor<64x64xf16>>
    // expected-error @+1 {{cannot be lowered: expected at most 32 rows and 1 to 2 times 16 columns for one block load, got 'tensor<64x64xf16>'}}
    %t = tt.load %p : !tt.ptr<tensor<64x64xf16>>
    // expected-error @+1 {{cannot be lowered: expected at most 8 rows and 16 columns for one block store, got 'tensor<64x64xf16>'}}
    tt.store %p, %t : !tt.ptr<tensor<64x64xf16>>
    // expected-error @+1 {{cannot be lowered: expected at most 32 rows of 32 elements for one prefetch, got 'tensor<64x64xf16>'}}
    mlt.prefetch %p : !tt.ptr<tensor<64x64xf16>>
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 1 : i32} {
  tt.func public @no_form(%a: !tt.ptr<f64>, %b: !tt.ptr<f16>, %s: i64, %x: i32) {
    %c1 = arith.constant 1 : i64
    %p = tt.make_tensor_ptr %a, [%s, %s], [%s, %c1], [%x, %x] {order = array<i32: 1, 0>} : <tensor<8x16xf64>>
    // expected-error @+1 {{cannot be lowered: the target has no 2-D block load for 'tensor<8x16xf64>'}}
    %t = tt.load %p : !tt.ptr<tensor<8x16xf64>>
    %q = tt.make_tensor_ptr %b, [%s, %s], [%c1, %s], [%x, %x] {order = array<i32: 0, 1>} : <tensor<8x16xf16>>
    // expected-error @+1 {{cannot be lowered: the target has no transposed 2-D block load for 'tensor<8x16xf16>'}}
    %u = tt.load %q : !tt.ptr<tensor<8x16xf16>>
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 1 : i32} {
  tt.func public @padding(%a: !tt.ptr<f32>, %s: i64, %x: i32) {
    %c1 = arith.constant 1 : i64
    %p = tt.make_tensor_ptr %a, [%s, %s], [%s, %c1], [%x, %x] {order = array<i32: 1, 0>} : <tensor<8x16xf32>>
    // expected-error @+1 {{cannot be lowered: a 2-D block load pads with zero; expected padding 'zero'}}
    %t = tt.load %p {boundaryCheck = array<i32: 0>, padding = 2 : i32} : !tt.ptr<tensor<8x16xf32>>
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 1 : i32} {
  tt.func public @orders(%a: !tt.ptr<f32>, %c: i1, %s: i64, %x: i32) {
    %c1 = arith.constant 1 : i64
    // expected-note @+1 {{made here}}
    %p = tt.make_tensor_ptr %a, [%s, %s], [%s, %c1], [%x, %x] {order = array<i32: 1, 0>} : <tensor<8x16xf32>>
    // expected-note @+1 {{made here}}
    %q = tt.make_tensor_ptr %a, [%s, %s], [%c1, %s], [%x, %x] {order = array<i32: 0, 1>} : <tensor<8x16xf32>>
    %r = arith.select %c, %p, %q : !tt.ptr<tensor<8x16xf32>>
    // expected-error @+1 {{cannot be lowered: block pointers of different orders reach it}}
    %t = tt.load %r : !tt.ptr<tensor<8x16xf32>>
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 1 : i32} {
  // expected-error @+1 {{cannot be lowered: expected a scalar or a pointer to one as argument 0 of a kernel}}
  tt.func public @argument(%a: tensor<8x16xf16>) {
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 1 : i32} {
  tt.func public @dots() {
    %a = arith.constant dense<0.0> : tensor<8x8xf32, #mlt.operand<a>>
    %b = arith.constant dense<0.0> : tensor<8x16xf32>
    %c = arith.constant dense<0.0> : tensor<8x16xf32>
    // expected-error @+1 {{cannot be lowered: expected plain tiles of rank 2 with at most 16 columns}}
    %d = tt.dot %a, %b, %c : tensor<8x8xf32, #mlt.operand<a>> * tensor<8x16xf32> -> tensor<8x16xf32>
    %ah = arith.constant dense<0.0> : tensor<8x32xf16>
    %bh = arith.constant dense<0.0> : tensor<32x16xf16, #mlt.operand<b>>
    // expected-error @+1 {{cannot be lowered: expected the size of one dot instruction, n = 16 and k = 16}}
    %e = tt.dot %ah, %bh, %c : tensor<8x32xf16> * tensor<32x16xf16, #mlt.operand<b>> -> tensor<8x16xf32>
    %ai = arith.constant dense<0.0> : tensor<8x16xf16>
    %bi = arith.constant dense<0.0> : tensor<16x16xf16>
    // expected-error @+1 {{cannot be lowered: expected operands in the register image of the dot instruction}}
    %f = tt.dot %ai, %bi, %c : tensor<8x16xf16> * tensor<16x16xf16> -> tensor<8x16xf32>
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 1 : i32} {
  tt.func public @atomics(%p: !tt.ptr<i8>, %v: i8) {
    // expected-error @+1 {{cannot be lowered: atomic updates need elements of at least 16 bits}}
    %r = tt.atomic_rmw add, relaxed, gpu, %p, %v : (!tt.ptr<i8>, i8) -> i8
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 1 : i32} {
  tt.func public @floats(%v: f8E4M3FNUZ) {
    // expected-error @+1 {{cannot be lowered: conversions of 'f8E4M3FNUZ' are not supported}}
    %r = tt.fp_to_fp %v : f8E4M3FNUZ -> f32
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 1 : i32} {
  tt.func public @scan() {
    %x = arith.constant dense<0> : tensor<16xi32>
    // expected-error @+1 {{cannot be lowered: run 'expand-exchange' first}}
    %s = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%a: i32, %b: i32):
      %c = arith.addi %a, %b : i32
      tt.scan.return %c : i32
    }) : (tensor<16xi32>) -> tensor<16xi32>
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 1 : i32} {
  tt.func public @cross_warp(%x: f32) {
    // expected-error @+1 {{cannot be lowered: reductions across warps must be lowered to shared local memory before}}
    %m = mlt.cross_warp_reduce %x size 2 stride 1 {
    ^bb0(%a: f32, %b: f32):
      %r = arith.maxnumf %a, %b : f32
      mlt.yield %r : f32
    } : (f32) -> f32
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 1 : i32} {
  // expected-error @+1 {{cannot be lowered: it needs 262144 bytes of shared local memory, the target has 131072}}
  tt.func public @slm() {
    %a = mlt.alloc {shape = array<i64: 65536>} : !tt.ptr<f32, 3>
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 1 : i32} {
  // expected-error @+1 {{cannot be lowered: tensor descriptors must be rewritten to block pointers before}}
  tt.func public @descriptor(%d: !tt.tensordesc<8x16xf32>) {
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 1 : i32} {
  tt.func public @vector_block(%a: !tt.ptr<f32>, %s: i64, %x: i32) {
    %c1 = arith.constant 1 : i64
    %p = tt.make_tensor_ptr %a, [%s], [%c1], [%x] {order = array<i32: 0>} : <tensor<16xf32>>
    // expected-error @+1 {{cannot be lowered: expected a block of two dimensions, got 'tensor<16xf32>'}}
    %t = tt.load %p : !tt.ptr<tensor<16xf32>>
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 1 : i32} {
  tt.func public @no_store(%a: !tt.ptr<f16>, %b: !tt.ptr<f64>, %s: i64, %x: i32) {
    %c1 = arith.constant 1 : i64
    %t = arith.constant dense<0.0> : tensor<8x16xf16>
    %p = tt.make_tensor_ptr %a, [%s, %s], [%c1, %s], [%x, %x] {order = array<i32: 0, 1>} : <tensor<8x16xf16>>
    // expected-error @+1 {{cannot be lowered: the target has no such 2-D block store of 'tensor<8x16xf16>'}}
    tt.store %p, %t : !tt.ptr<tensor<8x16xf16>>
    %q = tt.make_tensor_ptr %b, [%s, %s], [%s, %c1], [%x, %x] {order = array<i32: 1, 0>} : <tensor<8x8xf64>>
    // expected-error @+1 {{cannot be lowered: the target has no 2-D block prefetch for 'tensor<8x8xf64>'}}
    mlt.prefetch %q : !tt.ptr<tensor<8x8xf64>>
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 1 : i32} {
  tt.func public @no_dots() {
    %a = arith.constant dense<0.0> : tensor<8x8xf32, #mlt.operand<a>>
    %b = arith.constant dense<0.0> : tensor<8x16xf32>
    %c = arith.constant dense<0.0> : tensor<8x16xf32>
    // expected-error @+1 {{cannot be lowered: the dot instruction takes f32 operands as tf32 only; expected inputPrecision = tf32}}
    %d = tt.dot %a, %b, %c, inputPrecision = tf32x3 : tensor<8x8xf32, #mlt.operand<a>> * tensor<8x16xf32> -> tensor<8x16xf32>
    %ah = arith.constant dense<0.0> : tensor<8x16xbf16>
    %bh = arith.constant dense<0.0> : tensor<16x16xbf16, #mlt.operand<b>>
    %ch = arith.constant dense<0.0> : tensor<8x16xf16>
    // expected-error @+1 {{cannot be lowered: the target has no dot instruction for 'tensor<8x16xbf16>' * 'tensor<16x16xbf16, #mlt.operand<b>>' + 'tensor<8x16xf16>'}}
    %e = tt.dot %ah, %bh, %ch : tensor<8x16xbf16> * tensor<16x16xbf16, #mlt.operand<b>> -> tensor<8x16xf16>
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 1 : i32} {
  tt.func public @origin(%c: i1, %a: !tt.ptr<f32>, %s: i64, %x: i32) {
    %p = ub.poison : !tt.ptr<tensor<8x16xf32>>
    // expected-error @+1 {{cannot be lowered: the origin of its block pointer is not known; expected 'tt.make_tensor_ptr'}}
    %t = tt.load %p : !tt.ptr<tensor<8x16xf32>>
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 1 : i32} {
  tt.func public @arithmetic(%v: f8E4M3FNUZ) {
    // expected-error @+1 {{cannot be lowered: arithmetic on 'f8E4M3FNUZ' is not supported}}
    %r = arith.addf %v, %v : f8E4M3FNUZ
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 1 : i32} {
  tt.func public @functions(%v: f32) {
    // expected-error @+1 {{cannot be lowered: '__nv_sinf' is not a function of the device's library; run 'legalize-triton' first}}
    %r = tt.extern_elementwise %v {libname = "libdevice", libpath = "", pure = true, symbol = "__nv_sinf"} : (f32) -> f32
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 1 : i32} {
  tt.func public @reductions(%p: !tt.ptr<f32>) {
    %x = arith.constant dense<0.0> : tensor<16x16xf16, #mlt.operand<b>>
    // expected-error @+1 {{cannot be lowered: expected plain tiles as operands of a reduction}}
    %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f16, %b: f16):
      %c = arith.addf %a, %b : f16
      tt.reduce.return %c : f16
    }) : (tensor<16x16xf16, #mlt.operand<b>>) -> tensor<16xf16>
    %q = tt.splat %p : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    // expected-error @+1 {{cannot be lowered: reductions of pointers are not supported}}
    %t = "tt.reduce"(%q) <{axis = 0 : i32}> ({
    ^bb0(%a: !tt.ptr<f32>, %b: !tt.ptr<f32>):
      tt.reduce.return %a : !tt.ptr<f32>
    }) : (tensor<16x!tt.ptr<f32>>) -> !tt.ptr<f32>
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 1 : i32} {
  tt.func public @passes_left_out() {
    %a = arith.constant dense<0> : tensor<32x64xi8>
    %b = arith.constant dense<0> : tensor<64x32xi8>
    %c = arith.constant dense<0.0> : tensor<32x32xf32>
    // expected-error @+1 {{cannot be lowered: run 'legalize-dot' first}}
    %d = tt.dot_scaled %a, %b, %c lhs = e5m2 rhs = e5m2 {fastMath = false} : tensor<32x64xi8> * tensor<64x32xi8> -> tensor<32x32xf32>
    // expected-error @+1 {{cannot be lowered: there is no lowering for it at this level}}
    gpu.barrier
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 1 : i32} {
  tt.func public @tiles() {
    // expected-error @+1 {{cannot be lowered: expected extents that are powers of two, got 'tensor<12x16xi32>'}}
    %a = arith.constant dense<0> : tensor<12x16xi32>
    // expected-error @+1 {{cannot be lowered: expected a matrix as operand of a dot, got 'tensor<16xf16, #mlt.operand<a>>'}}
    %b = arith.constant dense<0.0> : tensor<16xf16, #mlt.operand<a>>
    // expected-error @+1 {{cannot be lowered: expected an operand A of 8, 16 or 32 bits with a multiple of 32 columns, got 'tensor<8x8xi8, #mlt.operand<a>>'}}
    %c = arith.constant dense<0> : tensor<8x8xi8, #mlt.operand<a>>
    // expected-error @+1 {{cannot be lowered: expected an operand B of 8, 16 or 32 bits with whole dwords along k and a multiple of 16 columns, got 'tensor<1x16xf16, #mlt.operand<b>>'}}
    %d = arith.constant dense<0.0> : tensor<1x16xf16, #mlt.operand<b>>
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 1 : i32, mlt.target = "pvc"} {
tt.func public @rows_of_booleans(%p: !tt.ptr<i1>) {
  // expected-error @+1 {{cannot be lowered: expected elements that are numbers of whole bytes, got 'i1'; load and store through pointers instead}}
  %0 = mlt.load_rows %p : !tt.ptr<i1> -> tensor<64xi1>
  tt.return
}
}

// -----

module attributes {"ttg.num-warps" = 1 : i32, mlt.target = "pvc"} {
tt.func public @rows_of_pointers(%p: !tt.ptr<!tt.ptr<f32>>, %v: i32) {
  // expected-error @+1 {{cannot be lowered: expected elements that are numbers of whole bytes, got '!tt.ptr<f32>'; load and store through pointers instead}}
  %0 = mlt.load_rows %p : !tt.ptr<!tt.ptr<f32>> -> tensor<64x!tt.ptr<f32>>
  tt.return
}
}
