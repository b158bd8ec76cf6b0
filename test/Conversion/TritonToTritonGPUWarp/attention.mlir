// RUN: mlt-opt %s --convert-triton-to-tritongpu-warp=num-warps=8 | %filecheck %s
// RUN: mlt-opt %s --convert-triton-to-tritongpu-warp | %filecheck %s
// RUN: mlt-opt %s --convert-triton-to-tritongpu-warp=num-warps=16 | %filecheck %s --check-prefix=SIXTEEN

// RUN: mlt-opt %s --convert-triton-to-tritongpu-warp="num-warps=8 print-analysis-only" -o /dev/null 2>&1 | %filecheck %s --check-prefix=TABLE

// FlashAttention-2 (the paper, Table 8): O is split along rows; V is operand B of
// it; QK and P are operand A; K and Q are operands of those; m and l are slices.

// CHECK-DAG: #blocked = #ttg.blocked<{sizePerWarp = [16, 64], warpsPerCTA = [8, 1], order = [1, 0]}>
// CHECK-DAG: #dot0 = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
// CHECK-DAG: #dot1 = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
// CHECK-DAG: #dot00 = #ttg.dot_op<{opIdx = 0, parent = #dot0}>
// CHECK-DAG: #dot10 = #ttg.dot_op<{opIdx = 1, parent = #dot0}>
// CHECK-DAG: #slice = #ttg.slice<{dim = 1, parent = #dot0}>
// CHECK-NOT: mlt.convert_layout
// SIXTEEN: #blocked = #ttg.blocked<{sizePerWarp = [8, 64], warpsPerCTA = [16, 1], order = [1, 0]}>
// SIXTEEN-NOT: mlt.convert_layout

// Table 8 as the analysis reports it, a remark and the line of the operation each:
// Q; m, l and O of the loop; K, QK, m, P, l, V, P as an operand, O.
// TABLE: remark: attention root: tile [128, 64] over 8 warps, sizePerWarp [16, 64], warpsPerCTA [8, 1]
// TABLE: remark: result 0: 'tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #ttg.dot_op<{opIdx = 0, parent = #ttg.blocked<{sizePerWarp = [16, 64], warpsPerCTA = [8, 1], order = [1, 0]}>}>}>>'
// TABLE-NEXT: %vq = tt.load
// TABLE: remark: result 2: 'tensor<128xf32, #ttg.slice<{dim = 1, parent = #ttg.dot_op<{opIdx = 0, parent = #ttg.blocked<{sizePerWarp = [16, 64], warpsPerCTA = [8, 1], order = [1, 0]}>}>}>>'
// TABLE-NEXT: scf.for
// TABLE: remark: result 3: 'tensor<128xf32, #ttg.slice<{dim = 1, parent = #ttg.dot_op<{opIdx = 0, parent = #ttg.blocked<{sizePerWarp = [16, 64], warpsPerCTA = [8, 1], order = [1, 0]}>}>}>>'
// TABLE-NEXT: scf.for
// TABLE: remark: result 4: 'tensor<128x64xf32, #ttg.blocked<{sizePerWarp = [16, 64], warpsPerCTA = [8, 1], order = [1, 0]}>>'
// TABLE-NEXT: scf.for
// TABLE: remark: result 0: 'tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #ttg.dot_op<{opIdx = 0, parent = #ttg.blocked<{sizePerWarp = [16, 64], warpsPerCTA = [8, 1], order = [1, 0]}>}>}>>'
// TABLE-NEXT: %vk = tt.load
// TABLE: remark: result 0: 'tensor<128x64xf32, #ttg.dot_op<{opIdx = 0, parent = #ttg.blocked<{sizePerWarp = [16, 64], warpsPerCTA = [8, 1], order = [1, 0]}>}>>'
// TABLE-NEXT: %qk = tt.dot
// TABLE: remark: result 0: 'tensor<128xf32, #ttg.slice<{dim = 1, parent = #ttg.dot_op<{opIdx = 0, parent = #ttg.blocked<{sizePerWarp = [16, 64], warpsPerCTA = [8, 1], order = [1, 0]}>}>}>>'
// TABLE-NEXT: %mx = "tt.reduce"
// TABLE: %sm = arith.subf
// TABLE: remark: result 0: 'tensor<128x64xf32, #ttg.dot_op<{opIdx = 0, parent = #ttg.blocked<{sizePerWarp = [16, 64], warpsPerCTA = [8, 1], order = [1, 0]}>}>>'
// TABLE-NEXT: %p = math.exp2
// TABLE: remark: result 0: 'tensor<128xf32, #ttg.slice<{dim = 1, parent = #ttg.dot_op<{opIdx = 0, parent = #ttg.blocked<{sizePerWarp = [16, 64], warpsPerCTA = [8, 1], order = [1, 0]}>}>}>>'
// TABLE-NEXT: %ad = arith.subf
// TABLE: remark: result 0: 'tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #ttg.blocked<{sizePerWarp = [16, 64], warpsPerCTA = [8, 1], order = [1, 0]}>}>>'
// TABLE-NEXT: %vv = tt.load
// TABLE: remark: result 0: 'tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #ttg.blocked<{sizePerWarp = [16, 64], warpsPerCTA = [8, 1], order = [1, 0]}>}>>'
// TABLE-NEXT: %ph = arith.truncf
// TABLE: remark: result 0: 'tensor<128x64xf32, #ttg.blocked<{sizePerWarp = [16, 64], warpsPerCTA = [8, 1], order = [1, 0]}>>'
// TABLE-NEXT: %pv2 = tt.dot

module {
  tt.func public @attention(%q: !tt.ptr<f16>, %k: !tt.ptr<f16>, %v: !tt.ptr<f16>, %o: !tt.ptr<f16>, %scale: f32, %n: i32, %n64: i64, %row: i32) {
    // One zero for two layouts.
    // CHECK-DAG: arith.constant dense<0.000000e+00> : tensor<128x64xf32, #blocked>
    // CHECK-DAG: arith.constant dense<0.000000e+00> : tensor<128x64xf32, #dot0>
    // CHECK-DAG: arith.constant dense<0xFF800000> : tensor<128xf32, #slice>
    %zero = arith.constant dense<0.0> : tensor<128x64xf32>
    %minf = arith.constant dense<0xFF800000> : tensor<128xf32>
    %one = arith.constant dense<1.0> : tensor<128xf32>
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %c1 = arith.constant 1 : i64
    %d = arith.constant 64 : i64
    // CHECK: tt.make_tensor_ptr {{.*}} : <tensor<128x64xf16, #dot00>>
    %pq = tt.make_tensor_ptr %q, [%n64, %d], [%d, %c1], [%row, %c0] {order = array<i32: 1, 0>} : <tensor<128x64xf16>>
    // CHECK: tt.make_tensor_ptr {{.*}} : <tensor<64x64xf16, #dot10>>
    %pk = tt.make_tensor_ptr %k, [%d, %n64], [%c1, %d], [%c0, %c0] {order = array<i32: 0, 1>} : <tensor<64x64xf16>>
    // CHECK: tt.make_tensor_ptr {{.*}} : <tensor<64x64xf16, #dot1>>
    %pv = tt.make_tensor_ptr %v, [%n64, %d], [%d, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<64x64xf16>>
    %vq = tt.load %pq : !tt.ptr<tensor<128x64xf16>>
    %sc = tt.splat %scale : f32 -> tensor<128x64xf32>
    // CHECK: -> (!tt.ptr<tensor<64x64xf16, #dot10>>, !tt.ptr<tensor<64x64xf16, #dot1>>, tensor<128xf32, #slice>, tensor<128xf32, #slice>, tensor<128x64xf32, #blocked>)
    %r:5 = scf.for %i = %c0 to %n step %c64 iter_args(%ik = %pk, %iv = %pv, %m = %minf, %l = %one, %acc = %zero) -> (!tt.ptr<tensor<64x64xf16>>, !tt.ptr<tensor<64x64xf16>>, tensor<128xf32>, tensor<128xf32>, tensor<128x64xf32>) : i32 {
      %vk = tt.load %ik : !tt.ptr<tensor<64x64xf16>>
      // CHECK: tt.dot {{.*}} : tensor<128x64xf16, #dot00> * tensor<64x64xf16, #dot10> -> tensor<128x64xf32, #dot0>
      %qk = tt.dot %vq, %vk, %zero : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
      %s = arith.mulf %qk, %sc : tensor<128x64xf32>
      %mx = "tt.reduce"(%s) <{axis = 1 : i32}> ({
      ^bb0(%u: f32, %w: f32):
        %t = arith.maxnumf %u, %w : f32
        tt.reduce.return %t : f32
      // CHECK: (tensor<128x64xf32, #dot0>) -> tensor<128xf32, #slice>
      }) : (tensor<128x64xf32>) -> tensor<128xf32>
      %mn = arith.maxnumf %m, %mx : tensor<128xf32>
      // CHECK: tt.expand_dims {{.*}} : tensor<128xf32, #slice> -> tensor<128x1xf32, #dot0>
      %me = tt.expand_dims %mn {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
      %mb = tt.broadcast %me : tensor<128x1xf32> -> tensor<128x64xf32>
      %sm = arith.subf %s, %mb : tensor<128x64xf32>
      %p = math.exp2 %sm : tensor<128x64xf32>
      %ad = arith.subf %m, %mn : tensor<128xf32>
      // CHECK: math.exp2 {{.*}} : tensor<128xf32, #slice>
      %al = math.exp2 %ad : tensor<128xf32>
      %ls = arith.mulf %l, %al : tensor<128xf32>
      %ps = "tt.reduce"(%p) <{axis = 1 : i32}> ({
      ^bb0(%u: f32, %w: f32):
        %t = arith.addf %u, %w : f32
        tt.reduce.return %t : f32
      }) : (tensor<128x64xf32>) -> tensor<128xf32>
      %ln = arith.addf %ls, %ps : tensor<128xf32>
      // The same rows in both layouts: no conversion.
      // CHECK: tt.expand_dims {{.*}} : tensor<128xf32, #slice> -> tensor<128x1xf32, #blocked>
      %ae = tt.expand_dims %al {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
      %ab = tt.broadcast %ae : tensor<128x1xf32> -> tensor<128x64xf32>
      %as = arith.mulf %acc, %ab : tensor<128x64xf32>
      %vv = tt.load %iv : !tt.ptr<tensor<64x64xf16>>
      %ph = arith.truncf %p : tensor<128x64xf32> to tensor<128x64xf16>
      // CHECK: tt.dot {{.*}} : tensor<128x64xf16, #dot0> * tensor<64x64xf16, #dot1> -> tensor<128x64xf32, #blocked>
      %pv2 = tt.dot %ph, %vv, %as : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
      %nk = tt.advance %ik, [%c0, %c64] : <tensor<64x64xf16>>
      %nv = tt.advance %iv, [%c64, %c0] : <tensor<64x64xf16>>
      scf.yield %nk, %nv, %mn, %ln, %pv2 : !tt.ptr<tensor<64x64xf16>>, !tt.ptr<tensor<64x64xf16>>, tensor<128xf32>, tensor<128xf32>, tensor<128x64xf32>
    }
    %le = tt.expand_dims %r#3 {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
    %lb = tt.broadcast %le : tensor<128x1xf32> -> tensor<128x64xf32>
    %on = arith.divf %r#4, %lb : tensor<128x64xf32>
    %oh = arith.truncf %on : tensor<128x64xf32> to tensor<128x64xf16>
    %po = tt.make_tensor_ptr %o, [%n64, %d], [%d, %c1], [%row, %c0] {order = array<i32: 1, 0>} : <tensor<128x64xf16>>
    // CHECK: tt.store {{.*}} : !tt.ptr<tensor<128x64xf16, #blocked>>
    tt.store %po, %oh : !tt.ptr<tensor<128x64xf16>>
    tt.return
  }
}
