// RUN: sed s/HINT// %s | mlt-opt --convert-triton-to-tritongpu-warp=num-warps=8 | %filecheck %s --check-prefix=FREE
// RUN: sed 's/HINT/mlt.tiling = "horizontal"/' %s | mlt-opt --convert-triton-to-tritongpu-warp=num-warps=8 | %filecheck %s --check-prefix=ROWS
// RUN: sed 's/HINT/mlt.tiling = "vertical"/' %s | mlt-opt --convert-triton-to-tritongpu-warp=num-warps=8 | %filecheck %s --check-prefix=COLUMNS
// RUN: sed 's/HINT/mlt.tiling = "square"/' %s | mlt-opt --convert-triton-to-tritongpu-warp=num-warps=8 | %filecheck %s --check-prefix=SQUARE

// FlashAttention-2: the hint on the second dot is all that differs. The layout
// of that dot decides those of its operands, of the first dot, of the softmax
// and of the accumulator.

// Without a hint the chain of dots asks for whole rows.
// FREE: #[[L:[a-z0-9]+]] = #ttg.blocked<{sizePerWarp = [16, 128], warpsPerCTA = [8, 1], order = [1, 0]}>
// FREE: #[[A:[a-z0-9]+]] = #ttg.dot_op<{opIdx = 0, parent = #[[L]]}>
// FREE: #[[S:[a-z0-9]+]] = #ttg.slice<{dim = 1, parent = #[[A]]}>
// FREE: tt.dot {{.*}} -> tensor<128x64xf32, #[[A]]>
// FREE: arith.maxnumf {{.*}} : tensor<128xf32, #[[S]]>
// FREE: tt.dot {{.*}} -> tensor<128x128xf32, #[[L]]>
// FREE: tt.store {{.*}} : tensor<128x128x!tt.ptr<f32>, #[[L]]>

// The same, by the hint.
// ROWS: #[[L:[a-z0-9]+]] = #ttg.blocked<{sizePerWarp = [16, 128], warpsPerCTA = [8, 1], order = [1, 0]}>
// ROWS: #[[A:[a-z0-9]+]] = #ttg.dot_op<{opIdx = 0, parent = #[[L]]}>
// ROWS: #[[S:[a-z0-9]+]] = #ttg.slice<{dim = 1, parent = #[[A]]}>
// ROWS: tt.dot {{.*}} -> tensor<128x64xf32, #[[A]]>
// ROWS: arith.maxnumf {{.*}} : tensor<128xf32, #[[S]]>
// ROWS: tt.dot {{.*}} -> tensor<128x128xf32, #[[L]]>
// ROWS: tt.store {{.*}} : tensor<128x128x!tt.ptr<f32>, #[[L]]>

// Every warp has all rows and 16 columns of the output.
// COLUMNS: #[[L:[a-z0-9]+]] = #ttg.blocked<{sizePerWarp = [128, 16], warpsPerCTA = [1, 8], order = [1, 0]}>
// COLUMNS: #[[A:[a-z0-9]+]] = #ttg.dot_op<{opIdx = 0, parent = #[[L]]}>
// COLUMNS: #[[S:[a-z0-9]+]] = #ttg.slice<{dim = 1, parent = #[[A]]}>
// COLUMNS: tt.dot {{.*}} -> tensor<128x64xf32, #[[A]]>
// COLUMNS: arith.maxnumf {{.*}} : tensor<128xf32, #[[S]]>
// COLUMNS: tt.dot {{.*}} -> tensor<128x128xf32, #[[L]]>
// COLUMNS: tt.store {{.*}} : tensor<128x128x!tt.ptr<f32>, #[[L]]>

// Every warp has 32 rows and half of the columns.
// SQUARE: #[[L:[a-z0-9]+]] = #ttg.blocked<{sizePerWarp = [32, 64], warpsPerCTA = [4, 2], order = [1, 0]}>
// SQUARE: #[[A:[a-z0-9]+]] = #ttg.dot_op<{opIdx = 0, parent = #[[L]]}>
// SQUARE: #[[S:[a-z0-9]+]] = #ttg.slice<{dim = 1, parent = #[[A]]}>
// SQUARE: tt.dot {{.*}} -> tensor<128x64xf32, #[[A]]>
// SQUARE: arith.maxnumf {{.*}} : tensor<128xf32, #[[S]]>
// SQUARE: tt.dot {{.*}} -> tensor<128x128xf32, #[[L]]>
// SQUARE: tt.store {{.*}} : tensor<128x128x!tt.ptr<f32>, #[[L]]>
tt.func public @attention(%q: tensor<128x128xf16>, %kp: tensor<128x64x!tt.ptr<f16>>, %vp: tensor<64x128x!tt.ptr<f16>>, %n: i32, %out: tensor<128x128x!tt.ptr<f32>>) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %none = arith.constant dense<0.0> : tensor<128x128xf32>
  %low = arith.constant dense<0xFF800000> : tensor<128xf32>
  %r:2 = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %none, %top = %low) -> (tensor<128x128xf32>, tensor<128xf32>) : i32 {
    %k = tt.load %kp : tensor<128x64x!tt.ptr<f16>>
    %s = tt.dot %q, %k, %zero : tensor<128x128xf16> * tensor<128x64xf16> -> tensor<128x64xf32>
    %m = "tt.reduce"(%s) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %x = arith.maxnumf %a, %b : f32
      tt.reduce.return %x : f32
    }) : (tensor<128x64xf32>) -> tensor<128xf32>
    %new = arith.maxnumf %top, %m : tensor<128xf32>
    %column = tt.expand_dims %new {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
    %wide = tt.broadcast %column : tensor<128x1xf32> -> tensor<128x64xf32>
    %d = arith.subf %s, %wide : tensor<128x64xf32>
    %p = math.exp2 %d : tensor<128x64xf32>
    %h = arith.truncf %p : tensor<128x64xf32> to tensor<128x64xf16>
    %v = tt.load %vp : tensor<64x128x!tt.ptr<f16>>
    %o = tt.dot %h, %v, %acc {HINT} : tensor<128x64xf16> * tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %o, %new : tensor<128x128xf32>, tensor<128xf32>
  }
  tt.store %out, %r#0 : tensor<128x128x!tt.ptr<f32>>
  tt.return
}
