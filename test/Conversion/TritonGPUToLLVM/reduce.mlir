// RUN: mlt-opt %s --convert-tritongpu-to-llvm | %filecheck %s
// RUN: mlt-opt %s --convert-tritongpu-to-llvm=interface=genisa | %filecheck %s --check-prefix=SHUFFLE

module attributes {"ttg.num-warps" = 1 : i32, mlt.target = "pvc"} {

// 16 rows of 16 lanes: each step halves the rows, 8 + 4 + 2 + 1 pairs, and lane l
// ends with row l. A pair is regrouped by two moves, or exchanged by a shuffle.
// CHECK-LABEL: llvm.func spir_kernelcc @rows
// CHECK: %[[P0:.*]] = llvm.insertelement
// CHECK: %[[P1:.*]] = llvm.insertelement {{.*}}, %[[P0]]
// CHECK: %[[E:.*]] = llvm.inline_asm "mov (M1_NM, 16) $0(0,0)<1> $1(0,0)<16;8,1>", "=rw,rw" %[[P1]] : (vector<2xf32>) -> f32
// CHECK: %[[O:.*]] = llvm.inline_asm "mov (M1_NM, 16) $0(0,0)<1> $1(0,8)<16;8,1>", "=rw,rw" %{{.*}} : (vector<2xf32>) -> f32
// CHECK: llvm.fadd %[[E]], %[[O]]
// CHECK-COUNT-14: $1(0,{{[08]}})<16;8,1>
// CHECK-COUNT-8: $1(0,{{[04]}})<8;4,1>
// CHECK-COUNT-4: $1(0,{{[02]}})<4;2,1>
// CHECK: $1(0,0)<2;1,1>
// CHECK: $1(0,1)<2;1,1>
// CHECK-NOT: inline_asm
// CHECK-NOT: shuffle_xor
// CHECK: llvm.store %{{.*}} : f32
// SHUFFLE-LABEL: llvm.func spir_kernelcc @rows
// SHUFFLE-NOT: inline_asm
// SHUFFLE-COUNT-15: llvm.call spir_funccc @_Z21sub_group_shuffle_xorfj
// SHUFFLE-NOT: shuffle_xor
// SHUFFLE: llvm.store %{{.*}} : f32
tt.func public @rows(%p: !tt.ptr<f32>, %o: !tt.ptr<f32>, %s: i64, %y: i32) {
  %c1 = arith.constant 1 : i64
  %q = tt.make_tensor_ptr %p, [%s, %s], [%s, %c1], [%y, %y] {order = array<i32: 1, 0>} : <tensor<16x16xf32>>
  %x = tt.load %q : !tt.ptr<tensor<16x16xf32>>
  %m = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<16x16xf32>) -> tensor<16xf32>
  %r = tt.splat %o : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  tt.store %r, %m : tensor<16x!tt.ptr<f32>>
  tt.return
}

// 4 rows: two pairs, one, and then the row that is left with itself, so that lane
// l ends with row l % 4.
// CHECK-LABEL: llvm.func spir_kernelcc @few_rows
// CHECK-COUNT-4: $1(0,{{[08]}})<16;8,1>
// CHECK-COUNT-2: $1(0,{{[04]}})<8;4,1>
// CHECK: %[[S0:.*]] = llvm.insertelement %[[ROW:.*]], %{{.*}}[
// CHECK: llvm.insertelement %[[ROW]], %[[S0]][
// CHECK-COUNT-2: $1(0,{{[02]}})<4;2,1>
// CHECK-COUNT-2: $1(0,{{[01]}})<2;1,1>
// CHECK-NOT: inline_asm
// CHECK: PredicatedStore
tt.func public @few_rows(%p: !tt.ptr<f32>, %o: !tt.ptr<f32>, %s: i64, %y: i32) {
  %c1 = arith.constant 1 : i64
  %q = tt.make_tensor_ptr %p, [%s, %s], [%s, %c1], [%y, %y] {order = array<i32: 1, 0>} : <tensor<4x16xf32>>
  %x = tt.load %q : !tt.ptr<tensor<4x16xf32>>
  %m = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<4x16xf32>) -> tensor<4xf32>
  %r = tt.splat %o : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>
  tt.store %r, %m : tensor<4x!tt.ptr<f32>>
  tt.return
}

// Along rows nothing leaves its lane.
// CHECK-LABEL: llvm.func spir_kernelcc @columns
// CHECK-COUNT-7: llvm.intr.smax
// CHECK-NOT: shuffle_xor
// CHECK: llvm.store
tt.func public @columns(%p: !tt.ptr<i32>, %o: !tt.ptr<i32>, %s: i64, %y: i32) {
  %c1 = arith.constant 1 : i64
  %q = tt.make_tensor_ptr %p, [%s, %s], [%s, %c1], [%y, %y] {order = array<i32: 1, 0>} : <tensor<8x16xi32>>
  %x = tt.load %q : !tt.ptr<tensor<8x16xi32>>
  %m = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: i32, %b: i32):
    %c = arith.maxsi %a, %b : i32
    tt.reduce.return %c : i32
  }) : (tensor<8x16xi32>) -> tensor<16xi32>
  %r = tt.splat %o : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
  tt.store %r, %m : tensor<16x!tt.ptr<i32>>
  tt.return
}

// To a scalar: a butterfly. Several operands, and a type carried as another.
// CHECK-LABEL: llvm.func spir_kernelcc @argmax
// CHECK: llvm.call spir_funccc @_Z21sub_group_shuffle_xorsj
// CHECK: llvm.call spir_funccc @_Z21sub_group_shuffle_xorij
// CHECK: llvm.fcmp "ogt"
// CHECK: llvm.call spir_funccc @_Z21sub_group_shuffle_xorsj
tt.func public @argmax(%p: !tt.ptr<bf16>, %o: !tt.ptr<i32>) {
  %i = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %q = tt.splat %p : !tt.ptr<bf16> -> tensor<16x!tt.ptr<bf16>>
  %x = tt.load %q : tensor<16x!tt.ptr<bf16>>
  %s:2 = "tt.reduce"(%x, %i) <{axis = 0 : i32}> ({
  ^bb0(%a: bf16, %ai: i32, %b: bf16, %bi: i32):
    %g = arith.cmpf ogt, %a, %b : bf16
    %v = arith.select %g, %a, %b : bf16
    %n = arith.select %g, %ai, %bi : i32
    tt.reduce.return %v, %n : bf16, i32
  }) : (tensor<16xbf16>, tensor<16xi32>) -> (bf16, i32)
  tt.store %o, %s#1 : !tt.ptr<i32>
  tt.return
}
}
