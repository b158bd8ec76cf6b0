//===- ScheduleLoad.cpp - the order of loads and dots in loops ------------===//
//
// Triton's program loads whole tiles and multiplies them. What a thread then
// holds at one time can be more than its registers, and Intel's compiler keeps
// the order of messages, so it spills. The steps here trade early loads, and
// in the end repeated ones, for registers; each is taken only by loops that
// still do not fit.
//
//===----------------------------------------------------------------------===//
#include "Analysis/RegisterPressure/RegisterPressure.h"
#include "Support/Remarks.h"
#include "Transforms/ScheduleLoad/OrderDots.h"
#include "Transforms/ScheduleLoad/Passes.h"
#include "Transforms/ScheduleLoad/ReloadInvariants.h"

namespace mlir::mlt {
#define GEN_PASS_DEF_SCHEDULELOAD
#include "Transforms/ScheduleLoad/Passes.h.inc"
} // namespace mlir::mlt

using namespace mlir;
using namespace mlir::mlt;

/// The topic of remarks on loops that need more registers than there are.
constexpr llvm::StringLiteral kRegisters = "registers";

namespace {
struct ScheduleLoad : mlt::impl::ScheduleLoadBase<ScheduleLoad> {
  using ScheduleLoadBase::ScheduleLoadBase;

  void runOnOperation() override {
    const TargetDescription *target = TargetDescription::get(getOperation());
    if (!target)
      return signalPassFailure();
    FailureOr<ThreadStyle> threads = parseThreadStyle(getOperation(), style);
    if (failed(threads))
      return signalPassFailure();
    FailureOr<int64_t> budget =
        getRegisterBudget(getOperation(), *target, *threads, registers);
    if (failed(budget))
      return signalPassFailure();
    RegisterPressure pressure(*target, *threads);
    getOperation().walk(
        [&](scf::ForOp loop) { schedule(loop, pressure, *budget); });
  }

private:
  void schedule(scf::ForOp loop, const RegisterPressure &pressure,
                int64_t budget);
};
} // namespace

/// The order that needs fewer registers: it depends on which operand's pieces
/// serve more dots. Leaves the loop as it was.
static DotOrder findOrder(scf::ForOp loop, const RegisterPressure &pressure) {
  Block &body = *loop.getBody();
  auto written = llvm::map_to_vector(body.without_terminator(),
                                     [](Operation &op) { return &op; });
  auto tryOrder = [&](DotOrder order) {
    orderDots(body, order);
    sinkLoads(body);
    int64_t peak = pressure.getPeak(loop);
    for (Operation *op : written)
      op->moveBefore(body.getTerminator());
    return peak;
  };
  int64_t byLoads = tryOrder(DotOrder::Loads);
  return tryOrder(DotOrder::Depth) < byLoads ? DotOrder::Depth
                                             : DotOrder::Loads;
}

void ScheduleLoad::schedule(scf::ForOp loop, const RegisterPressure &pressure,
                            int64_t budget) {
  Block &body = *loop.getBody();
  int64_t before = pressure.getPeak(loop);
  int64_t peak = before;
  auto fits = [&] { return (peak = pressure.getPeak(loop)) <= budget; };
  auto arrange = [&] {
    DotOrder order = findOrder(loop, pressure);
    numOrdered += orderDots(body, order);
    numSunk += sinkLoads(body);
  };
  if (before <= budget)
    return;
  numSunk += sinkLoads(body);
  if (!fits()) {
    arrange();
    if (!fits()) {
      if (int64_t moved = reloadInvariants(loop)) {
        numReloaded += moved;
        arrange();
        fits();
      }
    }
  }
  remarkAnalysis(loop, kRegisters, [&](llvm::raw_ostream &os) {
    os << "loop needs about " << before << " registers of " << budget;
    if (peak < before)
      os << ", " << peak << " with its loads in another order";
  });
}
