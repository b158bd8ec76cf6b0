// RUN: mlt-opt %s --split-input-file --prefetch-block=distance=1 --canonicalize --cse | %filecheck %s
// RUN: mlt-opt %s --split-input-file --prefetch-block=distance=0 | %filecheck %s --check-prefix=OFF
// OFF-NOT: mlt.prefetch

// Every warp fetches one slice of 16 x 32, 64 bytes wide, one half of the warps
// of A, the other one of B: A has 16 slices, B 2 x 8, and the warps begin again
// behind them. The one message of a warp stands at the top of the loop.

// CHECK-DAG: #blocked1 = #ttg.blocked<{sizePerWarp = [16, 32], warpsPerCTA = [32, 1], order = [1, 0]}>
// CHECK-DAG: #blocked2 = #ttg.blocked<{sizePerWarp = [16, 32], warpsPerCTA = [4, 8], order = [1, 0]}>
// CHECK-LABEL: tt.func @advanced
// CHECK: %[[FA:.*]] = tt.make_tensor_ptr %{{.*}} : <tensor<256x32xf16, #blocked1>>
// CHECK-NEXT: mlt.prefetch %[[FA]] part 0 of 2
// CHECK-NEXT: %[[GA:.*]] = tt.advance %[[FA]], [%c0_i32, %c32_i32]
// CHECK: %[[FB:.*]] = tt.make_tensor_ptr %{{.*}} : <tensor<32x256xf16, #blocked2>>
// CHECK-NEXT: mlt.prefetch %[[FB]] part 1 of 2
// CHECK-NEXT: %[[GB:.*]] = tt.advance %[[FB]], [%c32_i32, %c0_i32]
// CHECK: scf.for {{.*}} %[[NA:[a-z0-9]+]] = %[[GA]], %[[NB:[a-z0-9]+]] = %[[GB]])
// CHECK-NEXT: mlt.prefetch %[[NA]] part 0 of 2
// CHECK-NEXT: mlt.prefetch %[[NB]] part 1 of 2
// CHECK: tt.load
// CHECK: tt.load
// CHECK: tt.dot
// CHECK: tt.advance %[[NA]], [%c0_i32, %c32_i32]
// CHECK: tt.advance %[[NB]], [%c32_i32, %c0_i32]
#c = #ttg.blocked<{sizePerWarp = [32, 64], warpsPerCTA = [8, 4], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #c}>
#b = #ttg.dot_op<{opIdx = 1, parent = #c}>
module attributes {"ttg.num-warps" = 32 : i32} {
  tt.func @advanced(%pa: !tt.ptr<f16>, %pb: !tt.ptr<f16>, %m: i64, %n: i64, %k: i64, %ki: i32) -> tensor<256x256xf32, #c> {
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %c1 = arith.constant 1 : i64
    %zero = arith.constant dense<0.0> : tensor<256x256xf32, #c>
    %a0 = tt.make_tensor_ptr %pa, [%m, %k], [%k, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<256x32xf16, #a>>
    %b0 = tt.make_tensor_ptr %pb, [%k, %n], [%n, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<32x256xf16, #b>>
    %r:3 = scf.for %i = %c0 to %ki step %c32 iter_args(%p = %a0, %q = %b0, %acc = %zero) -> (!tt.ptr<tensor<256x32xf16, #a>>, !tt.ptr<tensor<32x256xf16, #b>>, tensor<256x256xf32, #c>) : i32 {
      %x = tt.load %p : !tt.ptr<tensor<256x32xf16, #a>>
      %y = tt.load %q : !tt.ptr<tensor<32x256xf16, #b>>
      %d = tt.dot %x, %y, %acc : tensor<256x32xf16, #a> * tensor<32x256xf16, #b> -> tensor<256x256xf32, #c>
      %p1 = tt.advance %p, [%c0, %c32] : <tensor<256x32xf16, #a>>
      %q1 = tt.advance %q, [%c32, %c0] : <tensor<32x256xf16, #b>>
      scf.yield %p1, %q1, %d : !tt.ptr<tensor<256x32xf16, #a>>, !tt.ptr<tensor<32x256xf16, #b>>, tensor<256x256xf32, #c>
    }
    tt.return %r#2 : tensor<256x256xf32, #c>
  }
}

// -----

// A transposed operand is fetched as it lies in memory: 16 rows of 32 elements.
// The pointer is made anew in each iteration, its load is widened before the
// dot, and the step is that of an expression of the induction variable.

// CHECK-DAG: #blocked1 = #ttg.blocked<{sizePerWarp = [16, 32], warpsPerCTA = [4, 2], order = [1, 0]}>
// CHECK-LABEL: tt.func @made_in_loop
// CHECK: %[[START:.*]] = arith.muli %{{.*}}, %c2_i32
// CHECK: %[[F:.*]] = tt.make_tensor_ptr %{{.*}}[%c0_i32, %[[START]]] {order = array<i32: 1, 0>} : <tensor<64x64xf16, #blocked1>>
// CHECK: mlt.prefetch %[[F]]
// CHECK: tt.advance %[[F]], [%c0_i32, %c64_i32]
// CHECK: scf.for
// CHECK: mlt.prefetch
// CHECK: tt.dot
#c = #ttg.blocked<{sizePerWarp = [16, 64], warpsPerCTA = [8, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #c}>
#b = #ttg.dot_op<{opIdx = 1, parent = #c}>
module attributes {"ttg.num-warps" = 8 : i32} {
  tt.func @made_in_loop(%pb: !tt.ptr<f16>, %a: tensor<128x64xf16, #a>, %n: i64, %k: i64, %from: i32, %to: i32) -> tensor<128x64xf32, #c> {
    %c0 = arith.constant 0 : i32
    %c2 = arith.constant 2 : i32
    %c32 = arith.constant 32 : i32
    %c1 = arith.constant 1 : i64
    %scale = arith.constant dense<2.0> : tensor<64x64xf16, #b>
    %zero = arith.constant dense<0.0> : tensor<128x64xf32, #c>
    %r = scf.for %i = %from to %to step %c32 iter_args(%acc = %zero) -> (tensor<128x64xf32, #c>) : i32 {
      %row = arith.muli %i, %c2 : i32
      %q = tt.make_tensor_ptr %pb, [%k, %n], [%c1, %k], [%row, %c0] {order = array<i32: 0, 1>} : <tensor<64x64xf16, #b>>
      %y = tt.load %q : !tt.ptr<tensor<64x64xf16, #b>>
      %z = arith.mulf %y, %scale : tensor<64x64xf16, #b>
      %d = tt.dot %a, %z, %acc : tensor<128x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<128x64xf32, #c>
      scf.yield %d : tensor<128x64xf32, #c>
    }
    tt.return %r : tensor<128x64xf32, #c>
  }
}

// -----

// Two loops over one pointer, which was advanced before: the second starts
// where the first has ended, after ceil((to - 0) / 64) steps of 64 rows.

// CHECK-LABEL: tt.func @two_loops
// CHECK: tt.make_tensor_ptr %{{.*}}[%c128_i32, %c0_i32]
// CHECK: %[[TRIPS:.*]] = arith.ceildivsi %{{.*}}, %c64_i32
// CHECK: scf.for
// CHECK: mlt.prefetch
// CHECK: tt.dot
// CHECK: tt.dot
// CHECK: %[[BY:.*]] = arith.muli %[[TRIPS]], %c64_i32
// CHECK: %[[AT:.*]] = arith.addi %[[BY]], %c128_i32
// CHECK: tt.make_tensor_ptr %{{.*}}[%[[AT]], %c0_i32]
// CHECK: scf.for
// CHECK: mlt.prefetch
#c = #ttg.blocked<{sizePerWarp = [16, 64], warpsPerCTA = [8, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #c}>
#b = #ttg.dot_op<{opIdx = 1, parent = #c}>
module attributes {"ttg.num-warps" = 8 : i32} {
  tt.func @two_loops(%pb: !tt.ptr<f16>, %a: tensor<128x64xf16, #a>, %n: i64, %k: i64, %to: i32, %end: i32) -> tensor<128x64xf32, #c> {
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %c1 = arith.constant 1 : i64
    %zero = arith.constant dense<0.0> : tensor<128x64xf32, #c>
    %c128 = arith.constant 128 : i32
    %made = tt.make_tensor_ptr %pb, [%k, %n], [%n, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<64x64xf16, #b>>
    %q0 = tt.advance %made, [%c128, %c0] : <tensor<64x64xf16, #b>>
    %r:2 = scf.for %i = %c0 to %to step %c64 iter_args(%q = %q0, %acc = %zero) -> (!tt.ptr<tensor<64x64xf16, #b>>, tensor<128x64xf32, #c>) : i32 {
      %y = tt.load %q : !tt.ptr<tensor<64x64xf16, #b>>
      %d = tt.dot %a, %y, %acc : tensor<128x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<128x64xf32, #c>
      %e = tt.dot %a, %y, %d : tensor<128x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<128x64xf32, #c>
      %q1 = tt.advance %q, [%c64, %c0] : <tensor<64x64xf16, #b>>
      scf.yield %q1, %e : !tt.ptr<tensor<64x64xf16, #b>>, tensor<128x64xf32, #c>
    }
    %s:2 = scf.for %i = %to to %end step %c64 iter_args(%q = %r#0, %acc = %r#1) -> (!tt.ptr<tensor<64x64xf16, #b>>, tensor<128x64xf32, #c>) : i32 {
      %y = tt.load %q : !tt.ptr<tensor<64x64xf16, #b>>
      %d = tt.dot %a, %y, %acc : tensor<128x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<128x64xf32, #c>
      %q1 = tt.advance %q, [%c64, %c0] : <tensor<64x64xf16, #b>>
      scf.yield %q1, %d : !tt.ptr<tensor<64x64xf16, #b>>, tensor<128x64xf32, #c>
    }
    tt.return %s#1 : tensor<128x64xf32, #c>
  }
}

// -----

// A nest: the outer loop carries the pointer and moves it by 256 columns, the
// inner one by 64 rows. An inner loop starts at the columns of its outer
// iteration.

// CHECK-LABEL: tt.func @nest
// CHECK: scf.for %[[J:[a-z0-9]+]] = %c0_i32
// CHECK: %[[AT:.*]] = arith.muli %[[J]], %c256_i32
// CHECK: tt.make_tensor_ptr %{{.*}}[%c0_i32, %[[AT]]]
// CHECK: mlt.prefetch
// CHECK: scf.for
// CHECK: mlt.prefetch
#c = #ttg.blocked<{sizePerWarp = [16, 64], warpsPerCTA = [8, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #c}>
#b = #ttg.dot_op<{opIdx = 1, parent = #c}>
module attributes {"ttg.num-warps" = 8 : i32} {
  tt.func @nest(%pb: !tt.ptr<f16>, %a: tensor<128x64xf16, #a>, %n: i64, %k: i64, %to: i32, %outer: i32) -> tensor<128x64xf32, #c> {
    %c0 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c64 = arith.constant 64 : i32
    %c256 = arith.constant 256 : i32
    %c1 = arith.constant 1 : i64
    %zero = arith.constant dense<0.0> : tensor<128x64xf32, #c>
    %q0 = tt.make_tensor_ptr %pb, [%k, %n], [%n, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<64x64xf16, #b>>
    %r:2 = scf.for %j = %c0 to %outer step %c1_i32 iter_args(%p = %q0, %sum = %zero) -> (!tt.ptr<tensor<64x64xf16, #b>>, tensor<128x64xf32, #c>) : i32 {
      %s:2 = scf.for %i = %c0 to %to step %c64 iter_args(%q = %p, %acc = %sum) -> (!tt.ptr<tensor<64x64xf16, #b>>, tensor<128x64xf32, #c>) : i32 {
        %y = tt.load %q : !tt.ptr<tensor<64x64xf16, #b>>
        %d = tt.dot %a, %y, %acc : tensor<128x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<128x64xf32, #c>
        %q1 = tt.advance %q, [%c64, %c0] : <tensor<64x64xf16, #b>>
        scf.yield %q1, %d : !tt.ptr<tensor<64x64xf16, #b>>, tensor<128x64xf32, #c>
      }
      %p1 = tt.advance %p, [%c0, %c256] : <tensor<64x64xf16, #b>>
      scf.yield %p1, %s#1 : !tt.ptr<tensor<64x64xf16, #b>>, tensor<128x64xf32, #c>
    }
    tt.return %r#1 : tensor<128x64xf32, #c>
  }
}

// -----

// Slices that half of the warps could not fetch in one message each: both blocks
// are every warp's, and the messages stand at the end of the loop.

// CHECK-DAG: #blocked1 = #ttg.blocked<{sizePerWarp = [32, 32], warpsPerCTA = [2, 1], order = [1, 0]}>
// CHECK-LABEL: tt.func @several
// CHECK: scf.for
// CHECK-NOT: mlt.prefetch
// CHECK: tt.dot
// CHECK: mlt.prefetch %{{.*}} : !tt.ptr<tensor<64x32xf16, #blocked1>>
// CHECK: mlt.prefetch %{{.*}} : !tt.ptr<tensor<32x64xf16
// CHECK: scf.yield
#c = #ttg.blocked<{sizePerWarp = [32, 64], warpsPerCTA = [2, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #c}>
#b = #ttg.dot_op<{opIdx = 1, parent = #c}>
module attributes {"ttg.num-warps" = 2 : i32} {
  tt.func @several(%pa: !tt.ptr<f16>, %pb: !tt.ptr<f16>, %m: i64, %n: i64, %k: i64, %ki: i32) -> tensor<64x64xf32, #c> {
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %c1 = arith.constant 1 : i64
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #c>
    %a0 = tt.make_tensor_ptr %pa, [%m, %k], [%k, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<64x32xf16, #a>>
    %b0 = tt.make_tensor_ptr %pb, [%k, %n], [%n, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<32x64xf16, #b>>
    %r:3 = scf.for %i = %c0 to %ki step %c32 iter_args(%p = %a0, %q = %b0, %acc = %zero) -> (!tt.ptr<tensor<64x32xf16, #a>>, !tt.ptr<tensor<32x64xf16, #b>>, tensor<64x64xf32, #c>) : i32 {
      %x = tt.load %p : !tt.ptr<tensor<64x32xf16, #a>>
      %y = tt.load %q : !tt.ptr<tensor<32x64xf16, #b>>
      %d = tt.dot %x, %y, %acc : tensor<64x32xf16, #a> * tensor<32x64xf16, #b> -> tensor<64x64xf32, #c>
      %p1 = tt.advance %p, [%c0, %c32] : <tensor<64x32xf16, #a>>
      %q1 = tt.advance %q, [%c32, %c0] : <tensor<32x64xf16, #b>>
      scf.yield %p1, %q1, %d : !tt.ptr<tensor<64x32xf16, #a>>, !tt.ptr<tensor<32x64xf16, #b>>, tensor<64x64xf32, #c>
    }
    tt.return %r#2 : tensor<64x64xf32, #c>
  }
}
