// RUN: mlt-opt %s --convert-tritongpu-to-llvm | %filecheck %s
// RUN: mlt-opt %s --convert-tritongpu-to-llvm --mlir-print-debuginfo | %filecheck %s --check-prefix=LOC

// A GEMM of one 8x16 tile per warp: the loop carries the accumulator and one
// changing offset per block pointer, everything else is computed once.

// CHECK: llvm.func spir_funccc @_Z12get_group_idj(i32) -> i64 attributes {{.*}}no_unwind
// CHECK-LABEL: llvm.func spir_kernelcc @gemm
// CHECK-SAME: (%[[A:.*]]: !llvm.ptr<1>, %[[B:.*]]: !llvm.ptr<1>, %[[C:.*]]: !llvm.ptr<1>, %[[M:.*]]: i32, %[[N:.*]]: i32, %[[K:.*]]: i32)
// CHECK-SAME: intel_reqd_sub_group_size = 16 : i32
// CHECK-SAME: reqd_work_group_size = array<i32: 64, 1, 1>
// CHECK: %[[ZERO:.*]] = llvm.mlir.constant(dense<0.000000e+00> : vector<8xf32>)
// CHECK: llvm.call spir_funccc @_Z12get_group_idj
// CHECK: llvm.br ^[[HEAD:.*]](%{{.*}}, %[[ZERO]], %{{.*}}, %{{.*}} : i32, vector<8xf32>, i32, i32)
// CHECK: ^[[HEAD]](%[[I:.*]]: i32, %[[ACC:.*]]: vector<8xf32>, %[[X:.*]]: i32, %[[Y:.*]]: i32):
// CHECK: llvm.cond_br
// CHECK: %[[TA:.*]] = xevm.blockload2d %[[A]], %[[WA:.*]], %[[M]], %[[WA]], %[[X]], %{{.*}} <{elem_size_in_bits = 16 : i32, pack_register = false, tile_height = 8 : i32, tile_width = 16 : i32, transpose = false, v_blocks = 1 : i32}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<8xi16>
// CHECK-NEXT: %[[TB:.*]] = xevm.blockload2d %[[B]], %[[WB:.*]], %[[K]], %[[WB]], %{{.*}}, %[[Y]] <{elem_size_in_bits = 16 : i32, pack_register = true, tile_height = 16 : i32, tile_width = 16 : i32, transpose = false, v_blocks = 1 : i32}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<8xi32>
// CHECK-NEXT: %[[D:.*]] = xevm.mma %[[TA]], %[[TB]], %[[ACC]] {shape = <m = 8, n = 16, k = 16>, types = <d = f32, a = f16, b = f16, c = f32>} : (vector<8xi16>, vector<8xi32>, vector<8xf32>) -> vector<8xf32>
// CHECK-NEXT: llvm.add %[[X]]
// CHECK-NEXT: llvm.add %[[Y]]
// CHECK-NEXT: llvm.add %[[I]]
// CHECK-NEXT: llvm.br ^[[HEAD]](%{{.*}}, %[[D]], %{{.*}}, %{{.*}} : i32, vector<8xf32>, i32, i32)
// CHECK: %[[DATA:.*]] = llvm.bitcast %[[ACC]] : vector<8xf32> to vector<8xi32>
// CHECK: xevm.blockstore2d %[[C]], %{{.*}}, %[[M]], %{{.*}}, %[[DATA]] <{elem_size_in_bits = 32 : i32, tile_height = 8 : i32, tile_width = 16 : i32}>
// CHECK-NEXT: llvm.return

// LOC: xevm.mma {{.*}} loc(#[[DOT:loc.*]])
// LOC: #[[DOT]] = loc("the dot")

module attributes {"ttg.num-warps" = 4 : i32, mlt.target = "pvc"} {
  tt.func public @gemm(%a: !tt.ptr<f16>, %b: !tt.ptr<f16>, %c: !tt.ptr<f32>, %m: i32, %n: i32, %k: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %c8 = arith.constant 8 : i32
    %c16 = arith.constant 16 : i32
    %zero = arith.constant dense<0.0> : tensor<8x16xf32>
    %pm = tt.get_program_id x : i32
    %pn = tt.get_program_id y : i32
    %m64 = arith.extsi %m : i32 to i64
    %n64 = arith.extsi %n : i32 to i64
    %k64 = arith.extsi %k : i32 to i64
    %om = arith.muli %pm, %c8 : i32
    %on = arith.muli %pn, %c16 : i32
    %pa = tt.make_tensor_ptr %a, [%m64, %k64], [%k64, %c1], [%om, %c0] {order = array<i32: 1, 0>} : <tensor<8x16xf16>>
    %pb = tt.make_tensor_ptr %b, [%k64, %n64], [%n64, %c1], [%c0, %on] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #mlt.operand<b>>>
    %r:3 = scf.for %i = %c0 to %k step %c16 iter_args(%acc = %zero, %qa = %pa, %qb = %pb) -> (tensor<8x16xf32>, !tt.ptr<tensor<8x16xf16>>, !tt.ptr<tensor<16x16xf16, #mlt.operand<b>>>) : i32 {
      %ta = tt.load %qa {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<8x16xf16>>
      %tb = tt.load %qb {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<16x16xf16, #mlt.operand<b>>>
      %d = tt.dot %ta, %tb, %acc : tensor<8x16xf16> * tensor<16x16xf16, #mlt.operand<b>> -> tensor<8x16xf32> loc("the dot")
      %na = tt.advance %qa, [%c0, %c16] : <tensor<8x16xf16>>
      %nb = tt.advance %qb, [%c16, %c0] : <tensor<16x16xf16, #mlt.operand<b>>>
      scf.yield %d, %na, %nb : tensor<8x16xf32>, !tt.ptr<tensor<8x16xf16>>, !tt.ptr<tensor<16x16xf16, #mlt.operand<b>>>
    }
    %pc = tt.make_tensor_ptr %c, [%m64, %n64], [%n64, %c1], [%om, %on] {order = array<i32: 1, 0>} : <tensor<8x16xf32>>
    tt.store %pc, %r#0 {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<8x16xf32>>
    tt.return
  }
}
