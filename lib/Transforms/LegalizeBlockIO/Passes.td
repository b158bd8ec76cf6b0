//===- Passes.td - block accesses that hardware can do --------*- tablegen -*-===//
#ifndef MLTC_TRANSFORMS_LEGALIZEBLOCKIO_PASSES_TD
#define MLTC_TRANSFORMS_LEGALIZEBLOCKIO_PASSES_TD

include "mlir/Pass/PassBase.td"

def LegalizeBlockIO : Pass<"legalize-block-io", "::mlir::ModuleOp"> {
  let summary = "keeps block pointers only where 2-D block messages are legal";
  let description = [{
    Decides for every load, store and prefetch through a block pointer whether the
    target's 2-D block messages can do it. Runs on warp tiles, behind
    `distribute-to-warps`.

    A legal access stays. What it relies on and cannot be proven are conditions
    on kernel arguments. A function that returns nothing and has one block
    branches on them, to its body or to a copy of it in which the accesses that
    need them are no block messages. With `versions=never`, with
    `versions=raised` where no pointer was raised, and in other functions, they
    are recorded in the attribute `mlt.preconditions`, as dictionaries that the
    runtime checks at launch:

    ```mlir
    {kind = "block_2d", access = "load", base = 0 : i32, elem_bytes = 2 : i32,
     width = {arg = 5 : i32}, height = {arg = 3 : i32}, pitch = {arg = 6 : i32},
     loc = "kernel.py:85:29"}
    ```

    Width and pitch are in elements. `base` is missing where the base is not a
    kernel argument as it stands; then the lowering compensates the lower 6 bits
    of the address. Other entries have the kinds `base_alignment` and `expr`.
    With two versions, entries of kind `array` are left: an array has to be as
    large as the kernel is told, unless its size was read out of accesses
    (`mlt.raised`, which is removed).

    An illegal access gets a remark (topic `block-io`) that says which condition
    failed. Where the tile fits the messages and its rows are contiguous, only
    their place being wrong, it is marked to be done row by row (`mlt.row_dim`,
    the contiguous dimension; see `expand-row-access`), and so is every other
    access through its pointer. Matrices of a plain product are not: its operands
    and accumulators leave no registers for that. Anything else becomes a tensor
    of pointers with a mask; block pointers that such accesses use are taken
    apart into scalars, also where loops carry them. An illegal prefetch is
    dropped.

    A load that is no block message and whose tile several warps hold
    (`mlt.warp_tiles`, which is removed) is shared where all warps get to it:
    each of them loads some rows, by rows or elements, and stores them to shared
    local memory, from which all load the tile. It lies there as the messages for
    consecutive elements want it (`mlt.row_block`, `mlt.row_pack`). Loads with
    nothing but reads between them have one pair of barriers. A workgroup
    takes no more memory for it than leaves room for all the warps that there
    are registers for.

    Before (no stride is known to be 1):

    ```mlir
    %p = tt.make_tensor_ptr %a, [%m, %k], [%s, %u], [%x, %y] {order = array<i32: 1, 0>} : <tensor<8x16xf16>>
    %t = tt.load %p {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<8x16xf16>>
    ```

    After:

    ```mlir
    %ptrs = tt.addptr %start, %inner : tensor<8x16x!tt.ptr<f16>>, tensor<8x16xi64>
    %t = tt.load %ptrs, %inside, %zeros : tensor<8x16x!tt.ptr<f16>>
    ```
  }];
  let options = [
    Option<"versions", "versions", "::mlir::mlt::VersionPolicy",
           "::mlir::mlt::VersionPolicy::Always",
           "which functions get a version for all other launches",
           [{::llvm::cl::values(
             clEnumValN(::mlir::mlt::VersionPolicy::Always, "always",
                        "all that need one"),
             clEnumValN(::mlir::mlt::VersionPolicy::Raised, "raised",
                        "those that were written with pointers"),
             clEnumValN(::mlir::mlt::VersionPolicy::Never, "never",
                        "none: what is not known is a precondition"))}]>
  ];
  let statistics = [
    Statistic<"numLegal", "legal", "accesses that stay block messages">,
    Statistic<"numRows", "by-rows", "accesses done row by row">,
    Statistic<"numShared", "shared", "loads that warps share">,
    Statistic<"numElements", "by-elements", "accesses turned into pointers">,
    Statistic<"numPreconditions", "preconditions", "launch preconditions">,
    Statistic<"numVersioned", "versioned", "functions with a second version">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tt::TritonDialect"];
}

def ExpandRowAccess : Pass<"expand-row-access", "::mlir::ModuleOp"> {
  let summary = "writes accesses that are done row by row";
  let description = [{
    Loads and stores through block pointers that `legalize-block-io` has marked
    (`mlt.row_dim`) are served by messages for rows, which have no bounds, and
    want to begin at a multiple of some bytes. Both are looked at once per piece;
    elements with an address and a mask each are the other branch. What is known
    needs no branch. The block pointers are taken apart into scalars.

    Runs on pieces, behind everything that moves loads, so that until here such
    an access is one operation.

    Before:

    ```mlir
    %t = tt.load %p {boundaryCheck = array<i32: 0>, mlt.row_dim = 1 : i32} : !tt.ptr<tensor<32x16xf16>>
    ```

    After:

    ```mlir
    %t = scf.if %inside_and_aligned -> (tensor<32x16xf16>) {
      %rows = mlt.load_rows %start pitch %s : !tt.ptr<f16> -> tensor<32x16xf16>
      scf.yield %rows : tensor<32x16xf16>
    } else {
      %elements = tt.load %ptrs, %mask, %zeros : tensor<32x16x!tt.ptr<f16>>
      scf.yield %elements : tensor<32x16xf16>
    }
    ```
  }];
  let statistics = [
    Statistic<"numExpanded", "expanded", "accesses that are messages for rows now">,
    Statistic<"numBranches", "branches", "accesses with another form beside it">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::mlt::MLTDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tt::TritonDialect"];
}

def UnbatchBlocks : Pass<"unbatch-blocks", "::mlir::ModuleOp"> {
  let summary = "makes matrices of blocks and dots with leading dimensions";
  let description = [{
    Block messages move matrices, and instructions multiply them. Works on warp
    tiles: a block pointer of more than two dimensions becomes one pointer per
    matrix of its block (the last two dimensions with more than one element),
    whose base is that of the matrix; a dot with a batch becomes a dot per
    matrix. Accesses load, store or prefetch matrix by matrix.

    Where a leading dimension is checked, a matrix outside of it has its rows
    behind the last one. Block pointers that are advanced along a leading
    dimension, or whose accesses check different ones, stay as they are, with a
    remark (topic `block-io`).

    Before:

    ```mlir
    %p = tt.make_tensor_ptr %a, [%b, %m, %k], [%sb, %sm, %c1_i64], [%z, %y, %x] {order = array<i32: 2, 1, 0>} : <tensor<1x32x32xf16>>
    %t = tt.load %p {boundaryCheck = array<i32: 1, 2>} : !tt.ptr<tensor<1x32x32xf16>>
    ```

    After:

    ```mlir
    %z64 = arith.extsi %z : i32 to i64
    %start = arith.muli %z64, %sb : i64
    %base = tt.addptr %a, %start : !tt.ptr<f16>, i64
    %p = tt.make_tensor_ptr %base, [%m, %k], [%sm, %c1_i64], [%y, %x] {order = array<i32: 1, 0>} : <tensor<32x32xf16>>
    %u = tt.load %p {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<32x32xf16>>
    %t = tt.reshape %u : tensor<32x32xf16> -> tensor<1x32x32xf16>
    ```
  }];
  let statistics = [
    Statistic<"numUnbatched", "unbatched", "block pointers made that are several now">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::mlt::MLTDialect",
                           "::mlir::tt::TritonDialect"];
}

#endif // MLTC_TRANSFORMS_LEGALIZEBLOCKIO_PASSES_TD
