// RUN: mlt-opt %s --split-input-file --raise-block-pointer --canonicalize --cse | %filecheck %s

// Vectors are blocks of one dimension.

// CHECK-LABEL: tt.func public @masked
// CHECK-SAME: %[[P:[a-z0-9]+]]: !tt.ptr<f32>, %[[Q:[a-z0-9]+]]: !tt.ptr<f32>, %[[N:[a-z0-9]+]]: i32
// CHECK-DAG: %[[SIZE:.*]] = arith.extsi %[[N]] : i32 to i64
// CHECK-DAG: %[[START:.*]] = arith.muli %{{.*}}, %c1024_i32 : i32
// CHECK: %[[A:.*]] = tt.make_tensor_ptr %[[P]], [%[[SIZE]]], [%c1_i64], [%[[START]]] {order = array<i32: 0>} : <tensor<1024xf32>>
// CHECK: %[[V:.*]] = tt.load %[[A]] {boundaryCheck = array<i32: 0>, padding = 1 : i32} : !tt.ptr<tensor<1024xf32>>
// CHECK: %[[B:.*]] = tt.make_tensor_ptr %[[Q]], [%[[SIZE]]]
// CHECK: tt.store %[[B]], %[[V]] {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<1024xf32>>
tt.func public @masked(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %n: i32) {
  %c1024 = arith.constant 1024 : i32
  %pid = tt.get_program_id x : i32
  %begin = arith.muli %pid, %c1024 : i32
  %range = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
  %begins = tt.splat %begin : i32 -> tensor<1024xi32>
  %at = arith.addi %begins, %range : tensor<1024xi32>
  %ns = tt.splat %n : i32 -> tensor<1024xi32>
  %mask = arith.cmpi slt, %at, %ns : tensor<1024xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %pa = tt.addptr %ps, %at : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %v = tt.load %pa, %mask : tensor<1024x!tt.ptr<f32>>
  %qs = tt.splat %q : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %qa = tt.addptr %qs, %at : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  tt.store %qa, %v, %mask : tensor<1024x!tt.ptr<f32>>
  tt.return
}

// -----

// A bound that is loaded: the tensor begins with the block, and ends with it or
// in front of that.
// CHECK-LABEL: tt.func public @late_bound
// CHECK: %[[N:.*]] = tt.load %{{.*}} : !tt.ptr<i32>
// CHECK: arith.maxsi
// CHECK: tt.make_tensor_ptr %{{.*}}, [%{{.*}}], [%c1_i64], [%{{.*}}] {order = array<i32: 0>} : <tensor<64xf32>>
// CHECK: tt.load %{{.*}} {boundaryCheck = array<i32: 0>, padding = 1 : i32} : !tt.ptr<tensor<64xf32>>
tt.func public @late_bound(%p: !tt.ptr<f32>, %l: !tt.ptr<i32>, %o: tensor<64x!tt.ptr<f32>>) {
  %n = tt.load %l : !tt.ptr<i32>
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %ns = tt.splat %n : i32 -> tensor<64xi32>
  %mask = arith.cmpi slt, %range, %ns : tensor<64xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %pa = tt.addptr %ps, %range : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %v = tt.load %pa, %mask : tensor<64x!tt.ptr<f32>>
  tt.store %o, %v : tensor<64x!tt.ptr<f32>>
  tt.return
}

// -----

// A flag for all elements moves the block out of the tensor; what masked
// elements get is selected behind the load.
// CHECK-LABEL: tt.func public @flag
// CHECK: %[[AT:.*]] = arith.select %{{.*}}, %{{.*}}, %c2147483647_i32 : i32
// CHECK: tt.make_tensor_ptr %{{.*}}, [%{{.*}}], [%c1_i64], [%[[AT]]]
// CHECK: %[[V:.*]] = tt.load
// CHECK: arith.select %{{.*}}, %[[V]], %{{.*}} : tensor<64xi1>, tensor<64xf32>
tt.func public @flag(%p: !tt.ptr<f32>, %n: i32, %i: i32, %m: i32, %o: tensor<64x!tt.ptr<f32>>) {
  %ones = arith.constant dense<1.0> : tensor<64xf32>
  %on = arith.cmpi slt, %i, %m : i32
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %ns = tt.splat %n : i32 -> tensor<64xi32>
  %inside = arith.cmpi slt, %range, %ns : tensor<64xi32>
  %flags = tt.splat %on : i1 -> tensor<64xi1>
  %mask = arith.andi %inside, %flags : tensor<64xi1>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %pa = tt.addptr %ps, %range : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %v = tt.load %pa, %mask, %ones : tensor<64x!tt.ptr<f32>>
  tt.store %o, %v : tensor<64x!tt.ptr<f32>>
  tt.return
}

// -----

// Every second element is no row.
// CHECK-LABEL: tt.func public @strided
// CHECK-NOT: make_tensor_ptr
tt.func public @strided(%p: !tt.ptr<f32>, %o: tensor<64x!tt.ptr<f32>>) {
  %twos = arith.constant dense<2> : tensor<64xi32>
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %at = arith.muli %range, %twos : tensor<64xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %pa = tt.addptr %ps, %at : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %v = tt.load %pa : tensor<64x!tt.ptr<f32>>
  tt.store %o, %v : tensor<64x!tt.ptr<f32>>
  tt.return
}
