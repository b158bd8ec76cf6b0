// RUN: mlt-opt %s | mlt-opt | %filecheck %s
// RUN: mlt-opt %s --mlir-print-op-generic | mlt-opt | %filecheck %s
// RUN: mlt-opt %s --emit-bytecode | mlt-opt | %filecheck %s

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

// CHECK-LABEL: tt.func public @kernel(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: i32)
tt.func public @kernel(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
  // CHECK: tt.get_program_id x : i32
  %0 = tt.get_program_id x : i32
  // CHECK: tt.get_program_id z : i32
  %1 = tt.get_program_id z : i32
  // CHECK: tt.get_num_programs y : i32
  %2 = tt.get_num_programs y : i32
  // CHECK: %{{.*}}:2 = tt.call @helper(%{{.*}}, %{{.*}}) : (i32, i32) -> (i32, f32)
  %3:2 = tt.call @helper(%0, %n) : (i32, i32) -> (i32, f32)
  // CHECK: tt.call @nothing() {mine} : () -> ()
  tt.call @nothing() {mine} : () -> ()
  // CHECK: tt.grid_dependency_wait
  tt.grid_dependency_wait
  // CHECK: tt.grid_dependency_launch_dependents
  tt.grid_dependency_launch_dependents
  // CHECK: tt.return
  tt.return
}

// CHECK-LABEL: tt.func private @helper(%arg0: i32, %arg1: i32) -> (i32, f32 {tt.x}) attributes {noinline = true}
tt.func private @helper(%a: i32, %b: i32) -> (i32, f32 {tt.x}) attributes {noinline = true} {
  %0 = arith.addi %a, %b : i32
  %1 = arith.sitofp %0 : i32 to f32
  // CHECK: tt.return %{{.*}}, %{{.*}} : i32, f32
  tt.return %0, %1 : i32, f32
}

// CHECK-LABEL: tt.func private @nothing()
tt.func private @nothing()

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

// CHECK-LABEL: @casts
tt.func @casts(%p: tensor<16x!tt.ptr<f32>>, %i: i64, %h: tensor<16xf16>, %f: f32) {
  // CHECK: tt.ptr_to_int %{{.*}} : tensor<16x!tt.ptr<f32>> -> tensor<16xi64>
  %0 = tt.ptr_to_int %p : tensor<16x!tt.ptr<f32>> -> tensor<16xi64>
  // CHECK: tt.int_to_ptr %{{.*}} : i64 -> !tt.ptr<f16>
  %1 = tt.int_to_ptr %i : i64 -> !tt.ptr<f16>
  // CHECK: tt.bitcast %{{.*}} : tensor<16xf16> -> tensor<16xi16>
  %2 = tt.bitcast %h : tensor<16xf16> -> tensor<16xi16>
  // CHECK: tt.bitcast %{{.*}} : tensor<16x!tt.ptr<f32>> -> tensor<16x!tt.ptr<i8>>
  %3 = tt.bitcast %p : tensor<16x!tt.ptr<f32>> -> tensor<16x!tt.ptr<i8>>
  // CHECK: tt.fp_to_fp %{{.*}}, rounding = rtne : tensor<16xf16> -> tensor<16xf8E5M2>
  %4 = tt.fp_to_fp %h, rounding = rtne : tensor<16xf16> -> tensor<16xf8E5M2>
  // CHECK: tt.fp_to_fp %{{.*}} {mine}, rounding = rtz : f32 -> bf16
  %5 = tt.fp_to_fp %f {mine}, rounding = rtz : f32 -> bf16
  // CHECK: tt.fp_to_fp %{{.*}} : tensor<16xf8E5M2> -> tensor<16xf32>
  %6 = tt.fp_to_fp %4 : tensor<16xf8E5M2> -> tensor<16xf32>
  tt.return
}

// CHECK-LABEL: @arithmetic
tt.func @arithmetic(%t: tensor<16xf32>, %f: f32, %i: tensor<16xi64>, %p: !tt.ptr<f32>, %q: tensor<16x!tt.ptr<f32>>) {
  // CHECK: tt.clampf %{{.*}}, %{{.*}}, %{{.*}}, propagateNan = all : tensor<16xf32>
  %0 = tt.clampf %t, %t, %t, propagateNan = all : tensor<16xf32>
  // CHECK: tt.clampf %{{.*}}, %{{.*}}, %{{.*}}, propagateNan = none : f32
  %1 = tt.clampf %f, %f, %f, propagateNan = none : f32
  // CHECK: tt.precise_sqrt %{{.*}} : tensor<16xf32>
  %2 = tt.precise_sqrt %t : tensor<16xf32>
  // CHECK: tt.precise_divf %{{.*}}, %{{.*}} : f32
  %3 = tt.precise_divf %f, %f : f32
  // CHECK: tt.approx_divf %{{.*}}, %{{.*}} : tensor<16xf32>
  %4 = tt.approx_divf %t, %t : tensor<16xf32>
  // CHECK: tt.mulhiui %{{.*}}, %{{.*}} : tensor<16xi64>
  %5 = tt.mulhiui %i, %i : tensor<16xi64>
  // CHECK: tt.addptr %{{.*}}, %{{.*}} : tensor<16x!tt.ptr<f32>>, tensor<16xi64>
  %6 = tt.addptr %q, %i : tensor<16x!tt.ptr<f32>>, tensor<16xi64>
  %c = arith.constant 4 : i32
  // CHECK: tt.addptr %{{.*}}, %{{.*}} : !tt.ptr<f32>, i32
  %7 = tt.addptr %p, %c : !tt.ptr<f32>, i32
  tt.return
}

// CHECK-LABEL: @opaque
tt.func @opaque(%t: tensor<16xf16>, %s: i32) {
  // CHECK: tt.extern_elementwise %{{.*}}, %{{.*}} {libname = "libdevice", libpath = "", pure = true, symbol = "__imf_powf"} : (tensor<16xf16>, tensor<16xf16>) -> tensor<16xf16>
  %0 = tt.extern_elementwise %t, %t {libname = "libdevice", libpath = "", pure = true, symbol = "__imf_powf"} : (tensor<16xf16>, tensor<16xf16>) -> tensor<16xf16>
  // CHECK: tt.elementwise_inline_asm "mov $0, $1" {constraints = "=r,r", packed_element = 2 : i32, pure = true} %{{.*}} : tensor<16xf16> -> tensor<16xi16>
  %1 = tt.elementwise_inline_asm "mov $0, $1" {constraints = "=r,r", packed_element = 2 : i32, pure = true} %t : tensor<16xf16> -> tensor<16xi16>
  // CHECK: tt.elementwise_inline_asm "clock" {constraints = "=r,=r", packed_element = 1 : i32, pure = false} -> i32, i32
  %2:2 = tt.elementwise_inline_asm "clock" {constraints = "=r,=r", packed_element = 1 : i32, pure = false} -> i32, i32
  tt.return
}

// CHECK-LABEL: @map_elementwise
tt.func @map_elementwise(%x: tensor<16xi32>, %y: tensor<16xf32>) {
  // CHECK: "tt.map_elementwise"(%{{.*}}, %{{.*}}) <{pack = 2 : i32}> ({
  %0 = "tt.map_elementwise"(%x, %y) <{pack = 2 : i32}> ({
  // CHECK: ^bb0(%{{.*}}: i32, %{{.*}}: i32, %{{.*}}: f32, %{{.*}}: f32):
  ^bb0(%a: i32, %b: i32, %c: f32, %d: f32):
    %1 = arith.cmpi slt, %a, %b : i32
    cf.cond_br %1, ^bb1, ^bb2(%c : f32)
  ^bb1:
    // CHECK: tt.map_elementwise.return %{{.*}}, %{{.*}} : f32, f32
    tt.map_elementwise.return %d, %c : f32, f32
  ^bb2(%e: f32):
    tt.map_elementwise.return %e, %d : f32, f32
  // CHECK: }) : (tensor<16xi32>, tensor<16xf32>) -> tensor<16xf32>
  }) : (tensor<16xi32>, tensor<16xf32>) -> tensor<16xf32>
  tt.return
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

// CHECK-LABEL: @shapes
tt.func @shapes(%s: f32, %p: !tt.ptr<f32>, %one: tensor<1x1xi32>) {
  // CHECK: tt.make_range {end = 160 : i32, start = 32 : i32} : tensor<128xi32>
  %0 = tt.make_range {end = 160 : i32, start = 32 : i32} : tensor<128xi32>
  // CHECK: tt.make_range {end = 4 : i32, start = -4 : i32} : tensor<8xi32>
  %1 = tt.make_range {end = 4 : i32, start = -4 : i32} : tensor<8xi32>
  // CHECK: tt.splat %{{.*}} : f32 -> tensor<4x8xf32>
  %2 = tt.splat %s : f32 -> tensor<4x8xf32>
  // CHECK: tt.splat %{{.*}} : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
  %3 = tt.splat %p : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
  // CHECK: tt.unsplat %{{.*}} : tensor<1x1xi32>
  %4 = tt.unsplat %one : tensor<1x1xi32>
  // CHECK: tt.expand_dims %{{.*}} {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
  %5 = tt.expand_dims %0 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
  // CHECK: tt.broadcast %{{.*}} : tensor<128x1xi32> -> tensor<128x64xi32>
  %6 = tt.broadcast %5 : tensor<128x1xi32> -> tensor<128x64xi32>
  // CHECK: tt.reshape %{{.*}} : tensor<128x64xi32> -> tensor<8192xi32>
  %7 = tt.reshape %6 : tensor<128x64xi32> -> tensor<8192xi32>
  // CHECK: tt.reshape %{{.*}} allow_reorder efficient_layout : tensor<128x64xi32> -> tensor<64x128xi32>
  %8 = tt.reshape %6 allow_reorder efficient_layout : tensor<128x64xi32> -> tensor<64x128xi32>
  // CHECK: tt.reshape %{{.*}} allow_reorder : tensor<128x64xi32> -> tensor<64x128xi32>
  %9 = tt.reshape %6 {allow_reorder} : tensor<128x64xi32> -> tensor<64x128xi32>
  // CHECK: %[[J:.*]] = tt.join %{{.*}}, %{{.*}} : tensor<4x8xf32> -> tensor<4x8x2xf32>
  %10 = tt.join %2, %2 : tensor<4x8xf32> -> tensor<4x8x2xf32>
  // CHECK: %{{.*}}, %{{.*}} = tt.split %[[J]] : tensor<4x8x2xf32> -> tensor<4x8xf32>
  %11, %12 = tt.split %10 : tensor<4x8x2xf32> -> tensor<4x8xf32>
  // CHECK: tt.trans %[[J]] {order = array<i32: 2, 0, 1>} : tensor<4x8x2xf32> -> tensor<2x4x8xf32>
  %13 = tt.trans %10 {order = array<i32: 2, 0, 1>} : tensor<4x8x2xf32> -> tensor<2x4x8xf32>
  // CHECK: tt.cat %{{.*}}, %{{.*}} : tensor<128xi32> -> tensor<256xi32>
  %14 = tt.cat %0, %0 : tensor<128xi32> -> tensor<256xi32>
  // CHECK: tt.gather %{{.*}}[%{{.*}}] {axis = 1 : i32, efficient_layout} : (tensor<128x64xi32>, tensor<128x64xi32>) -> tensor<128x64xi32>
  %15 = tt.gather %6[%6] {axis = 1 : i32, efficient_layout} : (tensor<128x64xi32>, tensor<128x64xi32>) -> tensor<128x64xi32>
  tt.return
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

// CHECK-LABEL: @load_store
tt.func @load_store(%p: !tt.ptr<f32>, %q: tensor<16x!tt.ptr<f32>>, %m: tensor<16xi1>, %o: tensor<16xf32>, %c: i1) {
  // CHECK: tt.load %{{.*}} : !tt.ptr<f32>
  %0 = tt.load %p : !tt.ptr<f32>
  // CHECK: tt.load %{{.*}}, %{{.*}} {isVolatile = true} : !tt.ptr<f32>
  %1 = tt.load %p, %c {isVolatile = true} : !tt.ptr<f32>
  // CHECK: tt.load %{{.*}}, %{{.*}}, %{{.*}} {cachePolicy = #tt.cache_policy<cache_modifier = cg, eviction_policy = evict_last>} : tensor<16x!tt.ptr<f32>>
  %2 = tt.load %q, %m, %o evictionPolicy = evict_last cacheModifier = cg : tensor<16x!tt.ptr<f32>>
  // CHECK: tt.store %{{.*}}, %{{.*}}, %{{.*}} {cachePolicy = #tt.cache_policy<cache_modifier = none, eviction_policy = evict_first>} : tensor<16x!tt.ptr<f32>>
  tt.store %q, %2, %m evictionPolicy = evict_first : tensor<16x!tt.ptr<f32>>
  // CHECK: tt.store %{{.*}}, %{{.*}} {cachePolicy = #tt.cache_policy<cache_modifier = cs, eviction_policy = evict_normal>} : !tt.ptr<f32>
  tt.store %p, %1 cacheModifier = cs : !tt.ptr<f32>
  tt.return
}

// CHECK-LABEL: @atomics
tt.func @atomics(%q: tensor<16x!tt.ptr<f32>>, %v: tensor<16xf32>, %m: tensor<16xi1>, %p: !tt.ptr<i32>, %i: i32, %c: i1, %t: i64) {
  // CHECK: tt.atomic_rmw fadd, acq_rel, gpu, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<16x!tt.ptr<f32>>, tensor<16xf32>, tensor<16xi1>) -> tensor<16xf32>
  %0 = tt.atomic_rmw fadd, acq_rel, gpu, %q, %v, %m : (tensor<16x!tt.ptr<f32>>, tensor<16xf32>, tensor<16xi1>) -> tensor<16xf32>
  // CHECK: tt.atomic_rmw umin, relaxed, cta, %{{.*}}, %{{.*}} : (!tt.ptr<i32>, i32) -> i32
  %1 = tt.atomic_rmw umin, relaxed, cta, %p, %i : (!tt.ptr<i32>, i32) -> i32
  // CHECK: tt.atomic_rmw exch, acquire, sys, %{{.*}}, %{{.*}} : (tensor<16x!tt.ptr<f32>>, tensor<16xf32>) -> tensor<16xf32>
  %2 = tt.atomic_rmw exch, acquire, sys, %q, %v : (tensor<16x!tt.ptr<f32>>, tensor<16xf32>) -> tensor<16xf32>
  // CHECK: tt.atomic_cas release, gpu, %{{.*}}, %{{.*}}, %{{.*}} : (!tt.ptr<i32>, i32, i32) -> i32
  %3 = tt.atomic_cas release, gpu, %p, %i, %i : (!tt.ptr<i32>, i32, i32) -> i32
  // CHECK: tt.atomic_load acquire, gpu, %{{.*}}, %{{.*}} : (!tt.ptr<i32>, i1) -> i32
  %4 = tt.atomic_load acquire, gpu, %p, %c : (!tt.ptr<i32>, i1) -> i32
  // CHECK: tt.atomic_store release, sys, %{{.*}}, %{{.*}} : !tt.ptr<i32>
  tt.atomic_store release, sys, %p, %i : !tt.ptr<i32>
  // CHECK: tt.atomic_store relaxed, gpu, %{{.*}}, %{{.*}}, %{{.*}} : tensor<16x!tt.ptr<f32>>
  tt.atomic_store relaxed, gpu, %q, %v, %m : tensor<16x!tt.ptr<f32>>
  // CHECK: tt.atomic_poll acquire, sys, %{{.*}}, %{{.*}} : !tt.ptr<i32>, i32 -> i1
  %5 = tt.atomic_poll acquire, sys, %p, %i : !tt.ptr<i32>, i32 -> i1
  // CHECK: tt.atomic_poll relaxed, gpu, %{{.*}}, %{{.*}} timeout %{{.*}} : !tt.ptr<i32>, i32 -> i1
  %6 = tt.atomic_poll relaxed, gpu, %p, %i timeout %t : !tt.ptr<i32>, i32 -> i1
  tt.return
}

// CHECK-LABEL: @debugging
tt.func @debugging(%t: tensor<16xi32>, %m: tensor<16xi1>, %c: i1) {
  // CHECK: tt.print " t: " {hex = true, isSigned = array<i32: 1, 0>} : %{{.*}}, %{{.*}} : tensor<16xi32>, i1
  tt.print " t: " {hex = true, isSigned = array<i32: 1, 0>} : %t, %c : tensor<16xi32>, i1
  // CHECK: tt.print "here" {hex = false, isSigned = array<i32>}
  tt.print "here" {hex = false, isSigned = array<i32>}
  // CHECK: tt.assert %{{.*}}, "out of range" : tensor<16xi1>
  tt.assert %m, "out of range" : tensor<16xi1>
  // CHECK: tt.assert %{{.*}}, "" : i1
  tt.assert %c, "" : i1
  tt.return
}

// CHECK-LABEL: @descriptors
tt.func @descriptors(%p: !tt.ptr<i32>, %n: i32, %s: i64, %x: tensor<32xi32>, %y: tensor<32xi16>) {
  // CHECK: %[[D:.*]] = tt.make_tensor_descriptor %{{.*}}, [%{{.*}}, %{{.*}}, %{{.*}}], [%{{.*}}, %{{.*}}, %{{.*}}] {padding = 2 : i32} : <i32>, <1x16x64xsi32>
  %0 = tt.make_tensor_descriptor %p, [%n, %n, %n], [%s, %s, %s] {padding = 2 : i32} : <i32>, <1x16x64xsi32>
  // CHECK: %[[V:.*]] = tt.descriptor_load %[[D]][%{{.*}}, %{{.*}}, %{{.*}}] {cachePolicy = #tt.cache_policy<cache_modifier = cg, eviction_policy = evict_first>} : !tt.tensordesc<1x16x64xsi32> -> tensor<16x64xi32>
  %1 = tt.descriptor_load %0[%n, %n, %n] cacheModifier = cg evictionPolicy = evict_first : !tt.tensordesc<1x16x64xsi32> -> tensor<16x64xi32>
  // CHECK: tt.descriptor_store %[[D]][%{{.*}}, %{{.*}}, %{{.*}}], %[[V]] : !tt.tensordesc<1x16x64xsi32>, tensor<16x64xi32>
  tt.descriptor_store %0[%n, %n, %n], %1 : !tt.tensordesc<1x16x64xsi32>, tensor<16x64xi32>
  // CHECK: tt.descriptor_reduce min, %[[D]][%{{.*}}, %{{.*}}, %{{.*}}], %[[V]] : !tt.tensordesc<1x16x64xsi32>, tensor<16x64xi32>
  tt.descriptor_reduce min, %0[%n, %n, %n], %1 : !tt.tensordesc<1x16x64xsi32>, tensor<16x64xi32>
  %2 = tt.make_tensor_descriptor %p, [%n, %n], [%s, %s] : <i32>, <1x64xi32>
  // CHECK: %[[G:.*]] = tt.descriptor_gather %{{.*}}[%{{.*}}, %{{.*}}] : (!tt.tensordesc<1x64xi32>, tensor<32xi32>, i32) -> tensor<32x64xi32>
  %3 = tt.descriptor_gather %2[%x, %n] : (!tt.tensordesc<1x64xi32>, tensor<32xi32>, i32) -> tensor<32x64xi32>
  // CHECK: tt.descriptor_scatter %{{.*}}[%{{.*}}, %{{.*}}], %[[G]] : !tt.tensordesc<1x64xi32>, tensor<32xi16>, i32, tensor<32x64xi32>
  tt.descriptor_scatter %2[%y, %n], %3 : !tt.tensordesc<1x64xi32>, tensor<32xi16>, i32, tensor<32x64xi32>
  tt.return
}

//===----------------------------------------------------------------------===//
// Dots, reductions
//===----------------------------------------------------------------------===//

// CHECK-LABEL: @dot
tt.func @dot(%a: tensor<16x32xf16>, %b: tensor<32x16xf16>, %c: tensor<16x16xf32>, %i: tensor<2x16x32xi8>, %j: tensor<2x32x16xi8>, %k: tensor<2x16x16xi32>) {
  // CHECK: tt.dot %{{.*}}, %{{.*}}, %{{.*}} : tensor<16x32xf16> * tensor<32x16xf16> -> tensor<16x16xf32>
  %0 = tt.dot %a, %b, %c : tensor<16x32xf16> * tensor<32x16xf16> -> tensor<16x16xf32>
  // CHECK: tt.dot %{{.*}}, %{{.*}}, %{{.*}}, inputPrecision = bf16x6 {maxNumImpreciseAcc = 3 : i32} : tensor<16x32xf16> * tensor<32x16xf16> -> tensor<16x16xf32>
  %1 = tt.dot %a, %b, %c, inputPrecision = bf16x6 {maxNumImpreciseAcc = 3 : i32} : tensor<16x32xf16> * tensor<32x16xf16> -> tensor<16x16xf32>
  // CHECK: tt.dot %{{.*}}, %{{.*}}, %{{.*}} {mlt.tiling = [2, 4]} : tensor<2x16x32xi8> * tensor<2x32x16xi8> -> tensor<2x16x16xi32>
  %2 = tt.dot %i, %j, %k {mlt.tiling = [2, 4]} : tensor<2x16x32xi8> * tensor<2x32x16xi8> -> tensor<2x16x16xi32>
  tt.return
}

// CHECK-LABEL: @dot_scaled
tt.func @dot_scaled(%a: tensor<128x64xf8E5M2>, %b: tensor<64x64xi8>, %c: tensor<128x128xf32>, %d: tensor<128x64xf32>, %s: tensor<128x2xi8>, %h: tensor<64x128xbf16>) {
  // CHECK: tt.dot_scaled %{{.*}} scale %{{.*}}, %{{.*}} scale %{{.*}}, %{{.*}} lhs = e5m2 rhs = e2m1 {fastMath = true, rhs_k_pack = false} : tensor<128x64xf8E5M2>, tensor<128x2xi8> * tensor<64x64xi8>, tensor<128x2xi8> -> tensor<128x128xf32>
  %0 = tt.dot_scaled %a scale %s, %b scale %s, %c lhs = e5m2 rhs = e2m1 {fastMath = true, lhs_k_pack = true, rhs_k_pack = false} : tensor<128x64xf8E5M2>, tensor<128x2xi8> * tensor<64x64xi8>, tensor<128x2xi8> -> tensor<128x128xf32>
  // CHECK: tt.dot_scaled %{{.*}} scale %{{.*}}, %{{.*}}, %{{.*}} lhs = e5m2 rhs = bf16 {fastMath = false} : tensor<128x64xf8E5M2>, tensor<128x2xi8> * tensor<64x128xbf16> -> tensor<128x128xf32>
  %1 = tt.dot_scaled %a scale %s, %h, %c lhs = e5m2 rhs = bf16 {fastMath = false} : tensor<128x64xf8E5M2>, tensor<128x2xi8> * tensor<64x128xbf16> -> tensor<128x128xf32>
  tt.return
}

// CHECK-LABEL: @reduce
tt.func @reduce(%x: tensor<16x32xf32>, %y: tensor<16x32xi32>, %v: tensor<16xf32>) {
  // CHECK: "tt.reduce"(%{{.*}}, %{{.*}}) <{axis = 1 : i32}> ({
  %0:2 = "tt.reduce"(%x, %y) <{axis = 1 : i32}> ({
  // CHECK: ^bb0(%{{.*}}: f32, %{{.*}}: i32, %{{.*}}: f32, %{{.*}}: i32):
  ^bb0(%a: f32, %i: i32, %b: f32, %j: i32):
    %1 = arith.cmpf ogt, %a, %b : f32
    %2 = arith.select %1, %a, %b : f32
    %3 = arith.select %1, %i, %j : i32
    // CHECK: tt.reduce.return %{{.*}}, %{{.*}} : f32, i32
    tt.reduce.return %2, %3 : f32, i32
  // CHECK: }) {mine} : (tensor<16x32xf32>, tensor<16x32xi32>) -> (tensor<16xf32>, tensor<16xi32>)
  }) {mine} : (tensor<16x32xf32>, tensor<16x32xi32>) -> (tensor<16xf32>, tensor<16xi32>)
  %4 = "tt.reduce"(%v) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %5 = arith.addf %a, %b : f32
    tt.reduce.return %5 : f32
  // CHECK: }) : (tensor<16xf32>) -> f32
  }) : (tensor<16xf32>) -> f32
  tt.return
}

// CHECK-LABEL: @scan
tt.func @scan(%x: tensor<16x32xf32>, %y: tensor<16xi32>, %m: tensor<16xi1>) {
  // CHECK: "tt.scan"(%{{.*}}) <{axis = 0 : i32, reverse = true}> ({
  %0 = "tt.scan"(%x) <{axis = 0 : i32, reverse = true}> ({
  ^bb0(%a: f32, %b: f32):
    %1 = arith.addf %a, %b : f32
    // CHECK: tt.scan.return %{{.*}} : f32
    tt.scan.return %1 : f32
  }) : (tensor<16x32xf32>) -> tensor<16x32xf32>
  // CHECK: tt.histogram %{{.*}} : tensor<16xi32> -> tensor<8xi32>
  %2 = tt.histogram %y : tensor<16xi32> -> tensor<8xi32>
  // CHECK: tt.histogram %{{.*}}, %{{.*}} : tensor<16xi32> -> tensor<8xi32>
  %3 = tt.histogram %y, %m : tensor<16xi32> -> tensor<8xi32>
  tt.return
}
