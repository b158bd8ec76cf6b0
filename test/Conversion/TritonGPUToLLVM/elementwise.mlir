// RUN: mlt-opt %s --convert-tritongpu-to-llvm | %filecheck %s

module attributes {"ttg.num-warps" = 1 : i32, mlt.target = "pvc"} {

// Products and sums may be contracted; nothing else is allowed.
// CHECK-LABEL: llvm.func spir_kernelcc @contract
// CHECK: llvm.fmul %{{.*}}, %{{.*}} {fastmathFlags = #llvm.fastmath<contract>} : vector<8xf32>
// CHECK: llvm.fadd %{{.*}}, %{{.*}} {fastmathFlags = #llvm.fastmath<contract>} : vector<8xf32>
// CHECK: llvm.fdiv %{{.*}}, %{{.*}} : vector<8xf32>
tt.func public @contract(%p: !tt.ptr<f32>) {
  %q = tt.splat %p : !tt.ptr<f32> -> tensor<8x16x!tt.ptr<f32>>
  %x = tt.load %q : tensor<8x16x!tt.ptr<f32>>
  %m = arith.mulf %x, %x : tensor<8x16xf32>
  %a = arith.addf %m, %x : tensor<8x16xf32>
  %d = arith.divf %a, %x : tensor<8x16xf32>
  tt.store %q, %d : tensor<8x16x!tt.ptr<f32>>
  tt.return
}

// bf16 is carried as i16 and computed with in f32.
// CHECK-LABEL: llvm.func spir_kernelcc @bf16
// CHECK: llvm.load %{{.*}} : !llvm.ptr<1> -> i16
// CHECK: %[[Z:.*]] = llvm.zext %{{.*}} : i16 to i32
// CHECK: %[[S:.*]] = llvm.shl %[[Z]], %{{.*}} : i32
// CHECK: %[[F:.*]] = llvm.bitcast %[[S]] : i32 to f32
// CHECK: %[[M:.*]] = llvm.fmul
// CHECK: llvm.call spir_funccc @_Z27__spirv_ConvertFToBF16INTELf(%[[M]]) {{.*}} : (f32) -> i16
// CHECK: llvm.store %{{.*}} : i16, !llvm.ptr<1>
tt.func public @bf16(%p: !tt.ptr<bf16>) {
  %q = tt.splat %p : !tt.ptr<bf16> -> tensor<16x!tt.ptr<bf16>>
  %x = tt.load %q : tensor<16x!tt.ptr<bf16>>
  %m = arith.mulf %x, %x : tensor<16xbf16>
  tt.store %q, %m : tensor<16x!tt.ptr<bf16>>
  tt.return
}

// Conversions and functions see at most 16 elements at a time.
// CHECK-LABEL: llvm.func spir_kernelcc @short_vectors
// CHECK-COUNT-2: llvm.intr.exp2(%{{.*}}) : (vector<16xf32>) -> vector<16xf32>
// CHECK-COUNT-2: llvm.fptrunc %{{.*}} : vector<16xf32> to vector<16xf16>
// CHECK: llvm.shufflevector %{{.*}}, %{{.*}} [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<16xf16>
tt.func public @short_vectors(%p: !tt.ptr<f32>, %o: !tt.ptr<f16>, %s: i64, %y: i32) {
  %c1 = arith.constant 1 : i64
  %q = tt.make_tensor_ptr %p, [%s, %s], [%s, %c1], [%y, %y] {order = array<i32: 1, 0>} : <tensor<32x16xf32>>
  %x = tt.load %q : !tt.ptr<tensor<32x16xf32>>
  %e = math.exp2 %x : tensor<32x16xf32>
  %h = arith.truncf %e : tensor<32x16xf32> to tensor<32x16xf16>
  %r = tt.splat %o : !tt.ptr<f16> -> tensor<32x16x!tt.ptr<f16>>
  tt.store %r, %h : tensor<32x16x!tt.ptr<f16>>
  tt.return
}

// What LLVM has no intrinsic for is an OpenCL function.
// CHECK-LABEL: llvm.func spir_kernelcc @functions
// CHECK: llvm.call spir_funccc @_Z3erfDv8_f(%{{.*}}) {{.*}} : (vector<8xf32>) -> vector<8xf32>
// CHECK: llvm.call spir_funccc @_Z4tanhDv8_f
// CHECK: llvm.call spir_funccc @_Z5rsqrtDv8_f
// CHECK: llvm.call spir_funccc @_Z5rsqrtf(%{{.*}}) {{.*}} : (f32) -> f32
tt.func public @functions(%p: !tt.ptr<f32>, %s: f32) {
  %q = tt.splat %p : !tt.ptr<f32> -> tensor<8x16x!tt.ptr<f32>>
  %x = tt.load %q : tensor<8x16x!tt.ptr<f32>>
  %e = math.erf %x : tensor<8x16xf32>
  %t = math.tanh %e : tensor<8x16xf32>
  %r = math.rsqrt %t : tensor<8x16xf32>
  tt.store %q, %r : tensor<8x16x!tt.ptr<f32>>
  %u = math.rsqrt %s : f32
  tt.store %p, %u : !tt.ptr<f32>
  tt.return
}

// NaN of either operand is kept by maximumf, and by clampf if asked for.
// CHECK-LABEL: llvm.func spir_kernelcc @nan
// CHECK: %[[UNO:.*]] = llvm.fcmp "uno" %[[X:.*]], %[[Y:.*]] : f32
// CHECK: %[[NAN:.*]] = llvm.fadd %[[X]], %[[Y]]
// CHECK: %[[MAX:.*]] = llvm.intr.maxnum(%[[X]], %[[Y]])
// CHECK: llvm.select %[[UNO]], %[[NAN]], %[[MAX]]
// CHECK: llvm.intr.maxnum
// CHECK-NEXT: llvm.intr.minnum
tt.func public @nan(%p: !tt.ptr<f32>, %a: f32, %b: f32) {
  %m = arith.maximumf %a, %b : f32
  %c = tt.clampf %m, %a, %b, propagateNan = none : f32
  tt.store %p, %c : !tt.ptr<f32>
  tt.return
}

// Correctly rounded through a wider type.
// CHECK-LABEL: llvm.func spir_kernelcc @precise
// CHECK: llvm.fpext %{{.*}} : f32 to f64
// CHECK: llvm.fdiv %{{.*}} : f64
// CHECK: llvm.fptrunc %{{.*}} : f64 to f32
// CHECK: llvm.intr.sqrt(%{{.*}}) : (f64) -> f64
tt.func public @precise(%p: !tt.ptr<f32>, %a: f32, %b: f32) {
  %d = tt.precise_divf %a, %b : f32
  %s = tt.precise_sqrt %d : f32
  tt.store %p, %s : !tt.ptr<f32>
  tt.return
}

// CHECK-LABEL: llvm.func spir_kernelcc @products
// CHECK: llvm.call spir_funccc @_Z6mul_himm(%{{.*}}, %{{.*}}) {{.*}} : (i64, i64) -> i64
// CHECK: llvm.mul %{{.*}}, %{{.*}} : i64
// CHECK: llvm.lshr
tt.func public @products(%p: !tt.ptr<i64>, %q: !tt.ptr<i32>, %a: i64, %b: i32) {
  %h = tt.mulhiui %a, %a : i64
  tt.store %p, %h : !tt.ptr<i64>
  %g = tt.mulhiui %b, %b : i32
  tt.store %q, %g : !tt.ptr<i32>
  tt.return
}

// Narrowing toward zero, and an 8-bit format.
// CHECK-LABEL: llvm.func spir_kernelcc @fp_to_fp
// CHECK: llvm.call spir_funccc @_Z16convert_half_rtzf(%{{.*}}) {{.*}} : (f32) -> f16
// CHECK: llvm.zext %{{.*}} : i8 to i16
// CHECK: llvm.shl %{{.*}} : i16
// CHECK: llvm.bitcast %{{.*}} : i16 to f16
// CHECK: llvm.fpext %{{.*}} : f16 to f32
tt.func public @fp_to_fp(%p: !tt.ptr<f16>, %q: !tt.ptr<f32>, %a: f32, %b: f8E5M2) {
  %h = tt.fp_to_fp %a, rounding = rtz : f32 -> f16
  tt.store %p, %h : !tt.ptr<f16>
  %f = tt.fp_to_fp %b : f8E5M2 -> f32
  tt.store %q, %f : !tt.ptr<f32>
  tt.return
}

// Pointers in tiles are addresses; a constant that differs by lane is computed.
// CHECK-LABEL: llvm.func spir_kernelcc @pointers
// CHECK: llvm.sext %{{.*}} : i32 to i64
// CHECK: llvm.mul %{{.*}} : i64
// CHECK: %[[A:.*]] = llvm.add %{{.*}} : i64
// CHECK: %[[P:.*]] = llvm.inttoptr %[[A]] : i64 to !llvm.ptr<1>
// CHECK: llvm.store %[[A]], %[[P]] : i64, !llvm.ptr<1>
tt.func public @pointers(%p: !tt.ptr<i64>) {
  %c = arith.constant dense<[0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33, 36, 39, 42, 45]> : tensor<16xi32>
  %q = tt.splat %p : !tt.ptr<i64> -> tensor<16x!tt.ptr<i64>>
  %r = tt.addptr %q, %c : tensor<16x!tt.ptr<i64>>, tensor<16xi32>
  %i = tt.ptr_to_int %r : tensor<16x!tt.ptr<i64>> -> tensor<16xi64>
  tt.store %r, %i : tensor<16x!tt.ptr<i64>>
  tt.return
}
}
