// RUN: mlt-opt %s --convert-vc-to-raw-send | %filecheck %s --check-prefixes=CHECK,OWN
// RUN: mlt-opt %s --convert-vc-to-raw-send=registers=3 | %filecheck %s --check-prefixes=CHECK,SHARED
// RUN: mlt-opt %s --convert-vc-to-raw-send --emulate-intrinsics | %filecheck %s --check-prefix=CPU

llvm.func spir_funccc @llvm.genx.lsc.load2d.stateless.v512i32.v1i1.i64(vector<1xi1>, i8, i8, i8, i8, i8, i16, i16, i8, i64, i32, i32, i32, i32, i32) -> vector<512xi32>
llvm.func spir_funccc @llvm.genx.lsc.prefetch2d.stateless.v1i1.i64(vector<1xi1>, i8, i8, i8, i8, i8, i16, i16, i8, i64, i32, i32, i32, i32, i32)
llvm.func spir_funccc @llvm.genx.lsc.store2d.stateless.v1i1.i64.v128i32(vector<1xi1>, i8, i8, i8, i8, i8, i16, i16, i8, i64, i32, i32, i32, i32, i32, vector<128xi32>)
llvm.func @use(%d: vector<512xi32>) {
  llvm.return
}

// Payloads are made in front of the loop, one step back, and carried; they move
// before they are sent. The load moves by 32; the
// prefetch stands 8 ahead and counts in pairs, so it moves by 16. Nothing else
// needs the coordinate, which is carried no more. Descriptors: 32 registers of
// 16 bits; no register, cached.

// CHECK-LABEL: llvm.func spir_kernelcc @moves
// CHECK: llvm.br ^bb1(%{{.*}}, %[[P:.*]], %[[Q:.*]] : i32, vector<16xi32>, vector<16xi32>)
// CHECK: ^bb1(%{{.*}}: i32, %[[PL:.*]]: vector<16xi32>, %[[PF:.*]]: vector<16xi32>):
// CHECK: %[[X:.*]] = llvm.extractelement %[[PL]][%[[FIVE:.*]] : i32]
// CHECK: %[[MOVED:.*]] = llvm.add %[[X]],
// CHECK: %[[NEXT:.*]] = llvm.insertelement %[[MOVED]], %[[PL]][%[[FIVE]] : i32]
// CHECK: %[[LOAD:.*]] = llvm.mlir.constant(66060803 : i32)
// CHECK: llvm.call spir_funccc @llvm.genx.raw.send2.v512i32.i1.v16i32(%{{.*}}, %[[LOAD]], %[[NEXT]], %{{.*}})
// CHECK-NOT: lsc.
// CHECK: %[[FETCHED:.*]] = llvm.insertelement %{{.*}}, %[[PF]][%[[FIVE]] : i32]
// CHECK: %[[FETCH:.*]] = llvm.mlir.constant(34079235 : i32)
// CHECK: llvm.call spir_funccc @llvm.genx.raw.send2.noresult.i1.v16i32(%{{.*}}, %[[FETCH]], %[[FETCHED]])
// CHECK: llvm.br ^bb1(%{{.*}}, %[[NEXT]], %[[FETCHED]] : i32, vector<16xi32>, vector<16xi32>)

// What the payload says is what runs elsewhere; hints vanish.
// CPU-LABEL: llvm.func spir_kernelcc @moves
// CPU: llvm.call spir_funccc @mlt_block_read_16b_16r16x1_v128i32
// CPU-NOT: prefetch
// CPU: llvm.return
llvm.func spir_kernelcc @moves(%base: i64, %w: i32, %h: i32, %p: i32, %x0: i32, %y0: i32, %n: i32) attributes {passthrough = ["VCFunction"]} {
  %t = llvm.mlir.constant(dense<true> : vector<1xi1>) : vector<1xi1>
  %df = llvm.mlir.constant(0 : i8) : i8
  %one = llvm.mlir.constant(1 : i8) : i8
  %two = llvm.mlir.constant(2 : i8) : i8
  %three = llvm.mlir.constant(3 : i8) : i8
  %w16 = llvm.mlir.constant(16 : i16) : i16
  %h8 = llvm.mlir.constant(8 : i16) : i16
  %h32 = llvm.mlir.constant(32 : i16) : i16
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %c32 = llvm.mlir.constant(32 : i32) : i32
  llvm.br ^bb1(%c0, %x0 : i32, i32)
^bb1(%i: i32, %x: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^bb2, ^bb3
^bb2:
  %d = llvm.call spir_funccc @llvm.genx.lsc.load2d.stateless.v512i32.v1i1.i64(%t, %df, %df, %two, %one, %two, %w16, %h32, %df, %base, %w, %h, %p, %x, %y0) : (vector<1xi1>, i8, i8, i8, i8, i8, i16, i16, i8, i64, i32, i32, i32, i32, i32) -> vector<512xi32>
  llvm.call @use(%d) : (vector<512xi32>) -> ()
  %sum = llvm.add %x, %c8 : i32
  %half = llvm.ashr %sum, %c1 : i32
  llvm.call spir_funccc @llvm.genx.lsc.prefetch2d.stateless.v1i1.i64(%t, %two, %two, %two, %one, %two, %w16, %h8, %df, %base, %w, %h, %p, %half, %y0) : (vector<1xi1>, i8, i8, i8, i8, i8, i16, i16, i8, i64, i32, i32, i32, i32, i32) -> ()
  %next = llvm.add %x, %c32 : i32
  %i1 = llvm.add %i, %c1 : i32
  llvm.br ^bb1(%i1, %next : i32, i32)
^bb3:
  llvm.return
}

// A coordinate without even motion is written in each iteration, into the
// register that the loop carries.

// CHECK-LABEL: llvm.func spir_kernelcc @jumps
// CHECK: ^{{.*}}(%{{.*}}: i32, %{{.*}}: i32, %[[P:.*]]: vector<16xi32>):
// CHECK: %[[SQUARE:.*]] = llvm.mul
// CHECK: %[[NOW:.*]] = llvm.insertelement %[[SQUARE]], %[[P]][%{{.*}} : i32]
// CHECK: llvm.call spir_funccc @llvm.genx.raw.send2.v512i32.i1.v16i32({{.*}}, %[[NOW]], %{{.*}})
// CHECK: llvm.br ^{{.*}}(%{{.*}}, %{{.*}}, %[[NOW]] : i32, i32, vector<16xi32>)
llvm.func spir_kernelcc @jumps(%base: i64, %w: i32, %h: i32, %p: i32, %x0: i32, %y0: i32, %n: i32) attributes {passthrough = ["VCFunction"]} {
  %t = llvm.mlir.constant(dense<true> : vector<1xi1>) : vector<1xi1>
  %df = llvm.mlir.constant(0 : i8) : i8
  %one = llvm.mlir.constant(1 : i8) : i8
  %two = llvm.mlir.constant(2 : i8) : i8
  %three = llvm.mlir.constant(3 : i8) : i8
  %w16 = llvm.mlir.constant(16 : i16) : i16
  %h8 = llvm.mlir.constant(8 : i16) : i16
  %h32 = llvm.mlir.constant(32 : i16) : i16
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %c32 = llvm.mlir.constant(32 : i32) : i32
  llvm.br ^bb1(%c0, %x0 : i32, i32)
^bb1(%i: i32, %x: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^bb2, ^bb3
^bb2:
  %square = llvm.mul %x, %x : i32
  %d = llvm.call spir_funccc @llvm.genx.lsc.load2d.stateless.v512i32.v1i1.i64(%t, %df, %df, %two, %one, %two, %w16, %h32, %df, %base, %w, %h, %p, %square, %y0) : (vector<1xi1>, i8, i8, i8, i8, i8, i16, i16, i8, i64, i32, i32, i32, i32, i32) -> vector<512xi32>
  llvm.call @use(%d) : (vector<512xi32>) -> ()
  %next = llvm.add %x, %c32 : i32
  %i1 = llvm.add %i, %c1 : i32
  llvm.br ^bb1(%i1, %next : i32, i32)
^bb3:
  llvm.return
}

// Behind each other, the second message changes the register of the first.

// CHECK-LABEL: llvm.func spir_kernelcc @stores
// CHECK: %[[SEVEN:.*]] = llvm.mlir.constant(7 : i32)
// CHECK: %[[FIRST:.*]] = llvm.insertelement %{{.*}}, %{{.*}}[%[[SEVEN]] : i32]
// CHECK: %[[D:.*]] = llvm.mlir.constant(33555463 : i32)
// CHECK: llvm.call spir_funccc @llvm.genx.raw.sends2.noresult.i1.v16i32.v128i32({{.*}}, %[[D]], %[[FIRST]], %arg7)
// CHECK-NEXT: %[[SECOND:.*]] = llvm.insertelement %arg6, %[[FIRST]][%{{.*}} : i32]
// CHECK-NEXT: llvm.call spir_funccc @llvm.genx.raw.sends2.noresult.i1.v16i32.v128i32({{.*}}, %[[SECOND]], %arg7)
llvm.func spir_kernelcc @stores(%base: i64, %w: i32, %h: i32, %p: i32, %x0: i32, %y0: i32, %n: i32, %data: vector<128xi32>) attributes {passthrough = ["VCFunction"]} {
  %t = llvm.mlir.constant(dense<true> : vector<1xi1>) : vector<1xi1>
  %df = llvm.mlir.constant(0 : i8) : i8
  %one = llvm.mlir.constant(1 : i8) : i8
  %two = llvm.mlir.constant(2 : i8) : i8
  %three = llvm.mlir.constant(3 : i8) : i8
  %w16 = llvm.mlir.constant(16 : i16) : i16
  %h8 = llvm.mlir.constant(8 : i16) : i16
  %h32 = llvm.mlir.constant(32 : i16) : i16
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %c32 = llvm.mlir.constant(32 : i32) : i32
  llvm.call spir_funccc @llvm.genx.lsc.store2d.stateless.v1i1.i64.v128i32(%t, %df, %df, %three, %one, %one, %w16, %h8, %df, %base, %w, %h, %p, %x0, %y0, %data) : (vector<1xi1>, i8, i8, i8, i8, i8, i16, i16, i8, i64, i32, i32, i32, i32, i32, vector<128xi32>) -> ()
  llvm.call spir_funccc @llvm.genx.lsc.store2d.stateless.v1i1.i64.v128i32(%t, %df, %df, %three, %one, %one, %w16, %h8, %df, %base, %w, %h, %p, %x0, %n, %data) : (vector<1xi1>, i8, i8, i8, i8, i8, i16, i16, i8, i64, i32, i32, i32, i32, i32, vector<128xi32>) -> ()
  llvm.return
}

// Messages along a column, all moved by 64. With few registers one walks down
// and, with the step to the right, back up; two messages beside each other keep
// their own, since going back would cost as much. With more registers each
// message has its own.

// CHECK-LABEL: llvm.func spir_kernelcc @walks
// OWN: ^bb1(%{{[^:]*}}: i32, %{{[^:]*}}: vector<16xi32>, %{{[^:]*}}: vector<16xi32>, %{{[^:]*}}: vector<16xi32>, %{{[^:]*}}: vector<16xi32>, %{{[^:]*}}: vector<16xi32>, %{{[^:]*}}: vector<16xi32>):
// SHARED: ^bb1(%{{[^:]*}}: i32, %[[P:[^:]*]]: vector<16xi32>, %[[L:[^:]*]]: vector<16xi32>, %[[R:[^:]*]]: vector<16xi32>):
// SHARED: %[[X:.*]] = llvm.insertelement %{{.*}}, %[[P]][
// SHARED: %[[A:.*]] = llvm.insertelement %{{.*}}, %[[X]][
// SHARED: llvm.call spir_funccc @llvm.genx.raw.send2.v512i32.i1.v16i32(%{{.*}}, %{{.*}}, %[[A]], %{{.*}})
// SHARED: %[[B:.*]] = llvm.insertelement %{{.*}}, %[[A]][
// SHARED: llvm.call spir_funccc @llvm.genx.raw.send2.v512i32.i1.v16i32(%{{.*}}, %{{.*}}, %[[B]], %{{.*}})
// SHARED: %[[C:.*]] = llvm.insertelement %{{.*}}, %[[B]][
// SHARED: llvm.call spir_funccc @llvm.genx.raw.send2.v512i32.i1.v16i32(%{{.*}}, %{{.*}}, %[[C]], %{{.*}})
// SHARED: %[[D:.*]] = llvm.insertelement %{{.*}}, %[[C]][
// SHARED: llvm.call spir_funccc @llvm.genx.raw.send2.v512i32.i1.v16i32(%{{.*}}, %{{.*}}, %[[D]], %{{.*}})
// SHARED: %[[LN:.*]] = llvm.insertelement %{{.*}}, %[[L]][
// SHARED: llvm.call spir_funccc @llvm.genx.raw.send2.v512i32.i1.v16i32(%{{.*}}, %{{.*}}, %[[LN]], %{{.*}})
// SHARED: %[[RN:.*]] = llvm.insertelement %{{.*}}, %[[R]][
// SHARED: llvm.call spir_funccc @llvm.genx.raw.send2.v512i32.i1.v16i32(%{{.*}}, %{{.*}}, %[[RN]], %{{.*}})
// SHARED: llvm.br ^bb1(%{{.*}}, %[[D]], %[[LN]], %[[RN]] : i32, vector<16xi32>, vector<16xi32>, vector<16xi32>)
llvm.func spir_kernelcc @walks(%base: i64, %other: i64, %w: i32, %h: i32, %p: i32, %x0: i32, %y0: i32, %n: i32) attributes {passthrough = ["VCFunction"]} {
  %t = llvm.mlir.constant(dense<true> : vector<1xi1>) : vector<1xi1>
  %df = llvm.mlir.constant(0 : i8) : i8
  %one = llvm.mlir.constant(1 : i8) : i8
  %two = llvm.mlir.constant(2 : i8) : i8
  %three = llvm.mlir.constant(3 : i8) : i8
  %w16 = llvm.mlir.constant(16 : i16) : i16
  %h8 = llvm.mlir.constant(8 : i16) : i16
  %h32 = llvm.mlir.constant(32 : i16) : i16
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %c32 = llvm.mlir.constant(32 : i32) : i32
  %c64 = llvm.mlir.constant(64 : i32) : i32
  %x1 = llvm.add %x0, %c32 : i32
  %y1 = llvm.add %y0, %c32 : i32
  %y2 = llvm.add %y1, %c32 : i32
  %y3 = llvm.add %y2, %c32 : i32
  llvm.br ^bb1(%c0, %x0, %y0 : i32, i32, i32)
^bb1(%i: i32, %x: i32, %y: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^bb2, ^bb3
^bb2:
  %d0 = llvm.call spir_funccc @llvm.genx.lsc.load2d.stateless.v512i32.v1i1.i64(%t, %df, %df, %two, %one, %two, %w16, %h32, %df, %base, %w, %h, %p, %x, %y0) : (vector<1xi1>, i8, i8, i8, i8, i8, i16, i16, i8, i64, i32, i32, i32, i32, i32) -> vector<512xi32>
  llvm.call @use(%d0) : (vector<512xi32>) -> ()
  %d1 = llvm.call spir_funccc @llvm.genx.lsc.load2d.stateless.v512i32.v1i1.i64(%t, %df, %df, %two, %one, %two, %w16, %h32, %df, %base, %w, %h, %p, %x, %y1) : (vector<1xi1>, i8, i8, i8, i8, i8, i16, i16, i8, i64, i32, i32, i32, i32, i32) -> vector<512xi32>
  llvm.call @use(%d1) : (vector<512xi32>) -> ()
  %d2 = llvm.call spir_funccc @llvm.genx.lsc.load2d.stateless.v512i32.v1i1.i64(%t, %df, %df, %two, %one, %two, %w16, %h32, %df, %base, %w, %h, %p, %x, %y2) : (vector<1xi1>, i8, i8, i8, i8, i8, i16, i16, i8, i64, i32, i32, i32, i32, i32) -> vector<512xi32>
  llvm.call @use(%d2) : (vector<512xi32>) -> ()
  %d3 = llvm.call spir_funccc @llvm.genx.lsc.load2d.stateless.v512i32.v1i1.i64(%t, %df, %df, %two, %one, %two, %w16, %h32, %df, %base, %w, %h, %p, %x, %y3) : (vector<1xi1>, i8, i8, i8, i8, i8, i16, i16, i8, i64, i32, i32, i32, i32, i32) -> vector<512xi32>
  llvm.call @use(%d3) : (vector<512xi32>) -> ()
  %d5 = llvm.call spir_funccc @llvm.genx.lsc.load2d.stateless.v512i32.v1i1.i64(%t, %df, %df, %two, %one, %two, %w16, %h32, %df, %other, %w, %h, %p, %x0, %y) : (vector<1xi1>, i8, i8, i8, i8, i8, i16, i16, i8, i64, i32, i32, i32, i32, i32) -> vector<512xi32>
  llvm.call @use(%d5) : (vector<512xi32>) -> ()
  %d6 = llvm.call spir_funccc @llvm.genx.lsc.load2d.stateless.v512i32.v1i1.i64(%t, %df, %df, %two, %one, %two, %w16, %h32, %df, %other, %w, %h, %p, %x1, %y) : (vector<1xi1>, i8, i8, i8, i8, i8, i16, i16, i8, i64, i32, i32, i32, i32, i32) -> vector<512xi32>
  llvm.call @use(%d6) : (vector<512xi32>) -> ()
  %next = llvm.add %x, %c64 : i32
  %below = llvm.add %y, %c32 : i32
  %i1 = llvm.add %i, %c1 : i32
  llvm.br ^bb1(%i1, %next, %below : i32, i32, i32)
^bb3:
  llvm.return
}
