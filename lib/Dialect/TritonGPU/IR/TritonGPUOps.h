//===- TritonGPUOps.h - operations of the ttg dialect ---------*- C++ -*-===//
#ifndef MLTC_DIALECT_TRITONGPUOPS_H
#define MLTC_DIALECT_TRITONGPUOPS_H

#include "Dialect/TritonGPU/IR/TritonGPUDialect.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "Dialect/TritonGPU/IR/TritonGPUEnums.h.inc"
#define GET_OP_CLASSES
#include "Dialect/TritonGPU/IR/TritonGPUOps.h.inc"

#endif // MLTC_DIALECT_TRITONGPUOPS_H
