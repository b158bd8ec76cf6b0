// RUN: mlt-opt %s --split-input-file --expand-row-access --canonicalize --cse | %filecheck %s

// A piece inside of the tensor is loaded by rows, any other one by elements, one
// part of a row after the other.
// CHECK-LABEL: @checked
// CHECK-SAME: %[[A:[a-z0-9]+]]: !tt.ptr<f16>, %[[M:[a-z0-9]+]]: i64, %[[K:[a-z0-9]+]]: i64, %[[S:[a-z0-9]+]]: i64, %[[Y:[a-z0-9]+]]: i32
// CHECK: %[[START:.*]] = tt.addptr %[[A]]
// CHECK: %[[ADDRESS:.*]] = tt.ptr_to_int %[[START]]
// CHECK: %[[LOW:.*]] = arith.trunci %[[ADDRESS]] : i64 to i32
// CHECK: %[[PITCH:.*]] = arith.trunci %[[S]] : i64 to i32
// CHECK: %[[BYTES:.*]] = arith.muli %[[PITCH]], %c2_i32
// CHECK: %[[BOTH:.*]] = arith.ori %[[LOW]], %[[BYTES]]
// CHECK: %[[REST:.*]] = arith.andi %[[BOTH]], %c3_i32
// CHECK: %[[ALIGNED:.*]] = arith.cmpi eq, %[[REST]], %c0_i32
// CHECK: %[[ROOM:.*]] = arith.subi %[[M]], %c15_i64
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[Y]], %{{.*}} : i32
// CHECK: %[[SAFE:.*]] = arith.andi %[[ALIGNED]], %[[INSIDE]]
// CHECK: scf.if %[[SAFE]] -> (tensor<16x32xf16>)
// CHECK:   mlt.load_rows %[[START]] pitch %[[S]] : !tt.ptr<f16> -> tensor<16x32xf16>
// CHECK: else
// CHECK-COUNT-32: tt.load %{{.*}}, %{{.*}}, %{{.*}} : tensor<1x16x!tt.ptr<f16>>
// CHECK:   mlt.glue
tt.func public @checked(%a: !tt.ptr<f16>, %m: i64, %k: i64, %s: i64, %y: i32, %o: tensor<16x32x!tt.ptr<f16>>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %p = tt.make_tensor_ptr %a, [%m, %k], [%s, %c1], [%y, %c0] {order = array<i32: 1, 0>} : <tensor<16x32xf16>>
  %v = tt.load %p {boundaryCheck = array<i32: 0>, padding = 1 : i32, mlt.row_dim = 1 : i32, mlt.row_alignment = 2 : i32} : !tt.ptr<tensor<16x32xf16>>
  tt.store %o, %v : tensor<16x32x!tt.ptr<f16>>
  tt.return
}

// -----

// What is known is not asked. Columns are the rows of operand B here; a loop
// carries scalars.
// CHECK-LABEL: @known
// CHECK-NOT: scf.if
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (tensor<16x16xf16, #mlt.operand<b>>, i32)
// CHECK: mlt.load_rows %{{.*}} pitch %{{.*}} transposed : !tt.ptr<f16> -> tensor<16x16xf16, #mlt.operand<b>>
// CHECK: mlt.store_rows %{{.*}}, %{{.*}} : tensor<64xf32>, !tt.ptr<f32>
tt.func public @known(%b: !tt.ptr<f16>, %n: i64, %s: i64, %steps: i32, %z: tensor<16x16xf16, #mlt.operand<b>>, %q: !tt.ptr<f32>, %v: tensor<64xf32>) -> tensor<16x16xf16, #mlt.operand<b>> {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c1 = arith.constant 1 : i32
  %c1l = arith.constant 1 : i64
  %p = tt.make_tensor_ptr %b, [%n, %n], [%c1l, %s], [%c0, %c0] {order = array<i32: 0, 1>} : <tensor<16x16xf16, #mlt.operand<b>>>
  %r:2 = scf.for %i = %c0 to %steps step %c1 iter_args(%t = %z, %at = %p) -> (tensor<16x16xf16, #mlt.operand<b>>, !tt.ptr<tensor<16x16xf16, #mlt.operand<b>>>) : i32 {
    %v0 = tt.load %at {mlt.row_dim = 0 : i32, mlt.row_alignment = 4 : i32} : !tt.ptr<tensor<16x16xf16, #mlt.operand<b>>>
    %next = tt.advance %at, [%c16, %c0] : <tensor<16x16xf16, #mlt.operand<b>>>
    scf.yield %v0, %next : tensor<16x16xf16, #mlt.operand<b>>, !tt.ptr<tensor<16x16xf16, #mlt.operand<b>>>
  }
  %w = tt.make_tensor_ptr %q, [%n], [%c1l], [%c0] {order = array<i32: 0>} : <tensor<64xf32>>
  tt.store %w, %v {mlt.row_dim = 0 : i32, mlt.row_alignment = 16 : i32} : !tt.ptr<tensor<64xf32>>
  tt.return %r#0 : tensor<16x16xf16, #mlt.operand<b>>
}

// -----

// Elements get into the image of the operand too; stores want 16 bytes.
// CHECK-LABEL: @images
// CHECK: scf.if
// CHECK:   mlt.load_rows {{.*}} -> tensor<16x16xf16, #mlt.operand<b>>
// CHECK: else
// CHECK:   mlt.convert_operand %{{.*}} : tensor<16x16xf16> to tensor<16x16xf16, #mlt.operand<b>>
// CHECK: arith.andi %{{.*}}, %c15_i32
// CHECK: scf.if
// CHECK:   mlt.store_rows %{{.*}}, %{{.*}} pitch %{{.*}} : tensor<16x16xf32>, !tt.ptr<f32>
// CHECK: else
// CHECK:   mlt.extract %{{.*}}[0, 0] : tensor<16x16xf32> to tensor<1x16xf32>
// CHECK:   tt.store %{{.*}}, %{{.*}} : tensor<1x16x!tt.ptr<f32>>
// CHECK:   mlt.extract %{{.*}}[15, 0] : tensor<16x16xf32> to tensor<1x16xf32>
// CHECK:   tt.store %{{.*}}, %{{.*}} : tensor<1x16x!tt.ptr<f32>>
tt.func public @images(%b: !tt.ptr<f16>, %n: i64, %s: i64, %y: i32, %q: !tt.ptr<f32>, %v: tensor<16x16xf32>) -> tensor<16x16xf16, #mlt.operand<b>> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %p = tt.make_tensor_ptr %b, [%n, %n], [%s, %c1], [%y, %y] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #mlt.operand<b>>>
  %t = tt.load %p {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32, mlt.row_dim = 1 : i32} : !tt.ptr<tensor<16x16xf16, #mlt.operand<b>>>
  %w = tt.make_tensor_ptr %q, [%n, %n], [%s, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x16xf32>>
  tt.store %w, %v {mlt.row_dim = 1 : i32, mlt.row_alignment = 4 : i32} : !tt.ptr<tensor<16x16xf32>>
  tt.return %t : tensor<16x16xf16, #mlt.operand<b>>
}

// -----

// Of a transposed piece, lanes hold what is a row in memory each.
// CHECK-LABEL: @columns
// CHECK: mlt.load_rows %{{.*}} pitch %{{.*}} transposed
// CHECK: else
// CHECK-COUNT-2: tt.load %{{.*}}, %{{.*}}, %{{.*}} : tensor<8x16x!tt.ptr<f16>>
// CHECK: mlt.convert_operand
tt.func public @columns(%b: !tt.ptr<f16>, %n: i64, %s: i64, %y: i32) -> tensor<16x16xf16, #mlt.operand<b>> {
  %c1 = arith.constant 1 : i64
  %p = tt.make_tensor_ptr %b, [%n, %n], [%c1, %s], [%y, %y] {order = array<i32: 0, 1>} : <tensor<16x16xf16, #mlt.operand<b>>>
  %t = tt.load %p {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32, mlt.row_dim = 0 : i32} : !tt.ptr<tensor<16x16xf16, #mlt.operand<b>>>
  tt.return %t : tensor<16x16xf16, #mlt.operand<b>>
}

// -----

// A row in front of the first or behind the last one is left out as a whole, and
// what is read there is what was asked for.
// CHECK-LABEL: @padded_with_nan
// CHECK: arith.constant dense<0x7E00> : tensor<1x16xf16>
// CHECK: mlt.load_rows
tt.func public @padded_with_nan(%a: !tt.ptr<f16>, %n: i64, %s: i64, %y: i32) -> tensor<8x16xf16> {
  %c1 = arith.constant 1 : i64
  %p = tt.make_tensor_ptr %a, [%n, %n], [%s, %c1], [%y, %y] {order = array<i32: 1, 0>} : <tensor<8x16xf16>>
  %t = tt.load %p {boundaryCheck = array<i32: 0, 1>, padding = 2 : i32, mlt.row_dim = 1 : i32} : !tt.ptr<tensor<8x16xf16>>
  tt.return %t : tensor<8x16xf16>
}
