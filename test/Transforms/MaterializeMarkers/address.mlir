// RUN: mlt-opt %s --split-input-file --materialize-markers=num-warps=4 --verify-diagnostics | %filecheck %s

// Two buffers change places in a loop, and one of them is chosen behind it.
// CHECK-LABEL: @exchanged
// CHECK: scf.for {{.*}} -> (!tt.ptr<f32, 3>, !tt.ptr<f32, 3>)
// CHECK: tt.load %{{.*}} : !tt.ptr<f32, 3>
// CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : !tt.ptr<f32, 3>
// CHECK: tt.store %{{.*}} : tensor<16x!tt.ptr<f32, 3>>
tt.func public @exchanged(%n: i32, %value: tensor<16xf32>, %out: !tt.ptr<f32>) attributes {mlt.warp_level} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %p = tt.elementwise_inline_asm "mlt.alloc 16" {constraints = "", packed_element = 1 : i32, pure = false} -> !tt.ptr<f32>
  %q = tt.elementwise_inline_asm "mlt.alloc 16" {constraints = "", packed_element = 1 : i32, pure = false} -> !tt.ptr<f32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %p, %b = %q) -> (!tt.ptr<f32>, !tt.ptr<f32>) : i32 {
    %v = tt.load %a : !tt.ptr<f32>
    tt.store %out, %v : !tt.ptr<f32>
    scf.yield %b, %a : !tt.ptr<f32>, !tt.ptr<f32>
  }
  %first = arith.cmpi eq, %n, %c0 : i32
  %c = arith.select %first, %r#0, %r#1 : !tt.ptr<f32>
  %s = tt.splat %c : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  tt.store %s, %value : tensor<16x!tt.ptr<f32>>
  tt.return
}

// -----

// Through blocks, and as an address of other elements.
// CHECK-LABEL: @blocks
// CHECK: ^{{.*}}(%{{.*}}: !tt.ptr<f32, 3>):
// CHECK: tt.bitcast %{{.*}} : !tt.ptr<f32, 3> -> !tt.ptr<i32, 3>
// CHECK: tt.atomic_rmw {{.*}}!tt.ptr<i32, 3>
tt.func public @blocks(%c: i1, %one: i32) attributes {mlt.warp_level} {
  %true = arith.constant true
  %p = tt.elementwise_inline_asm "mlt.alloc 16" {constraints = "", packed_element = 1 : i32, pure = false} -> !tt.ptr<f32>
  %q = tt.elementwise_inline_asm "mlt.alloc 16" {constraints = "", packed_element = 1 : i32, pure = false} -> !tt.ptr<f32>
  cf.cond_br %c, ^end(%p : !tt.ptr<f32>), ^end(%q : !tt.ptr<f32>)
^end(%x: !tt.ptr<f32>):
  %i = tt.bitcast %x : !tt.ptr<f32> -> !tt.ptr<i32>
  %old = tt.atomic_rmw add, acq_rel, gpu, %i, %one, %true : (!tt.ptr<i32>, i32, i1) -> i32
  tt.return
}

// -----

tt.func public @two_memories(%c: i1, %x: !tt.ptr<f32>, %v: f32) attributes {mlt.warp_level} {
  %p = tt.elementwise_inline_asm "mlt.alloc 16" {constraints = "", packed_element = 1 : i32, pure = false} -> !tt.ptr<f32>
  // expected-error @below {{expected an address of shared local memory on all ways to here, found one of global memory on some}}
  %q = arith.select %c, %p, %x : !tt.ptr<f32>
  tt.store %q, %v : !tt.ptr<f32>
  tt.return
}

// -----

tt.func public @stored(%x: !tt.ptr<!tt.ptr<f32>>) attributes {mlt.warp_level} {
  %p = tt.elementwise_inline_asm "mlt.alloc 16" {constraints = "", packed_element = 1 : i32, pure = false} -> !tt.ptr<f32>
  // expected-error @below {{to be used for loads and stores only, found it in 'tt.store'}}
  tt.store %x, %p : !tt.ptr<!tt.ptr<f32>>
  tt.return
}
