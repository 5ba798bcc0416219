// SPDX-License-Identifier: Apache-2.0
#include "workloads/pipeline/timetable.hpp"

#include <algorithm>
#include <limits>

#include <fmt/core.h>

#include "core/base/error.hpp"

namespace busbar::pipeline {
namespace {

double busy_s(std::span<const TimedOperation> stage) {
  double sum = 0;
  for (const TimedOperation& o : stage) sum += o.end_s - o.start_s;
  return sum;
}

/// Uses one subtraction and one division, so that integral seconds give the exact share.
double rest_of(double all_s, double part_s) { return all_s > 0 ? (all_s - part_s) / all_s : 0.0; }

constexpr double never = std::numeric_limits<double>::infinity();

class Simulation {
 public:
  Simulation(const Schedule& schedule, std::span<const StageTimes> times, double transfer_s)
      : schedule_(schedule), times_(times), transfer_s_(transfer_s), table_{.stages = {}} {
    table_.stages.resize(schedule.size());
    for (const auto& operations : schedule)
      for (const Operation& o : operations)
        micro_batches_ = std::max(micro_batches_, static_cast<std::size_t>(o.micro_batch) + 1);
    ends_s_.assign(2 * schedule.size() * micro_batches_, never);
  }

  Timetable run() && {
    while (sweep());
    for (std::size_t stage = 0; stage < schedule_.size(); ++stage)
      if (!finished(stage))
        throw Error(fmt::format("a schedule that cannot be run: stage {} waits for ever before {}", stage,
                                describe(next(stage))));
    return std::move(table_);
  }

 private:
  [[nodiscard]] bool finished(std::size_t stage) const {
    return table_.stages[stage].size() == schedule_[stage].size();
  }
  [[nodiscard]] const Operation& next(std::size_t stage) const { return schedule_[stage][table_.stages[stage].size()]; }

  /// Runs every runnable operation on every stage; false if there is none. Start times depend on dependencies only, not
  /// on this order.
  bool sweep() {
    bool moved = false;
    for (std::size_t stage = 0; stage < schedule_.size(); ++stage)
      while (!finished(stage) && needs_s(stage, next(stage)) < never) {
        run_next(stage);
        moved = true;
      }
    return moved;
  }

  void run_next(std::size_t stage) {
    auto& done = table_.stages[stage];
    const Operation o = next(stage);
    const double start_s = std::max(needs_s(stage, o), done.empty() ? 0.0 : done.back().end_s);
    const bool forward = o.pass == Pass::forward;
    const double end_s = start_s + (forward ? times_[stage].forward_s : times_[stage].backward_s);
    done.push_back({.operation = o, .start_s = start_s, .end_s = end_s});
    ends_s_[index(stage, o)] = end_s;
  }

  /// Time at which all inputs of an operation have arrived; `never` while unknown.
  [[nodiscard]] double needs_s(std::size_t stage, const Operation& o) const {
    if (o.pass == Pass::forward) return stage == 0 ? 0.0 : ends_s_[index(stage - 1, o)] + transfer_s_;
    const double own_s = ends_s_[index(stage, {.pass = Pass::forward, .micro_batch = o.micro_batch})];
    if (stage + 1 == schedule_.size()) return own_s;
    return std::max(own_s, ends_s_[index(stage + 1, o)] + transfer_s_);
  }

  [[nodiscard]] std::size_t index(std::size_t stage, const Operation& o) const {
    const std::size_t row = 2 * stage + (o.pass == Pass::forward ? 0 : 1);
    return row * micro_batches_ + static_cast<std::size_t>(o.micro_batch);
  }

  const Schedule& schedule_;
  const std::span<const StageTimes> times_;
  const double transfer_s_;
  std::size_t micro_batches_ = 0;
  std::vector<double> ends_s_;  ///< of the operations at index(); never: not run yet
  Timetable table_;
};

}  // namespace

double Timetable::start_s() const {
  double first = never;
  for (const auto& stage : stages)
    for (const TimedOperation& o : stage) first = std::min(first, o.start_s);
  return first < never ? first : 0.0;
}

double Timetable::end_s() const {
  double last = -never;
  for (const auto& stage : stages)
    for (const TimedOperation& o : stage) last = std::max(last, o.end_s);
  return last > -never ? last : 0.0;
}

double idle_share(std::span<const TimedOperation> stage, double step_s) { return rest_of(step_s, busy_s(stage)); }

double bubble(const Timetable& table) {
  double busy = 0;
  for (const auto& stage : table.stages) busy += busy_s(stage);
  return rest_of(static_cast<double>(table.stages.size()) * table.makespan_s(), busy);
}

Timetable simulate(const Schedule& schedule, std::span<const StageTimes> times, double transfer_s) {
  if (times.size() != schedule.size())
    throw Error(fmt::format("times of {} stages for a schedule of {}", times.size(), schedule.size()));
  return Simulation(schedule, times, transfer_s).run();
}

}  // namespace busbar::pipeline
