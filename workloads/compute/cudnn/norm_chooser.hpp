// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/cuda/memory.hpp"
#include "core/elements/dtype.hpp"
#include "workloads/compute/cudnn/cudnn_norm.hpp"
#include "workloads/compute/cudnn/tuner.hpp"
#include "workloads/networks/norm_library.hpp"

namespace busbar::cudnn {

/// Values on the device.
struct Values {
  const void* at = nullptr;
  std::uint64_t elements = 0;
  DType type = DType::f32;
};
/// What a pass writes. Two results agree where their distance (Euclidean) is small against their length and `factor`
/// times the root mean square of `beside`: the size that sums have whose values do not happen to cancel.
struct NormResult {
  Values values;
  double factor = 0;
  Values beside;  ///< not read with a factor of 0
};

/// One pass of one layer, by both. What is read is not among what is written.
struct NormPass {
  std::string what;  ///< alike for passes that are computed alike
  std::function<void()> own;
  std::function<NormGraph()> graph;  ///< none: it cannot be said to cuDNN
  std::function<void()> before;      ///< optional: what the graph does not do
  std::vector<Place> places;         ///< what the graph wants, and more
  std::vector<NormResult> results;
};

/// How many passes there were and whose they became.
struct NormTally {
  int passes = 0, by_cudnn = 0;
  int without_plan = 0;  ///< ours, since cuDNN offers no plan that runs
  int unlike = 0;        ///< ours, since what cuDNN's plans compute is not what ours compute
  int slower = 0;        ///< ours, since cuDNN's plans take longer
};

/// Decides whose batch norms are used. Passes of the same name share what was decided on the first.
class NormChooser {
 public:
  /// Plans that want more are not tried. Each has a workspace of its own, zeroed before its first run: nothing that is
  /// documented says that these engines want it so, or that they do not.
  static constexpr std::uint64_t most_workspace = std::uint64_t{64} << 20U;

  /// Plans of a graph that are tried, best first by cuDNN's heuristics: they are compiled at run time, which takes a
  /// CPU about half a second each, for some thirty graphs of a ResNet-50.
  static constexpr int most_plans = 4;

  /// What it is given outlives it. `precision`: of activations, by which results agree.
  NormChooser(const Handle& handle, const cuda::Stream& on, NormLibrary library, DType precision)
      : handle_(handle), stream_(on), library_(library), precision_(precision) {}

  /// Work that computes the pass, for the stream; what `pass` and the chooser hold outlives it. Runs passes to find
  /// out, so results hold anything afterwards. `tally` is of passes of one direction.
  [[nodiscard]] std::function<void()> choose(const NormPass& pass, NormTally& tally);
  [[nodiscard]] std::uint64_t workspace_bytes() const;

 private:
  /// A plan of a graph, and its memory.
  struct Ready {
    Plan plan;
    std::vector<NormOperand> operands;
    cuda::DeviceArray<std::byte> workspace;
  };
  struct Decision {
    std::shared_ptr<const Ready> ready;  ///< none: ours is used
    int NormTally::* counts = &NormTally::without_plan;
    double seconds = 0;
  };
  using Samples = std::vector<std::vector<float>>;  ///< of each result

  [[nodiscard]] Decision decide(const NormPass& pass);
  void try_graph(const NormPass& pass, Decision& best);
  void try_plan(std::shared_ptr<const Ready> ready, const NormPass& pass, const Samples& expected, Decision& best);
  [[nodiscard]] std::function<void()> work_of(const NormPass& pass, const std::shared_ptr<const Ready>& ready) const;
  [[nodiscard]] bool agrees(const std::function<void()>& work, const NormPass& pass, const Samples& expected) const;
  [[nodiscard]] Samples sample(const std::vector<NormResult>& results) const;
  [[nodiscard]] std::vector<float> sample(const Values& values) const;

  const Handle& handle_;
  const cuda::Stream& stream_;
  const NormLibrary library_;
  const DType precision_;
  std::map<std::string, Decision> decisions_;
};

/// "batch norm: cuDNN's in 33 of 53 layers forward (20: slower than ours), 0 of 53 backward (53: no plan)".
[[nodiscard]] std::string describe(const NormTally& forward, const NormTally& backward);

}  // namespace busbar::cudnn
