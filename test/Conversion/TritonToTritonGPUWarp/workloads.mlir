// RUN: mlt-opt %s --split-input-file --convert-triton-to-tritongpu-warp=num-warps=8 | %filecheck %s

// Element-wise: contiguous chunks, the same layout for offsets, masks and values.
// CHECK: #blocked = #ttg.blocked<{sizePerWarp = [128], warpsPerCTA = [8], order = [0]}>
// CHECK-LABEL: @elementwise
tt.func public @elementwise(%x: !tt.ptr<f32>, %n: i32) {
  // CHECK: tt.make_range {{.*}} : tensor<1024xi32, #blocked>
  %r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
  %l = tt.splat %n : i32 -> tensor<1024xi32>
  %m = arith.cmpi slt, %r, %l : tensor<1024xi32>
  %b = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %p = tt.addptr %b, %r : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %v = tt.load %p, %m : tensor<1024x!tt.ptr<f32>>
  // CHECK: math.exp {{.*}} : tensor<1024xf32, #blocked>
  %e = math.exp %v : tensor<1024xf32>
  tt.store %p, %e, %m : tensor<1024x!tt.ptr<f32>>
  tt.return
}

// -----

// Column-major memory: the columns are cut, so that a warp walks along them.
// CHECK: #blocked = #ttg.blocked<{sizePerWarp = [64, 4], warpsPerCTA = [1, 8], order = [0, 1]}>
// CHECK-LABEL: @columns
tt.func public @columns(%x: !tt.ptr<f32>, %n: i64) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  // CHECK: tt.make_tensor_ptr {{.*}} : <tensor<64x32xf32, #blocked>>
  %p = tt.make_tensor_ptr %x, [%n, %n], [%c1, %n], [%c0, %c0] {order = array<i32: 0, 1>} : <tensor<64x32xf32>>
  %v = tt.load %p : !tt.ptr<tensor<64x32xf32>>
  %w = arith.negf %v : tensor<64x32xf32>
  tt.store %p, %w : !tt.ptr<tensor<64x32xf32>>
  tt.return
}

// -----

// A reduction keeps its axis whole; the result is a slice.
// CHECK: #blocked = #ttg.blocked<{sizePerWarp = [4, 256], warpsPerCTA = [8, 1], order = [1, 0]}>
// CHECK: #slice = #ttg.slice<{dim = 1, parent = #blocked}>
// CHECK-LABEL: @rows
tt.func public @rows(%x: tensor<32x256xf32>, %o: tensor<32x!tt.ptr<f32>>) {
  %s = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.maxnumf %a, %b : f32
    tt.reduce.return %c : f32
  // CHECK: (tensor<32x256xf32, #blocked>) -> tensor<32xf32, #slice>
  }) : (tensor<32x256xf32>) -> tensor<32xf32>
  // CHECK: tt.store {{.*}} : tensor<32x!tt.ptr<f32>, #slice>
  tt.store %o, %s : tensor<32x!tt.ptr<f32>>
  tt.return
}

// -----

// With too few rows the axis itself is split; the scalar result has no layout.
// CHECK: #blocked = #ttg.blocked<{sizePerWarp = [512], warpsPerCTA = [8], order = [0]}>
// CHECK-LABEL: @one_row
tt.func public @one_row(%x: tensor<4096xf32>, %p: tensor<4096x!tt.ptr<f32>>) {
  %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  // CHECK: (tensor<4096xf32, #blocked>) -> f32
  }) : (tensor<4096xf32>) -> f32
  %t = tt.splat %s : f32 -> tensor<4096xf32>
  %u = arith.divf %x, %t : tensor<4096xf32>
  // CHECK: tt.store {{.*}} : tensor<4096x!tt.ptr<f32>, #blocked>
  tt.store %p, %u : tensor<4096x!tt.ptr<f32>>
  tt.return
}

// -----

// More warps than tiles: warps replicate.
// CHECK: #ttg.blocked<{sizePerWarp = [8, 16], warpsPerCTA = [8, 1], order = [1, 0]}>
tt.func public @replicated(%a: tensor<8x16xf16>, %b: tensor<16x16xf16>, %c: tensor<8x16xf32>) {
  %d = tt.dot %a, %b, %c : tensor<8x16xf16> * tensor<16x16xf16> -> tensor<8x16xf32>
  tt.return
}

// -----

// B^T in registers: the load gets the layout that the transposition turns into
// operand B, and nothing is moved between warps.
// CHECK-DAG: #blocked = #ttg.blocked<{sizePerWarp = [16, 32], warpsPerCTA = [4, 2], order = [1, 0]}>
// CHECK-DAG: #blocked1 = #ttg.blocked<{sizePerWarp = [32, 32], warpsPerCTA = [8, 1], order = [1, 0]}>
// CHECK-LABEL: @transposed_operand
// CHECK-NOT: mlt.convert_layout
tt.func public @transposed_operand(%a: tensor<64x32xf16>, %p: tensor<64x32x!tt.ptr<f16>>, %c: tensor<64x64xf32>) {
  // CHECK: tt.load {{.*}} : tensor<64x32x!tt.ptr<f16>, #blocked1>
  %b = tt.load %p : tensor<64x32x!tt.ptr<f16>>
  %t = tt.trans %b {order = array<i32: 1, 0>} : tensor<64x32xf16> -> tensor<32x64xf16>
  %d = tt.dot %a, %t, %c : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
  tt.return
}

// -----

// Two axes of one tensor, combined: one real conversion, of the smaller value.
// CHECK-LABEL: @two_axes
// CHECK: mlt.convert_layout {{.*}} : tensor<64xf32, #{{.*}}> -> tensor<64xf32, #{{.*}}>
// CHECK-NOT: mlt.convert_layout
tt.func public @two_axes(%x: tensor<64x64xf32>, %p: tensor<64x!tt.ptr<f32>>) {
  %a = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%u: f32, %v: f32):
    %w = arith.addf %u, %v : f32
    tt.reduce.return %w : f32
  }) : (tensor<64x64xf32>) -> tensor<64xf32>
  %b = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%u: f32, %v: f32):
    %w = arith.addf %u, %v : f32
    tt.reduce.return %w : f32
  }) : (tensor<64x64xf32>) -> tensor<64xf32>
  %s = arith.addf %a, %b : tensor<64xf32>
  tt.store %p, %s : tensor<64x!tt.ptr<f32>>
  tt.return
}

// -----

// Loops, branches and changes of shape carry layouts through.
// CHECK: #blocked = #ttg.blocked<{sizePerWarp = [32], warpsPerCTA = [8], order = [0]}>
// CHECK-LABEL: @control_flow
tt.func public @control_flow(%x: tensor<256x!tt.ptr<i32>>, %n: i32, %flag: i1) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0> : tensor<256xi32>
  %v = tt.load %x : tensor<256x!tt.ptr<i32>>
  // CHECK: scf.while {{.*}} : (tensor<256xi32, #blocked>, i32) -> (tensor<256xi32, #blocked>, i32)
  %w:2 = scf.while (%t = %v, %i = %c0) : (tensor<256xi32>, i32) -> (tensor<256xi32>, i32) {
    %go = arith.cmpi slt, %i, %n : i32
    scf.condition(%go) %t, %i : tensor<256xi32>, i32
  } do {
  ^bb0(%t: tensor<256xi32>, %i: i32):
    %u = arith.addi %t, %v : tensor<256xi32>
    %k = arith.addi %i, %c1 : i32
    scf.yield %u, %k : tensor<256xi32>, i32
  }
  // CHECK: scf.if {{.*}} -> (tensor<256xi32, #blocked>)
  %y = scf.if %flag -> (tensor<256xi32>) {
    scf.yield %w#0 : tensor<256xi32>
  } else {
    scf.yield %zero : tensor<256xi32>
  }
  // CHECK: tt.join {{.*}} : tensor<256xi32, #blocked> -> tensor<256x2xi32, #{{.*}}>
  %j = tt.join %y, %v : tensor<256xi32> -> tensor<256x2xi32>
  %l, %h = tt.split %j : tensor<256x2xi32> -> tensor<256xi32>
  %s = arith.addi %l, %h : tensor<256xi32>
  cf.br ^bb1(%s : tensor<256xi32>)
// CHECK: ^bb1(%{{.*}}: tensor<256xi32, #{{.*}}>):
^bb1(%z: tensor<256xi32>):
  tt.store %x, %z : tensor<256x!tt.ptr<i32>>
  tt.return
}
