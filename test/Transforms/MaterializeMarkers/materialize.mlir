// RUN: mlt-opt %s --split-input-file --materialize-markers | %filecheck %s

module attributes {"ttg.num-warps" = 4 : i32} {
  // The address space follows the address; the marker of the level goes.
  // CHECK-LABEL: @shared
  // CHECK-SAME: mlt.warp_level
  // CHECK-NOT: elementwise_inline_asm
  tt.func public @shared(%x: !tt.ptr<f16>) {
    %0 = tt.elementwise_inline_asm "mlt.warp_level" {constraints = "", packed_element = 1 : i32, pure = false} -> i32
    // CHECK: %[[P:.*]] = mlt.alloc {shape = array<i64: 1, 16>} : !tt.ptr<f16, 3>
    %p = tt.elementwise_inline_asm "mlt.alloc 1x16" {constraints = "", packed_element = 1 : i32, pure = false} -> !tt.ptr<f16>
    %i = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    // CHECK: %[[S:.*]] = tt.splat %[[P]] : !tt.ptr<f16, 3> -> tensor<16x!tt.ptr<f16, 3>>
    %s = tt.splat %p : !tt.ptr<f16> -> tensor<16x!tt.ptr<f16>>
    // CHECK: %[[A:.*]] = tt.addptr %[[S]], %{{.*}} : tensor<16x!tt.ptr<f16, 3>>
    %a = tt.addptr %s, %i : tensor<16x!tt.ptr<f16>>, tensor<16xi32>
    // CHECK: mlt.warp_id : i32
    %w = tt.elementwise_inline_asm "mlt.warp_id" {constraints = "", packed_element = 1 : i32, pure = true} -> i32
    // CHECK: mlt.barrier
    %b = tt.elementwise_inline_asm "mlt.barrier" {constraints = "", packed_element = 1 : i32, pure = false} -> i32
    // CHECK: tt.load %[[A]] : tensor<16x!tt.ptr<f16, 3>>
    %v = tt.load %a : tensor<16x!tt.ptr<f16>>
    %g = tt.addptr %x, %w : !tt.ptr<f16>, i32
    %gs = tt.splat %g : !tt.ptr<f16> -> tensor<16x!tt.ptr<f16>>
    // CHECK: tt.store %{{.*}}, %{{.*}} : tensor<16x!tt.ptr<f16>>
    tt.store %gs, %v : tensor<16x!tt.ptr<f16>>
    tt.return
  }

  // A barrier is legal in a loop that all warps go round alike, and behind a
  // condition on what all warps know; only dst_warps use their result.
  // CHECK-LABEL: @reduce
  tt.func public @reduce(%x: tensor<16xf32>, %n: i32, %out: tensor<16x!tt.ptr<f32>>) attributes {mlt.warp_level} {
    %w = tt.elementwise_inline_asm "mlt.warp_id" {constraints = "", packed_element = 1 : i32, pure = true} -> i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %e = tt.expand_dims %x {axis = 0 : i32} : tensor<16xf32> -> tensor<1x16xf32>
    // CHECK: scf.for
    // CHECK: %[[R:.*]] = mlt.cross_warp_reduce %{{.*}} size 4 stride 1 dst_warps [0, 2] {
    // CHECK: arith.addf
    // CHECK: mlt.yield
    // CHECK: } : (tensor<16xf32>) -> tensor<16xf32>
    scf.for %i = %c0 to %n step %c1 : i32 {
      %r = "tt.reduce"(%e) <{axis = 0 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %s = arith.addf %a, %b : f32
        tt.reduce.return %s : f32
      }) {mlt.cross_warp = "all", mlt.dst_warps = "0,2"} : (tensor<1x16xf32>) -> tensor<16xf32>
      %here = arith.cmpi eq, %w, %c0 : i32
      scf.if %here {
        tt.store %out, %r : tensor<16x!tt.ptr<f32>>
      }
    }
    tt.return
  }

  // Scalars are combined without the tensor that carried them.
  // CHECK-LABEL: @scalar
  tt.func public @scalar(%x: f32, %out: !tt.ptr<f32>) attributes {mlt.warp_level} {
    // CHECK: mlt.cross_warp_reduce %{{.*}} size 4 stride 1 {
    // CHECK: } : (f32) -> f32
    %e = tt.splat %x : f32 -> tensor<1xf32>
    %r = "tt.reduce"(%e) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %s = arith.maxnumf %a, %b : f32
      tt.reduce.return %s : f32
    }) {mlt.cross_warp = "all"} : (tensor<1xf32>) -> f32
    tt.store %out, %r : !tt.ptr<f32>
    tt.return
  }
}

// -----

// A prefetch travels as a load that only the marker uses; it needs no kernel of
// one warp. A load with other users stays.
// CHECK-LABEL: @prefetch
tt.func public @prefetch(%p: !tt.ptr<tensor<16x32xf16>>, %d: !tt.tensordesc<16x32xi1>, %i: i32) -> tensor<16x32xf16> {
  // CHECK-NEXT: mlt.prefetch %{{.*}} : !tt.ptr<tensor<16x32xf16>>
  %x = tt.load %p : !tt.ptr<tensor<16x32xf16>>
  %0 = tt.elementwise_inline_asm "mlt.prefetch" {constraints = "", packed_element = 1 : i32, pure = false} %x : tensor<16x32xf16> -> tensor<16x32xi32>
  // CHECK-NEXT: %[[P:.*]] = builtin.unrealized_conversion_cast %{{.*}}, %{{.*}}, %{{.*}} : !tt.tensordesc<16x32xi1>, i32, i32 to !tt.ptr<tensor<16x32xi1>>
  // CHECK-NEXT: mlt.prefetch %[[P]] : !tt.ptr<tensor<16x32xi1>>
  // CHECK-NEXT: tt.load
  %y = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<16x32xi1> -> tensor<16x32xi1>
  %w = arith.extui %y : tensor<16x32xi1> to tensor<16x32xi8>
  %1 = tt.elementwise_inline_asm "mlt.prefetch" {constraints = "", packed_element = 1 : i32, pure = false} %w : tensor<16x32xi8> -> tensor<16x32xi32>
  // CHECK-NEXT: mlt.prefetch
  // CHECK-NEXT: tt.return
  %z = tt.load %p : !tt.ptr<tensor<16x32xf16>>
  %2 = tt.elementwise_inline_asm "mlt.prefetch" {constraints = "", packed_element = 1 : i32, pure = false} %z : tensor<16x32xf16> -> tensor<16x32xi32>
  tt.return %z : tensor<16x32xf16>
}
