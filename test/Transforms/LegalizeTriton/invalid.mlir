// RUN: mlt-opt %s --legalize-triton --split-input-file -verify-diagnostics

tt.func public @unknown_function(%x: f32, %p: !tt.ptr<f32>) {
  // expected-error @+1 {{cannot be compiled: the function '__nv_j0f' of another device's library has no counterpart here}}
  %0 = tt.extern_elementwise %x {libname = "libdevice", libpath = "", pure = true, symbol = "__nv_j0f"} : (f32) -> f32
  tt.store %p, %0 : !tt.ptr<f32>
  tt.return
}

// -----

tt.func public @arguments(%x: f32, %p: !tt.ptr<f32>) {
  // expected-error @+1 {{cannot be compiled: expected 2 arguments of '__nv_powf', got 1}}
  %0 = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__nv_powf"} : (f32) -> f32
  tt.store %p, %0 : !tt.ptr<f32>
  tt.return
}

// -----

tt.func public @loop(%p: tensor<8x!tt.ptr<f32>>) {
  tt.return
}
// expected-error @-3 {{expected scalars, pointers and tensor descriptors as arguments of a kernel, got 'tensor<8x!tt.ptr<f32>>' as argument 0}}

// -----

// expected-error @+1 {{cannot be compiled: a kernel returns nothing}}
tt.func public @result() -> i32 {
  %c = arith.constant 1 : i32
  tt.return %c : i32
}

// -----

tt.func public @rank_0(%p: !tt.ptr<i32>) {
  // expected-error @+1 {{expected tensors of rank 1 or more, got 'tensor<i32>'; use a scalar}}
  %c = arith.constant dense<1> : tensor<i32>
  tt.return
}

// -----

tt.func private @fall(%n: i32) -> i32 {
  // expected-error @+1 {{kernels have no call stack, so that 'fall' cannot call itself; write the recursion as a loop}}
  %0 = tt.call @fall(%n) : (i32) -> i32
  tt.return %0 : i32
}

// -----

tt.func private @outside(%n: i32) -> i32
tt.func public @missing(%n: i32) {
  // expected-error @+1 {{expected a function with a body in the same module}}
  %0 = tt.call @outside(%n) : (i32) -> i32
  tt.return
}

// -----

tt.func public @poll(%p: !tt.ptr<i32>, %x: i32) {
  // expected-error @+1 {{waiting for a value with a time limit needs a clock that the target does not have}}
  %0 = tt.atomic_poll acquire, gpu, %p, %x : !tt.ptr<i32>, i32 -> i1
  tt.return
}

// -----

tt.func public @assembly(%x: i32) {
  // expected-error @+1 {{inline assembly is for another device}}
  %0 = tt.elementwise_inline_asm "mov $0, $1;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %x : i32 -> i32
  tt.return
}

// -----

tt.func public @map_loop(%x: i32) {
  %t = tt.splat %x : i32 -> tensor<8xi32>
  // expected-error @+1 {{expected scalar code without loops, memory accesses and calls}}
  %0 = "tt.map_elementwise"(%t) <{pack = 1 : i32}> ({
  ^bb0(%a: i32):
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %a step %c1 iter_args(%s = %a) -> i32 : i32 {
      %n = arith.addi %s, %i : i32
      scf.yield %n : i32
    }
    tt.map_elementwise.return %r : i32
  }) : (tensor<8xi32>) -> tensor<8xi32>
  tt.return
}

// -----

tt.func public @map_pack(%x: i32) {
  %t = tt.splat %x : i32 -> tensor<4x2xi32>
  // expected-error @+1 {{expected 'pack' to be a power of two that divides the last dimension, got 4 of 'tensor<4x2xi32>'}}
  %0 = "tt.map_elementwise"(%t) <{pack = 4 : i32}> ({
  ^bb0(%a: i32, %b: i32, %c: i32, %d: i32):
    tt.map_elementwise.return %a, %b, %c, %d : i32, i32, i32, i32
  }) : (tensor<4x2xi32>) -> tensor<4x2xi32>
  tt.return
}
