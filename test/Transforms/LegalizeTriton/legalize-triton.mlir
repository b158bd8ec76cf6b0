// RUN: mlt-opt %s --legalize-triton --split-input-file 2>%t.err | %filecheck %s
// RUN: %filecheck %s --check-prefix=WARN < %t.err

// Names of several libraries, with C's suffixes.
// CHECK-LABEL: @functions
tt.func public @functions(%x: f32, %d: f64, %i: i64, %p: !tt.ptr<f32>, %q: !tt.ptr<f64>, %r: !tt.ptr<i64>) {
  // CHECK: math.sin %{{.*}} : f32
  %0 = tt.extern_elementwise %x {libname = "libdevice", libpath = "/lib", pure = true, symbol = "__nv_sinf"} : (f32) -> f32
  // CHECK: math.erf %{{.*}} : f32
  %1 = tt.extern_elementwise %0 {libname = "", libpath = "", pure = true, symbol = "__nv_erff"} : (f32) -> f32
  // CHECK: math.exp2 %{{.*}} : f64
  %2 = tt.extern_elementwise %d {libname = "", libpath = "", pure = true, symbol = "__ocml_exp2_f64"} : (f64) -> f64
  // CHECK: tt.extern_elementwise %{{.*}} {libname = "opencl", libpath = "", pure = true, symbol = "tgamma"} : (f32) -> f32
  %3 = tt.extern_elementwise %1 {libname = "", libpath = "", pure = true, symbol = "__imf_tgammaf"} : (f32) -> f32
  // CHECK: math.ctpop %{{.*}} : i64
  // CHECK: arith.trunci %{{.*}} : i64 to i32
  %4 = tt.extern_elementwise %i {libname = "", libpath = "", pure = true, symbol = "__nv_popcll"} : (i64) -> i32
  // CHECK: arith.mulsi_extended %{{.*}} : i64
  %5 = tt.extern_elementwise %i, %i {libname = "", libpath = "", pure = true, symbol = "__nv_mul64hi"} : (i64, i64) -> i64
  // CHECK: math.roundeven
  // CHECK: arith.fptosi %{{.*}} : f32 to i64
  %6 = tt.extern_elementwise %3 {libname = "", libpath = "", pure = true, symbol = "__nv_float2ll_rn"} : (f32) -> i64
  %7 = arith.extsi %4 : i32 to i64
  %8 = arith.addi %5, %6 : i64
  %9 = arith.addi %7, %8 : i64
  tt.store %p, %3 : !tt.ptr<f32>
  tt.store %q, %2 : !tt.ptr<f64>
  tt.store %r, %9 : !tt.ptr<i64>
  tt.return
}

// -----

// Messages go, with a warning.
// CHECK-LABEL: @messages
// CHECK-NOT: tt.print
// CHECK-NOT: tt.assert
// WARN: warning: 'tt.print' is left out: kernels have no channel back to the host for messages
// WARN: warning: 'tt.assert' is left out
tt.func public @messages(%x: f32, %c: i1) {
  tt.print "x: " {hex = false, isSigned = array<i32: 0>} : %x : f32
  tt.assert %c, "no" : i1
  // CHECK: tt.return
  tt.return
}

// -----

// Both sides are computed; the division has a divisor that does no harm where it is not taken.
// CHECK-LABEL: @branches
tt.func public @branches(%x: i32, %p: !tt.ptr<i32>) {
  %t = tt.splat %x : i32 -> tensor<8xi32>
  %pt = tt.splat %p : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
  // CHECK-NOT: tt.map_elementwise
  // CHECK: %[[POSITIVE:.*]] = arith.cmpi sgt, %{{.*}} : tensor<8xi32>
  // CHECK: %[[SAFE:.*]] = arith.select %[[POSITIVE]], %{{.*}}, %{{.*}} : tensor<8xi1>, tensor<8xi32>
  // CHECK: %[[Q:.*]] = arith.divsi %{{.*}}, %[[SAFE]] : tensor<8xi32>
  // CHECK: %[[R:.*]] = arith.select %[[POSITIVE]], %[[Q]], %{{.*}} : tensor<8xi1>, tensor<8xi32>
  // CHECK: tt.store %{{.*}}, %[[R]]
  %0 = "tt.map_elementwise"(%t) <{pack = 1 : i32}> ({
  ^bb0(%a: i32):
    %c0 = arith.constant 0 : i32
    %c9 = arith.constant 9 : i32
    %pos = arith.cmpi sgt, %a, %c0 : i32
    %r = scf.if %pos -> i32 {
      %q = arith.divsi %c9, %a : i32
      scf.yield %q : i32
    } else {
      scf.yield %c0 : i32
    }
    tt.map_elementwise.return %r : i32
  }) : (tensor<8xi32>) -> tensor<8xi32>
  tt.store %pt, %0 : tensor<8x!tt.ptr<i32>>
  tt.return
}

// -----

// Returns from the middle.
// CHECK-LABEL: @blocks
tt.func public @blocks(%x: i32, %p: !tt.ptr<i32>) {
  %t = tt.splat %x : i32 -> tensor<8xi32>
  %pt = tt.splat %p : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
  // CHECK: %[[C:.*]] = arith.cmpi slt, %{{.*}} : tensor<8xi32>
  // CHECK: arith.xori %[[C]]
  // CHECK: %[[SUM:.*]] = arith.addi
  // CHECK: arith.select %{{.*}} : tensor<8xi1>, tensor<8xi32>
  %0 = "tt.map_elementwise"(%t) <{pack = 1 : i32}> ({
  ^bb0(%a: i32):
    %c9 = arith.constant 9 : i32
    %less = arith.cmpi slt, %a, %c9 : i32
    cf.cond_br %less, ^bb1, ^bb2(%c9 : i32)
  ^bb1:
    %s = arith.addi %a, %a : i32
    tt.map_elementwise.return %s : i32
  ^bb2(%b: i32):
    tt.map_elementwise.return %b : i32
  }) : (tensor<8xi32>) -> tensor<8xi32>
  tt.store %pt, %0 : tensor<8x!tt.ptr<i32>>
  tt.return
}

// -----

// CHECK-LABEL: @atomic_accesses
tt.func public @atomic_accesses(%p: !tt.ptr<f32>, %x: f32) {
  // CHECK: %[[Q:.*]] = tt.bitcast %{{.*}} : !tt.ptr<f32> -> !tt.ptr<i32>
  // CHECK: %[[V:.*]] = tt.atomic_rmw or, acquire, gpu, %[[Q]], %{{.*}} : (!tt.ptr<i32>, i32) -> i32
  // CHECK: tt.bitcast %[[V]] : i32 -> f32
  %0 = tt.atomic_load acquire, gpu, %p : (!tt.ptr<f32>) -> f32
  // CHECK: tt.atomic_rmw exch, release, gpu, %{{.*}}, %{{.*}} : (!tt.ptr<f32>, f32) -> f32
  tt.atomic_store release, gpu, %p, %x : !tt.ptr<f32>
  tt.store %p, %0 : !tt.ptr<f32>
  tt.return
}

// -----

// What follows an early return is under its condition; a kernel with a loop of
// jumps stays as it is.
// CHECK-LABEL: tt.func public @early_return
// CHECK-NOT: cf.
// CHECK: %[[OUT:.*]] = arith.cmpi sge
// CHECK: scf.if %[[OUT]] {
// CHECK-NEXT: } else {
// CHECK: tt.store
// CHECK: }
// CHECK-NEXT: tt.return
tt.func public @early_return(%p: !tt.ptr<i32>, %n: i32) {
  %pid = tt.get_program_id x : i32
  %out = arith.cmpi sge, %pid, %n : i32
  cf.cond_br %out, ^bb1, ^bb2
^bb1:
  tt.return
^bb2:
  tt.store %p, %pid : !tt.ptr<i32>
  tt.return
}

// CHECK-LABEL: tt.func public @jumps_back
// CHECK: cf.cond_br
tt.func public @jumps_back(%p: !tt.ptr<i32>, %n: i32) {
  %c1 = arith.constant 1 : i32
  cf.br ^bb1(%n : i32)
^bb1(%i: i32):
  %next = arith.subi %i, %c1 : i32
  %more = arith.cmpi sgt, %next, %c1 : i32
  cf.cond_br %more, ^bb1(%next : i32), ^bb2
^bb2:
  tt.store %p, %next : !tt.ptr<i32>
  tt.return
}
