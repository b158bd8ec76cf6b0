// RUN: mlt-opt %s --distribute-to-warps | %filecheck %s

#blocked = #ttg.blocked<{sizePerWarp = [16], warpsPerCTA = [4], order = [0]}>

module attributes {"ttg.num-warps" = 4 : i32} {
  // Warp 0 alone draws a ticket; the others read it behind the barrier, which
  // orders global memory too, since the atomic may be a lock.
  // CHECK-LABEL: @ticket
  tt.func public @ticket(%p: !tt.ptr<i32>, %r: !tt.ptr<i32>) {
    %q = tt.splat %r : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>, #blocked>
    // CHECK: %[[SLOT:.*]] = mlt.alloc {shape = array<i64: 1>} : !tt.ptr<i32, 3>
    // CHECK: scf.if
    // CHECK-NEXT: %[[OLD:.*]] = tt.atomic_rmw add
    // CHECK: tt.store %{{.*}}, %[[OLD]] : !tt.ptr<i32, 3>
    // CHECK: mlt.barrier global
    // CHECK: %[[T:.*]] = tt.load %{{.*}} : !tt.ptr<i32, 3>
    // CHECK-NEXT: mlt.barrier
    // CHECK: tt.splat %[[T]] : i32 -> tensor<16xi32>
    %one = arith.constant 1 : i32
    %true = arith.constant true
    %t = tt.atomic_rmw add, acq_rel, gpu, %p, %one, %true : (!tt.ptr<i32>, i32, i1) -> i32
    %v = tt.splat %t : i32 -> tensor<64xi32, #blocked>
    tt.store %q, %v : tensor<64x!tt.ptr<i32>, #blocked>
    tt.return
  }

  // Two parts of 16 elements, each held by two of the four warps.
  // CHECK-LABEL: @shared
  tt.func public @shared(%r: !tt.ptr<i32>, %x: i32) {
    %p = tt.splat %r : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>, #blocked>
    %q = tt.splat %r : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>, #blocked>
    %v = tt.splat %x : i32 -> tensor<32xi32, #blocked>
    // CHECK: mlt.alloc {shape = array<i64: 32>} : !tt.ptr<i32, 3>
    // CHECK: scf.if
    // CHECK-NEXT: tt.atomic_rmw add
    // CHECK: tt.store %{{.*}} : tensor<16x!tt.ptr<i32, 3>>
    // CHECK: mlt.barrier global
    // CHECK: tt.load %{{.*}} : tensor<16x!tt.ptr<i32, 3>>
    %m = arith.constant dense<true> : tensor<32xi1, #blocked>
    %old = tt.atomic_rmw add, relaxed, gpu, %p, %v, %m : (tensor<32x!tt.ptr<i32>, #blocked>, tensor<32xi32, #blocked>, tensor<32xi1, #blocked>) -> tensor<32xi32, #blocked>
    tt.store %q, %old : tensor<32x!tt.ptr<i32>, #blocked>
    tt.return
  }
}
