// SPDX-License-Identifier: Apache-2.0
// A network trained through cuDNN's and cuBLASLt's interfaces against the same one by oneDNN. One program for both: on
// a GPU as it is, and where there is none with fakes of the libraries in front of the real ones.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/unit/common_order.hpp"
#include "workloads/compute/cudnn/engine.hpp"
#include "workloads/compute/onednn.hpp"

namespace busbar::gpu {
namespace {

using namespace test;

int devices() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

class Training : public testing::Test {
 protected:
  void SetUp() override {
    if (devices() == 0) GTEST_SKIP() << "no GPU";
  }
};

/// A norm with ReLU whose output two layers read, so that its gradient comes in two summands.
Network two_readers_network() {
  NetworkBuilder net("two readers", {.channels = 3, .height = 12, .width = 12});
  const int x = net.norm("bn1", net.convolution("conv1", -1, 16, 5, 2), true);
  const int y = net.norm("bn2", net.convolution("conv2", x, 16, 3), false);
  net.linear("fc", net.average_pool("mean", net.add("sum", y, x)), 10);
  return std::move(net).finish();
}

/// One forward and backward of both; the gradients of every parameter are as near as 16 bits allow.
void expect_gradients_of_onednn(const Network& network, const EngineSetup& setup, double tolerance) {
  const auto expected = make_onednn(network, {.batch = setup.batch, .seed = setup.seed});
  const std::vector<float> first(expected->weights().begin(), expected->weights().end());
  const double expected_loss = expected->forward().value();
  expected->backward([](std::size_t, std::size_t) {});

  NetworkEngine engine(network, setup);
  const std::vector<float> own_first = engine.parameters().weights_on_host();
  engine.forward();
  std::vector<std::size_t> ends;
  engine.backward([&](std::size_t end) { ends.push_back(end); });
  const std::vector<float> gradients = engine.parameters().gradients_on_host();
  EXPECT_NEAR(engine.loss(), expected_loss, 0.02 * expected_loss);
  EXPECT_TRUE(std::ranges::is_sorted(ends));
  EXPECT_EQ(ends.back(), engine.parameters().elements());

  const auto& stripes = expected->stripes();
  const auto& own_stripes = engine.parameters().stripes();
  ASSERT_EQ(own_stripes.size(), stripes.size());
  for (std::size_t i = 0; i < stripes.size(); ++i) {
    ASSERT_EQ(own_stripes[i].name, stripes[i].name);
    const auto own_values = part(own_first, own_stripes[i]);
    const bool matrix = own_values[0] != own_values[1] && stripes[i].name.ends_with(".weight");
    const auto want = in_common_order(part(first, stripes[i]), part(expected->gradients(), stripes[i]), matrix);
    auto have = in_common_order(own_values, part(gradients, own_stripes[i]), matrix);
    ASSERT_GE(have.size(), want.size());
    for (std::size_t k = want.size(); k < have.size(); ++k) EXPECT_EQ(have[k], 0) << "behind " << stripes[i].name;
    have.resize(want.size());
    for (float& v : have) v /= loss_scale(setup.precision);
    // Shifts in front of a batch norm have no gradient but for rounding; 0.01 is small against all others.
    EXPECT_LT(distance(have, want), tolerance * (length(want) + 0.01))
        << stripes[i].name << " of length " << length(want);
  }
}

TEST_F(Training, ComputesGradientsOfOnednn) {
  expect_gradients_of_onednn(smooth_network(), {.batch = 8}, 0.03);
  expect_gradients_of_onednn(smooth_network(), {.batch = 8, .precision = DType::f16}, 0.004);
  expect_gradients_of_onednn(smooth_network(), {.batch = 8, .wire = DType::bf16}, 0.03);
  expect_gradients_of_onednn(smooth_network(), {.batch = 8, .precision = DType::f16, .wire = DType::f16}, 0.004);
}

TEST_F(Training, ComputesGradientsOfOnednnInEveryKindOfLayer) {
  expect_gradients_of_onednn(small_network(), {.batch = 8}, 0.3);
  expect_gradients_of_onednn(small_network(), {.batch = 8, .precision = DType::f16}, 0.15);
}

TEST_F(Training, KeepsPaddingOfImagesAndWeightsZero) {
  NetworkEngine engine(small_network(), {.batch = 2});
  for (int step = 0; step < 3; ++step) {
    engine.forward();
    engine.backward();
    engine.parameters().update(1);
  }
  const auto& stripes = engine.parameters().stripes();
  const auto weights = engine.parameters().weights_on_host();
  const auto matrix = part(weights, *std::ranges::find(stripes, std::string("conv.weight"), &Stripe::name));
  for (std::size_t i = 0; i < std::size_t{16} * 7 * 7; ++i) {
    for (std::size_t channel = 0; channel < 8; ++channel)
      EXPECT_EQ(matrix[8 * i + channel] == 0, channel >= 3) << "channel " << channel;
  }
}

std::vector<double> losses(NetworkEngine& engine, int steps) {
  std::vector<double> all;
  for (int step = 0; step < steps; ++step) {
    engine.forward();
    engine.backward();
    engine.parameters().update(1);
    engine.stream().wait();
    all.push_back(engine.loss());
  }
  return all;
}

TEST_F(Training, ReducesTheLossAsOnednn) {
  constexpr int steps = 8;
  const Sgd::Settings rule{.rate = 0.05F};
  const auto expected = make_onednn(small_network(), {.batch = 8, .rule = rule});
  for (const DType precision : {DType::bf16, DType::f16}) {
    NetworkEngine engine(small_network(), {.batch = 8, .precision = precision, .rule = rule});
    const auto all = losses(engine, steps);
    expected->reset();
    for (int step = 0; step < steps; ++step) {
      const auto i = static_cast<std::size_t>(step);
      EXPECT_NEAR(all[i], expected->forward().value(), 0.1) << "step " << step << " in " << name(precision);
      expected->backward([](std::size_t, std::size_t) {});
      expected->update(0, expected->weights().size());
    }
    EXPECT_LT(all.back(), 0.7 * all.front());
    engine.parameters().reset();
    EXPECT_EQ(losses(engine, 2), (std::vector{all[0], all[1]})) << "after reset()";
  }
}

TEST_F(Training, ComputesTheSameInAGraph) {
  NetworkEngine plain(small_network(), {.batch = 4}), graphed(small_network(), {.batch = 4});
  const auto graph = cuda::capture(graphed.stream(), [&] {
    graphed.forward();
    graphed.backward();
    graphed.parameters().update(1);
  });
  const auto want = losses(plain, 3);
  for (const double loss : want) {
    graph.launch(graphed.stream());
    graphed.stream().wait();
    EXPECT_EQ(graphed.loss(), loss);
  }
  EXPECT_EQ(graphed.parameters().weights_on_host(), plain.parameters().weights_on_host());
}

TEST_F(Training, SkipsInfiniteGradientsInFp16) {
  NetworkEngine engine(small_network(), {.batch = 2, .precision = DType::f16});
  const auto before = engine.parameters().weights_on_host();
  engine.forward();
  engine.backward();
  const float infinite = std::numeric_limits<float>::infinity();
  cuda::copy(static_cast<float*>(engine.parameters().gradients()) + 5, &infinite, 1, engine.stream());
  engine.parameters().update(1);
  EXPECT_EQ(engine.parameters().weights_on_host(), before);
}

TEST_F(Training, DetectsWrongKnownGradients) {
  for (const DType wire : {DType::f32, DType::bf16}) {
    NetworkEngine engine(small_network(), {.batch = 2, .wire = wire});
    Parameters& p = engine.parameters();
    p.fill_known(0, 1);
    EXPECT_FALSE(p.find_unexpected());
    p.fill_known(1, 2);
    const auto wrong = p.find_unexpected();  // those of rank 0 are lacking
    ASSERT_TRUE(wrong);
    EXPECT_EQ(wrong->index, 0U);
    EXPECT_EQ(wrong->found, 0);
    EXPECT_EQ(wrong->expected, 1);
  }
}

TEST_F(Training, ReportsAPlanForEveryConvolution) {
  NetworkEngine engine(small_network(), {.batch = 2});
  const auto& choices = engine.facts().choices;
  EXPECT_EQ(choices.size(), 14U);  // six convolutions, three passes but for the first's two; two are alike
  for (const auto& c : choices) {
    EXPECT_GE(c.tried, 1) << c.what;
    EXPECT_GE(c.engine, 0) << c.what;
    EXPECT_GT(c.seconds, 0) << c.what;
  }
  EXPECT_NE(choices.front().what.find("forward 2x8x16x16 to 16x8x8, 7x7/2"), std::string::npos) << choices.front().what;
}

/// Whether the library is the fake, whose batch norms are configurable (tests/fake_gpu/README.md).
bool fake() { return std::getenv("FAKE_GPU_KERNELS") != nullptr; }

class Norms : public Training {
 protected:
  void SetUp() override {
    Training::SetUp();
    offer("1");
  }
  void TearDown() override { unsetenv("FAKE_CUDNN_NORM"); }
  static void offer(const char* what) { setenv("FAKE_CUDNN_NORM", what, 1); }
};

std::string norms_of(const NetworkEngine& engine) {
  return cudnn::describe(engine.facts().forward_norms, engine.facts().backward_norms);
}

TEST_F(Norms, OfCudnnHaveTheGradientsOfOnednn) {
  for (const DType precision : {DType::bf16, DType::f16}) {
    const EngineSetup setup{.batch = 8, .precision = precision, .norm = NormLibrary::cudnn};
    expect_gradients_of_onednn(smooth_network(), setup, precision == DType::f16 ? 0.004 : 0.03);
    expect_gradients_of_onednn(small_network(), setup, precision == DType::f16 ? 0.15 : 0.3);
    expect_gradients_of_onednn(two_readers_network(), setup, precision == DType::f16 ? 0.15 : 0.3);
  }
  expect_gradients_of_onednn(smooth_network(), {.batch = 8, .wire = DType::bf16, .norm = NormLibrary::cudnn}, 0.03);
}

/// The first steps of both, which have the same setup but for their norms.
void expect_near_losses(NetworkEngine& other, NetworkEngine& ours) {
  const DType precision = ours.setup().precision;
  const auto want = losses(ours, 4), have = losses(other, 4);
  for (std::size_t i = 0; i < want.size(); ++i)
    EXPECT_NEAR(have[i], want[i], precision == DType::f16 ? 0.01 : 0.05) << "step " << i << " in " << name(precision);
}

TEST_F(Norms, OfCudnnAndOursGiveTheSameLosses) {
  const Sgd::Settings rule{.rate = 0.05F};
  for (const DType precision : {DType::bf16, DType::f16}) {
    NetworkEngine ours(small_network(), {.batch = 8, .precision = precision, .rule = rule});
    NetworkEngine other(small_network(),
                        {.batch = 8, .precision = precision, .rule = rule, .norm = NormLibrary::cudnn});
    expect_near_losses(other, ours);
    if (fake()) {
      EXPECT_EQ(norms_of(other), "batch norm: cuDNN's in 6 of 6 layers forward, 6 of 6 backward");
    }
    EXPECT_EQ(ours.facts().forward_norms.passes, 0);
  }
}

/// Engines may choose different plans, so losses differ by rounding.
void expect_near_losses_in_a_graph(const EngineSetup& setup) {
  NetworkEngine plain(small_network(), setup), graphed(small_network(), setup);
  const auto graph = cuda::capture(graphed.stream(), [&] {
    graphed.forward();
    graphed.backward();
    graphed.parameters().update(1);
  });
  for (const double loss : losses(plain, 3)) {
    graph.launch(graphed.stream());
    graphed.stream().wait();
    EXPECT_NEAR(graphed.loss(), loss, 0.02);
  }
}

TEST_F(Norms, OfCudnnComputeTheSameInAGraph) {
  expect_near_losses_in_a_graph({.batch = 4, .norm = NormLibrary::cudnn});
}

TEST_F(Norms, OfCudnnAddGradientsInTwoSummandsFirst) {
  if (!fake()) return;
  NetworkEngine engine(two_readers_network(), {.batch = 4, .norm = NormLibrary::cudnn});
  EXPECT_EQ(norms_of(engine), "batch norm: cuDNN's in 2 of 2 layers forward, 2 of 2 backward");
}

TEST_F(Norms, AreOursWithoutAPlanOfCudnn) {
  if (!fake()) return;  // a device's cuDNN cannot be told
  unsetenv("FAKE_CUDNN_NORM");
  NetworkEngine engine(small_network(), {.batch = 2, .norm = NormLibrary::cudnn});
  EXPECT_EQ(norms_of(engine),
            "batch norm: cuDNN's in 0 of 6 layers forward (6: no plan), 0 of 6 backward (6: no plan)");
  NetworkEngine ours(small_network(), {.batch = 2});
  EXPECT_EQ(losses(engine, 2), losses(ours, 2));
  offer("forward");
  NetworkEngine half(small_network(), {.batch = 2, .norm = NormLibrary::cudnn});
  EXPECT_EQ(norms_of(half), "batch norm: cuDNN's in 6 of 6 layers forward, 0 of 6 backward (6: no plan)");
}

TEST_F(Norms, AreOursIfCudnnsResultsAreWrong) {
  if (!fake()) return;
  NetworkEngine ours(small_network(), {.batch = 2});
  const auto want = losses(ours, 2);
  for (const char* const how : {"wrong", "nothing"}) {
    offer(how);
    for (const NormLibrary library : {NormLibrary::cudnn, NormLibrary::fastest}) {
      NetworkEngine engine(small_network(), {.batch = 2, .norm = library});
      EXPECT_EQ(norms_of(engine),
                "batch norm: cuDNN's in 0 of 6 layers forward (6: results unlike ours), 0 of 6 backward (6: results "
                "unlike ours)")
          << how;
      EXPECT_EQ(losses(engine, 2), want) << how;
    }
  }
}

TEST_F(Norms, AreTheFastestOfCudnnsAndOurs) {
  NetworkEngine engine(small_network(), {.batch = 2, .norm = NormLibrary::fastest});
  for (const cudnn::NormTally& t : {engine.facts().forward_norms, engine.facts().backward_norms}) {
    EXPECT_EQ(t.passes, 6);
    EXPECT_EQ(t.by_cudnn + t.slower + t.without_plan + t.unlike, 6);
    if (fake()) {
      EXPECT_EQ(t.by_cudnn + t.slower, 6);
    }
  }
  EXPECT_GT(losses(engine, 1).front(), 0);
}

class Sums : public Norms {
 protected:
  void SetUp() override {
    Norms::SetUp();
    offer_sums("1");
  }
  void TearDown() override {
    unsetenv("FAKE_CUDNN_GENSTATS");
    Norms::TearDown();
  }
  static void offer_sums(const char* what) { setenv("FAKE_CUDNN_GENSTATS", what, 1); }
};

std::string sums_of(const NetworkEngine& engine) { return cudnn::describe_sums(engine.facts().sums); }

TEST_F(Sums, ByConvolutionsGiveTheGradientsOfOnednn) {
  for (const DType precision : {DType::bf16, DType::f16}) {
    const EngineSetup setup{.batch = 8, .precision = precision, .norm = NormLibrary::genstats};
    expect_gradients_of_onednn(smooth_network(), setup, precision == DType::f16 ? 0.004 : 0.03);
    expect_gradients_of_onednn(small_network(), setup, precision == DType::f16 ? 0.15 : 0.3);
  }
}

TEST_F(Sums, ByConvolutionsGiveOurLosses) {
  const Sgd::Settings rule{.rate = 0.05F};
  for (const DType precision : {DType::bf16, DType::f16}) {
    const EngineSetup own{.batch = 8, .precision = precision, .rule = rule};
    EngineSetup summed = own;
    summed.norm = NormLibrary::genstats;
    NetworkEngine ours(small_network(), own), other(small_network(), summed);
    expect_near_losses(other, ours);
    if (fake()) {
      EXPECT_EQ(sums_of(other), "batch norm: sums by cuDNN's convolutions in 6 of 6 layers");
    }
    EXPECT_EQ(other.facts().forward_norms.passes, 0);
  }
}

TEST_F(Sums, AreOursWithoutAPlanOrWithWrongResults) {
  if (!fake()) return;  // a device's cuDNN cannot be told
  NetworkEngine ours(small_network(), {.batch = 2});
  const auto want = losses(ours, 2);
  const auto expect = [&](NormLibrary library, const char* why) {
    NetworkEngine engine(small_network(), {.batch = 2, .norm = library});
    EXPECT_EQ(sums_of(engine), fmt::format("batch norm: sums by cuDNN's convolutions in 0 of 6 layers (6: {})", why));
    EXPECT_EQ(losses(engine, 2), want) << why;
  };
  unsetenv("FAKE_CUDNN_NORM");  // the fastest norms are then ours
  unsetenv("FAKE_CUDNN_GENSTATS");
  for (const NormLibrary library : {NormLibrary::genstats, NormLibrary::fastest}) expect(library, "no plan");
  for (const char* const how : {"wrong", "nothing"}) {
    offer_sums(how);
    for (const NormLibrary library : {NormLibrary::genstats, NormLibrary::fastest})
      expect(library, "results unlike ours");
  }
}

TEST_F(Sums, AreByConvolutionsWhereThatIsFaster) {
  NetworkEngine engine(small_network(), {.batch = 2, .norm = NormLibrary::fastest});
  const cudnn::NormTally& t = engine.facts().sums;
  EXPECT_EQ(t.passes, 6);
  EXPECT_EQ(t.by_cudnn + t.slower + t.without_plan + t.unlike, 6);
  const cudnn::NormTally& norms = engine.facts().forward_norms;
  EXPECT_LE(norms.slower_than_sums, t.by_cudnn) << "these layers have sums by convolutions";
  if (fake()) {
    EXPECT_EQ(t.by_cudnn + t.slower, 6);
    EXPECT_EQ(norms.by_cudnn + norms.slower + norms.slower_than_sums, 6);
  }
  EXPECT_GT(losses(engine, 1).front(), 0);
}

TEST(NormTally, IsDescribedInWords) {
  EXPECT_EQ(
      cudnn::describe({.passes = 53, .by_cudnn = 33, .slower = 12, .slower_than_sums = 8},
                      {.passes = 53, .without_plan = 53}),
      "batch norm: cuDNN's in 33 of 53 layers forward (12: slower than ours, 8: slower than sums by convolutions), 0 "
      "of 53 backward (53: no plan)");
  EXPECT_EQ(cudnn::describe_sums({.passes = 53, .by_cudnn = 40, .slower = 13}),
            "batch norm: sums by cuDNN's convolutions in 40 of 53 layers (13: slower than separate kernels)");
}

TEST_F(Sums, ByConvolutionsComputeTheSameInAGraph) {
  expect_near_losses_in_a_graph({.batch = 4, .norm = NormLibrary::genstats});
}

TEST_F(Training, KeepsWeightsWhileTimingLayers) {
  NetworkEngine engine(small_network(), {.batch = 2});
  const auto before = engine.parameters().weights_on_host();
  engine.time_layers();
  EXPECT_EQ(engine.timed_passes(), 1);
  for (std::size_t i = 0; i < engine.network().layers.size(); ++i) {
    const Layer& l = engine.network().layers[i];
    if (l.kind == LayerKind::add && l.name != "c") continue;  // its time is the norm's
    EXPECT_GT(engine.times()[i].forward_s, 0) << l.name;
    EXPECT_GT(engine.times()[i].backward_s, 0) << l.name;
  }
  EXPECT_EQ(engine.parameters().weights_on_host(), before);
}

}  // namespace
}  // namespace busbar::gpu
