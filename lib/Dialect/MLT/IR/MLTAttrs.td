//===- MLTAttrs.td - register images of dot operands ----------*- tablegen -*-===//
#ifndef MLTC_MLT_ATTRS_TD
#define MLTC_MLT_ATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "Dialect/MLT/IR/MLTDialect.td"

def MLT_OperandAttr : AttrDef<MLT_Dialect, "Operand"> {
  let mnemonic = "operand";
  let summary = "a tile held in the register image of a dot operand";
  let description = [{
    Encoding of a tensor at the intrinsic level whose registers are laid out as
    the dot instruction wants them and not as a plain tile: operand B of 8 and
    16 bits (consecutive k packed in dwords, VNNI), operand A of 8 bits and of
    tf32. A tensor without encoding has the plain tile layout, which is also the
    layout of accumulators and of operand A of 16 bits.

    ```mlir
    tensor<16x16xf16, #mlt.operand<b>>
    ```
  }];
  let parameters = (ins "unsigned":$opIdx);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // MLTC_MLT_ATTRS_TD
