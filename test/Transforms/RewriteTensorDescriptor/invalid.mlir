// RUN: mlt-opt %s --split-input-file --rewrite-tensor-descriptor --verify-diagnostics

// expected-error @below {{expected functions that take tensor descriptors to be inlined into their kernels first}}
tt.func private @helper(%d: !tt.tensordesc<16x16xf16>) {
  tt.return
}

// -----

tt.func public @padding(%a: !tt.ptr<f16>, %n: i32, %s: i64, %f: i1) {
  %c1 = arith.constant 1 : i64
  // expected-note @below {{one of the descriptors}}
  %x = tt.make_tensor_descriptor %a, [%n, %n], [%s, %c1] {padding = 1 : i32} : <f16>, <16x16xf16>
  %y = tt.make_tensor_descriptor %a, [%n, %n], [%s, %c1] {padding = 2 : i32} : <f16>, <16x16xf16>
  %d = arith.select %f, %x, %y : !tt.tensordesc<16x16xf16>
  // expected-error @below {{expected descriptors of one padding, got both zero and nan}}
  %v = tt.descriptor_load %d[%n, %n] : !tt.tensordesc<16x16xf16> -> tensor<16x16xf16>
  tt.return
}

// -----

tt.func public @minimum(%a: !tt.ptr<f32>, %n: i32, %s: i64, %v: tensor<16x16xf32>) {
  %c1 = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %a, [%n, %n], [%s, %c1] : <f32>, <16x16xf32>
  // expected-error @below {{no atomic operation for 'min' on 'f32'}}
  tt.descriptor_reduce min, %d[%n, %n], %v : !tt.tensordesc<16x16xf32>, tensor<16x16xf32>
  tt.return
}

// -----

tt.func public @untyped(%a: !tt.ptr<i8>) {
  // expected-error @below {{expected descriptors that say what they describe, got an untyped one}}
  %d = tt.reinterpret_tensor_descriptor %a : !tt.ptr<i8> to !tt.tensordesc<16x16xf16>
  tt.return
}

// -----

// expected-error @below {{expected no tensor descriptor as result; inline the function first}}
tt.func private @result(%a: !tt.ptr<f16>, %n: i32, %s: i64) -> !tt.tensordesc<16x16xf16> {
  %c1 = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %a, [%n, %n], [%s, %c1] : <f16>, <16x16xf16>
  tt.return %d : !tt.tensordesc<16x16xf16>
}

// -----

tt.func private @outside(!tt.tensordesc<16x16xf16>)
tt.func public @call(%a: !tt.ptr<f16>, %n: i32, %s: i64) {
  %c1 = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %a, [%n, %n], [%s, %c1] : <f16>, <16x16xf16>
  // expected-error @below {{expected functions that take or return tensor descriptors to be inlined first}}
  tt.call @outside(%d) : (!tt.tensordesc<16x16xf16>) -> ()
  tt.return
}
