// RUN: mlt-opt %s | mlt-opt | %filecheck %s
// RUN: mlt-opt %s --mlir-print-op-generic | mlt-opt | %filecheck %s
// RUN: mlt-opt %s --emit-bytecode | mlt-opt | %filecheck %s

// Every operation of ML-Triton, in its own form, the generic one and bytecode.

#rows = #ttg.blocked<{sizePerWarp = [16, 64], warpsPerCTA = [4, 1], order = [1, 0]}>
#columns = #ttg.blocked<{sizePerWarp = [64, 16], warpsPerCTA = [1, 4], order = [1, 0]}>

// CHECK-LABEL: @layouts
tt.func @layouts(%x: tensor<64x64xf32, #rows>) {
  // CHECK: mlt.convert_layout %{{.*}} : tensor<64x64xf32, #{{.*}}> -> tensor<64x64xf32, #{{.*}}>
  %0 = mlt.convert_layout %x : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #columns>
  tt.return
}

// CHECK-LABEL: @pieces
tt.func @pieces(%t: tensor<32x32xf16>, %f: tensor<8x8xf32>) {
  // CHECK: %[[A:.*]] = mlt.extract %{{.*}}[8, 16] : tensor<32x32xf16> to tensor<8x16xf16>
  %0 = mlt.extract %t[8, 16] : tensor<32x32xf16> to tensor<8x16xf16>
  // CHECK: mlt.glue %[[A]], %[[A]] : (tensor<8x16xf16>, tensor<8x16xf16>) -> tensor<8x32xf16>
  %1 = mlt.glue %0, %0 : (tensor<8x16xf16>, tensor<8x16xf16>) -> tensor<8x32xf16>
  // CHECK: mlt.convert_operand %[[A]] : tensor<8x16xf16> to tensor<8x16xf16, #mlt.operand<b>>
  %2 = mlt.convert_operand %0 : tensor<8x16xf16> to tensor<8x16xf16, #mlt.operand<b>>
  // CHECK: mlt.round_tf32 %{{.*}} : tensor<8x8xf32>
  %3 = mlt.round_tf32 %f : tensor<8x8xf32>
  tt.return
}

// CHECK-LABEL: @rows
tt.func @rows(%p: !tt.ptr<f16>, %q: !tt.ptr<f32>, %pitch: i64) {
  // CHECK: mlt.load_rows %{{.*}} pitch %{{.*}} : !tt.ptr<f16> -> tensor<32x16xf16>
  %0 = mlt.load_rows %p pitch %pitch : !tt.ptr<f16> -> tensor<32x16xf16>
  // CHECK: mlt.load_rows %{{.*}} pitch %{{.*}} transposed : !tt.ptr<f16> -> tensor<16x16xf16, #mlt.operand<b>>
  %1 = mlt.load_rows %p pitch %pitch transposed : !tt.ptr<f16> -> tensor<16x16xf16, #mlt.operand<b>>
  // CHECK: mlt.load_rows %{{.*}} : !tt.ptr<f32> -> tensor<128xf32>
  %2 = mlt.load_rows %q : !tt.ptr<f32> -> tensor<128xf32>
  // CHECK: mlt.store_rows %{{.*}}, %{{.*}} pitch %{{.*}} : tensor<32x16xf16>, !tt.ptr<f16>
  mlt.store_rows %0, %p pitch %pitch : tensor<32x16xf16>, !tt.ptr<f16>
  // CHECK: mlt.store_rows %{{.*}}, %{{.*}} : tensor<128xf32>, !tt.ptr<f32>
  mlt.store_rows %2, %q : tensor<128xf32>, !tt.ptr<f32>
  tt.return
}

// CHECK-LABEL: @memory
tt.func @memory(%p: !tt.ptr<tensor<8x32xf16>>) {
  // CHECK: mlt.prefetch %{{.*}} : !tt.ptr<tensor<8x32xf16>>
  mlt.prefetch %p : !tt.ptr<tensor<8x32xf16>>
  // CHECK: mlt.prefetch %{{.*}} part 1 of 2 : !tt.ptr<tensor<8x32xf16>>
  mlt.prefetch %p part 1 of 2 : !tt.ptr<tensor<8x32xf16>>
  // CHECK: mlt.alloc {offset = 64 : i32, shape = array<i64: 1, 128>} : !tt.ptr<f16, 3>
  %0 = mlt.alloc {shape = array<i64: 1, 128>, offset = 64 : i32} : !tt.ptr<f16, 3>
  // CHECK: mlt.barrier{{$}}
  mlt.barrier
  // CHECK: mlt.barrier global
  mlt.barrier global
  // CHECK: mlt.barrier_arrive
  mlt.barrier_arrive
  // CHECK: mlt.barrier_wait
  mlt.barrier_wait
  tt.return
}

// CHECK-LABEL: @warps
tt.func @warps(%x: tensor<16xf32>, %s: i32) {
  // CHECK: mlt.warp_id : i32
  %w = mlt.warp_id : i32
  // CHECK: mlt.cross_warp_reduce %{{.*}}, %{{.*}} size 8 stride 4 dst_warps [0, 2] {
  // CHECK: mlt.yield %{{.*}}, %{{.*}} : f32, i32
  // CHECK: } : (tensor<16xf32>, i32) -> (tensor<16xf32>, i32)
  %m:2 = mlt.cross_warp_reduce %x, %s size 8 stride 4 dst_warps [0, 2] {
  ^bb0(%a: f32, %i: i32, %b: f32, %j: i32):
    %r = arith.maxnumf %a, %b : f32
    mlt.yield %r, %i : f32, i32
  } : (tensor<16xf32>, i32) -> (tensor<16xf32>, i32)
  tt.return
}
