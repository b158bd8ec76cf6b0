// RUN: rm -f %t.mid.mlir
// RUN: mlt-opt %s --pass-pipeline='builtin.module(mlt-write-ir{file=%t.mid.mlir},canonicalize)' -o %t.end.mlir
// RUN: %filecheck %s --check-prefix=MID < %t.mid.mlir
// RUN: %filecheck %s --check-prefix=END < %t.end.mlir
// RUN: mlt-opt %t.mid.mlir -o /dev/null
// RUN: not mlt-opt %s --mlt-write-ir 2>&1 | %filecheck %s --check-prefix=NOFILE
// RUN: not mlt-opt %s --mlt-write-ir=file=%t.none/x.mlir 2>&1 | %filecheck %s --check-prefix=BAD

// MID: arith.addi %{{.*}} loc(
// END-NOT: arith.addi
// NOFILE: expected option 'file' of 'mlt-write-ir'
// BAD: cannot write '{{.*}}x.mlir'

tt.func public @f(%p: !tt.ptr<i32>) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.addi %c1, %c1 : i32
  tt.store %p, %c2 : !tt.ptr<i32>
  tt.return
}
