// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/cuda/memory.hpp"
#include "workloads/compute/cudnn/graph_api.hpp"

namespace busbar::cudnn {

/// Which plan computes a graph, and how that was found.
struct Choice {
  std::string what;  ///< "forward 256x64x56x56 64 3x3/1"
  std::int64_t engine = -1;
  std::string knobs;
  std::uint64_t workspace_bytes = 0;
  double seconds = 0;          ///< the least of its runs
  int tried = 0, refused = 0;  ///< plans that ran, and that cuDNN proposed but could not make or run
};

struct TunerLimits {
  int plans = 10;  ///< that are timed for a graph at most, as torch.backends.cudnn.benchmark_limit
  std::uint64_t workspace_bytes = std::uint64_t{1} << 30U;  ///< of a plan at most
};

/// Seconds of a piece of work for a stream: the least of a few runs behind one that is not timed. Waits.
[[nodiscard]] double least_time(const cuda::Stream& on, const std::function<void()>& work);

/// Finds the fastest plan for each graph by running what cuDNN proposes on the buffers that it will work on. Graphs of
/// the same name share a plan. All run on one stream, so they share one workspace.
class Tuner {
 public:
  /// What it is given outlives it.
  Tuner(const Handle& handle, const cuda::Stream& on, TunerLimits limits = {})
      : handle_(handle), stream_(on), limits_(limits) {}

  /// Runs it too, at least once: afterwards the graph's outputs hold what it computes. `make` is called for a name that
  /// is new. Throws Error where no plan can run.
  [[nodiscard]] std::shared_ptr<const Plan> fastest(const std::string& what,
                                                    const std::function<OperationGraph()>& make,
                                                    std::span<const Place> places);
  [[nodiscard]] const std::vector<Choice>& choices() const { return choices_; }
  /// Of all plans that were chosen. Call it when all are; what was larger while plans were tried is freed.
  [[nodiscard]] void* final_workspace();
  [[nodiscard]] std::uint64_t workspace_bytes() const { return workspace_.bytes(); }

 private:
  [[nodiscard]] std::optional<double> time(const Plan& plan, std::span<const Place> places);
  [[nodiscard]] std::shared_ptr<const Plan> choose(const std::string& what, const OperationGraph& graph,
                                                   std::span<const Place> places);
  [[nodiscard]] void* workspace_for(const Plan& plan);

  const Handle& handle_;
  const cuda::Stream& stream_;
  const TunerLimits limits_;
  cuda::DeviceArray<std::byte> workspace_;
  std::map<std::string, std::shared_ptr<const Plan>> plans_;
  std::vector<Choice> choices_;
};

}  // namespace busbar::cudnn
