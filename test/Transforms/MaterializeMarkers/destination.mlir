// RUN: mlt-opt %s --split-input-file --materialize-markers=num-warps=4 --verify-diagnostics

// Warps 0 and 2 have the result. What they alone can reach may use it: behind a
// condition on the warp, under a mask, chosen by a select; and so may warps of
// which nothing is known.
tt.func public @legal(%x: tensor<16xf32>, %out: tensor<16x!tt.ptr<f32>>, %n: i32, %table: !tt.ptr<i32>) attributes {mlt.warp_level} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %w = tt.elementwise_inline_asm "mlt.warp_id" {constraints = "", packed_element = 1 : i32, pure = true} -> i32
  %e = tt.expand_dims %x {axis = 0 : i32} : tensor<16xf32> -> tensor<1x16xf32>
  %r = "tt.reduce"(%e) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    tt.reduce.return %s : f32
  }) {mlt.cross_warp = "all", mlt.dst_warps = "0,2"} : (tensor<1x16xf32>) -> tensor<16xf32>
  // Even warps, but not in a round that does not exist for them.
  %bit = arith.andi %w, %c1 : i32
  %even = arith.cmpi eq, %bit, %c0 : i32
  %positive = arith.cmpi sgt, %n, %c0 : i32
  scf.if %positive {
    scf.if %even {
      tt.store %out, %r : tensor<16x!tt.ptr<f32>>
    }
  }
  %mask = tt.splat %even : i1 -> tensor<16xi1>
  tt.store %out, %r, %mask : tensor<16x!tt.ptr<f32>>
  %mine = scf.if %even -> tensor<16xf32> {
    scf.yield %r : tensor<16xf32>
  } else {
    scf.yield %x : tensor<16xf32>
  }
  tt.store %out, %mine : tensor<16x!tt.ptr<f32>>
  %chosen = arith.select %even, %r, %x : tensor<16xf32>
  tt.store %out, %chosen : tensor<16x!tt.ptr<f32>>
  %place = tt.addptr %table, %w : !tt.ptr<i32>, i32
  %flag = tt.load %place : !tt.ptr<i32>
  %known = arith.cmpi eq, %flag, %c0 : i32
  scf.if %known {
    tt.store %out, %r : tensor<16x!tt.ptr<f32>>
  }
  tt.return
}

// -----

tt.func public @wrong_warp(%x: tensor<1x16xf32>, %out: tensor<16x!tt.ptr<f32>>) attributes {mlt.warp_level} {
  %c2 = arith.constant 2 : i32
  %w = tt.elementwise_inline_asm "mlt.warp_id" {constraints = "", packed_element = 1 : i32, pure = true} -> i32
  // expected-note @below {{the reduction}}
  %r = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    tt.reduce.return %s : f32
  }) {mlt.cross_warp = "all", mlt.dst_warps = "0,2"} : (tensor<1x16xf32>) -> tensor<16xf32>
  %behind = arith.cmpi sge, %w, %c2 : i32
  scf.if %behind {
    // expected-error @below {{found one that only dst_warps have, and warp 3 is none of them; use it under a condition on warp_id()}}
    tt.store %out, %r : tensor<16x!tt.ptr<f32>>
  }
  tt.return
}

// -----

tt.func public @other_branch(%x: tensor<1x16xf32>, %y: tensor<16xf32>, %out: tensor<16x!tt.ptr<f32>>) attributes {mlt.warp_level} {
  %c0 = arith.constant 0 : i32
  %w = tt.elementwise_inline_asm "mlt.warp_id" {constraints = "", packed_element = 1 : i32, pure = true} -> i32
  // expected-note @below {{the reduction}}
  %r = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    tt.reduce.return %s : f32
  }) {mlt.cross_warp = "all", mlt.dst_warps = "0"} : (tensor<1x16xf32>) -> tensor<16xf32>
  %first = arith.cmpi eq, %w, %c0 : i32
  %mine = scf.if %first -> tensor<16xf32> {
    scf.yield %y : tensor<16xf32>
  } else {
    scf.yield %r : tensor<16xf32>
  }
  // expected-error @below {{and warp 1 is none of them}}
  tt.store %out, %mine : tensor<16x!tt.ptr<f32>>
  tt.return
}

// -----

tt.func public @wrong_mask(%x: tensor<1x16xf32>, %out: tensor<16x!tt.ptr<f32>>) attributes {mlt.warp_level} {
  %c1 = arith.constant 1 : i32
  %w = tt.elementwise_inline_asm "mlt.warp_id" {constraints = "", packed_element = 1 : i32, pure = true} -> i32
  // expected-note @below {{the reduction}}
  %r = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    tt.reduce.return %s : f32
  }) {mlt.cross_warp = "all", mlt.dst_warps = "0"} : (tensor<1x16xf32>) -> tensor<16xf32>
  %second = arith.cmpi eq, %w, %c1 : i32
  %mask = tt.splat %second : i1 -> tensor<16xi1>
  // expected-error @below {{and warp 1 is none of them}}
  tt.store %out, %r, %mask : tensor<16x!tt.ptr<f32>>
  tt.return
}

// -----

tt.func public @reduced_again(%x: tensor<1x16xf32>, %out: tensor<16x!tt.ptr<f32>>) attributes {mlt.warp_level} {
  // expected-note @below {{the reduction}}
  %r = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    tt.reduce.return %s : f32
  }) {mlt.cross_warp = "all", mlt.dst_warps = "1"} : (tensor<1x16xf32>) -> tensor<16xf32>
  %e = tt.expand_dims %r {axis = 0 : i32} : tensor<16xf32> -> tensor<1x16xf32>
  // expected-error @below {{and warp 0 is none of them}}
  %t = "tt.reduce"(%e) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.maxnumf %a, %b : f32
    tt.reduce.return %s : f32
  }) {mlt.cross_warp = "all"} : (tensor<1x16xf32>) -> tensor<16xf32>
  tt.store %out, %t : tensor<16x!tt.ptr<f32>>
  tt.return
}

// -----

// What a loop carries is the result from its second round on.
tt.func public @carried(%x: tensor<1x16xf32>, %y: tensor<16xf32>, %n: i32, %out: tensor<16x!tt.ptr<f32>>) attributes {mlt.warp_level} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 iter_args(%old = %y) -> tensor<16xf32> : i32 {
    // expected-error @below {{and warp 1 is none of them}}
    tt.store %out, %old : tensor<16x!tt.ptr<f32>>
    // expected-note @below {{the reduction}}
    %r = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      tt.reduce.return %s : f32
    }) {mlt.cross_warp = "all", mlt.dst_warps = "0"} : (tensor<1x16xf32>) -> tensor<16xf32>
    scf.yield %r : tensor<16xf32>
  }
  tt.return
}
