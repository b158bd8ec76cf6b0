// RUN: mlt-opt %s --prefetch-block --remarks-filter='prefetch' 2>&1 | %filecheck %s

// Reasons why a load has no prefetch; nothing is left behind of an attempt.

// CHECK: {{.*}}[Missed] tt.load | Category:prefetch | Function=none | Remark="no prefetch: where the block lies is not linear in the iteration"
// CHECK: {{.*}}[Missed] tt.load | Category:prefetch | Function=none | Remark="no prefetch: every iteration loads the same block"
// CHECK: {{.*}}[Missed] tt.load | Category:prefetch | Function=none | Remark="no prefetch: no dimension has a stride that is known to be 1"
// CHECK-LABEL: tt.func @none
// CHECK-NOT: mlt.prefetch
#c = #ttg.blocked<{sizePerWarp = [16, 64], warpsPerCTA = [8, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #c}>
#b = #ttg.dot_op<{opIdx = 1, parent = #c}>
module attributes {"ttg.num-warps" = 8 : i32} {
  tt.func @none(%pb: !tt.ptr<f16>, %a: tensor<128x64xf16, #a>, %n: i64, %k: i64, %to: i32) -> tensor<128x64xf32, #c> {
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %c1 = arith.constant 1 : i64
    %zero = arith.constant dense<0.0> : tensor<128x64xf32, #c>
    %same = tt.make_tensor_ptr %pb, [%k, %n], [%n, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<64x64xf16, #b>>
    %r = scf.for %i = %c0 to %to step %c64 iter_args(%acc = %zero) -> (tensor<128x64xf32, #c>) : i32 {
      %square = arith.muli %i, %i : i32
      %q = tt.make_tensor_ptr %pb, [%k, %n], [%n, %c1], [%square, %c0] {order = array<i32: 1, 0>} : <tensor<64x64xf16, #b>>
      %x = tt.load %q : !tt.ptr<tensor<64x64xf16, #b>>
      %y = tt.load %same : !tt.ptr<tensor<64x64xf16, #b>>
      %s = tt.make_tensor_ptr %pb, [%k, %n], [%n, %k], [%i, %c0] {order = array<i32: 1, 0>} : <tensor<64x64xf16, #b>>
      %z = tt.load %s : !tt.ptr<tensor<64x64xf16, #b>>
      %d = tt.dot %a, %x, %acc : tensor<128x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<128x64xf32, #c>
      %e = tt.dot %a, %y, %d : tensor<128x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<128x64xf32, #c>
      %f = tt.dot %a, %z, %e : tensor<128x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<128x64xf32, #c>
      scf.yield %f : tensor<128x64xf32, #c>
    }
    tt.return %r : tensor<128x64xf32, #c>
  }
}
