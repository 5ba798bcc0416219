// SPDX-License-Identifier: Apache-2.0
// Checks that the real cuDNN has plans for every graph of busbar, on described devices without a GPU. Kernels of batch
// norms are compiled for the described device. No kernel is loaded or run.
#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "workloads/compute/cudnn/engine.hpp"

namespace busbar::cudnn {
namespace {

constexpr std::size_t first_version = 90800;  ///< of cuDNN that takes a described device
constexpr std::size_t tried_version = 92801;  ///< the newest one that has taken these descriptions

/// Properties of GPUs from NVIDIA's data sheets and the CUDA programming guide.
struct Gpu {
  const char* name;
  int capability;  ///< 900: compute capability 9.0
  int multiprocessors, shared_bytes_per_block, l2_bytes, clock_khz, memory_clock_khz;
};
constexpr Gpu h100{"H100", 900, 132, 227 << 10, 50 << 20, 1'980'000, 2'619'000};
constexpr Gpu a100{"A100", 800, 108, 163 << 10, 40 << 20, 1'410'000, 1'593'000};

/// As cuDNN serialises the properties of a device. Versions differ in the keys that they require, and ignore others.
std::string to_json(const Gpu& gpu) {
  return fmt::format(
      R"({{"deviceName":"{}","deviceVer":{},"multiProcessorCount":{},"maxSharedMemoryPerBlockOptin":{},"l2CacheSize":{},)"
      R"("smClockRateKHz":{},"memClockRateKHz":{},"memoryBusWidth":5120,"totalGlobalMem":{},)"
      R"("maxGridSize":[2147483647,65535,65535],"maxBlockSize":[1024,1024,64],"regsPerBlock":65536,"warpSize":32,)"
      R"("maxSharedMemoryPerBlock":49152,"reservedSharedMemoryPerBlock":1024,"maxRegistersPerSM":65536,)"
      R"("maxCtasPerSM":32,"maxThreadsPerBlock":1024,"maxThreadsPerSM":2048,"pciDeviceId":0,"cudaDeviceId":0,)"
      R"("isTccDriver":0,"supportCoopLaunch":1,"driverVer":13000}})",
      gpu.name, gpu.capability, gpu.multiprocessors, gpu.shared_bytes_per_block, gpu.l2_bytes, gpu.clock_khz,
      gpu.memory_clock_khz, std::uint64_t{80} << 30U);
}

class DescribedDevice : public Target {
 public:
  explicit DescribedDevice(const Gpu& gpu) {
    const std::string json = to_json(gpu);
    properties_.set(CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION, std::span<const char>(json)).finalize(gpu.name);
  }
  void set_in_graph(Descriptor&) const override {}  // which is of no device
  void set_in_heuristic(Descriptor& d) const override { d.set(CUDNN_ATTR_ENGINEHEUR_DEVICEPROP, properties_); }
  void set_in_plan(Descriptor& d) const override { d.set(CUDNN_ATTR_EXECUTION_PLAN_DEVICEPROP, properties_); }

 private:
  Descriptor properties_{CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR};
};

/// How far plans of a graph are tried.
struct Limits {
  int plans;
  std::size_t proposals;
  std::uint64_t workspace_bytes;
};
/// As the Tuner and the NormChooser do.
constexpr Limits for_convolutions{TunerLimits{}.plans, std::numeric_limits<std::size_t>::max(),
                                  TunerLimits{}.workspace_bytes};
constexpr Limits for_sums{NormChooser::most_plans, std::numeric_limits<std::size_t>::max(),
                          TunerLimits{}.workspace_bytes};
constexpr Limits for_norms{NormChooser::most_plans, NormChooser::most_plans, NormChooser::most_workspace};

using MakeGraph = std::function<OperationGraph(const Target&)>;
using Graphs = std::map<std::string, MakeGraph>;  ///< by name; equal graphs have the same

struct Plans {
  int count = 0;
  std::uint64_t workspace_bytes = 0;  ///< of the plan that wants most
  std::string problem;                ///< why there is none
};

Plans make_plans(const Target& target, const MakeGraph& make, const Limits& limits) {
  Plans plans;
  try {
    const OperationGraph graph = make(target);
    std::vector<Descriptor> proposed = configurations(target, graph);
    const std::size_t most = std::min(proposed.size(), limits.proposals);
    for (std::size_t i = 0; i < most && plans.count < limits.plans; ++i) {
      const auto plan = Plan::make(target, std::move(proposed[i]), limits.workspace_bytes);
      if (!plan) continue;
      ++plans.count;
      plans.workspace_bytes = std::max(plans.workspace_bytes, plan->workspace_bytes());
    }
    if (plans.count == 0) plans.problem = fmt::format("{} proposals, no plan: {}", proposed.size(), last_words());
  } catch (const Error& e) {
    plans.problem = e.what();
  }
  return plans;
}

/// Plans for the graphs of one network.
struct Summary {
  int graphs = 0, with_plan = 0;
  int least_plans = std::numeric_limits<int>::max();  ///< of a graph
  std::uint64_t workspace_bytes = 0;
  std::vector<std::string> problems;
};

/// `known`: plans that were made before, by the names of their graphs.
Summary summarise(const Target& target, const Graphs& graphs, const Limits& limits,
                  std::map<std::string, Plans>& known) {
  Summary s;
  for (const auto& [name, make] : graphs) {
    if (!known.contains(name)) known[name] = make_plans(target, make, limits);
    const Plans& plans = known[name];
    ++s.graphs;
    s.least_plans = std::min(s.least_plans, plans.count);
    s.workspace_bytes = std::max(s.workspace_bytes, plans.workspace_bytes);
    if (plans.count > 0)
      ++s.with_plan;
    else
      s.problems.push_back(fmt::format("{}: {}", name, plans.problem));
  }
  return s;
}

Summary summarise(const Target& target, const Graphs& graphs, const Limits& limits) {
  std::map<std::string, Plans> none;
  return summarise(target, graphs, limits, none);
}

void add_convolution(Graphs& to, const ConvolutionShape& shape, Pass pass) {
  to.emplace(name_of(shape, pass), [=](const Target& target) { return convolution_graph(target, shape, pass); });
}

void add_norm(Graphs& to, std::string_view pass, const NormShape& s, NormGraph (*make)(const NormShape&)) {
  to.emplace(fmt::format("{} norm {}x{}x{}x{}{}{}", pass, s.images, s.channels, s.height, s.width,
                         s.relu ? " relu" : "", s.residual ? " residual" : ""),
             [=](const Target& target) {
               NormGraph graph = make(s);
               return OperationGraph(target, std::move(graph.parts), std::move(graph.operations));
             });
}

Graphs convolutions_of(const Network& network, int batch, DType precision) {
  Graphs graphs;
  for (const Layer& l : network.layers) {
    if (l.kind != LayerKind::convolution) continue;
    const ConvolutionShape shape = shape_of(l, batch, gpu::stored_channels(l), gpu::cudnn_type(precision));
    add_convolution(graphs, shape, Pass::forward);
    add_convolution(graphs, shape, Pass::filter);
    if (l.from >= 0) add_convolution(graphs, shape, Pass::data);
  }
  return graphs;
}

/// Forward convolutions that sum their outputs for the norm behind them.
Graphs sums_of(const Network& network, int batch, DType precision) {
  Graphs graphs;
  for (const Layer& l : network.layers) {
    if (l.kind != LayerKind::convolution) continue;
    const ConvolutionShape shape = shape_of(l, batch, gpu::stored_channels(l), gpu::cudnn_type(precision));
    graphs.emplace(name_of(shape, Pass::forward),
                   [=](const Target& target) { return convolution_graph_with_sums(target, shape); });
  }
  return graphs;
}

Graphs norms_of(const Network& network, int batch, DType precision) {
  Graphs graphs;
  const auto adds = gpu::adds_of_norms(network);
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const Layer& l = network.layers[i];
    if (l.kind != LayerKind::norm) continue;
    const bool relu = network.layers[adds[i].value_or(i)].relu;
    const NormShape shape = shape_of(l, batch, gpu::cudnn_type(precision), relu, adds[i].has_value());
    add_norm(graphs, "forward", shape, norm_forward_graph);
    if (const auto asked = backward_shape(shape)) add_norm(graphs, "backward", *asked, norm_backward_graph);
  }
  return graphs;
}

std::string describe(const char* kind, const Gpu& gpu, const Network& network, DType precision, int batch,
                     const Summary& s) {
  return fmt::format("{:6} {:6} {:9} {:4} {:5} {:6} {:9} {:11} {:13.1f} MiB\n", gpu.name, kind, network.name,
                     name(precision), batch, s.graphs, s.with_plan, s.least_plans,
                     static_cast<double>(s.workspace_bytes) / (1 << 20));
}

/// "cuDNN 91900".
std::string version() { return fmt::format("cuDNN {}", cudnnGetVersion()); }

struct Case {
  Gpu gpu;
  DType precision = DType::bf16;
  int batch = 0;
};

class CudnnPlans : public testing::Test {
 protected:
  /// Skips if this cuDNN accepts no described device, or is newer than those tried and needs more properties.
  void SetUp() override {
    if (cudnnGetVersion() < first_version)
      GTEST_SKIP() << version() << " takes no described device; " << first_version << " does";
    try {
      const DescribedDevice device(h100);
    } catch (const Error& e) {
      if (cudnnGetVersion() > tried_version) GTEST_SKIP() << version() << ": " << e.what();
      throw;
    }
  }
};

/// Every graph of three networks, on one device, in one precision, of one batch size.
class EveryGraph : public CudnnPlans, public testing::WithParamInterface<Case> {
 protected:
  static void SetUpTestSuite() {
    fmt::print("{}\n{:6} {:6} {:9} {:4} {:>5} {:>6} {:>9} {:>11} {:>17}\n", version(), "device", "kind", "network",
               "type", "batch", "graphs", "with plan", "least plans", "largest workspace");
  }

  static void expect_plans(const char* kind, Graphs (*graphs_of)(const Network&, int, DType), const Limits& limits) {
    const auto& [gpu, precision, batch] = GetParam();
    const DescribedDevice device(gpu);
    std::map<std::string, Plans> known;
    for (const int depth : {18, 50, 152}) {
      const Network network = resnet(depth);
      const Summary s = summarise(device, graphs_of(network, batch, precision), limits, known);
      fmt::print("{}", describe(kind, gpu, network, precision, batch, s));
      std::fflush(stdout);
      EXPECT_GT(s.graphs, 10);
      EXPECT_EQ(s.with_plan, s.graphs) << fmt::format("{}", fmt::join(s.problems, "\n"));
    }
  }
};

TEST_P(EveryGraph, OfConvolutionsHasAPlan) { expect_plans("conv", convolutions_of, for_convolutions); }
TEST_P(EveryGraph, OfSummingConvolutionsHasAPlan) { expect_plans("sums", sums_of, for_sums); }
TEST_P(EveryGraph, OfNormsHasAPlan) { expect_plans("norm", norms_of, for_norms); }

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const Gpu& gpu : {h100, a100})
    for (const DType precision : {DType::bf16, DType::f16})
      for (const int batch : {64, 128, 256}) all.push_back({gpu, precision, batch});
  return all;
}

INSTANTIATE_TEST_SUITE_P(On, EveryGraph, testing::ValuesIn(cases()), [](const auto& info) {
  return fmt::format("{}_{}_{}", info.param.gpu.name, name(info.param.precision), info.param.batch);
});

/// One plan of each kind of norm, forward and backward: a sample, since each takes half a second of CPU to compile.
TEST_F(CudnnPlans, EachKindOfNormHasOne) {
  const NormShape plain{.images = 64, .channels = 64, .height = 56, .width = 56};
  NormShape relu = plain, residual = plain;
  relu.relu = residual.relu = residual.residual = true;
  Graphs graphs;
  for (const NormShape& s : {plain, relu, residual}) add_norm(graphs, "forward", s, norm_forward_graph);
  for (const NormShape& s : {plain, relu}) add_norm(graphs, "backward", s, norm_backward_graph);
  for (const Gpu& gpu : {h100, a100}) {
    const Summary s = summarise(DescribedDevice(gpu), graphs, {1, 1, NormChooser::most_workspace});
    EXPECT_EQ(s.with_plan, 5) << fmt::format("{}", fmt::join(s.problems, "\n"));
  }
}

/// One plan of each kind of convolution that sums its output, for the same reason.
TEST_F(CudnnPlans, EachKindOfSummingConvolutionHasOne) {
  Graphs graphs;
  for (const auto& [name, make] : sums_of(resnet(18), 64, DType::bf16))  // windows of 1, 3 and 7 pixels
    if (name.find("to 64x112x112") != std::string::npos || name.find("to 128x28x28") != std::string::npos)
      graphs.emplace(name, make);
  for (const Gpu& gpu : {h100, a100}) {
    const Summary s = summarise(DescribedDevice(gpu), graphs,
                                {1, std::numeric_limits<std::size_t>::max(), TunerLimits{}.workspace_bytes});
    EXPECT_EQ(s.graphs, 4);
    EXPECT_EQ(s.with_plan, s.graphs) << fmt::format("{}", fmt::join(s.problems, "\n"));
  }
}

// That a graph without a plan is noticed

TEST_F(CudnnPlans, NormOfFourChannelsHasNone) {
  Graphs graphs;
  add_norm(graphs, "forward", {.images = 64, .channels = 4, .height = 56, .width = 56, .relu = true},
           norm_forward_graph);
  for (const Gpu& gpu : {h100, a100}) {
    const Summary s = summarise(DescribedDevice(gpu), graphs, for_norms);
    EXPECT_EQ(s.with_plan, 0);
    ASSERT_EQ(s.problems.size(), 1U);
    EXPECT_NE(s.problems[0].find("norm 64x4x56x56 relu: 0 proposals"), std::string::npos) << s.problems[0];
  }
}

TEST_F(CudnnPlans, SomeConvolutionsHaveNoneWithoutWorkspace) {
  for (const Gpu& gpu : {h100, a100}) {
    const Summary s = summarise(DescribedDevice(gpu), convolutions_of(resnet(50), 256, DType::bf16),
                                {.plans = 10, .proposals = 10, .workspace_bytes = 0});
    EXPECT_GT(s.with_plan, 0);
    EXPECT_LT(s.with_plan, s.graphs);
    EXPECT_EQ(s.least_plans, 0);
    EXPECT_EQ(s.problems.size(), static_cast<std::size_t>(s.graphs - s.with_plan));
  }
}

}  // namespace
}  // namespace busbar::cudnn
