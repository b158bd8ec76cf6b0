// RUN: mlt-opt %s --assign-operand-layout -split-input-file | %filecheck %s

// A load that feeds only operand B is loaded in B's register image; operand A of
// 16 bits is a plain tile.

// CHECK-LABEL: @loaded
tt.func public @loaded(%pa: !tt.ptr<tensor<8x16xf16>>, %p: !tt.ptr<f16>, %n: i64, %s: i64, %i: i32, %c: tensor<8x16xf32>) {
  // CHECK: tt.make_tensor_ptr {{.*}} : <tensor<32x32xf16, #mlt.operand<b>>>
  %pb = tt.make_tensor_ptr %p, [%n, %n], [%n, %s], [%i, %i] {order = array<i32: 1, 0>} : <tensor<32x32xf16>>
  // CHECK: %[[A:.*]] = tt.load %{{.*}} : !tt.ptr<tensor<8x16xf16>>
  %a = tt.load %pa : !tt.ptr<tensor<8x16xf16>>
  %b = tt.load %pb : !tt.ptr<tensor<32x32xf16>>
  // CHECK: mlt.extract %{{.*}}[16, 0] : tensor<32x32xf16, #mlt.operand<b>> to tensor<16x16xf16, #mlt.operand<b>>
  %b0 = mlt.extract %b[16, 0] : tensor<32x32xf16> to tensor<16x16xf16>
  // CHECK: tt.dot {{.*}} : tensor<8x16xf16> * tensor<16x16xf16, #mlt.operand<b>> -> tensor<8x16xf32>
  %d = tt.dot %a, %b0, %c : tensor<8x16xf16> * tensor<16x16xf16> -> tensor<8x16xf32>
  tt.return
}

// -----

// A tile that is also used otherwise stays plain and is converted for the dot.

// CHECK-LABEL: @shared
tt.func public @shared(%a: tensor<8x16xf16>, %pb: !tt.ptr<tensor<16x16xf16>>, %po: !tt.ptr<tensor<16x16xf16>>, %c: tensor<8x16xf32>) {
  // CHECK: %[[B:.*]] = tt.load
  %b = tt.load %pb : !tt.ptr<tensor<16x16xf16>>
  // CHECK: tt.store %{{.*}}, %[[B]]
  tt.store %po, %b : !tt.ptr<tensor<16x16xf16>>
  // CHECK: %[[P:.*]] = mlt.convert_operand %[[B]] : tensor<16x16xf16> to tensor<16x16xf16, #mlt.operand<b>>
  // CHECK: tt.dot %{{.*}}, %[[P]],
  %d = tt.dot %a, %b, %c : tensor<8x16xf16> * tensor<16x16xf16> -> tensor<8x16xf32>
  tt.return
}

// -----

// tf32: operand A has its own image, also through the rounding; B is plain.

// CHECK-LABEL: @tf32
tt.func public @tf32(%p: !tt.ptr<f32>, %pb: !tt.ptr<tensor<8x16xf32>>, %n: i64, %s: i64, %i: i32, %c: tensor<8x16xf32>) {
  %pa = tt.make_tensor_ptr %p, [%n, %n], [%n, %s], [%i, %i] {order = array<i32: 1, 0>} : <tensor<8x8xf32>>
  %a = tt.load %pa : !tt.ptr<tensor<8x8xf32>>
  %b = tt.load %pb : !tt.ptr<tensor<8x16xf32>>
  // CHECK: mlt.round_tf32 %{{.*}} : tensor<8x8xf32, #mlt.operand<a>>
  %ra = mlt.round_tf32 %a : tensor<8x8xf32>
  // CHECK: mlt.round_tf32 %{{.*}} : tensor<8x16xf32>
  %rb = mlt.round_tf32 %b : tensor<8x16xf32>
  // CHECK: tt.dot {{.*}} : tensor<8x8xf32, #mlt.operand<a>> * tensor<8x16xf32> -> tensor<8x16xf32>
  %d = tt.dot %ra, %rb, %c, inputPrecision = tf32 : tensor<8x8xf32> * tensor<8x16xf32> -> tensor<8x16xf32>
  tt.return
}

// -----

// A pointer that is a parameter keeps its type: the operand is converted.

// CHECK-LABEL: @parameter
// CHECK-SAME: %{{.*}}: !tt.ptr<tensor<16x16xf16>>
tt.func public @parameter(%a: tensor<8x16xf16>, %pb: !tt.ptr<tensor<16x16xf16>>, %c: tensor<8x16xf32>) {
  %b = tt.load %pb : !tt.ptr<tensor<16x16xf16>>
  // CHECK: mlt.convert_operand
  %d = tt.dot %a, %b, %c : tensor<8x16xf16> * tensor<16x16xf16> -> tensor<8x16xf32>
  tt.return
}

// -----

// One loop goes on where the other has stopped: both load the same family of
// pointers, and both want B's image.

// CHECK-LABEL: @two_loops
tt.func public @two_loops(%a: tensor<8x16xf16>, %p: !tt.ptr<f16>, %n: i64, %s: i64, %i: i32, %m: i32, %e: i32, %c: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %k = arith.constant 16 : i32
  // CHECK-NOT: mlt.convert_operand
  // CHECK: tt.make_tensor_ptr {{.*}} : <tensor<16x16xf16, #mlt.operand<b>>>
  %pb = tt.make_tensor_ptr %p, [%n, %n], [%s, %n], [%i, %i] {order = array<i32: 0, 1>} : <tensor<16x16xf16>>
  %r:2 = scf.for %j = %i to %m step %k iter_args(%acc = %c, %q = %pb) -> (tensor<8x16xf32>, !tt.ptr<tensor<16x16xf16>>) : i32 {
    // CHECK: tt.load %{{.*}} : !tt.ptr<tensor<16x16xf16, #mlt.operand<b>>>
    %b = tt.load %q : !tt.ptr<tensor<16x16xf16>>
    %d = tt.dot %a, %b, %acc : tensor<8x16xf16> * tensor<16x16xf16> -> tensor<8x16xf32>
    %t = tt.advance %q, [%i, %k] : <tensor<16x16xf16>>
    scf.yield %d, %t : tensor<8x16xf32>, !tt.ptr<tensor<16x16xf16>>
  }
  // CHECK: tt.advance %{{.*}} : <tensor<16x16xf16, #mlt.operand<b>>>
  %pm = tt.advance %pb, [%i, %m] : <tensor<16x16xf16>>
  %u:2 = scf.for %j = %m to %e step %k iter_args(%acc = %r#0, %q = %pm) -> (tensor<8x16xf32>, !tt.ptr<tensor<16x16xf16>>) : i32 {
    // CHECK: tt.load %{{.*}} : !tt.ptr<tensor<16x16xf16, #mlt.operand<b>>>
    %b = tt.load %q : !tt.ptr<tensor<16x16xf16>>
    %d = tt.dot %a, %b, %acc : tensor<8x16xf16> * tensor<16x16xf16> -> tensor<8x16xf32>
    %t = tt.advance %q, [%i, %k] : <tensor<16x16xf16>>
    scf.yield %d, %t : tensor<8x16xf32>, !tt.ptr<tensor<16x16xf16>>
  }
  // CHECK: tt.return
  tt.return %u#0 : tensor<8x16xf32>
}

// -----

// A pointer that another load needs plain stays so.

// CHECK-LABEL: @other_load
tt.func public @other_load(%a: tensor<8x16xf16>, %p: !tt.ptr<f16>, %po: !tt.ptr<tensor<16x16xf16>>, %n: i64, %s: i64, %i: i32, %c: tensor<8x16xf32>) {
  // CHECK: tt.make_tensor_ptr {{.*}} : <tensor<16x16xf16>>
  %pb = tt.make_tensor_ptr %p, [%n, %n], [%n, %s], [%i, %i] {order = array<i32: 1, 0>} : <tensor<16x16xf16>>
  %b = tt.load %pb : !tt.ptr<tensor<16x16xf16>>
  // CHECK: mlt.convert_operand
  %d = tt.dot %a, %b, %c : tensor<8x16xf16> * tensor<16x16xf16> -> tensor<8x16xf32>
  %t = tt.advance %pb, [%i, %i] : <tensor<16x16xf16>>
  %x = tt.load %t : !tt.ptr<tensor<16x16xf16>>
  tt.store %po, %x : !tt.ptr<tensor<16x16xf16>>
  tt.return
}

// -----

// A is stored by columns. The message that transposes gives the image of operand
// B: each lane has the elements that A wants there, two in a register.

// CHECK-LABEL: @transposed
tt.func public @transposed(%p: !tt.ptr<f16>, %n: i64, %s: i64, %i: i32, %q: !tt.ptr<tensor<16x16xf16>>, %c: tensor<8x16xf32>) {
  %b = tt.load %q : !tt.ptr<tensor<16x16xf16>>
  // CHECK: tt.make_tensor_ptr {{.*}} : <tensor<16x16xf16, #mlt.operand<b>>>
  %pa = tt.make_tensor_ptr %p, [%n, %n], [%s, %n], [%i, %i] {order = array<i32: 0, 1>} : <tensor<16x16xf16>>
  // CHECK: %[[I:.*]] = tt.load
  // CHECK: %[[A:.*]] = mlt.convert_operand %[[I]] : tensor<16x16xf16, #mlt.operand<b>> to tensor<16x16xf16>
  %a = tt.load %pa : !tt.ptr<tensor<16x16xf16>>
  // CHECK: %[[A0:.*]] = mlt.extract %[[A]][8, 0] : tensor<16x16xf16> to tensor<8x16xf16>
  %a0 = mlt.extract %a[8, 0] : tensor<16x16xf16> to tensor<8x16xf16>
  // CHECK: tt.dot %[[A0]], %{{.*}} : tensor<8x16xf16> * tensor<16x16xf16, #mlt.operand<b>> -> tensor<8x16xf32>
  %d = tt.dot %a0, %b, %c : tensor<8x16xf16> * tensor<16x16xf16> -> tensor<8x16xf32>
  tt.return
}

// -----

// One pointer for an operand B and for a plain tile.

// CHECK-LABEL: @transposed_both
tt.func public @transposed_both(%p: !tt.ptr<f16>, %n: i64, %s: i64, %i: i32, %a: tensor<8x16xf16>, %po: !tt.ptr<tensor<16x16xf16>>, %c: tensor<8x16xf32>) {
  %pb = tt.make_tensor_ptr %p, [%n, %n], [%s, %n], [%i, %i] {order = array<i32: 0, 1>} : <tensor<16x16xf16>>
  %b = tt.load %pb : !tt.ptr<tensor<16x16xf16>>
  %q = tt.advance %pb, [%i, %i] : <tensor<16x16xf16>>
  %x = tt.load %q : !tt.ptr<tensor<16x16xf16>>
  // CHECK: tt.store %{{.*}} : !tt.ptr<tensor<16x16xf16>>
  tt.store %po, %x : !tt.ptr<tensor<16x16xf16>>
  // CHECK: tt.dot %{{.*}} : tensor<8x16xf16> * tensor<16x16xf16, #mlt.operand<b>> -> tensor<8x16xf32>
  %d = tt.dot %a, %b, %c : tensor<8x16xf16> * tensor<16x16xf16> -> tensor<8x16xf32>
  tt.return
}

// -----

// A message transposes 32 bits into the plain image, which is not that of A.

// CHECK-LABEL: @transposed_tf32
tt.func public @transposed_tf32(%p: !tt.ptr<f32>, %n: i64, %s: i64, %i: i32, %q: !tt.ptr<tensor<8x16xf32>>, %c: tensor<8x16xf32>) {
  %b = tt.load %q : !tt.ptr<tensor<8x16xf32>>
  // CHECK: tt.make_tensor_ptr {{.*}} : <tensor<8x16xf32>>
  %pa = tt.make_tensor_ptr %p, [%n, %n], [%s, %n], [%i, %i] {order = array<i32: 0, 1>} : <tensor<8x16xf32>>
  // CHECK: %[[X:.*]] = tt.load
  // CHECK: mlt.convert_operand %[[X]] : tensor<8x16xf32> to tensor<8x16xf32, #mlt.operand<a>>
  %x = tt.load %pa : !tt.ptr<tensor<8x16xf32>>
  %a = mlt.extract %x[0, 8] : tensor<8x16xf32> to tensor<8x8xf32>
  %d = tt.dot %a, %b, %c, inputPrecision = tf32 : tensor<8x8xf32> * tensor<8x16xf32> -> tensor<8x16xf32>
  tt.return
}
