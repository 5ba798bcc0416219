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

/// The plan chosen for a graph, and statistics of the search.
struct Choice {
  std::string what;  ///< "forward 256x64x56x56 64 3x3/1"
  std::int64_t engine = -1;
  std::string knobs;
  std::uint64_t workspace_bytes = 0;
  double seconds = 0;          ///< minimum over its runs
  int tried = 0, refused = 0;  ///< plans that ran; plans that cuDNN proposed but could not make or run
};

struct TunerLimits {
  int plans = 10;  ///< maximum number timed per graph, as torch.backends.cudnn.benchmark_limit
  std::uint64_t workspace_bytes = std::uint64_t{1} << 30U;  ///< maximum per plan
};

/// Minimum time of a few runs of `work` on the stream after one untimed run, in seconds. Blocks.
[[nodiscard]] double least_time(const cuda::Stream& on, const std::function<void()>& work);

/// Finds the fastest plan for each graph by timing cuDNN's proposals on the real buffers. Graphs with the same name
/// share a plan. All plans run on one stream and share one workspace.
class Tuner {
 public:
  /// All arguments must outlive it.
  Tuner(const Handle& handle, const cuda::Stream& on, TunerLimits limits = {})
      : handle_(handle), stream_(on), limits_(limits) {}

  /// Also runs the plan, so the graph's outputs are valid afterwards. Calls `make` only for a new name. Throws Error if
  /// no plan can run.
  [[nodiscard]] std::shared_ptr<const Plan> fastest(const std::string& what,
                                                    const std::function<OperationGraph()>& make,
                                                    std::span<const Place> places);
  /// The same, but times at most `plans`, and returns null if cuDNN rejects the graph or no plan can run; outputs are
  /// undefined then.
  [[nodiscard]] std::shared_ptr<const Plan> fastest_if_any(const std::string& what,
                                                           const std::function<OperationGraph()>& make,
                                                           std::span<const Place> places, int plans);
  /// Plans found, in the order of their names' first use.
  [[nodiscard]] const std::vector<Choice>& choices() const { return choices_; }
  /// The workspace, at least as large as the plan requires. Only grows, and moves when it does.
  [[nodiscard]] void* workspace_for(const Plan& plan);
  /// The workspace with exactly that size; call it after the last choice. Frees what rejected plans required.
  [[nodiscard]] void* final_workspace(std::uint64_t bytes);

 private:
  [[nodiscard]] std::optional<double> time(const Plan& plan, std::span<const Place> places);
  [[nodiscard]] std::shared_ptr<const Plan> find(const std::string& what, const std::function<OperationGraph()>& make,
                                                 std::span<const Place> places, int plans);
  [[nodiscard]] std::shared_ptr<const Plan> choose(const std::string& what, const OperationGraph& graph,
                                                   std::span<const Place> places, int plans);

  const Handle& handle_;
  const cuda::Stream& stream_;
  const TunerLimits limits_;
  cuda::DeviceArray<std::byte> workspace_;
  std::map<std::string, std::shared_ptr<const Plan>> plans_;
  std::vector<Choice> choices_;
};

}  // namespace busbar::cudnn
