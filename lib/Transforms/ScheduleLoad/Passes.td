//===- Passes.td - the order of loads and dots in loops -------*- tablegen -*-===//
#ifndef MLTC_TRANSFORMS_SCHEDULELOAD_PASSES_TD
#define MLTC_TRANSFORMS_SCHEDULELOAD_PASSES_TD

include "mlir/Pass/PassBase.td"

def ScheduleLoad : Pass<"schedule-load", "::mlir::ModuleOp"> {
  let summary = "orders the loads and dots of loops that need too many registers";
  let description = [{
    Works on pieces. Estimates how many registers are live at one time in the
    body of each loop, and where they are more than a thread has, takes these
    steps, one after the other, until they fit:

    1. Each load moves down to its first use, and what only computes its addresses
       down to the load.
    2. Dots of one product are ordered by the loads that they use, so that each
       loaded piece is used up before the next one is loaded, or by their place in
       the chain of an accumulator, whichever needs fewer registers.
    3. Operands that are loaded in front of the loop and used in it only are
       loaded again in each iteration, piece by piece, from the cache. What other
       warps store behind the loop waits for all of them, by a barrier.

    A loop that fits stays as it is: loads that are early hide their latency.

    Before:

    ```mlir
    %q0 = tt.load %pq0 : !tt.ptr<tensor<8x16xf16>>
    %q1 = tt.load %pq1 : !tt.ptr<tensor<8x16xf16>>
    scf.for ... {
      %k00 = tt.load %pk00 : !tt.ptr<tensor<16x16xf16, #mlt.operand<b>>>
      %k10 = tt.load %pk10 : !tt.ptr<tensor<16x16xf16, #mlt.operand<b>>>
      %k01 = tt.load %pk01 : !tt.ptr<tensor<16x16xf16, #mlt.operand<b>>>
      %k11 = tt.load %pk11 : !tt.ptr<tensor<16x16xf16, #mlt.operand<b>>>
      %s0 = tt.dot %q0, %k00, %zero
      %t0 = tt.dot %q1, %k10, %s0
      %s1 = tt.dot %q0, %k01, %zero
      %t1 = tt.dot %q1, %k11, %s1
    }
    ```

    After:

    ```mlir
    scf.for ... {
      %q0 = tt.load %pq0 : !tt.ptr<tensor<8x16xf16>>
      %k00 = tt.load %pk00 : !tt.ptr<tensor<16x16xf16, #mlt.operand<b>>>
      %s0 = tt.dot %q0, %k00, %zero
      %k01 = tt.load %pk01 : !tt.ptr<tensor<16x16xf16, #mlt.operand<b>>>
      %s1 = tt.dot %q0, %k01, %zero
      %q1 = tt.load %pq1 : !tt.ptr<tensor<8x16xf16>>
      %k10 = tt.load %pk10 : !tt.ptr<tensor<16x16xf16, #mlt.operand<b>>>
      %t0 = tt.dot %q1, %k10, %s0
      %k11 = tt.load %pk11 : !tt.ptr<tensor<16x16xf16, #mlt.operand<b>>>
      %t1 = tt.dot %q1, %k11, %s1
    }
    ```
  }];
  let options = [
    Option<"registers", "registers", "int64_t", "0",
           "registers that a loop may use, 0: as many as a thread of the target "
           "has with this number of warps, less what the compiler behind us uses">,
    Option<"style", "style", "std::string", "\"simt\"",
           "simt, lanes that share tiles, or simd, threads that hold whole ones">
  ];
  let statistics = [
    Statistic<"numSunk", "sunk", "loads moved down">,
    Statistic<"numOrdered", "ordered", "products whose dots were put in order">,
    Statistic<"numReloaded", "reloaded", "loads repeated in a loop">
  ];
  let dependentDialects = ["::mlir::mlt::MLTDialect"];
}

def DeferReduce : Pass<"defer-reduce", "::mlir::ModuleOp"> {
  let summary = "adds up the lanes of a sum behind the loop that carries it";
  let description = [{
    A loop that adds the sum over the columns of a tile to a carried value, scaled
    or not, as attention does with the denominator of its softmax, combines the
    lanes in each iteration. Instead the loop carries one sum per lane, and the
    lanes are combined once. Only the order of additions changes. Works on
    pieces, where the loop has registers for what is carried.

    Before:

    ```mlir
    %r = scf.for ... iter_args(%l = %l0) -> (tensor<16xf32>) {
      %s = "tt.reduce"(%x) <{axis = 1 : i32}> ({ addf }) : (tensor<16x16xf32>) -> tensor<16xf32>
      %m = arith.mulf %l, %alpha : tensor<16xf32>
      %n = arith.addf %m, %s : tensor<16xf32>
      scf.yield %n
    }
    ```

    After:

    ```mlir
    %c = scf.for ... iter_args(%l = %l0_by_16) -> (tensor<16x16xf32>) {
      %m = arith.mulf %l, %alpha_of_row : tensor<16x16xf32>
      %n = arith.addf %m, %x : tensor<16x16xf32>
      scf.yield %n
    }
    %r = "tt.reduce"(%c) <{axis = 1 : i32}> ({ addf }) : (tensor<16x16xf32>) -> tensor<16xf32>
    ```
  }];
  let options = [
    Option<"registers", "registers", "int64_t", "0",
           "as of schedule-load">,
    Option<"style", "style", "std::string", "\"simt\"",
           "as of schedule-load">
  ];
  let statistics = [
    Statistic<"numDeferred", "deferred", "sums moved behind their loop">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::mlt::MLTDialect"];
}

#endif // MLTC_TRANSFORMS_SCHEDULELOAD_PASSES_TD
