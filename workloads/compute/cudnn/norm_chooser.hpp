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

namespace busbar::cudnn {

/// An array on the device.
struct Values {
  const void* at = nullptr;
  std::uint64_t elements = 0;
  DType type = DType::f32;
};
/// Output of a pass. Two results agree if their Euclidean distance is small relative to their norm plus `factor` times
/// the root mean square of `beside`: the expected size of a sum whose terms do not cancel.
struct NormResult {
  Values values;
  double factor = 0;
  Values beside;  ///< read only if factor is not 0
};

/// One pass of one layer, by our kernels and by cuDNN. Inputs and outputs must not overlap.
struct NormPass {
  std::string what;  ///< same name for passes that are computed in the same way
  std::function<void()> own;
  std::function<NormGraph()> graph;  ///< empty: cuDNN cannot express it
  std::function<void()> before;      ///< optional: work that the graph does not include
  std::vector<Place> places;         ///< operands of the graph; may include others
  std::vector<NormResult> results;
};

/// Number of passes, and which library computes them.
struct NormTally {
  int passes = 0, by_cudnn = 0;
  int without_plan = 0;      ///< ours, because no cuDNN plan runs
  int unlike = 0;            ///< ours, because the results of cuDNN's plans differ
  int slower = 0;            ///< ours, because cuDNN's plans are slower
  int slower_than_sums = 0;  ///< ours, because the convolution in front computes the sums, and that is faster
};

/// The forward pass of a convolution and the norm behind it. The convolution could sum its output for the norm.
struct SumsPass {
  std::string what;                ///< same name for passes that are computed in the same way
  std::function<void()> separate;  ///< the norm reads all values to sum them
  std::function<void()> fused;     ///< the convolution sums them; empty: cuDNN has no plan
  std::vector<NormResult> results;
};

/// Chooses between our batch norms and cuDNN's. Passes with the same name share the decision made for the first.
class NormChooser {
 public:
  /// Plans that need more are not tried. Each plan has its own workspace, zeroed before its first run: cuDNN does not
  /// document whether these engines need that.
  static constexpr std::uint64_t most_workspace = std::uint64_t{64} << 20U;

  /// Maximum number of plans tried per graph, best first by cuDNN's heuristics; also of convolutions that sum their
  /// output. These plans are compiled at run time, which takes about half a CPU second each, for some thirty graphs of
  /// a ResNet-50.
  static constexpr int most_plans = 4;

  /// All arguments must outlive it. `precision`: type of activations, which sets the tolerance.
  NormChooser(const Handle& handle, const cuda::Stream& on, NormLibrary library, DType precision)
      : handle_(handle), stream_(on), library_(library), precision_(precision) {}

  /// Returns work that submits the pass to the stream; the pass's data and the chooser must outlive it. Runs passes to
  /// decide, so results are undefined afterwards. `tally` counts passes of one direction.
  [[nodiscard]] std::function<void()> choose(const NormPass& pass, NormTally& tally);

  /// Whether the convolution is to sum its output. Runs the pass to decide, so results are undefined afterwards.
  /// `tally` counts passes.
  [[nodiscard]] bool prefers_fused(const SumsPass& pass, NormTally& tally);

 private:
  /// A plan for a graph, with its workspace.
  struct Ready {
    Plan plan;
    std::vector<NormOperand> operands;
    cuda::DeviceArray<std::byte> workspace;
  };
  struct Decision {
    std::shared_ptr<const Ready> ready;  ///< empty: our kernels are used
    int NormTally::* counts = &NormTally::without_plan;
    double seconds = 0;
  };
  using Samples = std::vector<std::vector<float>>;  ///< values of each result

  [[nodiscard]] Decision decide(const NormPass& pass);
  [[nodiscard]] int NormTally::* decide(const SumsPass& pass) const;
  void try_graph(const NormPass& pass, Decision& best);
  void try_plan(std::shared_ptr<const Ready> ready, const NormPass& pass, const Samples& expected, Decision& best);
  [[nodiscard]] std::function<void()> work_of(const NormPass& pass, const std::shared_ptr<const Ready>& ready) const;
  [[nodiscard]] bool agrees(const std::function<void()>& work, const std::vector<NormResult>& results,
                            const Samples& expected) const;
  [[nodiscard]] Samples sample(const std::vector<NormResult>& results) const;
  [[nodiscard]] std::vector<float> sample(const Values& values) const;

  const Handle& handle_;
  const cuda::Stream& stream_;
  const NormLibrary library_;
  const DType precision_;
  std::map<std::string, Decision> decisions_;
  std::map<std::string, int NormTally::*> sums_;
};

/// "batch norm: cuDNN's in 33 of 53 layers forward (12: slower than ours, 8: slower than sums by convolutions), 0 of 53
/// backward (53: no plan)".
[[nodiscard]] std::string describe(const NormTally& forward, const NormTally& backward);
/// "batch norm: sums by cuDNN's convolutions in 33 of 53 layers (20: slower than separate kernels)".
[[nodiscard]] std::string describe_sums(const NormTally& sums);

}  // namespace busbar::cudnn
