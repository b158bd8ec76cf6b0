// RUN: mlt-opt %s --distribute-to-warps --canonicalize --cse -split-input-file | %filecheck %s

// A row vector (slice of dimension 1) of a [32, 64] tile over [8, 4] warps: four
// warps hold the same 32 rows, the one with coordinate 0 along dimension 1
// stores them.

#blocked = #ttg.blocked<{sizePerWarp = [32, 64], warpsPerCTA = [8, 4], order = [1, 0]}>
#rows = #ttg.slice<{dim = 1, parent = #blocked}>

module attributes {"ttg.num-warps" = 32 : i32} {
  // CHECK-LABEL: @rows
  tt.func public @rows(%p: !tt.ptr<i32>) {
    // CHECK-DAG: %[[W:.*]] = mlt.warp_id : i32
    // CHECK-DAG: %[[COL:.*]] = arith.remui %[[W]], %{{.*}} : i32
    // CHECK-DAG: %[[ROW:.*]] = arith.divui %[[W]], %{{.*}} : i32
    // CHECK: tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    // CHECK: %[[OFF:.*]] = arith.muli %[[ROW]], %{{.*}} : i32
    // CHECK: tt.splat %[[OFF]] : i32 -> tensor<32xi32>
    %r = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #rows>
    %s = tt.splat %p : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>, #rows>
    %q = tt.addptr %s, %r : tensor<256x!tt.ptr<i32>, #rows>, tensor<256xi32, #rows>
    // CHECK: %[[OWNER:.*]] = arith.cmpi {{eq|ult}}, %[[COL]], %{{.*}} : i32
    // CHECK: scf.if %[[OWNER]] {
    // CHECK: tt.store {{.*}} : tensor<32x!tt.ptr<i32>>
    tt.store %q, %r : tensor<256x!tt.ptr<i32>, #rows>
    tt.return
  }
}

// -----

// More warps than tiles along a kept dimension: the tile index is the coordinate
// modulo the number of tiles, and the first copy owns.

#few = #ttg.blocked<{sizePerWarp = [16], warpsPerCTA = [8], order = [0]}>

module attributes {"ttg.num-warps" = 8 : i32} {
  // CHECK-LABEL: @wrapped
  tt.func public @wrapped(%p: !tt.ptr<i32>) {
    // CHECK-DAG: %[[W:.*]] = mlt.warp_id : i32
    // CHECK-DAG: %[[C4:.*]] = arith.constant 4 : i32
    // CHECK-DAG: arith.remui %[[W]], %[[C4]] : i32
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #few>
    %s = tt.splat %p : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>, #few>
    %q = tt.addptr %s, %r : tensor<64x!tt.ptr<i32>, #few>, tensor<64xi32, #few>
    // CHECK: %[[OWNER:.*]] = arith.cmpi ult, %[[W]], %{{.*}} : i32
    // CHECK: scf.if %[[OWNER]] {
    // CHECK: tt.store {{.*}} : tensor<16x!tt.ptr<i32>>
    tt.store %q, %r : tensor<64x!tt.ptr<i32>, #few>
    // A scalar is held by all warps: warp 0 stores it.
    // CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[W]], %{{.*}} : i32
    // CHECK: scf.if %[[FIRST]] {
    // CHECK: tt.store {{.*}} : !tt.ptr<i32>
    %c1 = arith.constant 1 : i32
    tt.store %p, %c1 : !tt.ptr<i32>
    tt.return
  }
}

// -----

// A reduction along a dimension that warps share goes on across warps.

#tile = #ttg.blocked<{sizePerWarp = [16, 64], warpsPerCTA = [2, 4], order = [1, 0]}>
#sum = #ttg.slice<{dim = 1, parent = #tile}>

module attributes {"ttg.num-warps" = 8 : i32} {
  // CHECK-LABEL: @across
  tt.func public @across(%x: f32, %p: !tt.ptr<f32>) {
    %t = tt.splat %x : f32 -> tensor<32x256xf32, #tile>
    // CHECK: %[[LOCAL:.*]] = "tt.reduce"
    // CHECK: (tensor<16x64xf32>) -> tensor<16xf32>
    // CHECK: mlt.cross_warp_reduce %[[LOCAL]] size 4 stride 1 {
    // CHECK: arith.addf
    // CHECK: mlt.yield
    %s = "tt.reduce"(%t) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<32x256xf32, #tile>) -> tensor<32xf32, #sum>
    %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #sum>
    %b = tt.splat %p : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #sum>
    %q = tt.addptr %b, %r : tensor<32x!tt.ptr<f32>, #sum>, tensor<32xi32, #sum>
    tt.store %q, %s : tensor<32x!tt.ptr<f32>, #sum>
    tt.return
  }
}
