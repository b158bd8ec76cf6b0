//===- Passes.td - XeVM to OpenCL built-ins ----------------*- tablegen -*-===//
#ifndef MLTC_CONVERSION_XEVMTOBUILTIN_PASSES_TD
#define MLTC_CONVERSION_XEVMTOBUILTIN_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertXeVMToBuiltin : Pass<"convert-xevm-to-builtin", "::mlir::ModuleOp"> {
  let summary = "lowers xevm ops to OpenCL built-ins of the current compiler";
  let description = [{
    Interface `builtin`: 2-D block messages and dots become the built-ins of
    cl_intel_subgroup_2d_block_io and cl_intel_subgroup_matrix_multiply_accumulate,
    whose shapes the device compiler checks. Upstream's `convert-xevm-to-llvm`
    has the same aim but several of the names it emits resolve to nothing and
    stay calls in the binary (ids without `v`, `atomic_work_item_fence`, every
    8-bit integer dot, dots of one row), its cache controls are off by one, and
    its private buffers stay inside loops.

    A 2-D block prefetch of a loop gets its address register in front of the
    loop; each iteration adds to the coordinate that moves.

    Before:

    ```mlir
    %d = xevm.mma %a, %b, %c {shape = <m = 1, n = 16, k = 16>, types = <d = f32, a = f16, b = f16, c = f32>}
      : (vector<1xi16>, vector<8xi32>, vector<1xf32>) -> vector<1xf32>
    %w = xevm.subgroup_id : i32
    ```

    After:

    ```mlir
    %d0 = llvm.call spir_funccc @_Z38intel_sub_group_f16_f16_matrix_mad_k16sDv8_if(%a0, %b, %c0)
    %w = llvm.call spir_funccc @_Z16get_sub_group_idv()
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::xevm::XeVMDialect"];
}

#endif // MLTC_CONVERSION_XEVMTOBUILTIN_PASSES_TD
