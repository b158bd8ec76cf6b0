// RUN: mlt-opt %s --convert-tritongpu-to-llvm | %filecheck %s

module attributes {"ttg.num-warps" = 4 : i32} {
  // One after the other, each read behind a barrier and left by another one:
  // the buffers lie at the same place.
  // CHECK-DAG: llvm.mlir.global internal @sequence_slm() {{.*}} : !llvm.array<256 x i8>
  tt.func public @sequence(%x: f32, %p: !tt.ptr<f32>) {
    %a = mlt.alloc {shape = array<i64: 64>} : !tt.ptr<f32, 3>
    tt.store %a, %x : !tt.ptr<f32, 3>
    mlt.barrier
    %y = tt.load %a : !tt.ptr<f32, 3>
    mlt.barrier
    %b = mlt.alloc {shape = array<i64: 32>} : !tt.ptr<f32, 3>
    tt.store %b, %y : !tt.ptr<f32, 3>
    mlt.barrier
    %z = tt.load %b : !tt.ptr<f32, 3>
    mlt.barrier
    tt.store %p, %z : !tt.ptr<f32>
    tt.return
  }

  // Without a barrier behind its last use a slow warp may still read.
  // CHECK-DAG: llvm.mlir.global internal @unordered_slm() {{.*}} : !llvm.array<384 x i8>
  tt.func public @unordered(%x: f32, %p: !tt.ptr<f32>) {
    %a = mlt.alloc {shape = array<i64: 64>} : !tt.ptr<f32, 3>
    tt.store %a, %x : !tt.ptr<f32, 3>
    mlt.barrier
    %y = tt.load %a : !tt.ptr<f32, 3>
    %b = mlt.alloc {shape = array<i64: 32>} : !tt.ptr<f32, 3>
    tt.store %b, %y : !tt.ptr<f32, 3>
    mlt.barrier
    %z = tt.load %b : !tt.ptr<f32, 3>
    tt.store %p, %z : !tt.ptr<f32>
    tt.return
  }

  // In a loop the second buffer must have been read when the first one is
  // written again.
  // CHECK-DAG: llvm.mlir.global internal @loop_slm() {{.*}} : !llvm.array<384 x i8>
  tt.func public @loop(%x: f32, %p: !tt.ptr<f32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      %a = mlt.alloc {shape = array<i64: 64>} : !tt.ptr<f32, 3>
      tt.store %a, %x : !tt.ptr<f32, 3>
      mlt.barrier
      %y = tt.load %a : !tt.ptr<f32, 3>
      mlt.barrier
      %b = mlt.alloc {shape = array<i64: 32>} : !tt.ptr<f32, 3>
      tt.store %b, %y : !tt.ptr<f32, 3>
      %z = tt.load %b : !tt.ptr<f32, 3>
      tt.store %p, %z : !tt.ptr<f32>
    }
    tt.return
  }

  // Two that are in use at once, and one behind both.
  // CHECK-DAG: llvm.mlir.global internal @overlap_slm() {{.*}} : !llvm.array<384 x i8>
  tt.func public @overlap(%x: f32, %p: !tt.ptr<f32>) {
    %a = mlt.alloc {shape = array<i64: 64>} : !tt.ptr<f32, 3>
    %b = mlt.alloc {shape = array<i64: 32>} : !tt.ptr<f32, 3>
    tt.store %a, %x : !tt.ptr<f32, 3>
    tt.store %b, %x : !tt.ptr<f32, 3>
    mlt.barrier
    %y = tt.load %a : !tt.ptr<f32, 3>
    %z = tt.load %b : !tt.ptr<f32, 3>
    mlt.barrier
    %c = mlt.alloc {shape = array<i64: 96>} : !tt.ptr<f32, 3>
    tt.store %c, %y : !tt.ptr<f32, 3>
    mlt.barrier
    %w = tt.load %c : !tt.ptr<f32, 3>
    tt.store %p, %w : !tt.ptr<f32>
    tt.return
  }

  // One of two sides that all warps take alike: the buffers lie at the same
  // place. In a loop, or where warps part, they do not.
  // CHECK-DAG: llvm.mlir.global internal @versions_slm() {{.*}} : !llvm.array<256 x i8>
  tt.func public @versions(%x: f32, %p: !tt.ptr<f32>, %c: i1) {
    scf.if %c {
      %a = mlt.alloc {shape = array<i64: 64>} : !tt.ptr<f32, 3>
      tt.store %a, %x : !tt.ptr<f32, 3>
    } else {
      %b = mlt.alloc {shape = array<i64: 32>} : !tt.ptr<f32, 3>
      tt.store %b, %x : !tt.ptr<f32, 3>
    }
    tt.return
  }

  // CHECK-DAG: llvm.mlir.global internal @rounds_slm() {{.*}} : !llvm.array<384 x i8>
  tt.func public @rounds(%x: f32, %p: !tt.ptr<f32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      %c = arith.cmpi eq, %i, %c0 : i32
      scf.if %c {
        %a = mlt.alloc {shape = array<i64: 64>} : !tt.ptr<f32, 3>
        tt.store %a, %x : !tt.ptr<f32, 3>
      } else {
        %b = mlt.alloc {shape = array<i64: 32>} : !tt.ptr<f32, 3>
        tt.store %b, %x : !tt.ptr<f32, 3>
      }
    }
    tt.return
  }

  // CHECK-DAG: llvm.mlir.global internal @parting_slm() {{.*}} : !llvm.array<384 x i8>
  tt.func public @parting(%x: f32, %p: !tt.ptr<f32>) {
    %c0 = arith.constant 0 : i32
    %w = mlt.warp_id : i32
    %c = arith.cmpi eq, %w, %c0 : i32
    scf.if %c {
      %a = mlt.alloc {shape = array<i64: 64>} : !tt.ptr<f32, 3>
      tt.store %a, %x : !tt.ptr<f32, 3>
    } else {
      %b = mlt.alloc {shape = array<i64: 32>} : !tt.ptr<f32, 3>
      tt.store %b, %x : !tt.ptr<f32, 3>
    }
    tt.return
  }
}
