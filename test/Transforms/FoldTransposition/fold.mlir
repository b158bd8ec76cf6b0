// RUN: mlt-opt %s --split-input-file --fold-transposition --canonicalize --cse | %filecheck %s

// K of attention: loops carry the transposed pointer only.
// CHECK-LABEL: @carried
// CHECK-SAME: %[[K:[a-z0-9_]+]]: !tt.ptr<f16>, %{{.*}}: tensor<16x64xf16>, %[[N:[a-z0-9_]+]]: i64
// CHECK: %[[P:[a-z0-9_]+]] = tt.make_tensor_ptr %[[K]], [%{{.*}}, %[[N]]], [%[[ONE:[a-z0-9_]+]], %{{.*}}], [%[[ZERO:[a-z0-9_]+]], %[[ZERO]]] {order = array<i32: 0, 1>} : <tensor<64x32xf16>>
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[C:[a-z0-9_]+]] = %[[P]]) -> (tensor<16x32xf32>, !tt.ptr<tensor<64x32xf16>>)
// CHECK: %[[X:[a-z0-9_]+]] = tt.load %[[C]] {boundaryCheck = array<i32: 1>, padding = 1 : i32} : !tt.ptr<tensor<64x32xf16>>
// CHECK-NOT: tt.trans
// CHECK: tt.dot %{{.*}}, %[[X]], %{{.*}} : tensor<16x64xf16> * tensor<64x32xf16>
// CHECK: tt.advance %[[C]], [%[[ZERO]], %{{.*}}] : <tensor<64x32xf16>>
// CHECK: tt.num_stages = 2
tt.func @carried(%k: !tt.ptr<f16>, %q: tensor<16x64xf16>, %n: i64, %m: i32) -> tensor<16x32xf32> {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<16x32xf32>
  %p = tt.make_tensor_ptr %k, [%n, %c64], [%c64, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<32x64xf16>>
  %r:2 = scf.for %i = %c0 to %m step %c32 iter_args(%c = %p, %s = %zero) -> (!tt.ptr<tensor<32x64xf16>>, tensor<16x32xf32>) : i32 {
    %x = tt.load %c {boundaryCheck = array<i32: 0>, padding = 1 : i32} : !tt.ptr<tensor<32x64xf16>>
    %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<32x64xf16> -> tensor<64x32xf16>
    %d = tt.dot %q, %t, %s : tensor<16x64xf16> * tensor<64x32xf16> -> tensor<16x32xf32>
    %next = tt.advance %c, [%c32, %c0] : <tensor<32x64xf16>>
    scf.yield %next, %d : !tt.ptr<tensor<32x64xf16>>, tensor<16x32xf32>
  } {tt.num_stages = 2 : i32}
  tt.return %r#1 : tensor<16x32xf32>
}

// -----

// The backward pass of attention needs both orders: two loads, two pointers,
// through both loops.
// CHECK-LABEL: @both
// CHECK: scf.for {{.*}} -> (!tt.ptr<tensor<32x64xf16>>, tensor<16x32xf32>, tensor<16x64xf32>, !tt.ptr<tensor<64x32xf16>>)
// CHECK: scf.for {{.*}} -> (!tt.ptr<tensor<32x64xf16>>, tensor<16x32xf32>, tensor<16x64xf32>, !tt.ptr<tensor<64x32xf16>>)
// CHECK-DAG: %[[X:[a-z0-9_]+]] = tt.load %{{.*}} : !tt.ptr<tensor<32x64xf16>>
// CHECK-DAG: %[[T:[a-z0-9_]+]] = tt.load %{{.*}} : !tt.ptr<tensor<64x32xf16>>
// CHECK-DAG: tt.dot %{{.*}}, %[[T]], %{{.*}} : tensor<16x64xf16> * tensor<64x32xf16>
// CHECK-DAG: tt.dot %{{.*}}, %[[X]], %{{.*}} : tensor<16x32xf16> * tensor<32x64xf16>
// CHECK-NOT: tt.trans
tt.func @both(%k: !tt.ptr<f16>, %q: tensor<16x64xf16>, %e: tensor<16x32xf16>, %n: i64, %m: i32) -> (tensor<16x32xf32>, tensor<16x64xf32>) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<16x32xf32>
  %zeros = arith.constant dense<0.0> : tensor<16x64xf32>
  %p = tt.make_tensor_ptr %k, [%n, %c64], [%c64, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<32x64xf16>>
  %r:3 = scf.for %j = %c0 to %m step %c32 iter_args(%outer = %p, %a = %zero, %b = %zeros) -> (!tt.ptr<tensor<32x64xf16>>, tensor<16x32xf32>, tensor<16x64xf32>) : i32 {
    %l:3 = scf.for %i = %c0 to %m step %c32 iter_args(%c = %outer, %s = %a, %u = %b) -> (!tt.ptr<tensor<32x64xf16>>, tensor<16x32xf32>, tensor<16x64xf32>) : i32 {
      %x = tt.load %c : !tt.ptr<tensor<32x64xf16>>
      %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<32x64xf16> -> tensor<64x32xf16>
      %d = tt.dot %q, %t, %s : tensor<16x64xf16> * tensor<64x32xf16> -> tensor<16x32xf32>
      %v = tt.dot %e, %x, %u : tensor<16x32xf16> * tensor<32x64xf16> -> tensor<16x64xf32>
      %next = tt.advance %c, [%c32, %c0] : <tensor<32x64xf16>>
      scf.yield %next, %d, %v : !tt.ptr<tensor<32x64xf16>>, tensor<16x32xf32>, tensor<16x64xf32>
    }
    scf.yield %l#0, %l#1, %l#2 : !tt.ptr<tensor<32x64xf16>>, tensor<16x32xf32>, tensor<16x64xf32>
  }
  tt.return %r#1, %r#2 : tensor<16x32xf32>, tensor<16x64xf32>
}

// -----

// What is done to elements between the load and the product follows; a scale
// per row becomes one per column.
// CHECK-LABEL: @converted
// CHECK-SAME: %[[S:[a-z0-9_]+]]: tensor<32xf16>
// CHECK-DAG: %[[X:[a-z0-9_]+]] = tt.load %{{.*}} : !tt.ptr<tensor<64x32xi8>>
// CHECK-DAG: %[[F:[a-z0-9_]+]] = arith.sitofp %[[X]] : tensor<64x32xi8> to tensor<64x32xf16>
// CHECK-DAG: %[[E:[a-z0-9_]+]] = tt.expand_dims %[[S]] {axis = 0 : i32} : tensor<32xf16> -> tensor<1x32xf16>
// CHECK-DAG: %[[B:[a-z0-9_]+]] = tt.broadcast %[[E]] : tensor<1x32xf16> -> tensor<64x32xf16>
// CHECK: %[[M:[a-z0-9_]+]] = arith.mulf %[[F]], %[[B]] : tensor<64x32xf16>
// CHECK: tt.return %[[M]]
tt.func @converted(%k: !tt.ptr<i8>, %scale: tensor<32xf16>, %n: i64) -> tensor<64x32xf16> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %p = tt.make_tensor_ptr %k, [%n, %n], [%n, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<32x64xi8>>
  %x = tt.load %p : !tt.ptr<tensor<32x64xi8>>
  %f = arith.sitofp %x : tensor<32x64xi8> to tensor<32x64xf16>
  %e = tt.expand_dims %scale {axis = 1 : i32} : tensor<32xf16> -> tensor<32x1xf16>
  %b = tt.broadcast %e : tensor<32x1xf16> -> tensor<32x64xf16>
  %m = arith.mulf %f, %b : tensor<32x64xf16>
  %t = tt.trans %m {order = array<i32: 1, 0>} : tensor<32x64xf16> -> tensor<64x32xf16>
  tt.return %t : tensor<64x32xf16>
}

// -----

// The same where a loop carries the pointer: the conversion stays in the loop.
// CHECK-LABEL: @carried_and_converted
// CHECK-SAME: %{{.*}}: !tt.ptr<i8>, %[[Q:[a-z0-9_]+]]: tensor<16x64xf16>
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[C:[a-z0-9_]+]] = %{{.*}}) -> (tensor<16x32xf32>, !tt.ptr<tensor<64x32xi8>>)
// CHECK: %[[X:[a-z0-9_]+]] = tt.load %[[C]] : !tt.ptr<tensor<64x32xi8>>
// CHECK: %[[F:[a-z0-9_]+]] = arith.sitofp %[[X]] : tensor<64x32xi8> to tensor<64x32xf16>
// CHECK: tt.dot %[[Q]], %[[F]], %{{.*}} : tensor<16x64xf16> * tensor<64x32xf16>
// CHECK: scf.yield
tt.func @carried_and_converted(%k: !tt.ptr<i8>, %q: tensor<16x64xf16>, %n: i64, %m: i32) -> tensor<16x32xf32> {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %c1 = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<16x32xf32>
  %p = tt.make_tensor_ptr %k, [%n, %n], [%n, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<32x64xi8>>
  %r:2 = scf.for %i = %c0 to %m step %c32 iter_args(%c = %p, %s = %zero) -> (!tt.ptr<tensor<32x64xi8>>, tensor<16x32xf32>) : i32 {
    %x = tt.load %c : !tt.ptr<tensor<32x64xi8>>
    %f = arith.sitofp %x : tensor<32x64xi8> to tensor<32x64xf16>
    %t = tt.trans %f {order = array<i32: 1, 0>} : tensor<32x64xf16> -> tensor<64x32xf16>
    %d = tt.dot %q, %t, %s : tensor<16x64xf16> * tensor<64x32xf16> -> tensor<16x32xf32>
    %next = tt.advance %c, [%c32, %c0] : <tensor<32x64xi8>>
    scf.yield %next, %d : !tt.ptr<tensor<32x64xi8>>, tensor<16x32xf32>
  }
  tt.return %r#1 : tensor<16x32xf32>
}

// -----

// Gathers through pointers that nothing else uses: the pointers change places.
// CHECK-LABEL: @gathered
// CHECK-SAME: %[[R:[a-z0-9_]+]]: tensor<32xi32>
// CHECK-DAG: tt.expand_dims %[[R]] {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
// CHECK: %[[X:[a-z0-9_]+]] = tt.load %{{.*}}, %{{.*}}, %{{.*}} : tensor<64x32x!tt.ptr<f16>>
// CHECK: tt.return %[[X]]
tt.func @gathered(%k: !tt.ptr<f16>, %rows: tensor<32xi32>, %n: i32) -> tensor<64x32xf16> {
  %c64 = arith.constant dense<64> : tensor<32x1xi32>
  %zero = arith.constant dense<0.0> : tensor<32x64xf16>
  %e = tt.expand_dims %rows {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
  %o = arith.muli %e, %c64 : tensor<32x1xi32>
  %d = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %f = tt.expand_dims %d {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %ob = tt.broadcast %o : tensor<32x1xi32> -> tensor<32x64xi32>
  %fb = tt.broadcast %f : tensor<1x64xi32> -> tensor<32x64xi32>
  %sum = arith.addi %ob, %fb : tensor<32x64xi32>
  %base = tt.splat %k : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>>
  %ptrs = tt.addptr %base, %sum : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
  %limit = tt.splat %n : i32 -> tensor<32x1xi32>
  %in = arith.cmpi slt, %e, %limit : tensor<32x1xi32>
  %mask = tt.broadcast %in : tensor<32x1xi1> -> tensor<32x64xi1>
  %x = tt.load %ptrs, %mask, %zero : tensor<32x64x!tt.ptr<f16>>
  %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<32x64xf16> -> tensor<64x32xf16>
  tt.return %t : tensor<64x32xf16>
}

// -----

// Any rank: the batch stays in front.
// CHECK-LABEL: @batched
// CHECK: tt.make_tensor_ptr %{{.*}}, [%[[B:[a-z0-9_]+]], %[[N:[a-z0-9_]+]], %[[M:[a-z0-9_]+]]], {{.*}} {order = array<i32: 1, 2, 0>} : <tensor<2x64x32xf16>>
// CHECK: tt.load %{{.*}} {boundaryCheck = array<i32: 0, 2>} : !tt.ptr<tensor<2x64x32xf16>>
tt.func @batched(%k: !tt.ptr<f16>, %b: i64, %m: i64, %n: i64, %s: i64) -> tensor<2x64x32xf16> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %p = tt.make_tensor_ptr %k, [%b, %m, %n], [%s, %n, %c1], [%c0, %c0, %c0] {order = array<i32: 2, 1, 0>} : <tensor<2x32x64xf16>>
  %x = tt.load %p {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<2x32x64xf16>>
  %t = tt.trans %x {order = array<i32: 0, 2, 1>} : tensor<2x32x64xf16> -> tensor<2x64x32xf16>
  tt.return %t : tensor<2x64x32xf16>
}
