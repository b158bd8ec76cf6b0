// RUN: mlt-opt %s --split-input-file --raise-block-pointer --canonicalize --cse | %filecheck %s

// The loop ends at the rows of the program: the tensor is as large as what the
// last program accesses, so that its pointer is carried and advanced.
// CHECK-LABEL: @until_own_rows
// CHECK: tt.get_num_programs x
// CHECK: %[[P:.*]] = tt.make_tensor_ptr %arg0,
// CHECK: scf.for %{{.*}} iter_args(%[[Q:.*]] = %[[P]])
// CHECK: tt.load %[[Q]] : !tt.ptr<tensor<16x32xf16>>
// CHECK: tt.advance %[[Q]], [%c16_i32, %c0_i32]
tt.func public @until_own_rows(%a: !tt.ptr<f16>, %s: i32, %o: tensor<16x32x!tt.ptr<f16>>) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c1 = arith.constant 1 : i32
  %pid = tt.get_program_id x : i32
  %next = arith.addi %pid, %c1 : i32
  %hi = arith.muli %next, %c16 : i32
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %c = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %column = tt.expand_dims %c {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %columns = tt.broadcast %column : tensor<1x32xi32> -> tensor<16x32xi32>
  %stride = tt.splat %s : i32 -> tensor<16x1xi32>
  %base = tt.splat %a : !tt.ptr<f16> -> tensor<16x32x!tt.ptr<f16>>
  scf.for %i = %c0 to %hi step %c16 : i32 {
    %first = tt.splat %i : i32 -> tensor<16xi32>
    %rows = arith.addi %first, %r : tensor<16xi32>
    %row = tt.expand_dims %rows {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %start = arith.muli %row, %stride : tensor<16x1xi32>
    %starts = tt.broadcast %start : tensor<16x1xi32> -> tensor<16x32xi32>
    %offset = arith.addi %starts, %columns : tensor<16x32xi32>
    %p = tt.addptr %base, %offset : tensor<16x32x!tt.ptr<f16>>, tensor<16x32xi32>
    %v = tt.load %p : tensor<16x32x!tt.ptr<f16>>
    tt.store %o, %v : tensor<16x32x!tt.ptr<f16>>
  }
  tt.return
}

// -----

// Other programs have other bases: what the last one accesses says nothing of
// them. The tensor is as large as the tile, and moves.
// CHECK-LABEL: @own_base
// CHECK-NOT: tt.get_num_programs
// CHECK: scf.for
// CHECK: tt.make_tensor_ptr
tt.func public @own_base(%a: !tt.ptr<f16>, %s: i32, %o: tensor<16x32x!tt.ptr<f16>>) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c1 = arith.constant 1 : i32
  %pid = tt.get_program_id x : i32
  %next = arith.addi %pid, %c1 : i32
  %hi = arith.muli %next, %c16 : i32
  %pair = arith.divsi %pid, %c16 : i32
  %skip = arith.muli %pair, %s : i32
  %moved = tt.addptr %a, %skip : !tt.ptr<f16>, i32
  %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %c = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %column = tt.expand_dims %c {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %columns = tt.broadcast %column : tensor<1x32xi32> -> tensor<16x32xi32>
  %stride = tt.splat %s : i32 -> tensor<16x1xi32>
  %base = tt.splat %moved : !tt.ptr<f16> -> tensor<16x32x!tt.ptr<f16>>
  scf.for %i = %c0 to %hi step %c16 : i32 {
    %first = tt.splat %i : i32 -> tensor<16xi32>
    %rows = arith.addi %first, %r : tensor<16xi32>
    %row = tt.expand_dims %rows {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %start = arith.muli %row, %stride : tensor<16x1xi32>
    %starts = tt.broadcast %start : tensor<16x1xi32> -> tensor<16x32xi32>
    %offset = arith.addi %starts, %columns : tensor<16x32xi32>
    %p = tt.addptr %base, %offset : tensor<16x32x!tt.ptr<f16>>, tensor<16x32xi32>
    %v = tt.load %p : tensor<16x32x!tt.ptr<f16>>
    tt.store %o, %v : tensor<16x32x!tt.ptr<f16>>
  }
  tt.return
}
