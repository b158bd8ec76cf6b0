// RUN: mlt-opt %s | mlt-opt | %filecheck %s
// RUN: mlt-opt %s --mlir-print-op-generic | mlt-opt | %filecheck %s
// RUN: mlt-opt %s --emit-bytecode | mlt-opt | %filecheck %s

// Both spellings of a descriptor are read, the newer one is printed; address
// space 1 is the default.

// CHECK-LABEL: tt.func private @pointers
// CHECK-SAME: (!tt.ptr<f16>, !tt.ptr<i8, 3>, !tt.ptr<i8, 0>, !tt.ptr<f32>, !tt.ptr<!tt.ptr<f16>>)
tt.func private @pointers(!tt.ptr<f16>, !tt.ptr<i8, 3>, !tt.ptr<i8, 0>, !tt.ptr<f32, 1>, !tt.ptr<!tt.ptr<f16>>)

// CHECK-LABEL: tt.func private @block_pointers
// CHECK-SAME: (!tt.ptr<tensor<16x32xf16>>, !tt.ptr<tensor<8xi1>, 3>)
tt.func private @block_pointers(!tt.ptr<tensor<16x32xf16>>, !tt.ptr<tensor<8xi1>, 3>)

// CHECK-LABEL: tt.func private @descriptors
// CHECK-SAME: (!tt.tensordesc<128x64xf16>, !tt.tensordesc<128x64xf16>, !tt.tensordesc<16xsi32>, !tt.tensordesc<1x32xui8>)
tt.func private @descriptors(!tt.tensordesc<128x64xf16>, !tt.tensordesc<tensor<128x64xf16>>, !tt.tensordesc<16xsi32>, !tt.tensordesc<tensor<1x32xui8>>)

// CHECK-LABEL: tt.func private @descriptor_layouts
// CHECK-SAME: (!tt.tensordesc<16x16xf16, "x">, !tt.tensordesc<16x16xf16, "x">)
tt.func private @descriptor_layouts(!tt.tensordesc<16x16xf16, "x">, !tt.tensordesc<tensor<16x16xf16, "x">>)

// CHECK-LABEL: tt.func private @small_floats
// CHECK-SAME: (tensor<4xf8E5M2>, tensor<4xf8E4M3FN>, tensor<4xf8E4M3FNUZ>, tensor<4xf8E4M3B11FNUZ>, tensor<4xf8E5M2FNUZ>)
tt.func private @small_floats(tensor<4xf8E5M2>, tensor<4xf8E4M3FN>, tensor<4xf8E4M3FNUZ>, tensor<4xf8E4M3B11FNUZ>, tensor<4xf8E5M2FNUZ>)

// CHECK-LABEL: tt.func private @pointer_tensors
// CHECK-SAME: (tensor<4x!tt.ptr<f16>>, tensor<2x4x!tt.ptr<f8E5M2, 3>>)
tt.func private @pointer_tensors(tensor<4x!tt.ptr<f16>>, tensor<2x4x!tt.ptr<f8E5M2, 3>>)
