// RUN: mlt-opt %s --split-input-file --prefetch-block --canonicalize --cse | %filecheck %s
// RUN: mlt-opt %s --split-input-file --prefetch-block=distance=0 --canonicalize --cse | %filecheck %s

// A kernel's own prefetch of a carried block pointer: the warps share it, through
// a pointer that the loop carries for it, and the loop gets no other prefetch.

// CHECK: #blocked1 = #ttg.blocked<{sizePerWarp = [8, 32], warpsPerCTA = [32, 1], order = [1, 0]}>
// CHECK-LABEL: tt.func @carried
// CHECK: %[[F:.*]] = tt.make_tensor_ptr %{{.*}}[%c0_i32, %c32_i32] {{.*}} : <tensor<256x32xf16, #blocked1>>
// CHECK-NOT: mlt.prefetch
// CHECK: scf.for {{.*}} %[[N:[a-z0-9]+]] = %[[F]])
// CHECK: mlt.prefetch %[[N]] : !tt.ptr<tensor<256x32xf16, #blocked1>>
// CHECK-NOT: mlt.prefetch
// CHECK: tt.dot
// CHECK: tt.advance %[[N]], [%c0_i32, %c32_i32] : <tensor<256x32xf16, #blocked1>>
// CHECK-NOT: mlt.prefetch
#c = #ttg.blocked<{sizePerWarp = [32, 64], warpsPerCTA = [8, 4], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #c}>
#b = #ttg.dot_op<{opIdx = 1, parent = #c}>
module attributes {"ttg.num-warps" = 32 : i32} {
  tt.func @carried(%pa: !tt.ptr<f16>, %pb: !tt.ptr<f16>, %m: i64, %n: i64, %k: i64, %ki: i32) -> tensor<256x256xf32, #c> {
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %c1 = arith.constant 1 : i64
    %zero = arith.constant dense<0.0> : tensor<256x256xf32, #c>
    %a0 = tt.make_tensor_ptr %pa, [%m, %k], [%k, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<256x32xf16, #a>>
    %b0 = tt.make_tensor_ptr %pb, [%k, %n], [%n, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<32x256xf16, #b>>
    %r:3 = scf.for %i = %c0 to %ki step %c32 iter_args(%p = %a0, %q = %b0, %acc = %zero) -> (!tt.ptr<tensor<256x32xf16, #a>>, !tt.ptr<tensor<32x256xf16, #b>>, tensor<256x256xf32, #c>) : i32 {
      %p1 = tt.advance %p, [%c0, %c32] : <tensor<256x32xf16, #a>>
      mlt.prefetch %p1 : !tt.ptr<tensor<256x32xf16, #a>>
      %x = tt.load %p : !tt.ptr<tensor<256x32xf16, #a>>
      %y = tt.load %q : !tt.ptr<tensor<32x256xf16, #b>>
      %d = tt.dot %x, %y, %acc : tensor<256x32xf16, #a> * tensor<32x256xf16, #b> -> tensor<256x256xf32, #c>
      %q1 = tt.advance %q, [%c32, %c0] : <tensor<32x256xf16, #b>>
      scf.yield %p1, %q1, %d : !tt.ptr<tensor<256x32xf16, #a>>, !tt.ptr<tensor<32x256xf16, #b>>, tensor<256x256xf32, #c>
    }
    tt.return %r#2 : tensor<256x256xf32, #c>
  }
}

// -----

// A pointer that is made for the prefetch, as that of a descriptor is, also under
// a condition; and a kernel of one warp, which stays as it is.

// CHECK: #blocked = #ttg.blocked<{sizePerWarp = [8, 32], warpsPerCTA = [8, 1], order = [1, 0]}>
// CHECK-LABEL: tt.func @made
// CHECK: scf.if
// CHECK: %[[F:.*]] = tt.make_tensor_ptr %{{.*}} : <tensor<64x32xf16, #blocked>>
// CHECK-NEXT: %[[G:.*]] = tt.advance %[[F]], [%{{.*}}, %{{.*}}] : <tensor<64x32xf16, #blocked>>
// CHECK-NEXT: mlt.prefetch %[[G]] : !tt.ptr<tensor<64x32xf16, #blocked>>
// CHECK-LABEL: tt.func @of_one_warp
// CHECK: mlt.prefetch %{{.*}} : !tt.ptr<tensor<64x32xf16>>
#w = #ttg.blocked<{sizePerWarp = [64, 4], warpsPerCTA = [1, 8], order = [1, 0]}>
module attributes {"ttg.num-warps" = 8 : i32} {
  tt.func @made(%pa: !tt.ptr<f16>, %m: i64, %k: i64, %row: i32, %if: i1) {
    %c1 = arith.constant 1 : i64
    scf.if %if {
      %p = tt.make_tensor_ptr %pa, [%m, %k], [%k, %c1], [%row, %row] {order = array<i32: 1, 0>} : <tensor<64x32xf16, #w>>
      %q = tt.advance %p, [%row, %row] : <tensor<64x32xf16, #w>>
      mlt.prefetch %q : !tt.ptr<tensor<64x32xf16, #w>>
    }
    tt.return
  }
  tt.func @of_one_warp(%pa: !tt.ptr<f16>, %m: i64, %k: i64, %row: i32) attributes {mlt.warp_level} {
    %c1 = arith.constant 1 : i64
    %p = tt.make_tensor_ptr %pa, [%m, %k], [%k, %c1], [%row, %row] {order = array<i32: 1, 0>} : <tensor<64x32xf16>>
    mlt.prefetch %p : !tt.ptr<tensor<64x32xf16>>
    tt.return
  }
}
