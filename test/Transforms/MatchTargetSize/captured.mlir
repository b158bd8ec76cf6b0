// RUN: mlt-opt %s --match-target-size | %filecheck %s

// A combine region may use a scalar from outside: where pieces are combined
// place by place it stands for a tile of equal elements.
// CHECK-LABEL: @captured
// CHECK-SAME: tensor<256xf32>, %[[S:.*]]: f32, %
tt.func public @captured(%x: tensor<256xf32>, %s: f32, %p: !tt.ptr<f32>) {
  // CHECK: %[[T:.*]] = tt.splat %[[S]] : f32 -> tensor<128xf32>
  // CHECK: arith.mulf %{{.*}}, %[[T]] : tensor<128xf32>
  // CHECK: "tt.reduce"
  %r = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.mulf %b, %s : f32
    %d = arith.addf %a, %c : f32
    tt.reduce.return %d : f32
  }) : (tensor<256xf32>) -> f32
  tt.store %p, %r : !tt.ptr<f32>
  tt.return
}
