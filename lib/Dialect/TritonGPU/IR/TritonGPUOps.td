//===- TritonGPUOps.td - operations of the ttg dialect --------*- tablegen -*-===//
//
// The one operation of stock Triton's layout dialect that its front end prints
// before any layout is chosen: what `tl.debug_barrier` becomes from 3.7 on.
//
//===----------------------------------------------------------------------===//
#ifndef MLTC_TRITONGPU_OPS_TD
#define MLTC_TRITONGPU_OPS_TD

include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "Dialect/TritonGPU/IR/TritonGPUAttrs.td"

def TTG_NoSpace : I32BitEnumAttrCaseNone<"None", "none">;
def TTG_LocalSpace : I32BitEnumAttrCaseBit<"Local", 0, "local">;
def TTG_GlobalRead : I32BitEnumAttrCaseBit<"GlobalRead", 1, "global_read">;
def TTG_GlobalWrite : I32BitEnumAttrCaseBit<"GlobalWrite", 2, "global_write">;
def TTG_TensorRead : I32BitEnumAttrCaseBit<"TensorRead", 3, "tensor_read">;
def TTG_TensorWrite : I32BitEnumAttrCaseBit<"TensorWrite", 4, "tensor_write">;
def TTG_AllSpaces : I32BitEnumAttrCaseGroup<"All", [
  TTG_LocalSpace, TTG_GlobalRead, TTG_GlobalWrite, TTG_TensorRead,
  TTG_TensorWrite
], "all">;

def TTG_BarrierSpace : I32BitEnumAttr<
    "BarrierSpace", "memory whose accesses a barrier orders", [
      TTG_NoSpace, TTG_LocalSpace, TTG_GlobalRead, TTG_GlobalWrite,
      TTG_TensorRead, TTG_TensorWrite, TTG_AllSpaces
    ]> {
  let cppNamespace = "::mlir::ttg";
  let separator = "|";
  let printBitEnumPrimaryGroups = 1;
}

def TTG_BarrierOp : Op<TritonGPU_Dialect, "barrier", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "waits until every warp of the workgroup is here";
  let description = [{
    `addrSpace` names the accesses that are visible to all warps behind the
    barrier: `local` (shared local memory), `global_read`, `global_write`,
    `tensor_read`, `tensor_write`, several joined by `|`, or `all` or `none`.

    ```mlir
    ttg.barrier local|global_write
    ```
  }];
  let arguments = (ins TTG_BarrierSpace:$addrSpace);
  let assemblyFormat = "custom<BarrierSpaces>($addrSpace) attr-dict";
}

#endif // MLTC_TRITONGPU_OPS_TD
