//===- TritonGPUAttrs.td - blocked, dot_op and slice encodings -*- tablegen -*-===//
#ifndef MLTC_TRITONGPU_ATTRS_TD
#define MLTC_TRITONGPU_ATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "Dialect/TritonGPU/IR/TritonGPUDialect.td"

def TTG_WarpEncodingInterface : AttrInterface<"WarpEncodingAttr"> {
  let cppNamespace = "::mlir::ttg";
  let description = [{
    What every layout encoding answers: its equivalent blocked encoding for the
    shape of the tensor that carries it (the paper's Table 3), and where its
    dimensions come from in the root blocked encoding. All counts are in
    elements (sizePerWarp) or warps.
  }];
  let methods = [
    InterfaceMethod<"The blocked encoding at the root of the parent chain.",
      "::mlir::Attribute", "getRoot">,
    InterfaceMethod<"Rank of the tensors that can carry this encoding.",
      "unsigned", "getRank">,
    InterfaceMethod<[{
      For each dimension of the tensor, the dimension of the root encoding along
      which warps are split, or nullopt when each warp holds the whole
      dimension.}],
      "::llvm::SmallVector<std::optional<unsigned>>", "getRootDims">,
    InterfaceMethod<[{
      Elements per warp in each dimension for a tensor of `shape`; never more
      than the shape.}],
      "::llvm::SmallVector<int64_t>", "getSizePerWarp",
      (ins "::llvm::ArrayRef<int64_t>":$shape)>,
  ];
}

class TTG_Encoding<string name, string attrMnemonic>
    : AttrDef<TritonGPU_Dialect, name,
              [DeclareAttrInterfaceMethods<TTG_WarpEncodingInterface>]> {
  let mnemonic = attrMnemonic;
  let genVerifyDecl = 1;
}

def TTG_BlockedEncoding : TTG_Encoding<"BlockedEncoding", "blocked"> {
  let summary = "each warp owns one contiguous block of the tile";
  let description = [{
    `sizePerWarp`: elements that one warp owns per dimension. `warpsPerCTA`:
    warps per dimension; their product is the number of warps. Warp w has the
    coordinates of the row-major delinearisation of w over `warpsPerCTA` (last
    dimension fastest). `order`: dimensions by memory stride, fastest first; it
    never changes the numbering of warps.
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t", "elements per warp">:$sizePerWarp,
    ArrayRefParameter<"int64_t", "warps per dimension">:$warpsPerCTA,
    ArrayRefParameter<"int64_t", "dimensions, fastest first">:$order);
  let assemblyFormat = [{
    `<` `{` `sizePerWarp` `=` `[` $sizePerWarp `]` `,`
            `warpsPerCTA` `=` `[` $warpsPerCTA `]` `,`
            `order` `=` `[` $order `]` `}` `>`
  }];
}

def TTG_DotOperandEncoding : TTG_Encoding<"DotOperandEncoding", "dot_op"> {
  let summary = "operand A (opIdx 0) or B (opIdx 1) of a dot whose result has the parent encoding";
  let parameters = (ins "unsigned":$opIdx, "::mlir::Attribute":$parent);
  let assemblyFormat = "`<` `{` struct(params) `}` `>`";
}

def TTG_SliceEncoding : TTG_Encoding<"SliceEncoding", "slice"> {
  let summary = "the parent encoding with dimension `dim` erased";
  let parameters = (ins "unsigned":$dim, "::mlir::Attribute":$parent);
  let assemblyFormat = "`<` `{` struct(params) `}` `>`";
}

#endif // MLTC_TRITONGPU_ATTRS_TD
