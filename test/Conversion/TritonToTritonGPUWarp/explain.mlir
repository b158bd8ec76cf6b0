// RUN: mlt-opt %s --convert-triton-to-tritongpu-warp=num-warps=4 --remarks-filter=.* -o /dev/null 2>&1 | %filecheck %s
// RUN: mlt-opt %s --convert-triton-to-tritongpu-warp=num-warps=4 --remarks-filter-analyse=tiling --remark-format=yaml --remarks-output-file=%t.yaml -o /dev/null
// RUN: %filecheck %s --check-prefix=YAML --input-file=%t.yaml
// RUN: mlt-opt %s --convert-triton-to-tritongpu-warp=num-warps=4 -o /dev/null 2>&1 | %filecheck %s --check-prefix=QUIET --allow-empty

// Remarks are for those who ask, and machines can read them.
// QUIET-NOT: remark
// YAML: --- !Analysis
// YAML: Pass: tiling
// YAML: Name: tt.dot
// YAML: Function: gemm
// CHECK: explain.mlir:14:8: remark: [Analysis] tt.dot | Category:tiling | Function=gemm | Remark="gemm root: tile [64, 128] over 4 warps, sizePerWarp [32, 64], warpsPerCTA [2, 2] (square, least to load per step of k)"
tt.func public @gemm(%a: tensor<64x32xf16>, %b: tensor<32x128xf16>, %c: tensor<64x128xf32>, %p: tensor<64x128x!tt.ptr<f32>>) {
  %d = tt.dot %a, %b, %c : tensor<64x32xf16> * tensor<32x128xf16> -> tensor<64x128xf32>
  tt.store %p, %d : tensor<64x128x!tt.ptr<f32>>
  tt.return
}

// One sum has to move: the remark is at the operation that makes it.
// CHECK: [Missed] tt.reduce | Category:layout-conversion | Function=two_axes | Remark="layout conversion from #ttg.slice{{.*}} to #ttg.slice{{.*}}: 'tt.reduce' makes the first, its users agree on the second"
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
