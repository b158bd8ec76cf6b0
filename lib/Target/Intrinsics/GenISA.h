//===- GenISA.h - codes of IGC's internal intrinsics ----------------------===//
//
// The operand codes of `llvm.genx.GenISA.*` are not a stable interface: the
// float precisions of the dot instruction were renumbered between the two
// compiler generations, and 2-D block writes and prefetches do not exist on the
// old one, where their names silently resolve to a read. These tables were
// established by disassembling what each generation makes of each code.
//
//===----------------------------------------------------------------------===//
#ifndef MLTC_TARGET_INTRINSICS_GENISA_H
#define MLTC_TARGET_INTRINSICS_GENISA_H

#include "mlir/Dialect/LLVMIR/XeVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"

namespace mlir::mlt {

/// Generations of Intel's graphics compiler with different GenISA codes.
/// Old: ocloc 22.43 (IGC 1.0.12504). Current: ocloc 26 (IGC 2.40).
enum class GenISAGeneration { Old, Current };

/// Module attribute that says which generation the codes in it belong to.
inline constexpr StringLiteral kGenISAGenerationAttr = "mlt.genisa_generation";

std::optional<GenISAGeneration> symbolizeGenISAGeneration(StringRef name);
StringRef stringifyGenISAGeneration(GenISAGeneration generation);

/// Generation recorded on `module`, nullopt when there is none.
std::optional<GenISAGeneration> lookupGenISAGeneration(ModuleOp module);

/// Precision code of operand type `type` for the dot intrinsic, and back.
std::optional<int32_t> getDpasPrecisionCode(GenISAGeneration generation,
                                            xevm::ElemType type);
std::optional<xevm::ElemType> getDpasPrecision(GenISAGeneration generation,
                                               int64_t code);

/// LSC cache options as one code; 0 is the compiler's default. Returns nullopt
/// for a combination of levels that the hardware does not have.
std::optional<int32_t> getCacheCode(std::optional<xevm::LoadCacheControl> cc);
std::optional<int32_t> getCacheCode(std::optional<xevm::StoreCacheControl> cc);

inline constexpr StringLiteral kGenISAPrefix = "llvm.genx.GenISA.";

} // namespace mlir::mlt

#endif // MLTC_TARGET_INTRINSICS_GENISA_H
