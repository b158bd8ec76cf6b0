// RUN: mlt-opt %s --convert-triton-to-tritongpu-warp=num-warps=32 | %filecheck %s
// RUN: mlt-opt %s --convert-triton-to-tritongpu-warp=num-warps=4 | %filecheck %s --check-prefix=FOUR
// RUN: mlt-opt %s --convert-triton-to-tritongpu-warp=num-warps=auto | %filecheck %s --check-prefix=AUTO

// The paper's GEMM: 256x256x32 over 32 warps, and an epilogue that loads a bias
// through a tensor of pointers.

// CHECK-DAG: #blocked = #ttg.blocked<{sizePerWarp = [32, 64], warpsPerCTA = [8, 4], order = [1, 0]}>
// CHECK-DAG: #dot0 = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
// CHECK-DAG: #dot1 = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
// CHECK-DAG: #slice = #ttg.slice<{dim = 0, parent = #blocked}>
// CHECK: module attributes {mlt.target = "pvc", "ttg.num-warps" = 32 : i32, "ttg.threads-per-warp" = 16 : i32}
// CHECK-NOT: mlt.convert_layout

// FOUR: #blocked = #ttg.blocked<{sizePerWarp = [128, 128], warpsPerCTA = [2, 2], order = [1, 0]}>
// AUTO: #blocked = #ttg.blocked<{sizePerWarp = [32, 64], warpsPerCTA = [8, 4], order = [1, 0]}>
// AUTO: "ttg.num-warps" = 32 : i32

module {
  tt.func public @gemm(%a: !tt.ptr<f16>, %b: !tt.ptr<f16>, %bias: !tt.ptr<f16>, %c: !tt.ptr<f16>, %m: i64, %n: i64, %k: i32, %k64: i64, %x: i32, %y: i32, %ni: i32) {
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %c1 = arith.constant 1 : i64
    // CHECK: arith.constant dense<0.000000e+00> : tensor<256xf16, #slice>
    %other = arith.constant dense<0.0> : tensor<256xf16>
    // CHECK: arith.constant dense<0.000000e+00> : tensor<256x256xf32, #blocked>
    %zero = arith.constant dense<0.0> : tensor<256x256xf32>
    // CHECK: tt.make_tensor_ptr {{.*}} : <tensor<256x32xf16, #dot0>>
    %pa = tt.make_tensor_ptr %a, [%m, %k64], [%k64, %c1], [%x, %c0] {order = array<i32: 1, 0>} : <tensor<256x32xf16>>
    // CHECK: tt.make_tensor_ptr {{.*}} : <tensor<32x256xf16, #dot1>>
    %pb = tt.make_tensor_ptr %b, [%k64, %n], [%n, %c1], [%c0, %y] {order = array<i32: 1, 0>} : <tensor<32x256xf16>>
    // CHECK: scf.for {{.*}} -> (!tt.ptr<tensor<256x32xf16, #dot0>>, !tt.ptr<tensor<32x256xf16, #dot1>>, tensor<256x256xf32, #blocked>)
    %r:3 = scf.for %i = %c0 to %k step %c32 iter_args(%qa = %pa, %qb = %pb, %acc = %zero) -> (!tt.ptr<tensor<256x32xf16>>, !tt.ptr<tensor<32x256xf16>>, tensor<256x256xf32>) : i32 {
      // CHECK: tt.load {{.*}} : !tt.ptr<tensor<256x32xf16, #dot0>>
      %va = tt.load %qa {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<256x32xf16>>
      // CHECK: tt.load {{.*}} : !tt.ptr<tensor<32x256xf16, #dot1>>
      %vb = tt.load %qb {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<32x256xf16>>
      // CHECK: tt.dot {{.*}} : tensor<256x32xf16, #dot0> * tensor<32x256xf16, #dot1> -> tensor<256x256xf32, #blocked>
      %d = tt.dot %va, %vb, %acc : tensor<256x32xf16> * tensor<32x256xf16> -> tensor<256x256xf32>
      // CHECK: tt.advance {{.*}} : <tensor<256x32xf16, #dot0>>
      %na = tt.advance %qa, [%c0, %c32] : <tensor<256x32xf16>>
      // CHECK: tt.advance {{.*}} : <tensor<32x256xf16, #dot1>>
      %nb = tt.advance %qb, [%c32, %c0] : <tensor<32x256xf16>>
      scf.yield %na, %nb, %d : !tt.ptr<tensor<256x32xf16>>, !tt.ptr<tensor<32x256xf16>>, tensor<256x256xf32>
    }
    // CHECK: tt.make_range {{.*}} : tensor<256xi32, #slice>
    %range = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %start = tt.splat %y : i32 -> tensor<256xi32>
    %cols = arith.addi %start, %range : tensor<256xi32>
    %limit = tt.splat %ni : i32 -> tensor<256xi32>
    // CHECK: arith.cmpi slt, {{.*}} : tensor<256xi32, #slice>
    %mask = arith.cmpi slt, %cols, %limit : tensor<256xi32>
    %base = tt.splat %bias : !tt.ptr<f16> -> tensor<256x!tt.ptr<f16>>
    %ptrs = tt.addptr %base, %cols : tensor<256x!tt.ptr<f16>>, tensor<256xi32>
    // CHECK: tt.load {{.*}} : tensor<256x!tt.ptr<f16>, #slice>
    %bv = tt.load %ptrs, %mask, %other : tensor<256x!tt.ptr<f16>>
    %bf = arith.extf %bv : tensor<256xf16> to tensor<256xf32>
    // CHECK: tt.expand_dims {{.*}} : tensor<256xf32, #slice> -> tensor<1x256xf32, #blocked>
    %row = tt.expand_dims %bf {axis = 0 : i32} : tensor<256xf32> -> tensor<1x256xf32>
    // CHECK: tt.broadcast {{.*}} : tensor<1x256xf32, #blocked> -> tensor<256x256xf32, #blocked>
    %all = tt.broadcast %row : tensor<1x256xf32> -> tensor<256x256xf32>
    %sum = arith.addf %r#2, %all : tensor<256x256xf32>
    // CHECK: arith.maxnumf {{.*}} : tensor<256x256xf32, #blocked>
    %relu = arith.maxnumf %sum, %zero : tensor<256x256xf32>
    %out = arith.truncf %relu : tensor<256x256xf32> to tensor<256x256xf16>
    // CHECK: tt.make_tensor_ptr {{.*}} : <tensor<256x256xf16, #blocked>>
    %pc = tt.make_tensor_ptr %c, [%m, %n], [%n, %c1], [%x, %y] {order = array<i32: 1, 0>} : <tensor<256x256xf16>>
    // CHECK: tt.store {{.*}} : !tt.ptr<tensor<256x256xf16, #blocked>>
    tt.store %pc, %out {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<256x256xf16>>
    tt.return
  }
}
