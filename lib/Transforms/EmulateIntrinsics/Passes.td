//===- Passes.td - portable code for device intrinsics -----*- tablegen -*-===//
#ifndef MLTC_TRANSFORMS_EMULATEINTRINSICS_PASSES_TD
#define MLTC_TRANSFORMS_EMULATEINTRINSICS_PASSES_TD

include "mlir/Pass/PassBase.td"

def EmulateIntrinsics : Pass<"emulate-intrinsics", "::mlir::ModuleOp"> {
  let summary = "replaces device intrinsics by portable code";
  let description = [{
    Interface `portable`: makes the same kernel run on any OpenCL device with
    sub-groups of 16, the CPU included. Every call to a device function without
    portable meaning becomes a call to an internal helper made of ordinary
    loads, stores, sub-group broadcasts and fused multiply-adds. What the helper
    does is decoded from the very name (OpenCL built-ins) or operands (GenISA)
    that the device compiler would see, so that a wrong name, shape or code
    gives wrong numbers or an error here too. Helpers are not inlined: building
    a kernel on the CPU is then 10 times faster.

    Blocks: elements outside of the surface read as 0 and are not written, left
    and above as well; the low 6 bits of the base are ignored. Dots: products
    are accumulated in f32 (i32, wrapping) in order of k, with one rounding to
    the accumulator type; tf32 inputs lose 13 bits. Hints vanish; the wait half
    of a split barrier is a full barrier. Fast-math flags on calls are dropped
    and conversions and functions on long vectors split to 16 elements, because
    the CPU device has neither. Negations in kernels with barriers are written as
    `fma(x, -1, -0)`: the CPU device gets one that it moves behind a barrier wrong.

    Of a kernel with two versions (`legalize-block-io`) only the one with block
    messages is kept where all that stands against it are limits of the hardware:
    messages then take any base, size and pitch.

    With `checked`, both versions stay, and kernels get one more argument, a pointer to an i32 in global
    memory that the launcher zeroes. A block message that breaks a rule of
    the hardware (base, width, height, pitch, x; of a 1-D message, its address)
    stores a code there,
    `site << 8 | rule`, writes nothing and reads all-ones. The kernel's
    `mlt.kernel` attribute lists sites and rules under `checks`.

    Before:

    ```mlir
    %d = llvm.call spir_funccc @_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv8_sDv8_iDv8_f(%a, %b, %c)
      : (vector<8xi16>, vector<8xi32>, vector<8xf32>) -> vector<8xf32>
    ```

    After:

    ```mlir
    %d = llvm.call spir_funccc @mlt_dpas_f16_f16_f32_m8(%c, %a, %b)
      : (vector<8xf32>, vector<8xi16>, vector<8xi32>) -> vector<8xf32>
    ```
  }];
  let options = [
    Option<"checked", "checked", "bool", /*default=*/"false",
           "report block messages that break the hardware's rules">,
    Option<"generation", "generation", "std::string", /*default=*/"\"\"",
           "generation of GenISA codes (old, current); default: the one that "
           "the module records">
  ];
  let statistics = [
    Statistic<"numCalls", "num-calls", "Number of calls replaced">,
    Statistic<"numHelpers", "num-helpers", "Number of helpers created">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // MLTC_TRANSFORMS_EMULATEINTRINSICS_PASSES_TD
