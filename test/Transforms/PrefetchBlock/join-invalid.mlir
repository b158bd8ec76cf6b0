// RUN: mlt-opt %s --split-input-file --join-prefetch --verify-diagnostics

// expected-error @+1 {{expected the number of warps in 'ttg.num-warps' for prefetches that warps share, found none}}
module {
  tt.func @halves(%a: !tt.ptr<f16>, %m: i64, %k: i64) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %p = tt.make_tensor_ptr %a, [%m, %k], [%k, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x32xf16>>
    mlt.prefetch %p part 0 of 2 : !tt.ptr<tensor<16x32xf16>>
    mlt.prefetch %p part 1 of 2 : !tt.ptr<tensor<16x32xf16>>
    tt.return
  }
}
