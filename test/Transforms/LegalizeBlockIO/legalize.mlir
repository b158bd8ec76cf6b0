// RUN: mlt-opt %s --split-input-file --legalize-block-io=versions=never --canonicalize --cse | %filecheck %s

// Legal under conditions that the launch is checked for: nothing moves.
// CHECK-LABEL: @conditions
// CHECK-SAME: mlt.preconditions = [{access = "load", base = 0 : i32, elem_bytes = 2 : i32, height = {arg = 1 : i32}, kind = "block_2d", loc = "kernel.py:7:3", pitch = {arg = 3 : i32}, width = {lhs = {arg = 2 : i32}, op = "mul", rhs = {const = 2 : i64}}}]
// CHECK: tt.load %{{.*}} : !tt.ptr<tensor<32x32xf16>>
tt.func public @conditions(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i32, %k: i32, %s: i32, %o: tensor<32x32x!tt.ptr<f16>>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i32
  %ml = arith.extsi %m : i32 to i64
  %k2 = arith.muli %k, %c2 : i32
  %kl = arith.extsi %k2 : i32 to i64
  %sl = arith.extsi %s : i32 to i64
  %p = tt.make_tensor_ptr %a, [%ml, %kl], [%sl, %c1], [%m, %c0] {order = array<i32: 1, 0>} : <tensor<32x32xf16>>
  %v = tt.load %p {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<32x32xf16>> loc("v"("kernel.py":7:3))
  tt.store %o, %v : tensor<32x32x!tt.ptr<f16>>
  tt.return
}

// -----

// Everything is known and right: no condition at all.
// CHECK-LABEL: @proven
// CHECK-NOT: mlt.preconditions
// CHECK: tt.store %{{.*}} : !tt.ptr<tensor<8x16xf32>>
tt.func public @proven(%a: !tt.ptr<f32> {tt.divisibility = 64 : i32}, %v: tensor<8x16xf32>, %x: i32) {
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i32
  %c64 = arith.constant 64 : i64
  %y = arith.muli %x, %c16 : i32
  %p = tt.make_tensor_ptr %a, [%c64, %c64], [%c64, %c1], [%x, %y] {order = array<i32: 1, 0>} : <tensor<8x16xf32>>
  tt.store %p, %v : !tt.ptr<tensor<8x16xf32>>
  tt.return
}

// -----

// A base inside a buffer is compensated by the lowering, but it has to be a
// multiple of 4 bytes, and rows need room unless it is one of 64.
// CHECK-LABEL: @moved_base
// CHECK-SAME: mlt.preconditions = [{compare = "multiple_of", kind = "expr", lhs = {arg = 1 : i32}, reason = "the base of a 2-D block is a multiple of 4 bytes", rhs = {const = 2 : i64}}, {arg = 0 : i32, kind = "base_alignment", reason = "the base of 2-D blocks starts here", value = 64 : i32}, {compare = "eq", kind = "expr", lhs = {lhs = {lhs = {arg = 1 : i32}, op = "rem_s", rhs = {const = 32 : i64}}, op = "min_u"
// CHECK-SAME: {access = "load", elem_bytes = 2 : i32, height = {lhs = {num_programs = 0 : i32}, op = "mul", rhs = {arg = 2 : i32}}, kind = "block_2d", loc = "{{[^"]*}}", pitch = {const = 64 : i64}, width = {const = 64 : i64}}]
// CHECK: tt.load %{{.*}} : !tt.ptr<tensor<16x64xf16>>
tt.func public @moved_base(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %s: i32, %n: i32, %o: tensor<16x64x!tt.ptr<f16>>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %pid = tt.get_program_id x : i32
  %programs = tt.get_num_programs x : i32
  %off = arith.muli %pid, %s : i32
  %base = tt.addptr %a, %off : !tt.ptr<f16>, i32
  %rows = arith.muli %programs, %n : i32
  %rl = arith.extsi %rows : i32 to i64
  %p = tt.make_tensor_ptr %base, [%rl, %c64], [%c64, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x64xf16>>
  %v = tt.load %p : !tt.ptr<tensor<16x64xf16>>
  tt.store %o, %v : tensor<16x64x!tt.ptr<f16>>
  tt.return
}

// -----

// The base is not moved down where the block may begin in front of its rows: what
// lies there would be accessed. An aligned base is asked for instead.
// CHECK-LABEL: @negative_offset
// CHECK-SAME: mlt.preconditions = [
// CHECK-SAME: {compare = "multiple_of", kind = "expr", lhs = {arg = 1 : i32}, reason = "a block that may begin in front of its rows has a base that is a multiple of 64 bytes", rhs = {const = 32 : i64}}
// CHECK-NOT: between the rows
// CHECK: tt.load %{{.*}} : !tt.ptr<tensor<16x64xf16>>
tt.func public @negative_offset(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %s: i32, %x: i32 {tt.divisibility = 16 : i32}, %o: tensor<16x64x!tt.ptr<f16>>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %base = tt.addptr %a, %s : !tt.ptr<f16>, i32
  %p = tt.make_tensor_ptr %base, [%c64, %c64], [%c64, %c1], [%c0, %x] {order = array<i32: 1, 0>} : <tensor<16x64xf16>>
  %v = tt.load %p {boundaryCheck = array<i32: 1>, padding = 1 : i32} : !tt.ptr<tensor<16x64xf16>>
  tt.store %o, %v : tensor<16x64x!tt.ptr<f16>>
  tt.return
}

// -----

// A pointer from memory is aligned like its elements, which is enough for rows.
// CHECK-LABEL: @negative_offset_from_memory
// CHECK: tt.load %{{.*}} {boundaryCheck = array<i32: 1>, mlt.row_alignment = 4 : i32, mlt.row_dim = 1 : i32, padding = 1 : i32} : !tt.ptr<tensor<16x64xf32>>
tt.func public @negative_offset_from_memory(%q: !tt.ptr<!tt.ptr<f32>>, %x: i32, %o: tensor<16x64x!tt.ptr<f32>>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %base = tt.load %q : !tt.ptr<!tt.ptr<f32>>
  %p = tt.make_tensor_ptr %base, [%c64, %c64], [%c64, %c1], [%c0, %x] {order = array<i32: 1, 0>} : <tensor<16x64xf32>>
  %v = tt.load %p {boundaryCheck = array<i32: 1>, padding = 1 : i32} : !tt.ptr<tensor<16x64xf32>>
  tt.store %o, %v : tensor<16x64x!tt.ptr<f32>>
  tt.return
}

// -----

// B^T: a transposed form exists for operand B; the order says what is contiguous.
// CHECK-LABEL: @transposed_operand
// CHECK: tt.make_tensor_ptr {{.*}} {order = array<i32: 0, 1>} : <tensor<32x64xf16>>
// CHECK: tt.load %{{.*}} : !tt.ptr<tensor<32x64xf16>>
tt.func public @transposed_operand(%b: !tt.ptr<f16>, %n: i64, %a: tensor<8x32xf16>, %c: tensor<8x64xf32>, %o: tensor<8x64x!tt.ptr<f32>>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %p = tt.make_tensor_ptr %b, [%n, %n], [%c1, %n], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<32x64xf16>>
  %v = tt.load %p : !tt.ptr<tensor<32x64xf16>>
  %d = tt.dot %a, %v, %c : tensor<8x32xf16> * tensor<32x64xf16> -> tensor<8x64xf32>
  tt.store %o, %d : tensor<8x64x!tt.ptr<f32>>
  tt.return
}

// -----

// No stride is known to be 1. The loop carries an offset, not a pointer; address
// and bounds are computed from it.
// CHECK-LABEL: @carried
// CHECK-SAME: %[[A:[a-z0-9]+]]: !tt.ptr<f16>, %[[M:[a-z0-9]+]]: i64, %[[K:[a-z0-9]+]]: i64, %[[S:[a-z0-9]+]]: i64, %[[T:[a-z0-9]+]]: i64, %[[N:[a-z0-9]+]]: i32,
// CHECK-NOT: !tt.ptr<tensor
// CHECK-NOT: mlt.preconditions
// CHECK: scf.for %{{.*}} iter_args(%[[Y:[a-z0-9]+]] = %c0_i32) -> (i32)
// CHECK: %[[YL:[a-z0-9_]+]] = arith.extsi %[[Y]] : i32 to i64
// CHECK: arith.muli %[[YL]], %[[T]] : i64
// CHECK: %[[P:[a-z0-9_]+]] = tt.addptr {{.*}} : tensor<8x32x!tt.ptr<f16>>, tensor<8x32xi64>
// CHECK: arith.cmpi ult, {{.*}} : tensor<32xi32>
// CHECK: %[[V:[a-z0-9_]+]] = tt.load %[[P]], %{{.*}}, %{{.*}} : tensor<8x32x!tt.ptr<f16>>
// CHECK: tt.store %{{.*}}, %[[V]] : tensor<8x32x!tt.ptr<f16>>
// CHECK: %[[NEXT:[a-z0-9_]+]] = arith.addi %[[Y]], %c32_i32 : i32
// CHECK: scf.yield %[[NEXT]] : i32
tt.func public @carried(%a: !tt.ptr<f16>, %m: i64, %k: i64, %s: i64, %t: i64, %n: i32, %o: tensor<8x32x!tt.ptr<f16>>) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %p = tt.make_tensor_ptr %a, [%m, %k], [%s, %t], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<8x32xf16>>
  %r = scf.for %i = %c0 to %n step %c32 iter_args(%q = %p) -> (!tt.ptr<tensor<8x32xf16>>) : i32 {
    mlt.prefetch %q : !tt.ptr<tensor<8x32xf16>>
    %v = tt.load %q {boundaryCheck = array<i32: 1>, padding = 1 : i32} : !tt.ptr<tensor<8x32xf16>>
    tt.store %o, %v : tensor<8x32x!tt.ptr<f16>>
    %w = tt.advance %q, [%c0, %c32] : <tensor<8x32xf16>>
    scf.yield %w : !tt.ptr<tensor<8x32xf16>>
  }
  tt.return
}

// -----

// Padding with NaN is not what 2-D messages do; no bounds, no mask.
// CHECK-LABEL: @padding
// CHECK: tt.load %{{.*}} {boundaryCheck = array<i32: 0, 1>, mlt.row_alignment = 2 : i32, mlt.row_dim = 1 : i32, padding = 2 : i32} : !tt.ptr<tensor<8x16xf16>>
// CHECK: tt.store %{{.*}}, %{{[a-z0-9_]+}} : tensor<8x16x!tt.ptr<f64>>
tt.func public @padding(%a: !tt.ptr<f16>, %b: !tt.ptr<f64>, %n: i64, %d: tensor<8x16xf64>, %o: tensor<8x16x!tt.ptr<f16>>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %p = tt.make_tensor_ptr %a, [%n, %n], [%n, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<8x16xf16>>
  %v = tt.load %p {boundaryCheck = array<i32: 0, 1>, padding = 2 : i32} : !tt.ptr<tensor<8x16xf16>>
  tt.store %o, %v : tensor<8x16x!tt.ptr<f16>>
  %q = tt.make_tensor_ptr %b, [%n, %n], [%n, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<8x16xf64>>
  tt.store %q, %d : !tt.ptr<tensor<8x16xf64>>
  tt.return
}

// -----

// A prefetch stays where the load asks for the same conditions, and goes where
// it alone would ask for one: a hint does not restrict launches.

// CHECK-LABEL: tt.func @hints
// CHECK: mlt.prefetch %{{.*}} : !tt.ptr<tensor<8x32xf16>>
// CHECK-NOT: mlt.prefetch
tt.func @hints(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %q: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i32 {tt.divisibility = 16 : i32}, %k: i32 {tt.divisibility = 16 : i32}) -> tensor<32x32xf16> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %m64 = arith.extsi %m : i32 to i64
  %k64 = arith.extsi %k : i32 to i64
  %a = tt.make_tensor_ptr %p, [%m64, %k64], [%k64, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<32x32xf16>>
  %f = tt.make_tensor_ptr %p, [%m64, %k64], [%k64, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<8x32xf16>>
  %g = tt.make_tensor_ptr %q, [%m64, %k64], [%k64, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<8x32xf16>>
  mlt.prefetch %f : !tt.ptr<tensor<8x32xf16>>
  mlt.prefetch %g : !tt.ptr<tensor<8x32xf16>>
  %x = tt.load %a : !tt.ptr<tensor<32x32xf16>>
  tt.return %x : tensor<32x32xf16>
}

// -----

// Rows are contiguous, but where they begin is wrong for a 2-D message. What all
// of them are a multiple of is written down: the base is promised to be one of 16
// bytes, the pitch is 16 x 33 bytes, and columns begin at multiples of 8.
// CHECK-LABEL: @rows
// CHECK-NOT: mlt.preconditions
// CHECK: tt.make_tensor_ptr {{.*}} {order = array<i32: 1, 0>} : <tensor<8x16xf16>>
// CHECK: tt.load %{{.*}} {mlt.row_alignment = 16 : i32, mlt.row_dim = 1 : i32} : !tt.ptr<tensor<8x16xf16>>
// CHECK: tt.store %{{.*}}, %{{.*}} {boundaryCheck = array<i32: 0>, mlt.row_alignment = 2 : i32, mlt.row_dim = 1 : i32} : !tt.ptr<tensor<8x16xf16>>
tt.func public @rows(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f16>, %n: i64, %x: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %c8 = arith.constant 8 : i32
  %c24 = arith.constant 24 : i64
  %c264 = arith.constant 264 : i64
  %column = arith.muli %x, %c8 : i32
  %p = tt.make_tensor_ptr %a, [%n, %c24], [%c264, %c1], [%c0, %column] {order = array<i32: 1, 0>} : <tensor<8x16xf16>>
  %v = tt.load %p : !tt.ptr<tensor<8x16xf16>>
  %q = tt.make_tensor_ptr %b, [%n, %c24], [%c264, %c1], [%c0, %column] {order = array<i32: 1, 0>} : <tensor<8x16xf16>>
  tt.store %q, %v {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<8x16xf16>>
  tt.return
}

// -----

// A vector is a row. A short one, and one whose stride nobody knows, is not.
// CHECK-LABEL: @vectors
// CHECK: tt.load %{{.*}} {mlt.row_alignment = 32 : i32, mlt.row_dim = 0 : i32} : !tt.ptr<tensor<64xf16>>
// CHECK: tt.load %{{.*}} : tensor<8x!tt.ptr<f16>>
// CHECK: tt.load %{{.*}} : tensor<64x!tt.ptr<f16>>
tt.func public @vectors(%a: !tt.ptr<f16> {tt.divisibility = 32 : i32}, %n: i64, %s: i64, %x: i32, %o: tensor<64x!tt.ptr<f16>>, %u: tensor<8x!tt.ptr<f16>>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i32
  %begin = arith.muli %x, %c64 : i32
  %p = tt.make_tensor_ptr %a, [%n], [%c1], [%begin] {order = array<i32: 0>} : <tensor<64xf16>>
  %v = tt.load %p : !tt.ptr<tensor<64xf16>>
  %q = tt.make_tensor_ptr %a, [%n], [%c1], [%begin] {order = array<i32: 0>} : <tensor<8xf16>>
  %w = tt.load %q : !tt.ptr<tensor<8xf16>>
  %r = tt.make_tensor_ptr %a, [%n], [%s], [%begin] {order = array<i32: 0>} : <tensor<64xf16>>
  %y = tt.load %r : !tt.ptr<tensor<64xf16>>
  tt.store %o, %v : tensor<64x!tt.ptr<f16>>
  tt.store %u, %w : tensor<8x!tt.ptr<f16>>
  tt.store %o, %y : tensor<64x!tt.ptr<f16>>
  tt.return
}
