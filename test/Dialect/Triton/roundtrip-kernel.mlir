// RUN: mlt-opt %s | mlt-opt | %filecheck %s
// RUN: mlt-opt %s --mlir-print-op-generic | mlt-opt | %filecheck %s
// RUN: mlt-opt %s --emit-bytecode | mlt-opt | %filecheck %s

// A matrix product whole, as the front end would write it.

// CHECK-LABEL: tt.func public @matmul
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[ACC:.*]] = %{{.*}}, %[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}) -> (tensor<64x64xf32>, !tt.ptr<tensor<64x32xf16>>, !tt.ptr<tensor<32x64xf16>>)
// CHECK-NEXT: %[[X:.*]] = tt.load %[[A]] {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<64x32xf16>>
// CHECK-NEXT: %[[Y:.*]] = tt.load %[[B]] {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<32x64xf16>>
// CHECK-NEXT: %[[Z:.*]] = tt.dot %[[X]], %[[Y]], %[[ACC]], inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
// CHECK-NEXT: tt.advance %[[A]], [%{{.*}}, %{{.*}}] : <tensor<64x32xf16>>
// CHECK: tt.store %{{.*}}, %{{.*}} {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<64x64xf32>>
module {
  tt.func public @matmul(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c: !tt.ptr<f32>, %m: i32, %n: i32, %k: i32) attributes {noinline = false} {
    %zero = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %one = arith.constant 1 : i64
    %pidm = tt.get_program_id x : i32
    %pidn = tt.get_program_id y : i32
    %row = arith.muli %pidm, %c64 : i32
    %col = arith.muli %pidn, %c64 : i32
    %m64 = arith.extsi %m : i32 to i64
    %n64 = arith.extsi %n : i32 to i64
    %k64 = arith.extsi %k : i32 to i64
    %pa = tt.make_tensor_ptr %a, [%m64, %k64], [%k64, %one], [%row, %c0] {order = array<i32: 1, 0>} : <tensor<64x32xf16>>
    %pb = tt.make_tensor_ptr %b, [%k64, %n64], [%n64, %one], [%c0, %col] {order = array<i32: 1, 0>} : <tensor<32x64xf16>>
    %r:3 = scf.for %i = %c0 to %k step %c32 iter_args(%acc = %zero, %xa = %pa, %xb = %pb) -> (tensor<64x64xf32>, !tt.ptr<tensor<64x32xf16>>, !tt.ptr<tensor<32x64xf16>>) : i32 {
      %va = tt.load %xa {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<64x32xf16>>
      %vb = tt.load %xb {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<32x64xf16>>
      %d = tt.dot %va, %vb, %acc, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
      %na = tt.advance %xa, [%c0, %c32] : <tensor<64x32xf16>>
      %nb = tt.advance %xb, [%c32, %c0] : <tensor<32x64xf16>>
      scf.yield %d, %na, %nb : tensor<64x64xf32>, !tt.ptr<tensor<64x32xf16>>, !tt.ptr<tensor<32x64xf16>>
    }
    %pc = tt.make_tensor_ptr %c, [%m64, %n64], [%n64, %one], [%row, %col] {order = array<i32: 1, 0>} : <tensor<64x64xf32>>
    tt.store %pc, %r#0 {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<64x64xf32>>
    tt.return
  }
}
