// RUN: mlt-opt %s --defer-reduce | %filecheck %s
// RUN: mlt-opt %s --defer-reduce=registers=20 | %filecheck %s --check-prefix=FULL

// The denominator of an online softmax: a sum per lane in the loop.

// CHECK-LABEL: @softmax
// CHECK-SAME: %[[X:[^:]*]]: tensor<16x16xf32>, %[[ALPHA:[^:]*]]: tensor<16xf32>
// CHECK-DAG: %[[SHARE:.*]] = arith.constant dense<6.250000e-02> : tensor<16x16xf32>
// CHECK-DAG: %[[ONE:.*]] = arith.constant dense<1.000000e+00> : tensor<16xf32>
// CHECK: %[[C:.*]] = tt.expand_dims %[[ONE]] {axis = 1 : i32}
// CHECK: %[[S:.*]] = tt.broadcast %[[C]] : tensor<16x1xf32> -> tensor<16x16xf32>
// CHECK: %[[INIT:.*]] = arith.mulf %[[S]], %[[SHARE]]
// CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[L:.*]] = %[[INIT]]) -> (tensor<16x16xf32>)
// CHECK-NOT: tt.reduce
// CHECK: %[[A:.*]] = tt.broadcast %{{.*}} : tensor<16x1xf32> -> tensor<16x16xf32>
// CHECK: %[[M:.*]] = arith.mulf %[[L]], %[[A]]
// CHECK: %[[N:.*]] = arith.addf %[[M]], %[[X]]
// CHECK: scf.yield %[[N]]
// CHECK: %[[T:.*]] = "tt.reduce"(%[[R]]) <{axis = 1 : i32}>
// CHECK: tt.return %[[T]]

// Without registers for it the loop stays as it is.
// FULL-LABEL: @softmax
// FULL: scf.for
// FULL: tt.reduce
// FULL: scf.yield
tt.func @softmax(%x: tensor<16x16xf32>, %alpha: tensor<16xf32>, %n: i32) -> tensor<16xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant dense<1.0> : tensor<16xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%l = %one) -> (tensor<16xf32>) : i32 {
    %m = arith.mulf %l, %alpha : tensor<16xf32>
    %s = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<16x16xf32>) -> tensor<16xf32>
    %next = arith.addf %m, %s : tensor<16xf32>
    scf.yield %next : tensor<16xf32>
  }
  tt.return %r : tensor<16xf32>
}

// Of what is carried something else is needed in the loop, and a maximum is no
// sum.
// CHECK-LABEL: @others
// CHECK: scf.for {{.*}} -> (tensor<16xf32>, tensor<16xf32>)
// CHECK: tt.reduce
// CHECK: tt.reduce
// CHECK: scf.yield
tt.func @others(%x: tensor<16x16xf32>, %n: i32) -> (tensor<16xf32>, tensor<16xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant dense<1.0> : tensor<16xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%l = %one, %k = %one) -> (tensor<16xf32>, tensor<16xf32>) : i32 {
    %s = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<16x16xf32>) -> tensor<16xf32>
    %next = arith.addf %l, %s : tensor<16xf32>
    %t = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.maxnumf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<16x16xf32>) -> tensor<16xf32>
    %other = arith.addf %t, %k : tensor<16xf32>
    %both = arith.addf %other, %l : tensor<16xf32>
    scf.yield %next, %both : tensor<16xf32>, tensor<16xf32>
  }
  tt.return %r#0, %r#1 : tensor<16xf32>, tensor<16xf32>
}
