// RUN: mlt-opt %s --schedule-load="registers=1 style=simt" --remarks-filter=registers -o /dev/null 2>&1 | %filecheck %s --check-prefix=SIMT
// RUN: mlt-opt %s --schedule-load="registers=1 style=simd" --remarks-filter=registers -o /dev/null 2>&1 | %filecheck %s --check-prefix=SIMD

// The same loop needs other registers in the two styles. Each one here loads a
// tile of eight registers.

module attributes {"ttg.num-warps" = 8 : i32, mlt.target = "pvc"} {

// A column is one register, and eight where 16 lanes repeat it.
// SIMT: Function=column | {{.*}}needs about 24 registers
// SIMD: Function=column | {{.*}}needs about 17 registers
tt.func public @column(%k: !tt.ptr<tensor<8x16xf32>>, %m0: tensor<8x1xf32>, %t0: tensor<8x16xf32>, %steps: i32) -> (tensor<8x1xf32>, tensor<8x16xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.for %i = %c0 to %steps step %c1 iter_args(%m = %m0, %t = %t0) -> (tensor<8x1xf32>, tensor<8x16xf32>) : i32 {
    %x = tt.load %k : !tt.ptr<tensor<8x16xf32>>
    %n = arith.addf %m, %m : tensor<8x1xf32>
    %y = arith.addf %x, %t : tensor<8x16xf32>
    scf.yield %n, %y : tensor<8x1xf32>, tensor<8x16xf32>
  }
  tt.return %r#0, %r#1 : tensor<8x1xf32>, tensor<8x16xf32>
}

// A column spread over the rows is an operand of lanes, and a tile of its own in
// style simd.
// SIMT: Function=spread | {{.*}}needs about 17 registers
// SIMD: Function=spread | {{.*}}needs about 25 registers
tt.func public @spread(%k: !tt.ptr<tensor<8x16xf32>>, %c: tensor<8xf32>, %t0: tensor<8x16xf32>, %steps: i32) -> (tensor<8x16xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:1 = scf.for %i = %c0 to %steps step %c1 iter_args(%t = %t0) -> (tensor<8x16xf32>) : i32 {
    %x = tt.load %k : !tt.ptr<tensor<8x16xf32>>
    %e = tt.expand_dims %c {axis = 1 : i32} : tensor<8xf32> -> tensor<8x1xf32>
    %s = tt.broadcast %e : tensor<8x1xf32> -> tensor<8x16xf32>
    %y = arith.addf %x, %s : tensor<8x16xf32>
    %z = arith.addf %t, %y : tensor<8x16xf32>
    scf.yield %z : tensor<8x16xf32>
  }
  tt.return %r#0 : tensor<8x16xf32>
}

// The first step of a tree of style simd has half of the tile.
// SIMT: Function=maximum | {{.*}}needs about 10 registers
// SIMD: Function=maximum | {{.*}}needs about 14 registers
tt.func public @maximum(%k: !tt.ptr<tensor<8x16xf32>>, %m0: tensor<8xf32>, %steps: i32) -> (tensor<8xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:1 = scf.for %i = %c0 to %steps step %c1 iter_args(%m = %m0) -> (tensor<8xf32>) : i32 {
    %x = tt.load %k : !tt.ptr<tensor<8x16xf32>>
    %s = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %h = arith.maxnumf %a, %b : f32
      tt.reduce.return %h : f32
    }) : (tensor<8x16xf32>) -> tensor<8xf32>
    %n = arith.addf %m, %s : tensor<8xf32>
    scf.yield %n : tensor<8xf32>
  }
  tt.return %r#0 : tensor<8xf32>
}
}
