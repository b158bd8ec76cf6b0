//===- Passes.td - raw sends of the vector backend ---------*- tablegen -*-===//
#ifndef MLTC_CONVERSION_VCTORAWSEND_PASSES_TD
#define MLTC_CONVERSION_VCTORAWSEND_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertVCToRawSend : Pass<"convert-vc-to-raw-send", "::mlir::ModuleOp"> {
  let summary = "keeps the addresses of 2-D block messages in registers";
  let description = [{
    Interface `vc-raw`: a 2-D block message of the vector backend
    (`llvm.genx.lsc.load2d` and its kin) becomes a raw send of a register with
    its address, which is an ordinary value. In a loop that does not change the
    tensor behind the message, the register is made in front of the loop and
    carried by it; each iteration adds to the coordinates that move, before the
    message where every iteration sends it. Messages of such a loop to one
    tensor that differ in one coordinate share a register, which walks along
    them, where the loop has more messages than registers for addresses.
    Elsewhere the messages of a block to one tensor share a register and write
    what differs. A loop whose counter moves like such a coordinate, and is for
    nothing else, ends by the coordinate: it tests at its end then.

    `emulate-intrinsics` reads descriptor and register back, so a wrong one is
    wrong on every device.

    Before:

    ```mlir
    ^bb1(%x: i32):
      %d = llvm.call spir_funccc @llvm.genx.lsc.load2d.stateless.v64i32.v1i1.i64(..., %base, %w, %h, %p, %x, %y)
      %next = llvm.add %x, %c16 : i32
      llvm.cond_br %again, ^bb1(%next : i32), ^bb2
    ```

    After:

    ```mlir
    ^bb1(%payload: vector<16xi32>):
      %x = llvm.extractelement %payload[%c5 : i32] : vector<16xi32>
      %moved = llvm.add %x, %c16 : i32
      %next = llvm.insertelement %moved, %payload[%c5 : i32] : vector<16xi32>
      %d = llvm.call spir_funccc @llvm.genx.raw.send2.v64i32.i1.v16i32(..., %descriptor, %next, %undef)
    llvm.cond_br %again, ^bb1(%next : vector<16xi32>), ^bb2
    ```
  }];
  let options = [
    Option<"registers", "registers", "int64_t", /*default=*/"0",
           "addresses that a loop may keep before messages share them; 0: an "
           "eighth of the registers of a thread">
  ];
  let statistics = [
    Statistic<"numCarried", "carried", "registers that are made in front of a loop">,
    Statistic<"numShared", "shared", "messages that use the register of another one">,
    Statistic<"numLocal", "local", "messages whose register is made in place">,
    Statistic<"numCounters", "counters", "loops that end by a coordinate">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // MLTC_CONVERSION_VCTORAWSEND_PASSES_TD
