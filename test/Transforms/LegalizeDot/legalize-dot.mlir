// RUN: mlt-opt %s --legalize-dot | %filecheck %s

// What an instruction does stays as it is.
// CHECK-LABEL: @native
tt.func public @native(%a: tensor<64x32xf16>, %b: tensor<32x64xf16>, %c: tensor<64x64xf32>, %p: tensor<64x64x!tt.ptr<f32>>) {
  // CHECK-NEXT: tt.dot %{{.*}}, %{{.*}}, %{{.*}} : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
  %d = tt.dot %a, %b, %c : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
  tt.store %p, %d : tensor<64x64x!tt.ptr<f32>>
  tt.return
}

// 8-bit floats are values of f16; the hint of the dot stays with it.
// CHECK-LABEL: @float8
tt.func public @float8(%a: tensor<64x32xf8E5M2>, %b: tensor<32x64xf8E4M3FN>, %c: tensor<64x64xf32>, %p: tensor<64x64x!tt.ptr<f32>>) {
  // CHECK: tt.fp_to_fp %{{.*}} : tensor<64x32xf8E5M2> -> tensor<64x32xf16>
  // CHECK: tt.fp_to_fp %{{.*}} : tensor<32x64xf8E4M3FN> -> tensor<32x64xf16>
  // CHECK: tt.dot {{.*}}mlt.tiling = "horizontal"{{.*}} : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
  %d = tt.dot %a, %b, %c {mlt.tiling = "horizontal"} : tensor<64x32xf8E5M2> * tensor<32x64xf8E4M3FN> -> tensor<64x64xf32>
  tt.store %p, %d : tensor<64x64x!tt.ptr<f32>>
  tt.return
}

// Two parts of each operand, three products, the large one last.
// CHECK-LABEL: @tf32x3
// CHECK-SAME: %[[A:.*]]: tensor<64x32xf32>, %[[B:.*]]: tensor<32x64xf32>, %[[C:.*]]: tensor<64x64xf32>,
tt.func public @tf32x3(%a: tensor<64x32xf32>, %b: tensor<32x64xf32>, %c: tensor<64x64xf32>, %p: tensor<64x64x!tt.ptr<f32>>) {
  // CHECK: %[[A0:.*]] = mlt.round_tf32 %[[A]]
  // CHECK: %[[REST:.*]] = arith.subf %[[A]], %[[A0]]
  // CHECK: %[[NAN:.*]] = arith.cmpf uno, %[[REST]], %[[REST]]
  // CHECK: %[[FINITE:.*]] = arith.select %[[NAN]], %{{.*}}, %[[REST]]
  // CHECK: %[[A1:.*]] = mlt.round_tf32 %[[FINITE]]
  // CHECK: %[[B0:.*]] = mlt.round_tf32 %[[B]]
  // CHECK: %[[B1:.*]] = mlt.round_tf32
  // CHECK: %[[D0:.*]] = tt.dot %[[A0]], %[[B1]], %[[C]], inputPrecision = tf32
  // CHECK: %[[D1:.*]] = tt.dot %[[A1]], %[[B0]], %[[D0]], inputPrecision = tf32
  // CHECK: tt.dot %[[A0]], %[[B0]], %[[D1]], inputPrecision = tf32
  // CHECK-NOT: tt.dot
  %d = tt.dot %a, %b, %c, inputPrecision = tf32x3 : tensor<64x32xf32> * tensor<32x64xf32> -> tensor<64x64xf32>
  tt.store %p, %d : tensor<64x64x!tt.ptr<f32>>
  tt.return
}

// Fewer columns than the instruction: exact products in f32, the accumulator
// in its own type again.
// CHECK-LABEL: @narrow
tt.func public @narrow(%a: tensor<64x32xf16>, %b: tensor<32x8xf16>, %c: tensor<64x8xf16>, %p: tensor<64x8x!tt.ptr<f16>>) {
  // CHECK-DAG: arith.extf %{{.*}} : tensor<64x32xf16> to tensor<64x32xf32>
  // CHECK-DAG: arith.extf %{{.*}} : tensor<32x8xf16> to tensor<32x8xf32>
  // CHECK-DAG: arith.extf %{{.*}} : tensor<64x8xf16> to tensor<64x8xf32>
  // CHECK: %[[D:.*]] = tt.dot {{.*}} : tensor<64x32xf32> * tensor<32x8xf32> -> tensor<64x8xf32>
  // CHECK: arith.truncf %[[D]] : tensor<64x8xf32> to tensor<64x8xf16>
  %d = tt.dot %a, %b, %c : tensor<64x32xf16> * tensor<32x8xf16> -> tensor<64x8xf16>
  tt.store %p, %d : tensor<64x8x!tt.ptr<f16>>
  tt.return
}

// CHECK-LABEL: @shallow
tt.func public @shallow(%a: tensor<64x16xi8>, %b: tensor<16x64xi8>, %c: tensor<64x64xi32>, %p: tensor<64x64x!tt.ptr<i32>>) {
  // CHECK: arith.extsi %{{.*}} : tensor<64x16xi8> to tensor<64x16xi32>
  // CHECK: tt.dot {{.*}} : tensor<64x16xi32> * tensor<16x64xi32> -> tensor<64x64xi32>
  %d = tt.dot %a, %b, %c : tensor<64x16xi8> * tensor<16x64xi8> -> tensor<64x64xi32>
  tt.store %p, %d : tensor<64x64x!tt.ptr<i32>>
  tt.return
}

// Sums of another width than the multiplications': as wide as these, or these as
// wide as the sum.
// CHECK-LABEL: @other_sums
tt.func public @other_sums(%a: tensor<16x16xf32>, %h: tensor<16x16xf16>, %d: tensor<16x16xf64>) -> (tensor<16x16xf16>, tensor<16x16xf64>) {
  // CHECK: %[[C:.*]] = arith.extf %{{.*}} : tensor<16x16xf16> to tensor<16x16xf32>
  // CHECK: %[[R:.*]] = tt.dot %{{.*}}, %{{.*}}, %[[C]] : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  // CHECK: arith.truncf %[[R]] : tensor<16x16xf32> to tensor<16x16xf16>
  %x = tt.dot %a, %a, %h, inputPrecision = ieee : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf16>
  // CHECK: %[[A:.*]] = arith.extf %{{.*}} : tensor<16x16xf32> to tensor<16x16xf64>
  // CHECK: %[[B:.*]] = arith.extf %{{.*}} : tensor<16x16xf32> to tensor<16x16xf64>
  // CHECK: tt.dot %[[A]], %[[B]], %{{.*}} : tensor<16x16xf64> * tensor<16x16xf64> -> tensor<16x16xf64>
  %y = tt.dot %a, %a, %d, inputPrecision = ieee : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf64>
  tt.return %x, %y : tensor<16x16xf16>, tensor<16x16xf64>
}
