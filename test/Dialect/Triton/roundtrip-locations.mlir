// RUN: mlt-opt %s --mlir-print-debuginfo | %filecheck %s
// RUN: mlt-opt %s --mlir-print-debuginfo | mlt-opt --mlir-print-debuginfo | %filecheck %s
// RUN: mlt-opt %s --mlir-print-debuginfo --mlir-print-op-generic | mlt-opt --mlir-print-debuginfo | %filecheck %s
// RUN: mlt-opt %s --emit-bytecode | mlt-opt --mlir-print-debuginfo | %filecheck %s
// RUN: mlt-opt %s --mlir-print-debuginfo --mlir-use-nameloc-as-prefix | %filecheck %s --check-prefix=NAMED

// Locations of functions, arguments, region arguments and operations survive,
// also as a call chain and with names.

// CHECK: #[[FILE:.*]] = loc("kernel.py":3:1)
// CHECK: #[[LINE:.*]] = loc("kernel.py":5:9)
// CHECK: #[[LIB:.*]] = loc("standard.py":261:15)
// CHECK: #[[CHAIN:.*]] = loc(callsite(#[[LIB]] at #[[LINE]]))
// CHECK: tt.func public @kernel(%{{.*}}: !tt.ptr<f32> {tt.divisibility = 16 : i32} loc("x_ptr"(#[[FILE]])), %{{.*}}: tensor<16xf32> loc(unknown)) attributes {noinline = false} {
// NAMED: tt.func public @kernel(%x_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}
#file = loc("kernel.py":3:1)
#x = loc("x_ptr"(#file))
#line = loc("kernel.py":5:9)
#lib = loc("standard.py":261:15)
#chain = loc(callsite(#lib at #line))
module {
  tt.func public @kernel(%x_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32} loc(#x), %t: tensor<16xf32> loc(unknown)) attributes {noinline = false} {
    // CHECK: tt.get_program_id x : i32 loc(#[[PID:.*]])
    // NAMED: %pid = tt.get_program_id x : i32
    %pid = tt.get_program_id x : i32 loc("pid"("kernel.py":4:11))
    // CHECK: "tt.reduce"
    %s = "tt.reduce"(%t) <{axis = 0 : i32}> ({
    // CHECK: ^bb0(%{{.*}}: f32 loc(callsite(#[[LIB]] at #[[LINE]])), %{{.*}}: f32 loc("b")):
    ^bb0(%a: f32 loc(#chain), %b: f32 loc("b")):
      // CHECK: arith.addf %{{.*}} : f32 loc(#[[CHAIN]])
      %0 = arith.addf %a, %b : f32 loc(#chain)
      // CHECK: tt.reduce.return %{{.*}} : f32 loc(#[[CHAIN]])
      tt.reduce.return %0 : f32 loc(#chain)
    // CHECK: }) : (tensor<16xf32>) -> f32 loc(#[[LINE]])
    }) : (tensor<16xf32>) -> f32 loc(#line)
    tt.store %x_ptr, %s : !tt.ptr<f32> loc(#line)
    tt.return loc(#file)
  // CHECK: } loc(#[[FILE]])
  } loc(#file)
} loc(#file)
// CHECK: #[[PID]] = loc("pid"(#{{.*}}))
