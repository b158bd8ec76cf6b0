#blocked = #triton_gpu.blocked<{sizePerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"triton_gpu.num-warps" = 4 : i32} {
  tt.func public @f(%x: i32) {
    %0 = tt.splat %x : i32 -> tensor<128xi32, #blocked>
    tt.return
  }
}
