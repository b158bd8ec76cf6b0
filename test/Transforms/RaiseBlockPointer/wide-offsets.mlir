// RUN: mlt-opt %s --raise-block-pointer --canonicalize --cse | %filecheck %s

// A split of K: the offset starts at a multiple of the tile, grows up to K and is
// carried in 64 bits. Where it leaves 32 bits it is negative in them, and the
// tile lies in front of the tensor instead of behind it.
// CHECK-LABEL: tt.func public @split
// CHECK: %[[START:.*]] = arith.muli %{{.*}}, %c32_i32 : i32
// CHECK: tt.make_tensor_ptr %{{.*}}, [%{{.*}}, %{{.*}}], [%{{.*}}, %c1_i64], [%{{.*}}, %[[START]]]
// CHECK: scf.for
// CHECK: tt.load %{{.*}} {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32} : !tt.ptr<tensor<16x32xf16>>
// CHECK: tt.advance %{{.*}}, [%c0_i32, %c128_i32]

// The bound does not fit in 32 bits: there may be elements behind them.
// CHECK-LABEL: tt.func public @wide_bound
// CHECK-NOT: make_tensor_ptr
module {
  tt.func public @split(%p: !tt.ptr<f16>, %m: i32, %k: i32, %s: i64, %q: tensor<16x32x!tt.ptr<f16>>) {
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %c128 = arith.constant 128 : i32
    %step = arith.constant 128 : i64
    %z = tt.get_program_id z : i32
    %start = arith.muli %z, %c32 : i32
    %start64 = arith.extsi %start : i32 to i64
    %k64 = arith.extsi %k : i32 to i64
    %end = scf.for %i = %c0 to %k step %c128 iter_args(%x = %start64) -> (i64) : i32 {
      %yr = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %rows32 = tt.expand_dims %yr {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %rows = arith.extsi %rows32 : tensor<16x1xi32> to tensor<16x1xi64>
      %xs = tt.splat %x : i64 -> tensor<32xi64>
      %xr = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %xr64 = arith.extsi %xr : tensor<32xi32> to tensor<32xi64>
      %xi = arith.addi %xs, %xr64 : tensor<32xi64>
      %cols = tt.expand_dims %xi {axis = 0 : i32} : tensor<32xi64> -> tensor<1x32xi64>
      %ss = tt.splat %s : i64 -> tensor<16x1xi64>
      %ro = arith.muli %rows, %ss : tensor<16x1xi64>
      %rob = tt.broadcast %ro : tensor<16x1xi64> -> tensor<16x32xi64>
      %cob = tt.broadcast %cols : tensor<1x32xi64> -> tensor<16x32xi64>
      %ms = tt.splat %m : i32 -> tensor<16x1xi32>
      %rin = arith.cmpi slt, %rows32, %ms : tensor<16x1xi32>
      %rinb = tt.broadcast %rin : tensor<16x1xi1> -> tensor<16x32xi1>
      %ks = tt.splat %k64 : i64 -> tensor<1x32xi64>
      %cin = arith.cmpi slt, %cols, %ks : tensor<1x32xi64>
      %cinb = tt.broadcast %cin : tensor<1x32xi1> -> tensor<16x32xi1>
      %mask = arith.andi %rinb, %cinb : tensor<16x32xi1>
      %ps = tt.splat %p : !tt.ptr<f16> -> tensor<16x32x!tt.ptr<f16>>
      %p1 = tt.addptr %ps, %rob : tensor<16x32x!tt.ptr<f16>>, tensor<16x32xi64>
      %p2 = tt.addptr %p1, %cob : tensor<16x32x!tt.ptr<f16>>, tensor<16x32xi64>
      %v = tt.load %p2, %mask : tensor<16x32x!tt.ptr<f16>>
      tt.store %q, %v : tensor<16x32x!tt.ptr<f16>>
      %next = arith.addi %x, %step : i64
      scf.yield %next : i64
    }
    tt.return
  }

  tt.func public @wide_bound(%p: !tt.ptr<f16>, %m: i32, %k: i32, %k64: i64, %s: i64, %q: tensor<16x32x!tt.ptr<f16>>) {
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %c128 = arith.constant 128 : i32
    %step = arith.constant 128 : i64
    %z = tt.get_program_id z : i32
    %start = arith.muli %z, %c32 : i32
    %start64 = arith.extsi %start : i32 to i64
    %end = scf.for %i = %c0 to %k step %c128 iter_args(%x = %start64) -> (i64) : i32 {
      %yr = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %rows32 = tt.expand_dims %yr {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %rows = arith.extsi %rows32 : tensor<16x1xi32> to tensor<16x1xi64>
      %xs = tt.splat %x : i64 -> tensor<32xi64>
      %xr = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %xr64 = arith.extsi %xr : tensor<32xi32> to tensor<32xi64>
      %xi = arith.addi %xs, %xr64 : tensor<32xi64>
      %cols = tt.expand_dims %xi {axis = 0 : i32} : tensor<32xi64> -> tensor<1x32xi64>
      %ss = tt.splat %s : i64 -> tensor<16x1xi64>
      %ro = arith.muli %rows, %ss : tensor<16x1xi64>
      %rob = tt.broadcast %ro : tensor<16x1xi64> -> tensor<16x32xi64>
      %cob = tt.broadcast %cols : tensor<1x32xi64> -> tensor<16x32xi64>
      %ks = tt.splat %k64 : i64 -> tensor<1x32xi64>
      %cin = arith.cmpi slt, %cols, %ks : tensor<1x32xi64>
      %mask = tt.broadcast %cin : tensor<1x32xi1> -> tensor<16x32xi1>
      %ps = tt.splat %p : !tt.ptr<f16> -> tensor<16x32x!tt.ptr<f16>>
      %p1 = tt.addptr %ps, %rob : tensor<16x32x!tt.ptr<f16>>, tensor<16x32xi64>
      %p2 = tt.addptr %p1, %cob : tensor<16x32x!tt.ptr<f16>>, tensor<16x32xi64>
      %v = tt.load %p2, %mask : tensor<16x32x!tt.ptr<f16>>
      tt.store %q, %v : tensor<16x32x!tt.ptr<f16>>
      %next = arith.addi %x, %step : i64
      scf.yield %next : i64
    }
    tt.return
  }
}
