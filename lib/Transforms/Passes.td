//===- Passes.td - passes that stay in the tt and mlt dialects -*- tablegen -*-===//
#ifndef MLTC_TRANSFORMS_PASSES_TD
#define MLTC_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def LegalizeTriton : Pass<"legalize-triton", "::mlir::ModuleOp"> {
  let summary = "writes operations for other devices and hosts with known ones";
  let description = [{
    Functions of other devices' math libraries (`__nv_*`, `__ocml_*`, `__imf_*`)
    become operations of math and arith or, where there is none, calls of the
    OpenCL function that computes the same; the others are refused by name.
    `tt.map_elementwise` becomes the same code on tensors, with selects in the
    place of branches. Atomic loads and stores become atomic updates. `tt.print`
    and `tt.assert` are left out with a warning: kernels have no channel back to
    the host.

    The blocks of a function that no jump leads back to become structured
    branches: what follows an early return is under one condition.

    What no level below can do is refused here: recursion, kernels with tensors as
    arguments, tensors of rank 0, `tt.atomic_poll`, inline assembly.

    Before:

    ```mlir
    %y = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__nv_sinf"} : (tensor<64xf32>) -> tensor<64xf32>
    %z = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__nv_lgammaf"} : (tensor<64xf32>) -> tensor<64xf32>
    ```

    After:

    ```mlir
    %y = math.sin %x : tensor<64xf32>
    %z = tt.extern_elementwise %x {libname = "opencl", libpath = "", pure = true, symbol = "lgamma"} : (tensor<64xf32>) -> tensor<64xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::mlt::MLTDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::ub::UBDialect",
                           "::mlir::tt::TritonDialect"];
}

def LegalizeDot : Pass<"legalize-dot", "::mlir::ModuleOp"> {
  let summary = "brings dots to types and sizes that the target has";
  let description = [{
    Works on workgroup tiles, before layouts are chosen. Operands of 8-bit floats
    become f16, block-scaled operands (`tt.dot_scaled`) scaled bf16, or tf32 when one
    operand is f16, operands of two types their common wider type. `tf32x3`, `bf16x3`
    and `bf16x6` become several dots of parts of the operands. What no dot
    instruction does then (f32 with `ieee`, f64, fewer columns than the
    instruction has, less depth) becomes a dot of f32, f64 or i32, which is
    lowered to multiplications and additions.

    Before:

    ```mlir
    %d = tt.dot %a, %b, %c : tensor<64x32xf8E5M2> * tensor<32x64xf8E5M2> -> tensor<64x64xf32>
    ```

    After:

    ```mlir
    %x = tt.fp_to_fp %a : tensor<64x32xf8E5M2> -> tensor<64x32xf16>
    %y = tt.fp_to_fp %b : tensor<32x64xf8E5M2> -> tensor<32x64xf16>
    %d = tt.dot %x, %y, %c : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    ```
  }];
  let statistics = [
    Statistic<"numInstructions", "instructions",
              "dots of the target's instruction">,
    Statistic<"numMultiplyAdd", "multiply-add",
              "dots by multiplications and additions">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::mlt::MLTDialect",
                           "::mlir::tt::TritonDialect"];
}

def ExpandExchange : Pass<"expand-exchange", "::mlir::ModuleOp"> {
  let summary = "writes gathers, scans and histograms as accesses to SLM";
  let description = [{
    `tt.gather`, `tt.scan` (any axis, operands and elementwise region, also
    reversed) and `tt.histogram` combine elements from any places of a tile. They
    become stores and loads of shared local memory with barriers between them,
    before layouts are chosen. A scan of more than 16 elements is cut into
    segments of 16, which loops go through side by side, one element of each at a
    time. `gpu.barrier` and `ttg.barrier` become a barrier that orders global
    memory as well.

    Before:

    ```mlir
    %r = tt.gather %x[%i] {axis = 0 : i32} : (tensor<128xf32>, tensor<64xi32>) -> tensor<64xf32>
    ```

    After:

    ```mlir
    %p = mlt.alloc {shape = array<i64: 128>} : !tt.ptr<f32, 3>
    tt.store %places, %x : tensor<128x!tt.ptr<f32, 3>>
    mlt.barrier
    %r = tt.load %chosen : tensor<64x!tt.ptr<f32, 3>>
    mlt.barrier
    ```
  }];
  let statistics = [
    Statistic<"numExpanded", "expanded", "operations expanded">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::mlt::MLTDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tt::TritonDialect"];
}

def PrefetchBlock : Pass<"prefetch-block", "::mlir::ModuleOp"> {
  let summary = "prefetches the blocks that a loop loads for its dots";
  let description = [{
    Works on workgroup tiles with layouts. A block that an `scf.for` loads and
    that reaches a dot in the loop is prefetched `distance` iterations ahead
    through a block pointer of its own. The layout of that pointer splits the
    tile into one slice per warp, each a cache line wide, so that the warps of a
    workgroup fetch every line once, where the dot operand itself is held by
    several warps. Tiles with fewer lines than warps are fetched by several.
    Two blocks of a loop whose slices have one shape then are left to half of
    the warps each, where one message fetches twice the lines (`part 0 of 2`);
    `join-prefetch` makes one prefetch of them.

    The pointer may be carried and advanced, made anew in each iteration, or come
    from an earlier or an outer loop: what counts is that its offsets are linear
    in the iteration. A warp's only message stands at the top of the loop, several
    at its end. The last iterations fetch beyond the loop; blocks outside of the
    tensor are skipped by the hardware.

    Before (32 warps, `#dot0` of sizePerWarp [32, 64], warpsPerCTA [8, 4]):

    ```mlir
    %r:2 = scf.for %k = %c0 to %K step %c32 iter_args(%p = %pa, %acc = %zero) {
      %a = tt.load %p : !tt.ptr<tensor<256x32xf16, #dot0>>
      %d = tt.dot %a, %b, %acc
      %n = tt.advance %p, [%c0, %c32]
      scf.yield %n, %d
    }
    ```

    After (distance 1), with `#fetch` = sizePerWarp [8, 32], warpsPerCTA [32, 1]:

    ```mlir
    %f = tt.make_tensor_ptr %base, [%m, %k], [%s, %c1], [%x, %c0] : <tensor<256x32xf16, #fetch>>
    mlt.prefetch %f : !tt.ptr<tensor<256x32xf16, #fetch>>
    %g = tt.advance %f, [%c0, %c32]
    %r:3 = scf.for %k = %c0 to %K step %c32 iter_args(%p = %pa, %acc = %zero, %q = %g) {
      mlt.prefetch %q : !tt.ptr<tensor<256x32xf16, #fetch>>
      %a = tt.load %p : !tt.ptr<tensor<256x32xf16, #dot0>>
      %d = tt.dot %a, %b, %acc
      %n = tt.advance %p, [%c0, %c32]
      %h = tt.advance %q, [%c0, %c32]
      scf.yield %n, %d, %h
    }
    ```
  }];
  let options = [
    Option<"distance", "distance", "int64_t", "2",
           "iterations between a prefetch and the load, 0: no prefetch">
  ];
  let statistics = [
    Statistic<"numPrefetched", "prefetched", "blocks prefetched in loops">,
    Statistic<"numShared", "shared", "prefetches of the kernel that warps share">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::mlt::MLTDialect",
                           "::mlir::tt::TritonDialect",
                           "::mlir::ttg::TritonGPUDialect"];
}

def JoinPrefetch : Pass<"join-prefetch", "::mlir::ModuleOp"> {
  let summary = "makes one prefetch of those that ranges of the warps do";
  let description = [{
    `prefetch-block` leaves a block to a range of the warps where two blocks
    have slices of one shape. This pass lets each warp choose the pointer of its
    range and prefetch once. Pointers of one type whose tensors have one order
    are joined; a part whose others are missing stays, and all warps do it.

    Runs on pieces, behind `assign-operand-layout`.

    Before (32 warps):

    ```mlir
    mlt.prefetch %p part 0 of 2 : !tt.ptr<tensor<16x32xf16>>
    mlt.prefetch %q part 1 of 2 : !tt.ptr<tensor<16x32xf16>>
    ```

    After:

    ```mlir
    %w = mlt.warp_id : i32
    %c = arith.cmpi uge, %w, %c16_i32 : i32
    ...
    %r = arith.select %c, %q, %p : !tt.ptr<tensor<16x32xf16>>
    mlt.prefetch %r : !tt.ptr<tensor<16x32xf16>>
    ```
  }];
  let statistics = [
    Statistic<"numJoined", "joined", "prefetches made of several">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::mlt::MLTDialect"];
}

def DistributeToWarps : Pass<"distribute-to-warps", "::mlir::ModuleOp"> {
  let summary = "reduces workgroup tiles to the part that one warp owns";
  let description = [{
    Every tensor type with a `#ttg` encoding becomes the tensor that one warp
    owns, without encoding (the paper, section 2.2). Offsets of block pointers
    and ranges become functions of `mlt.warp_id`; warp coordinates are computed
    once per function, in the root encoding, row-major over `warpsPerCTA`.
    Side effects of values that several warps hold are predicated on the owner,
    the warp whose coordinate is 0 along every replicated dimension; the result of
    an atomic, if used, reaches the others through shared local memory.

    Before (32 warps, `#blocked` = sizePerWarp [32, 64], warpsPerCTA [8, 4]):

    ```mlir
    %p = tt.make_tensor_ptr %a, [%m, %k], [%s, %c1], [%x, %c0] {order = array<i32: 1, 0>} : <tensor<256x32xf16, #dot0>>
    %t = tt.load %p : !tt.ptr<tensor<256x32xf16, #dot0>>
    %d = tt.dot %t, %u, %c : tensor<256x32xf16, #dot0> * tensor<32x256xf16, #dot1> -> tensor<256x256xf32, #blocked>
    ```

    After:

    ```mlir
    %w = mlt.warp_id : i32
    %row = arith.divui %w, %c4_i32 : i32
    %o = arith.muli %row, %c32_i32 : i32
    %y = arith.addi %x, %o : i32
    %p = tt.make_tensor_ptr %a, [%m, %k], [%s, %c1], [%y, %c0] {order = array<i32: 1, 0>} : <tensor<32x32xf16>>
    %t = tt.load %p : !tt.ptr<tensor<32x32xf16>>
    %d = tt.dot %t, %u, %c : tensor<32x32xf16> * tensor<32x64xf16> -> tensor<32x64xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::mlt::MLTDialect"];
  let statistics = [
    Statistic<"numPredicated", "predicated-effects",
              "side effects predicated on the owner">
  ];
}

def LowerCrossWarpReduce : Pass<"lower-cross-warp-reduce", "::mlir::ModuleOp"> {
  let summary = "combines values of several warps through shared local memory";
  let description = [{
    Each warp of a group writes its value of a `mlt.cross_warp_reduce` to shared
    local memory and waits. What follows depends on the size of the value, and is
    what takes the fewest messages:

    * a scalar: every warp reads those of its group as one tensor and reduces it;
    * a small tensor: every warp reads those of its group and combines them. With
      many warps this is done in steps, a tree whose nodes combine a few warps
      each, the ids of which are `stride` apart;
    * a tensor that can be split over the warps: every warp combines one share of
      all tensors and writes it back; behind another barrier the results are read.

    Where only `dst_warps` use the result, the others skip the last reads. A
    barrier behind the reads keeps the next use of the buffer from overtaking slow
    readers; `--remove-redundant-barriers` takes those away that nothing needs.
    Needs the module attribute `ttg.num-warps`.

    Before:

    ```mlir
    %r = mlt.cross_warp_reduce %x size 4 stride 1 { ... } : (f32) -> f32
    ```

    After:

    ```mlir
    %p = mlt.alloc {shape = array<i64: 4>} : !tt.ptr<f32, 3>
    tt.store %slot, %x : !tt.ptr<f32, 3>
    mlt.barrier
    %all = tt.load %slots : tensor<4x!tt.ptr<f32, 3>>
    %r = "tt.reduce"(%all) <{axis = 0 : i32}> ({ ... }) : (tensor<4xf32>) -> f32
    mlt.barrier
    ```
  }];
  let statistics = [
    Statistic<"numLowered", "lowered", "reductions across warps">,
    Statistic<"numSteps", "steps", "steps of trees over warps">,
    Statistic<"numShared", "shared", "reductions whose work the warps share">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::mlt::MLTDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::ub::UBDialect"];
}

def RemoveRedundantBarriers
    : Pass<"remove-redundant-barriers", "::mlir::ModuleOp"> {
  let summary = "removes barriers that order nothing";
  let description = [{
    Every exchange through shared local memory brings its own barriers, because it
    knows nothing of its neighbours. A barrier stays if some access that may come
    before it and one that may come behind it, each without another barrier
    between, use one buffer and one of them writes; also around loops and through
    conditions. Barriers that order global memory stay, and so does every barrier
    of a kernel whose buffers fit only because some share memory behind barriers.

    Before:

    ```mlir
    tt.store %p, %x : !tt.ptr<f32, 3>
    mlt.barrier
    %y = tt.load %p : !tt.ptr<f32, 3>
    mlt.barrier
    tt.store %q, %y : !tt.ptr<f32, 3>
    mlt.barrier
    %z = tt.load %q : !tt.ptr<f32, 3>
    mlt.barrier
    ```

    After:

    ```mlir
    tt.store %p, %x : !tt.ptr<f32, 3>
    mlt.barrier
    %y = tt.load %p : !tt.ptr<f32, 3>
    tt.store %q, %y : !tt.ptr<f32, 3>
    mlt.barrier
    %z = tt.load %q : !tt.ptr<f32, 3>
    ```
  }];
  let statistics = [
    Statistic<"numRemoved", "removed", "barriers removed">,
    Statistic<"numKept", "kept", "barriers that stay">
  ];
}

def MatchTargetSize : Pass<"match-target-size", "::mlir::ModuleOp"> {
  let summary = "splits warp tiles into pieces that one instruction handles";
  let description = [{
    Splits every tile into pieces of the target's sizes (the paper, section
    2.3). The sizes follow from the operation, the element type and the role of
    a value (operand A or B of a dot, accumulator, stored tile), and come from
    the target description; the options below lower them. Values in loops are
    carried in pieces, so that no `mlt.glue` stays in a loop.

    Before:

    ```mlir
    %a = tt.load %pa : !tt.ptr<tensor<32x32xf16>>
    %b = tt.load %pb : !tt.ptr<tensor<32x64xf16>>
    %d = tt.dot %a, %b, %c : tensor<32x32xf16> * tensor<32x64xf16> -> tensor<32x64xf32>
    ```

    After (one of 32 dots):

    ```mlir
    %a = tt.load %pa : !tt.ptr<tensor<32x32xf16>>
    %b0 = tt.load %pb0 : !tt.ptr<tensor<32x32xf16>>
    %b1 = tt.load %pb1 : !tt.ptr<tensor<32x32xf16>>
    %a00 = mlt.extract %a[0, 0] : tensor<32x32xf16> to tensor<8x16xf16>
    %b00 = mlt.extract %b0[0, 0] : tensor<32x32xf16> to tensor<16x16xf16>
    %d00 = tt.dot %a00, %b00, %c00 : tensor<8x16xf16> * tensor<16x16xf16> -> tensor<8x16xf32>
    ```
  }];
  let options = [
    ListOption<"maxLoadSize", "max-load-size", "int64_t",
               "largest block load, rows,columns in elements (default: the target's)">,
    ListOption<"maxStoreSize", "max-store-size", "int64_t",
               "largest block store, rows,columns in elements (default: the target's)">,
    ListOption<"maxDotSize", "max-dot-size", "int64_t",
               "largest dot, m,n,k in elements (default: the target's)">,
    Option<"style", "style", "std::string", "\"simt\"",
           "simt, lanes that share tiles, or simd, threads that hold whole ones">
  ];
  let statistics = [
    Statistic<"numDots", "dots", "dots after splitting">,
    Statistic<"numBlockLoads", "block-loads", "block loads after splitting">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::mlt::MLTDialect"];
}

def AssignOperandLayout : Pass<"assign-operand-layout", "::mlir::ModuleOp"> {
  let summary = "gives dot operands the register image that the dot wants";
  let description = [{
    Operand B (8 and 16 bits) and operand A (8 bits, tf32) do not have the plain
    tile layout in registers. Where such an operand comes from block loads that
    feed nothing else, through extracts, glues, elementwise operations and
    loops, the loads and everything between get the encoding `#mlt.operand`;
    elsewhere an explicit `mlt.convert_operand` is inserted before the dot. A block
    of 16 bits that is read by columns for another use than operand B comes in the
    image of that, the only one such a message gives, and is taken apart behind it.

    ```mlir
    %b = tt.load %p : !tt.ptr<tensor<32x32xf16>> -> tensor<32x32xf16, #mlt.operand<b>>
    %b00 = mlt.extract %b[0, 0] : tensor<32x32xf16, #mlt.operand<b>> to tensor<16x16xf16, #mlt.operand<b>>
    ```
  }];
  let statistics = [
    Statistic<"numConversions", "conversions",
              "operands that needed a conversion in registers">
  ];
  let dependentDialects = ["::mlir::mlt::MLTDialect"];
}

def WriteIR : Pass<"mlt-write-ir", "::mlir::ModuleOp"> {
  let summary = "writes the module as it stands to a file";
  let description = [{
    A snapshot in the middle of a pipeline, with locations, in a form that can
    be fed back. Written to a temporary file and renamed, so that a reader never
    sees half of it. The module is unchanged.
  }];
  let options = [
    Option<"file", "file", "std::string", "", "path to write to">
  ];
}

#endif // MLTC_TRANSFORMS_PASSES_TD
