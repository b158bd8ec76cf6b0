// RUN: mlt-opt %s --convert-tritongpu-to-llvm | %filecheck %s

module attributes {"ttg.num-warps" = 1 : i32, mlt.target = "pvc"} {

// Tiles and pointers through scf.while, scf.if and branches.
// CHECK-LABEL: llvm.func spir_kernelcc @structured
// CHECK: llvm.br ^[[HEAD:.*]](%{{.*}} : i32, vector<8xf32>)
// CHECK: ^[[HEAD]](%{{.*}}: i32, %{{.*}}: vector<8xf32>):
// CHECK-NOT: scf
// CHECK: llvm.return
tt.func public @structured(%p: !tt.ptr<f32>, %n: i32) {
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<8x16xf32>
  %one = arith.constant dense<1.0> : tensor<8x16xf32>
  %q = tt.splat %p : !tt.ptr<f32> -> tensor<8x16x!tt.ptr<f32>>
  %r:2 = scf.while (%i = %n, %t = %zero) : (i32, tensor<8x16xf32>) -> (i32, tensor<8x16xf32>) {
    %go = arith.cmpi sgt, %i, %c1 : i32
    scf.condition(%go) %i, %t : i32, tensor<8x16xf32>
  } do {
  ^bb0(%i: i32, %t: tensor<8x16xf32>):
    %odd = arith.trunci %i : i32 to i1
    %u = scf.if %odd -> (tensor<8x16xf32>) {
      %a = arith.addf %t, %one : tensor<8x16xf32>
      scf.yield %a : tensor<8x16xf32>
    } else {
      scf.yield %t : tensor<8x16xf32>
    }
    %j = arith.shrui %i, %c1 : i32
    scf.yield %j, %u : i32, tensor<8x16xf32>
  }
  tt.store %q, %r#1 : tensor<8x16x!tt.ptr<f32>>
  tt.return
}

// CHECK-LABEL: llvm.func spir_kernelcc @branches
// CHECK: llvm.cond_br %{{.*}}, ^[[A:.*]], ^[[B:.*]]
// CHECK: xevm.blockload2d
// CHECK: llvm.return
tt.func public @branches(%p: !tt.ptr<f32>, %c: i1, %s: i64, %x: i32, %y: i32) {
  %c1 = arith.constant 1 : i64
  %a = tt.make_tensor_ptr %p, [%s, %s], [%s, %c1], [%x, %y] {order = array<i32: 1, 0>} : <tensor<8x16xf32>>
  cf.cond_br %c, ^next(%a : !tt.ptr<tensor<8x16xf32>>), ^other
^other:
  %b = tt.advance %a, [%x, %y] : <tensor<8x16xf32>>
  cf.br ^next(%b : !tt.ptr<tensor<8x16xf32>>)
^next(%q: !tt.ptr<tensor<8x16xf32>>):
  %v = tt.load %q : !tt.ptr<tensor<8x16xf32>>
  tt.store %a, %v : !tt.ptr<tensor<8x16xf32>>
  tt.return
}

// Poison of a tile and of a block pointer.
// CHECK-LABEL: llvm.func spir_kernelcc @poison
// CHECK: llvm.mlir.poison : vector<8xf32>
// CHECK: llvm.return
tt.func public @poison(%p: !tt.ptr<f32>, %c: i1, %s: i64, %x: i32) {
  %c1 = arith.constant 1 : i64
  %a = tt.make_tensor_ptr %p, [%s, %s], [%s, %c1], [%x, %x] {order = array<i32: 1, 0>} : <tensor<8x16xf32>>
  %t = ub.poison : tensor<8x16xf32>
  %u = ub.poison : !tt.ptr<tensor<8x16xf32>>
  tt.store %a, %t : !tt.ptr<tensor<8x16xf32>>
  tt.return
}

// The branch between two versions keeps its name.
// CHECK-LABEL: llvm.func spir_kernelcc @versions
// CHECK: llvm.cond_br %{{.*}}, ^[[FAST:.*]], ^[[SAFE:.*]] {mlt.versions}
// CHECK: ^[[FAST]]:
// CHECK: llvm.store %arg2
// CHECK: ^[[SAFE]]:
// CHECK: llvm.store %arg3
// CHECK: llvm.return
tt.func public @versions(%p: !tt.ptr<i32>, %c: i1, %n: i32, %m: i32) {
  scf.if %c {
    tt.store %p, %n : !tt.ptr<i32>
  } else {
    tt.store %p, %m : !tt.ptr<i32>
  } {mlt.versions}
  tt.return
}
}
