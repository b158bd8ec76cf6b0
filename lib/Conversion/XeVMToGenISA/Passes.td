//===- Passes.td - XeVM to GenISA intrinsics ---------------*- tablegen -*-===//
#ifndef MLTC_CONVERSION_XEVMTOGENISA_PASSES_TD
#define MLTC_CONVERSION_XEVMTOGENISA_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertXeVMToGenISA : Pass<"convert-xevm-to-genisa", "::mlir::ModuleOp"> {
  let summary = "lowers xevm ops to the device compiler's internal intrinsics";
  let description = [{
    Interface `genisa`, the names of the paper's Table 7. Surface sizes are
    passed minus one, shapes and packing as constant operands, precisions as
    codes that depend on the generation of the device compiler; the module
    remembers for which one they are in `mlt.genisa_generation`. The old
    generation has no 2-D block writes and prefetches (it would take their names
    for reads) and ignores cache options: the first two are refused.

    Before:

    ```mlir
    %a = xevm.blockload2d %p, %w, %h, %s, %x, %y <{elem_size_in_bits = 16 : i32, tile_width = 16 : i32, tile_height = 32 : i32, v_blocks = 2 : i32, transpose = false, pack_register = false}>
      : (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<64xi16>
    ```

    After:

    ```mlir
    %base = llvm.ptrtoint %p : !llvm.ptr<1> to i64
    %a = llvm.call spir_funccc @llvm.genx.GenISA.LSC2DBlockRead.v64i16(%base, %w1, %h1, %s1, %x, %y, %c16, %c16, %c32, %c2, %false, %false, %c0)
    ```
  }];
  let options = [
    Option<"generation", "generation", "std::string", /*default=*/"\"current\"",
           "generation of the device compiler: old (ocloc 22.43) or current">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::xevm::XeVMDialect"];
}

#endif // MLTC_CONVERSION_XEVMTOGENISA_PASSES_TD
