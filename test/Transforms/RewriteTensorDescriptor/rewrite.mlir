// RUN: mlt-opt %s --split-input-file --rewrite-tensor-descriptor --canonicalize --cse | %filecheck %s

// Accesses make their block pointers.
// CHECK-LABEL: @gemm
// CHECK-SAME: %[[A:[a-z0-9_]+]]: !tt.ptr<bf16>, %[[B:[a-z0-9_]+]]: !tt.ptr<bf16>, %[[C:[a-z0-9_]+]]: !tt.ptr<bf16>, %[[M:[a-z0-9_]+]]: i32, %[[N:[a-z0-9_]+]]: i32, %[[K:[a-z0-9_]+]]: i32, %[[X:[a-z0-9_]+]]: i32, %[[Y:[a-z0-9_]+]]: i32)
// CHECK-NOT: tensordesc
tt.func public @gemm(%a: !tt.ptr<bf16>, %b: !tt.ptr<bf16>, %c: !tt.ptr<bf16>, %m: i32, %n: i32, %k: i32, %x: i32, %y: i32) {
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c1 = arith.constant 1 : i64
  %ks = arith.extsi %k : i32 to i64
  %ns = arith.extsi %n : i32 to i64
  %da = tt.make_tensor_descriptor %a, [%m, %k], [%ks, %c1] : <bf16>, <128x64xbf16>
  %db = tt.make_tensor_descriptor %b, [%n, %k], [%ks, %c1] : <bf16>, <128x64xbf16>
  %dc = tt.make_tensor_descriptor %c, [%m, %n], [%ns, %c1] : <bf16>, <128x128xbf16>
  // CHECK-DAG: %[[KL:[a-z0-9_]+]] = arith.extsi %[[K]] : i32 to i64
  // CHECK-DAG: %[[NL:[a-z0-9_]+]] = arith.extsi %[[N]] : i32 to i64
  // CHECK-DAG: %[[ML:[a-z0-9_]+]] = arith.extsi %[[M]] : i32 to i64
  // CHECK: scf.for %[[I:[a-z0-9_]+]] =
  %r = scf.for %i = %c0 to %k step %c64 iter_args(%acc = %zero) -> (tensor<128x128xf32>) : i32 {
    // CHECK: tt.make_tensor_ptr %[[A]], [%[[ML]], %[[KL]]], [%[[KL]], %{{.*}}], [%[[X]], %[[I]]] {order = array<i32: 1, 0>} : <tensor<128x64xbf16>>
    // CHECK: tt.load %{{.*}} {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32} : !tt.ptr<tensor<128x64xbf16>>
    %va = tt.descriptor_load %da[%x, %i] : !tt.tensordesc<128x64xbf16> -> tensor<128x64xbf16>
    // CHECK: tt.make_tensor_ptr %[[B]], [%[[NL]], %[[KL]]], [%[[KL]], %{{.*}}], [%[[Y]], %[[I]]] {order = array<i32: 1, 0>} : <tensor<128x64xbf16>>
    // CHECK: tt.load %{{.*}} {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32} : !tt.ptr<tensor<128x64xbf16>>
    %vb = tt.descriptor_load %db[%y, %i] : !tt.tensordesc<128x64xbf16> -> tensor<128x64xbf16>
    %vt = tt.trans %vb {order = array<i32: 1, 0>} : tensor<128x64xbf16> -> tensor<64x128xbf16>
    // CHECK: tt.dot
    %d = tt.dot %va, %vt, %acc : tensor<128x64xbf16> * tensor<64x128xbf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %t = arith.truncf %r : tensor<128x128xf32> to tensor<128x128xbf16>
  // CHECK: %[[P:[a-z0-9_]+]] = tt.make_tensor_ptr %[[C]], [%[[ML]], %[[NL]]], [%[[NL]], %{{.*}}], [%[[X]], %[[Y]]] {order = array<i32: 1, 0>} : <tensor<128x128xbf16>>
  // CHECK: tt.store %[[P]], %{{.*}} {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<128x128xbf16>>
  tt.descriptor_store %dc[%x, %y], %t : !tt.tensordesc<128x128xbf16>, tensor<128x128xbf16>
  tt.return
}

// -----

// Padding with NaN comes from the descriptor, also through a loop.
// CHECK-LABEL: @carried
tt.func public @carried(%a: !tt.ptr<f16>, %b: !tt.ptr<f16>, %n: i32, %s: i64, %p: tensor<16x16x!tt.ptr<f16>>, %f: i1) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c1l = arith.constant 1 : i64
  %da = tt.make_tensor_descriptor %a, [%n, %n], [%s, %c1l] {padding = 2 : i32} : <f16>, <16x16xf16>
  %db = tt.make_tensor_descriptor %b, [%n, %n], [%s, %c1l] {padding = 2 : i32} : <f16>, <16x16xf16>
  // CHECK: arith.select {{.*}} : !tt.ptr<f16>
  %d = arith.select %f, %da, %db : !tt.tensordesc<16x16xf16>
  // CHECK: scf.for
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%e = %d) -> (!tt.tensordesc<16x16xf16>) : i32 {
    // CHECK: tt.load {{.*}} {boundaryCheck = array<i32: 0, 1>, padding = 2 : i32}
    %v = tt.descriptor_load %e[%c0, %i] : !tt.tensordesc<16x16xf16> -> tensor<16x16xf16>
    tt.store %p, %v : tensor<16x16x!tt.ptr<f16>>
    // CHECK: scf.yield {{.*}} : !tt.ptr<f16>, i64, i64
    %g = scf.if %f -> (!tt.tensordesc<16x16xf16>) {
      scf.yield %da : !tt.tensordesc<16x16xf16>
    } else {
      scf.yield %db : !tt.tensordesc<16x16xf16>
    }
    scf.yield %g : !tt.tensordesc<16x16xf16>
  }
  tt.return
}

// -----

// A kernel argument becomes what the launcher passes; what the code relies on is
// checked at launch.
// CHECK-LABEL: @argument
// CHECK-SAME: %[[B:[a-z0-9]+]]: !tt.ptr<f16> {mlt.arg_kind = "descriptor_base", tt.divisibility = 16 : i32}
// CHECK-SAME: %[[S0:[a-z0-9]+]]: i64 {mlt.arg_kind = "descriptor_shape"}, %[[S1:[a-z0-9]+]]: i64 {mlt.arg_kind = "descriptor_shape"}
// CHECK-SAME: %[[T0:[a-z0-9]+]]: i64 {mlt.arg_kind = "descriptor_stride", tt.divisibility = 8 : i32}, %{{.*}}: i64 {mlt.arg_kind = "descriptor_stride"}
// CHECK-SAME: i1 {mlt.arg_kind = "descriptor_flag"}, %{{.*}}: i1 {mlt.arg_kind = "descriptor_flag"}
// CHECK-SAME: mlt.preconditions = [{compare = "eq", kind = "expr", lhs = {arg = 5 : i32}, reason = "the last dimension of a descriptor is contiguous", rhs = {const = 1 : i64}}, {compare = "eq", kind = "expr", lhs = {arg = 6 : i32}, reason = "compiled for descriptors that pad with zeros", rhs = {const = 0 : i64}}]
tt.func public @argument(%x: i32, %d: !tt.tensordesc<16x32xf16>, %p: tensor<16x32x!tt.ptr<f16>>) {
  // CHECK: tt.make_tensor_ptr %[[B]], [%[[S0]], %[[S1]]], [%[[T0]], %c1_i64], [%{{.*}}, %{{.*}}] {order = array<i32: 1, 0>} : <tensor<16x32xf16>>
  %v = tt.descriptor_load %d[%x, %x] : !tt.tensordesc<16x32xf16> -> tensor<16x32xf16>
  tt.store %p, %v : tensor<16x32x!tt.ptr<f16>>
  tt.return
}

// -----

// Leading dimensions of 1 are dropped behind the load and added before the store.
// CHECK-LABEL: @batched
tt.func public @batched(%a: !tt.ptr<f16>, %n: i32, %s: i64, %i: i32) {
  %c1 = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %a, [%n, %n, %n], [%s, %s, %c1] : <f16>, <1x16x32xf16>
  // CHECK: %[[V:[a-z0-9_]+]] = tt.load {{.*}} {boundaryCheck = array<i32: 0, 1, 2>, padding = 1 : i32} : !tt.ptr<tensor<1x16x32xf16>>
  // CHECK: tt.reshape %[[V]] : tensor<1x16x32xf16> -> tensor<16x32xf16>
  %v = tt.descriptor_load %d[%i, %i, %i] : !tt.tensordesc<1x16x32xf16> -> tensor<16x32xf16>
  %w = arith.negf %v : tensor<16x32xf16>
  // CHECK: %[[R:[a-z0-9_]+]] = tt.reshape %{{.*}} : tensor<16x32xf16> -> tensor<1x16x32xf16>
  // CHECK: tt.store %{{.*}}, %[[R]] {boundaryCheck = array<i32: 0, 1, 2>} : !tt.ptr<tensor<1x16x32xf16>>
  tt.descriptor_store %d[%i, %i, %i], %w : !tt.tensordesc<1x16x32xf16>, tensor<16x32xf16>
  tt.return
}

// -----

// Reductions, gathers and scatters need a pointer per element.
// CHECK-LABEL: @pointers
tt.func public @pointers(%a: !tt.ptr<f32>, %n: i32, %s: i64, %i: i32, %rows: tensor<32xi32>) {
  %c1 = arith.constant 1 : i64
  %one = arith.constant dense<1.0> : tensor<8x16xf32>
  %d = tt.make_tensor_descriptor %a, [%n, %n], [%s, %c1] : <f32>, <8x16xf32>
  // CHECK: tt.atomic_rmw fadd, relaxed, gpu, {{.*}} : (tensor<8x16x!tt.ptr<f32>>, tensor<8x16xf32>, tensor<8x16xi1>) -> tensor<8x16xf32>
  tt.descriptor_reduce add, %d[%i, %i], %one : !tt.tensordesc<8x16xf32>, tensor<8x16xf32>
  %e = tt.make_tensor_descriptor %a, [%n, %n], [%s, %c1] : <f32>, <1x16xf32>
  // CHECK: tt.load {{.*}} : tensor<32x16x!tt.ptr<f32>>
  %g = tt.descriptor_gather %e[%rows, %i] : (!tt.tensordesc<1x16xf32>, tensor<32xi32>, i32) -> tensor<32x16xf32>
  // CHECK: tt.store {{.*}} : tensor<32x16x!tt.ptr<f32>>
  tt.descriptor_scatter %e[%rows, %i], %g : !tt.tensordesc<1x16xf32>, tensor<32xi32>, i32, tensor<32x16xf32>
  tt.return
}

// -----

// A prefetch makes its block pointer as a load does.
// CHECK-LABEL: @prefetch
// CHECK: %[[P:.*]] = tt.make_tensor_ptr %{{.*}}, [%{{.*}}, %{{.*}}], [%{{.*}}, %{{.*}}], [%[[X:[a-z0-9_]+]], %[[X]]] {order = array<i32: 1, 0>} : <tensor<32x64xbf16>>
// CHECK-NEXT: mlt.prefetch %[[P]] : !tt.ptr<tensor<32x64xbf16>>
tt.func public @prefetch(%a: !tt.ptr<bf16>, %m: i32, %s: i64, %x: i32) {
  %c1 = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %a, [%m, %m], [%s, %c1] : <bf16>, <32x64xbf16>
  %p = builtin.unrealized_conversion_cast %d, %x, %x : !tt.tensordesc<32x64xbf16>, i32, i32 to !tt.ptr<tensor<32x64xbf16>>
  mlt.prefetch %p : !tt.ptr<tensor<32x64xbf16>>
  tt.return
}
