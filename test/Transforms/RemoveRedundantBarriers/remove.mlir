// RUN: mlt-opt %s --remove-redundant-barriers | %filecheck %s

// Two exchanges with buffers of their own: a barrier between the writes and the
// reads of each, and none behind.
// CHECK-LABEL: @exchanges
// CHECK: tt.store
// CHECK-NEXT: mlt.barrier
// CHECK-NEXT: tt.load
// CHECK-NEXT: tt.store
// CHECK-NEXT: mlt.barrier
// CHECK-NEXT: tt.load
// CHECK-NEXT: tt.return
tt.func public @exchanges(%x: f32) -> f32 {
  %p = mlt.alloc {shape = array<i64: 4>} : !tt.ptr<f32, 3>
  %q = mlt.alloc {shape = array<i64: 4>} : !tt.ptr<f32, 3>
  tt.store %p, %x : !tt.ptr<f32, 3>
  mlt.barrier
  %y = tt.load %p : !tt.ptr<f32, 3>
  mlt.barrier
  tt.store %q, %y : !tt.ptr<f32, 3>
  mlt.barrier
  %z = tt.load %q : !tt.ptr<f32, 3>
  mlt.barrier
  tt.return %z : f32
}

// One buffer, written again: the readers must be done.
// CHECK-LABEL: @again
// CHECK-COUNT-3: mlt.barrier
// CHECK-NOT: mlt.barrier
// CHECK: tt.return
tt.func public @again(%x: f32) -> f32 {
  %p = mlt.alloc {shape = array<i64: 4>} : !tt.ptr<f32, 3>
  tt.store %p, %x : !tt.ptr<f32, 3>
  mlt.barrier
  %y = tt.load %p : !tt.ptr<f32, 3>
  mlt.barrier
  tt.store %p, %y : !tt.ptr<f32, 3>
  mlt.barrier
  %z = tt.load %p : !tt.ptr<f32, 3>
  mlt.barrier
  tt.return %z : f32
}

// In a loop with one buffer, the barrier behind the reads is for the writes of the
// next round.
// CHECK-LABEL: @one_buffer
// CHECK: scf.for
// CHECK: tt.store
// CHECK-NEXT: mlt.barrier
// CHECK-NEXT: tt.load
// CHECK-NEXT: mlt.barrier
tt.func public @one_buffer(%x: f32, %n: i32, %o: !tt.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %p = mlt.alloc {shape = array<i64: 4>} : !tt.ptr<f32, 3>
  scf.for %i = %c0 to %n step %c1 : i32 {
    tt.store %p, %x : !tt.ptr<f32, 3>
    mlt.barrier
    %y = tt.load %p : !tt.ptr<f32, 3>
    mlt.barrier
    tt.store %o, %y : !tt.ptr<f32>
  }
  tt.return
}

// With two, each is written behind the barrier of the other one.
// CHECK-LABEL: @two_buffers
// CHECK: scf.for
// CHECK: tt.store
// CHECK-NEXT: mlt.barrier
// CHECK-NEXT: tt.load
// CHECK-NEXT: tt.store
// CHECK-NEXT: mlt.barrier
// CHECK-NEXT: tt.load
// CHECK-NOT: mlt.barrier
// CHECK: tt.return
tt.func public @two_buffers(%x: f32, %n: i32, %o: !tt.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %p = mlt.alloc {shape = array<i64: 4>} : !tt.ptr<f32, 3>
  %q = mlt.alloc {shape = array<i64: 4>} : !tt.ptr<f32, 3>
  scf.for %i = %c0 to %n step %c1 : i32 {
    tt.store %p, %x : !tt.ptr<f32, 3>
    mlt.barrier
    %y = tt.load %p : !tt.ptr<f32, 3>
    mlt.barrier
    tt.store %q, %y : !tt.ptr<f32, 3>
    mlt.barrier
    %z = tt.load %q : !tt.ptr<f32, 3>
    mlt.barrier
    tt.store %o, %z : !tt.ptr<f32>
  }
  tt.return
}

// A barrier that a condition may pass by orders nothing for the other path.
// CHECK-LABEL: @condition
// CHECK: scf.if
// CHECK: mlt.barrier
// CHECK: tt.load
// CHECK: mlt.barrier
// CHECK-NEXT: tt.store
// CHECK-NEXT: mlt.barrier
// CHECK-NEXT: tt.load
// CHECK-NOT: mlt.barrier
// CHECK: tt.return
tt.func public @condition(%x: f32, %c: i1) -> f32 {
  %p = mlt.alloc {shape = array<i64: 4>} : !tt.ptr<f32, 3>
  scf.if %c {
    tt.store %p, %x : !tt.ptr<f32, 3>
    mlt.barrier
  }
  %y = tt.load %p : !tt.ptr<f32, 3>
  mlt.barrier
  tt.store %p, %y : !tt.ptr<f32, 3>
  mlt.barrier
  %z = tt.load %p : !tt.ptr<f32, 3>
  mlt.barrier
  tt.return %z : f32
}

// Nothing is known of an address that goes through a select: it may be any buffer.
// A barrier for global memory stays.
// CHECK-LABEL: @unknown
// CHECK: tt.store
// CHECK-NEXT: mlt.barrier
// CHECK-NEXT: arith.select
// CHECK-NEXT: tt.load
// CHECK-NEXT: tt.load
// CHECK-NEXT: mlt.barrier global
// CHECK-NEXT: tt.return
tt.func public @unknown(%x: f32, %c: i1) -> f32 {
  %p = mlt.alloc {shape = array<i64: 4>} : !tt.ptr<f32, 3>
  %q = mlt.alloc {shape = array<i64: 4>} : !tt.ptr<f32, 3>
  tt.store %p, %x : !tt.ptr<f32, 3>
  mlt.barrier
  %s = arith.select %c, %p, %q : !tt.ptr<f32, 3>
  %y = tt.load %s : !tt.ptr<f32, 3>
  %z = tt.load %p : !tt.ptr<f32, 3>
  mlt.barrier global
  tt.return %z : f32
}

// Blocks and branches: a loop without structure.
// CHECK-LABEL: @branches
// CHECK: tt.store
// CHECK-NEXT: mlt.barrier
// CHECK-NEXT: tt.load
// CHECK-NEXT: mlt.barrier
// CHECK-NEXT: cf.cond_br
tt.func public @branches(%x: f32, %c: i1) {
  %p = mlt.alloc {shape = array<i64: 4>} : !tt.ptr<f32, 3>
  cf.br ^loop
^loop:
  tt.store %p, %x : !tt.ptr<f32, 3>
  mlt.barrier
  %y = tt.load %p : !tt.ptr<f32, 3>
  mlt.barrier
  cf.cond_br %c, ^loop, ^end
^end:
  mlt.barrier
  tt.return
}

// Buffers that fit only because they share memory keep the barriers between them.
// CHECK-LABEL: @scarce
// CHECK-COUNT-2: mlt.barrier
tt.func public @scarce(%x: f32) {
  %p = mlt.alloc {shape = array<i64: 20000>} : !tt.ptr<f32, 3>
  tt.store %p, %x : !tt.ptr<f32, 3>
  mlt.barrier
  %y = tt.load %p : !tt.ptr<f32, 3>
  mlt.barrier
  %q = mlt.alloc {shape = array<i64: 20000>} : !tt.ptr<f32, 3>
  tt.store %q, %y : !tt.ptr<f32, 3>
  tt.return
}
