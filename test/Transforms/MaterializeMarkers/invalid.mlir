// RUN: mlt-opt %s --split-input-file --materialize-markers=num-warps=4 --verify-diagnostics

tt.func public @workgroup(%x: !tt.ptr<i32>) {
  // expected-error @below {{expected a warp-level kernel: warp_id, alloc, barrier and cross_warp need warp_level() at its start}}
  %w = tt.elementwise_inline_asm "mlt.warp_id" {constraints = "", packed_element = 1 : i32, pure = true} -> i32
  tt.store %x, %w : !tt.ptr<i32>
  tt.return
}

// -----

tt.func public @unknown() attributes {mlt.warp_level} {
  // expected-error @below {{expected a marker of mltc.language, got 'mlt.fence'}}
  %b = tt.elementwise_inline_asm "mlt.fence" {constraints = "", packed_element = 1 : i32, pure = false} -> i32
  tt.return
}

// -----

tt.func public @divergent() attributes {mlt.warp_level} {
  %c0 = arith.constant 0 : i32
  %w = tt.elementwise_inline_asm "mlt.warp_id" {constraints = "", packed_element = 1 : i32, pure = true} -> i32
  %c1 = arith.constant 1 : i32
  // expected-note @below {{this depends on the warp}}
  scf.for %i = %c0 to %w step %c1 : i32 {
    // expected-error @below {{expected every warp to reach this barrier, found it where warps go different ways}}
    %b = tt.elementwise_inline_asm "mlt.barrier" {constraints = "", packed_element = 1 : i32, pure = false} -> i32
  }
  tt.return
}

// -----

// A value that a loop carries makes the condition depend on the warp.
tt.func public @carried(%n: i32) attributes {mlt.warp_level} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %w = tt.elementwise_inline_asm "mlt.warp_id" {constraints = "", packed_element = 1 : i32, pure = true} -> i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0) -> i32 : i32 {
    %c = arith.cmpi eq, %a, %c0 : i32
    // expected-note @below {{this depends on the warp}}
    scf.if %c {
      // expected-error @below {{expected every warp to reach this barrier}}
      %b = tt.elementwise_inline_asm "mlt.barrier" {constraints = "", packed_element = 1 : i32, pure = false} -> i32
    }
    %s = arith.addi %a, %w : i32
    scf.yield %s : i32
  }
  tt.return
}

// -----

tt.func public @escape(%x: !tt.ptr<i64>) attributes {mlt.warp_level} {
  %p = tt.elementwise_inline_asm "mlt.alloc 16" {constraints = "", packed_element = 1 : i32, pure = false} -> !tt.ptr<f16>
  // expected-error @below {{expected the address of shared local memory to be used for loads and stores only, found it in 'tt.ptr_to_int'}}
  %i = tt.ptr_to_int %p : !tt.ptr<f16> -> i64
  tt.store %x, %i : !tt.ptr<i64>
  tt.return
}

// -----

tt.func public @shape() attributes {mlt.warp_level} {
  // expected-error @below {{expected a shape such as 1x128 behind 'mlt.alloc', got '1x0'}}
  %p = tt.elementwise_inline_asm "mlt.alloc 1x0" {constraints = "", packed_element = 1 : i32, pure = false} -> !tt.ptr<f16>
  tt.return
}

// -----

tt.func public @range(%e: tensor<1x16xf32>) attributes {mlt.warp_level} {
  // expected-error @below {{expected dst_warps to be different warps from 0 to 3, got "0,4"}}
  %r = "tt.reduce"(%e) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    tt.reduce.return %s : f32
  }) {mlt.cross_warp = "all", mlt.dst_warps = "0,4"} : (tensor<1x16xf32>) -> tensor<16xf32>
  tt.return
}

// -----

tt.func public @everywhere(%e: tensor<1x16xf32>, %out: tensor<16x!tt.ptr<f32>>) attributes {mlt.warp_level} {
  // expected-note @below {{the reduction}}
  %r = "tt.reduce"(%e) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    tt.reduce.return %s : f32
  }) {mlt.cross_warp = "all", mlt.dst_warps = "0"} : (tensor<1x16xf32>) -> tensor<16xf32>
  %d = arith.addf %r, %r : tensor<16xf32>
  // expected-error @below {{expected a value that every warp has here, found one that only dst_warps have, and warp 1 is none of them}}
  tt.store %out, %d : tensor<16x!tt.ptr<f32>>
  tt.return
}

// -----

tt.func public @prefetch(%p: tensor<16x!tt.ptr<f16>>) {
  %x = tt.load %p : tensor<16x!tt.ptr<f16>>
  // expected-error @below {{expected a block pointer, or a tensor descriptor with offsets, to prefetch}}
  %0 = tt.elementwise_inline_asm "mlt.prefetch" {constraints = "", packed_element = 1 : i32, pure = false} %x : tensor<16xf16> -> tensor<16xi32>
  tt.return
}

// -----

tt.func public @prefetched_nothing() {
  // expected-error @below {{expected one loaded block as operand of the marker 'mlt.prefetch', and no use of it}}
  %0 = tt.elementwise_inline_asm "mlt.prefetch" {constraints = "", packed_element = 1 : i32, pure = false} -> i32
  tt.return
}

// -----

tt.func public @debug_barrier() attributes {mlt.warp_level} {
  %c0 = arith.constant 0 : i32
  %w = tt.elementwise_inline_asm "mlt.warp_id" {constraints = "", packed_element = 1 : i32, pure = true} -> i32
  %c = arith.cmpi eq, %w, %c0 : i32
  // expected-note @below {{this depends on the warp}}
  scf.if %c {
    // expected-error @below {{expected every warp to reach this barrier}}
    gpu.barrier
  }
  tt.return
}

// -----

tt.func public @scan(%x: tensor<16xf32>, %p: tensor<16x!tt.ptr<f32>>) attributes {mlt.warp_level} {
  %c0 = arith.constant 0 : i32
  %w = tt.elementwise_inline_asm "mlt.warp_id" {constraints = "", packed_element = 1 : i32, pure = true} -> i32
  %c = arith.cmpi eq, %w, %c0 : i32
  // expected-note @below {{this depends on the warp}}
  scf.if %c {
    // expected-error @below {{expected every warp to reach this exchange of elements through shared local memory}}
    %s = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%a: f32, %b: f32):
      %0 = arith.addf %a, %b : f32
      tt.scan.return %0 : f32
    }) : (tensor<16xf32>) -> tensor<16xf32>
    tt.store %p, %s : tensor<16x!tt.ptr<f32>>
  }
  tt.return
}

// -----

// Each warp finds another number.
tt.func public @counted(%p: !tt.ptr<i32>) attributes {mlt.warp_level} {
  %true = arith.constant true
  %one = arith.constant 1 : i32
  %old = tt.atomic_rmw add, acq_rel, gpu, %p, %one, %true : (!tt.ptr<i32>, i32, i1) -> i32
  %c = arith.cmpi eq, %old, %one : i32
  // expected-note @below {{this depends on the warp}}
  scf.if %c {
    // expected-error @below {{expected every warp to reach this barrier}}
    %b = tt.elementwise_inline_asm "mlt.barrier" {constraints = "", packed_element = 1 : i32, pure = false} -> i32
  }
  tt.return
}

// -----

tt.func public @not_at_the_start(%c: i1) {
  scf.if %c {
    // expected-error @below {{expected warp_level() at the start of the kernel, found it under a condition}}
    %0 = tt.elementwise_inline_asm "mlt.warp_level" {constraints = "", packed_element = 1 : i32, pure = false} -> i32
  }
  tt.return
}

// -----

tt.func public @no_reduction(%x: i32) attributes {mlt.warp_level} {
  // expected-error @below {{expected 'mlt.cross_warp' on 'tt.reduce', found it on 'arith.addi'}}
  %0 = arith.addi %x, %x {mlt.cross_warp = "all"} : i32
  tt.return
}

// -----

tt.func public @operands(%x: i32) attributes {mlt.warp_level} {
  // expected-error @below {{expected no operands and one result of the marker 'mlt.warp_id'}}
  %w = tt.elementwise_inline_asm "mlt.warp_id" {constraints = "", packed_element = 1 : i32, pure = true} %x : i32 -> i32
  tt.return
}

// -----

tt.func public @wide_id() attributes {mlt.warp_level} {
  // expected-error @below {{expected the marker 'mlt.warp_id' of type i32, got 'i64'}}
  %w = tt.elementwise_inline_asm "mlt.warp_id" {constraints = "", packed_element = 1 : i32, pure = true} -> i64
  tt.return
}

// -----

tt.func public @alloc_of_numbers() attributes {mlt.warp_level} {
  // expected-error @below {{expected a pointer to numbers as result of 'mlt.alloc', got 'i64'}}
  %p = tt.elementwise_inline_asm "mlt.alloc 16" {constraints = "", packed_element = 1 : i32, pure = false} -> i64
  tt.return
}

// -----

tt.func public @alloc_in_condition(%c: i1) attributes {mlt.warp_level} {
  scf.if %c {
    // expected-error @below {{expected alloc() outside of loops and conditions, its memory belongs to the kernel}}
    %p = tt.elementwise_inline_asm "mlt.alloc 16" {constraints = "", packed_element = 1 : i32, pure = false} -> !tt.ptr<f16>
  }
  tt.return
}

// -----

tt.func public @two_spaces(%c: i1, %g: !tt.ptr<f16>, %x: f16) attributes {mlt.warp_level} {
  %p = tt.elementwise_inline_asm "mlt.alloc 16" {constraints = "", packed_element = 1 : i32, pure = false} -> !tt.ptr<f16>
  // expected-error @below {{expected an address of shared local memory on all ways to here, found one of global memory on some; access each in its own branch}}
  %q = arith.select %c, %p, %g : !tt.ptr<f16>
  tt.store %q, %x : !tt.ptr<f16>
  tt.return
}

// -----

tt.func public @wide_axis(%e: tensor<2x16xf32>) attributes {mlt.warp_level} {
  // expected-error @below {{expected 'mlt.cross_warp' on a reduction of a leading axis of extent 1}}
  %r = "tt.reduce"(%e) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    tt.reduce.return %s : f32
  }) {mlt.cross_warp = "all"} : (tensor<2x16xf32>) -> tensor<16xf32>
  tt.return
}

// -----

tt.func public @no_warps_named(%e: tensor<1x16xf32>) attributes {mlt.warp_level} {
  // expected-error @below {{expected 'mlt.dst_warps' to name warps, got 1 : i32}}
  %r = "tt.reduce"(%e) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    tt.reduce.return %s : f32
  }) {mlt.cross_warp = "all", mlt.dst_warps = 1 : i32} : (tensor<1x16xf32>) -> tensor<16xf32>
  tt.return
}
