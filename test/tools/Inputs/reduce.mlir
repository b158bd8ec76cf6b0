module {
  tt.func public @kept(%x: tensor<16xf32>, %p: tensor<16x!tt.ptr<f32>>) {
    %y = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%u: f32, %v: f32):
      %w = arith.addf %u, %v : f32
      tt.scan.return %w : f32
    }) : (tensor<16xf32>) -> tensor<16xf32>
    tt.store %p, %y : tensor<16x!tt.ptr<f32>>
    tt.return
  }
  tt.func public @dropped(%x: f32, %p: !tt.ptr<f32>) {
    tt.store %p, %x : !tt.ptr<f32>
    tt.return
  }
}
