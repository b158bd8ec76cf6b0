// RUN: mlt-opt %s --split-input-file --convert-vc-to-raw-send | %filecheck %s

// The counter moves like the coordinate of the load: the loop ends by what the
// address was moved to. It runs once in any case after the test in front of it,
// so the end is one step before n, and never below the least number.

// CHECK-LABEL: llvm.func spir_kernelcc @counts
// CHECK-SAME: %[[N:[a-z0-9]+]]: i32)
// CHECK: %[[RUNS:.*]] = llvm.icmp "slt" %[[FROM:.*]], %[[N]] : i32
// CHECK: %[[LEAST:.*]] = llvm.mlir.constant(-2147483616 : i32) : i32
// CHECK: %[[MAX:.*]] = llvm.intr.smax(%[[N]], %[[LEAST]])
// CHECK: %[[END:.*]] = llvm.sub %[[MAX]], %{{.*}} : i32
// CHECK: llvm.cond_br %[[RUNS]], ^[[LOOP:bb[0-9]]](%[[START:.*]], %[[P0:.*]] : i32, vector<16xi32>), ^[[EXIT:bb[0-9]]](%[[START]] : i32)
// CHECK: ^[[LOOP]](%[[SUM:.*]]: i32, %[[P:.*]]: vector<16xi32>):
// CHECK: %[[X:.*]] = llvm.add %{{.*}}, %{{.*}} : i32
// CHECK: %[[Q:.*]] = llvm.insertelement %[[X]], %[[P]]
// CHECK: raw.send2
// CHECK: %[[NEXT:.*]] = llvm.call @use
// CHECK: %[[AGAIN:.*]] = llvm.icmp "slt" %[[X]], %[[END]] : i32
// CHECK: llvm.cond_br %[[AGAIN]], ^[[LOOP]](%[[NEXT]], %[[Q]] : i32, vector<16xi32>), ^[[EXIT]](%[[NEXT]] : i32)
// CHECK: ^[[EXIT]](%[[R:.*]]: i32):
// CHECK: llvm.call @keep(%[[R]])
llvm.func spir_funccc @llvm.genx.lsc.load2d.stateless.v512i32.v1i1.i64(vector<1xi1>, i8, i8, i8, i8, i8, i16, i16, i8, i64, i32, i32, i32, i32, i32) -> vector<512xi32>
llvm.func @use(vector<512xi32>, i32) -> i32
llvm.func @keep(i32)
llvm.func spir_kernelcc @counts(%base: i64, %w: i32, %h: i32, %p: i32, %from: i32, %y: i32, %n: i32) attributes {passthrough = ["VCFunction"]} {
  %t = llvm.mlir.constant(dense<true> : vector<1xi1>) : vector<1xi1>
  %df = llvm.mlir.constant(0 : i8) : i8
  %one = llvm.mlir.constant(1 : i8) : i8
  %two = llvm.mlir.constant(2 : i8) : i8
  %w16 = llvm.mlir.constant(16 : i16) : i16
  %h32 = llvm.mlir.constant(32 : i16) : i16
  %c32 = llvm.mlir.constant(32 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  llvm.br ^bb1(%from, %from, %zero : i32, i32, i32)
^bb1(%i: i32, %x: i32, %sum: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^bb2, ^bb3
^bb2:
  %d = llvm.call spir_funccc @llvm.genx.lsc.load2d.stateless.v512i32.v1i1.i64(%t, %df, %df, %two, %one, %two, %w16, %h32, %df, %base, %w, %h, %p, %x, %y) : (vector<1xi1>, i8, i8, i8, i8, i8, i16, i16, i8, i64, i32, i32, i32, i32, i32) -> vector<512xi32>
  %s = llvm.call @use(%d, %sum) : (vector<512xi32>, i32) -> i32
  %next = llvm.add %x, %c32 : i32
  %i1 = llvm.add %i, %c32 : i32
  llvm.br ^bb1(%i1, %next, %s : i32, i32, i32)
^bb3:
  llvm.call @keep(%sum) : (i32) -> ()
  llvm.return
}

// -----

// Unsigned: the least end is 0.

// CHECK-LABEL: llvm.func spir_kernelcc @unsigned
// CHECK: %[[LEAST:.*]] = llvm.mlir.constant(32 : i32) : i32
// CHECK: %[[MAX:.*]] = llvm.intr.umax(%{{.*}}, %[[LEAST]])
// CHECK: %[[END:.*]] = llvm.sub %[[MAX]], %{{.*}} : i32
// CHECK: llvm.icmp "ult" %{{.*}}, %[[END]] : i32

// The counter is for something else, too; it starts elsewhere; it counts down.

// CHECK-LABEL: llvm.func spir_kernelcc @used
// CHECK-NOT: llvm.intr.smax
// CHECK: ^bb1(%[[I:.*]]: i32, %{{.*}}: vector<16xi32>):
// CHECK-NEXT: llvm.icmp "slt" %[[I]]
// CHECK-LABEL: llvm.func spir_kernelcc @elsewhere
// CHECK-NOT: llvm.intr.smax
// CHECK: ^bb1(%[[I:.*]]: i32, %{{.*}}: vector<16xi32>):
// CHECK-NEXT: llvm.icmp "slt" %[[I]]
// CHECK-LABEL: llvm.func spir_kernelcc @down
// CHECK-NOT: llvm.intr.smax
// CHECK: ^bb1(%[[I:.*]]: i32, %{{.*}}: vector<16xi32>):
// CHECK-NEXT: llvm.icmp "slt" %[[I]]
llvm.func spir_funccc @llvm.genx.lsc.load2d.stateless.v512i32.v1i1.i64(vector<1xi1>, i8, i8, i8, i8, i8, i16, i16, i8, i64, i32, i32, i32, i32, i32) -> vector<512xi32>
llvm.func @use(vector<512xi32>)
llvm.func @count(i32)
llvm.func spir_kernelcc @unsigned(%base: i64, %w: i32, %h: i32, %p: i32, %x0: i32, %y: i32, %n: i32) attributes {passthrough = ["VCFunction"]} {
  %t = llvm.mlir.constant(dense<true> : vector<1xi1>) : vector<1xi1>
  %df = llvm.mlir.constant(0 : i8) : i8
  %one = llvm.mlir.constant(1 : i8) : i8
  %two = llvm.mlir.constant(2 : i8) : i8
  %w16 = llvm.mlir.constant(16 : i16) : i16
  %h32 = llvm.mlir.constant(32 : i16) : i16
  %c32 = llvm.mlir.constant(32 : i32) : i32
  llvm.br ^bb1(%x0, %x0 : i32, i32)
^bb1(%i: i32, %x: i32):
  %more = llvm.icmp "ult" %i, %n : i32
  llvm.cond_br %more, ^bb2, ^bb3
^bb2:
  %d = llvm.call spir_funccc @llvm.genx.lsc.load2d.stateless.v512i32.v1i1.i64(%t, %df, %df, %two, %one, %two, %w16, %h32, %df, %base, %w, %h, %p, %x, %y) : (vector<1xi1>, i8, i8, i8, i8, i8, i16, i16, i8, i64, i32, i32, i32, i32, i32) -> vector<512xi32>
  llvm.call @use(%d) : (vector<512xi32>) -> ()
  %next = llvm.add %x, %c32 : i32
  %i1 = llvm.add %i, %c32 : i32
  llvm.br ^bb1(%i1, %next : i32, i32)
^bb3:
  llvm.return
}
llvm.func spir_kernelcc @used(%base: i64, %w: i32, %h: i32, %p: i32, %x0: i32, %y: i32, %n: i32) attributes {passthrough = ["VCFunction"]} {
  %t = llvm.mlir.constant(dense<true> : vector<1xi1>) : vector<1xi1>
  %df = llvm.mlir.constant(0 : i8) : i8
  %one = llvm.mlir.constant(1 : i8) : i8
  %two = llvm.mlir.constant(2 : i8) : i8
  %w16 = llvm.mlir.constant(16 : i16) : i16
  %h32 = llvm.mlir.constant(32 : i16) : i16
  %c32 = llvm.mlir.constant(32 : i32) : i32
  llvm.br ^bb1(%x0, %x0 : i32, i32)
^bb1(%i: i32, %x: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^bb2, ^bb3
^bb2:
  %d = llvm.call spir_funccc @llvm.genx.lsc.load2d.stateless.v512i32.v1i1.i64(%t, %df, %df, %two, %one, %two, %w16, %h32, %df, %base, %w, %h, %p, %x, %y) : (vector<1xi1>, i8, i8, i8, i8, i8, i16, i16, i8, i64, i32, i32, i32, i32, i32) -> vector<512xi32>
  llvm.call @use(%d) : (vector<512xi32>) -> ()
  llvm.call @count(%i) : (i32) -> ()
  %next = llvm.add %x, %c32 : i32
  %i1 = llvm.add %i, %c32 : i32
  llvm.br ^bb1(%i1, %next : i32, i32)
^bb3:
  llvm.return
}
llvm.func spir_kernelcc @elsewhere(%base: i64, %w: i32, %h: i32, %p: i32, %x0: i32, %y: i32, %n: i32) attributes {passthrough = ["VCFunction"]} {
  %t = llvm.mlir.constant(dense<true> : vector<1xi1>) : vector<1xi1>
  %df = llvm.mlir.constant(0 : i8) : i8
  %one = llvm.mlir.constant(1 : i8) : i8
  %two = llvm.mlir.constant(2 : i8) : i8
  %w16 = llvm.mlir.constant(16 : i16) : i16
  %h32 = llvm.mlir.constant(32 : i16) : i16
  %c32 = llvm.mlir.constant(32 : i32) : i32
  llvm.br ^bb1(%y, %x0 : i32, i32)
^bb1(%i: i32, %x: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^bb2, ^bb3
^bb2:
  %d = llvm.call spir_funccc @llvm.genx.lsc.load2d.stateless.v512i32.v1i1.i64(%t, %df, %df, %two, %one, %two, %w16, %h32, %df, %base, %w, %h, %p, %x, %y) : (vector<1xi1>, i8, i8, i8, i8, i8, i16, i16, i8, i64, i32, i32, i32, i32, i32) -> vector<512xi32>
  llvm.call @use(%d) : (vector<512xi32>) -> ()
  %next = llvm.add %x, %c32 : i32
  %i1 = llvm.add %i, %c32 : i32
  llvm.br ^bb1(%i1, %next : i32, i32)
^bb3:
  llvm.return
}
llvm.func spir_kernelcc @down(%base: i64, %w: i32, %h: i32, %p: i32, %x0: i32, %y: i32, %n: i32) attributes {passthrough = ["VCFunction"]} {
  %t = llvm.mlir.constant(dense<true> : vector<1xi1>) : vector<1xi1>
  %df = llvm.mlir.constant(0 : i8) : i8
  %one = llvm.mlir.constant(1 : i8) : i8
  %two = llvm.mlir.constant(2 : i8) : i8
  %w16 = llvm.mlir.constant(16 : i16) : i16
  %h32 = llvm.mlir.constant(32 : i16) : i16
  %c32 = llvm.mlir.constant(-32 : i32) : i32
  llvm.br ^bb1(%x0, %x0 : i32, i32)
^bb1(%i: i32, %x: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^bb2, ^bb3
^bb2:
  %d = llvm.call spir_funccc @llvm.genx.lsc.load2d.stateless.v512i32.v1i1.i64(%t, %df, %df, %two, %one, %two, %w16, %h32, %df, %base, %w, %h, %p, %x, %y) : (vector<1xi1>, i8, i8, i8, i8, i8, i16, i16, i8, i64, i32, i32, i32, i32, i32) -> vector<512xi32>
  llvm.call @use(%d) : (vector<512xi32>) -> ()
  %next = llvm.add %x, %c32 : i32
  %i1 = llvm.add %i, %c32 : i32
  llvm.br ^bb1(%i1, %next : i32, i32)
^bb3:
  llvm.return
}
