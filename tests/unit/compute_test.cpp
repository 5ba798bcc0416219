// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <map>
#include <numeric>
#include <sstream>

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "tests/unit/common_order.hpp"
#include "workloads/compute/cudnn/lowering.hpp"
#include "workloads/compute/onednn.hpp"
#include "workloads/networks/model.hpp"
#include "workloads/networks/network.hpp"
#include "workloads/peak/peak.hpp"

namespace busbar::test {
namespace {

TEST(Network, HasTheTensorsOfResNet50sModelFileInReverse) {
  const Model model = read_model("../workloads/models/resnet50.json");
  const Network net = resnet(50);
  auto parameters = net.parameters();
  std::ranges::reverse(parameters);
  ASSERT_EQ(parameters.size(), model.gradients.size());
  double done = 0, backward = 0;
  for (const Layer& l : net.layers) backward += net.backward_flop(l);
  std::size_t layer = net.layers.size();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    EXPECT_EQ(parameters[i].name, model.gradients[i].name);
    EXPECT_EQ(parameters[i].elements, model.gradients[i].elements);
    while (layer > static_cast<std::size_t>(parameters[i].layer)) done += net.backward_flop(net.layers[--layer]);
    EXPECT_NEAR(done / backward, model.gradients[i].ready, 1e-9) << parameters[i].name;
  }
  EXPECT_DOUBLE_EQ(net.step_flop(), 24'299'077'632.0);
}

/// Parameters as torchvision counts them.
TEST(Network, DescribesAllDepthsOfResNet) {
  for (const auto& [depth, elements] : {std::pair(18, 11'689'512U), std::pair(34, 21'797'672U),
                                        std::pair(101, 44'549'160U), std::pair(152, 60'192'808U)}) {
    const auto parameters = resnet(depth).parameters();
    EXPECT_EQ(std::accumulate(parameters.begin(), parameters.end(), std::uint64_t{0},
                              [](std::uint64_t sum, const Parameter& p) { return sum + p.elements; }),
              elements)
        << depth;
  }
  EXPECT_THROW(static_cast<void>(resnet(20)), UsageError);
  EXPECT_THROW(static_cast<void>(resnet(50, 31)), UsageError);
}

struct Roofline {
  double bytes_per_s, flop_per_s;
};
constexpr std::array<Roofline, 3> rooflines{{{2.039e12, 312e12}, {3.35e12, 989e12}, {4.8e12, 989e12}}};

/// A row of docs/training.md's table: GB forward and backward, TFLOP, and ms on each device.
using CostRow = std::array<double, 6>;

CostRow cost_of(const Network& net, const gpu::Traffic& traffic, const Layer& l, int batch) {
  const double forward = net.forward_flop(l) * batch, backward = net.backward_flop(l) * batch;
  CostRow row{traffic.forward / 1e9, traffic.backward / 1e9, (forward + backward) / 1e12};
  for (std::size_t i = 0; i < rooflines.size(); ++i)
    row[3 + i] = 1e3 * (std::max(traffic.forward / rooflines[i].bytes_per_s, forward / rooflines[i].flop_per_s) +
                        std::max(traffic.backward / rooflines[i].bytes_per_s, backward / rooflines[i].flop_per_s));
  return row;
}

/// "| convolution | 53 | 11.32 | ..." without its name and number of layers.
CostRow row_of_docs(const std::string& text, const std::string& name) {
  const auto begin = text.find("\n| " + name);
  if (begin == text.npos) throw Error("docs/training.md has no row " + name);
  std::istringstream line(text.substr(begin, text.find('\n', begin + 1) - begin));
  std::string cell;
  for (int skipped = 0; skipped < 3; ++skipped) std::getline(line, cell, '|');
  CostRow row{};
  for (double& value : row) {
    std::getline(line, cell, '|');
    value = std::stod(cell);
  }
  return row;
}

/// By kind of layer, and of all.
std::map<std::string, CostRow> cost_rows(gpu::NormSums sums) {
  constexpr int batch = 256;
  const Network net = resnet(50);
  const auto traffic = gpu::traffic_of(net, batch, sums);
  std::map<std::string, CostRow> rows;
  for (std::size_t i = 0; i < net.layers.size(); ++i) {
    const CostRow own = cost_of(net, traffic[i], net.layers[i], batch);
    for (const std::string& name : {std::string(busbar::name(net.layers[i].kind)), std::string("all")})
      for (std::size_t k = 0; k < own.size(); ++k) rows[name][k] += own[k];
  }
  return rows;
}

TEST(Lowering, MatchesTheDocumentedBytesAndOperations) {
  auto rows = cost_rows(gpu::NormSums::by_norm);
  const auto summing = cost_rows(gpu::NormSums::by_convolution);
  for (const char* const name : {"batch norm", "all"}) rows["`genstats`: " + std::string(name)] = summing.at(name);
  std::ifstream file("../docs/training.md");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  text.erase(0, text.find("| computed | layers |"));
  for (const auto& [name, row] : rows) {
    if (name == "add") continue;  // all of them are computed with a norm
    const CostRow said = row_of_docs(text, name);
    for (std::size_t k = 0; k < row.size(); ++k) EXPECT_NEAR(said[k], row[k], 0.0051) << name << ", column " << k;
  }
  EXPECT_EQ(rows.at("add"), CostRow{});
}

/// A convolution, a norm, and a sum that is not computed with it, as the norm has a ReLU: counted by hand.
TEST(Lowering, CountsTheBytesOfTheKernels) {
  NetworkBuilder builder("small", {.channels = 3, .height = 4, .width = 4});
  const int convolution = builder.convolution("c", -1, 8, 1);
  const int norm = builder.norm("n", convolution, true);
  builder.linear("l", builder.average_pool("p", builder.add("a", norm, convolution)), 10);
  const auto traffic = gpu::traffic_of(std::move(builder).finish(), 2);
  constexpr double tensor = 2 * 2 * 8 * 16;  // bytes of two images, 8 channels each, of 4 x 4
  EXPECT_EQ(traffic[0].forward, 2 * tensor + 2 * 8 * 8);
  EXPECT_EQ(traffic[0].backward, 2 * tensor + 2 * 8 * 8) << "there is no gradient of images";
  EXPECT_EQ(traffic[1].forward, 3 * tensor);
  EXPECT_EQ(traffic[1].backward, 5 * tensor);
  EXPECT_EQ(traffic[2].forward, 3 * tensor);
  EXPECT_EQ(traffic[2].backward, 3 * tensor);
}

/// Along the gradient of each parameter the loss must change as the gradient says: by finite differences.
void expect_gradients_to_be_right(const Network& net, int batch) {
  const auto compute = make_onednn(net, {.batch = batch, .seed = 7});
  const double loss = compute->forward().value();
  std::size_t ready = 0;
  compute->backward([&](std::size_t begin, std::size_t end) {
    EXPECT_EQ(begin, ready) << "in order, without gaps";
    ready = end;
  });
  EXPECT_EQ(ready, compute->gradients().size());
  EXPECT_GT(loss, 0);
  const std::vector<float> gradient(compute->gradients().begin(), compute->gradients().end());
  const std::vector<float> weights(compute->weights().begin(), compute->weights().end());
  for (const Stripe& s : compute->stripes()) {
    double square = 0;
    for (std::size_t i = s.begin; i < s.begin + s.elements; ++i) square += double(gradient[i]) * gradient[i];
    const double norm = std::sqrt(square);
    ASSERT_GT(norm, 1e-5) << s.name;
    const double h = 2e-3 / norm;  // so that the loss changes by about that, far above its rounding
    const auto loss_at = [&](double step) {
      for (std::size_t i = s.begin; i < s.begin + s.elements; ++i)
        compute->weights()[i] = weights[i] + static_cast<float>(step * gradient[i] / norm);
      return compute->forward().value();
    };
    const double slope = (loss_at(h) - loss_at(-h)) / (2 * h);
    std::ranges::copy(weights, compute->weights().begin());
    EXPECT_NEAR(slope / norm, 1, 0.03) << net.name << ": " << s.name << ", norm " << norm;
  }
}

/// Channels fill no block of a layout on purpose where `channels` is odd.
NetworkBuilder small(const std::string& name) { return {name, {.channels = 3, .height = 9, .width = 9}}; }

Network ended(NetworkBuilder net, int last) {
  net.linear("fc", net.average_pool("pool", last), 10);
  return std::move(net).finish();
}

class GradientsOf : public testing::TestWithParam<int> {};

TEST_P(GradientsOf, Convolution) {
  for (const int kernel : {1, 3, 7})
    for (const int stride : {1, 2}) {
      auto net = small("convolution");
      const int first = net.convolution("a", -1, GetParam(), kernel, stride);
      const int last = net.convolution("b", first, GetParam(), kernel, stride);
      expect_gradients_to_be_right(ended(std::move(net), last), 4);
    }
}

TEST_P(GradientsOf, BatchNorm) {
  for (const bool relu : {false, true}) {
    auto net = small("norm");
    const int normed = net.norm("n", net.convolution("a", -1, GetParam(), 3), relu);
    const int last = net.convolution("b", normed, GetParam(), 3);
    expect_gradients_to_be_right(ended(std::move(net), last), 4);
  }
}

TEST_P(GradientsOf, SumsAndSharedInputs) {
  auto net = small("sum");
  const int a = net.convolution("a", -1, GetParam(), 3);
  const int b = net.convolution("b", a, GetParam(), 3);
  const int identity = net.add("identity", b, a);
  const int c = net.convolution("c", identity, GetParam(), 3);
  const int d = net.convolution("d", identity, GetParam(), 1);
  expect_gradients_to_be_right(ended(std::move(net), net.add("projection", c, d)), 4);
}

TEST_P(GradientsOf, Pools) {
  auto net = small("pool");
  const int a = net.convolution("a", -1, GetParam(), 3);
  const int pooled = net.max_pool("m", a, 3, 2, 1);
  const int last = net.convolution("b", pooled, GetParam(), 3);
  expect_gradients_to_be_right(ended(std::move(net), last), 4);
}

INSTANTIATE_TEST_SUITE_P(Channels, GradientsOf, testing::Values(16, 5));

TEST(Onednn, LossOfAFixedBatchFalls) {
  const auto compute = make_onednn(resnet(18, 64, 10), {.batch = 8});
  const double first = compute->forward().value();
  double last = first;
  for (int step = 0; step < 10; ++step) {
    compute->backward([](std::size_t, std::size_t) {});
    compute->update(0, compute->weights().size());
    last = compute->forward().value();
  }
  EXPECT_LT(last, 0.5 * first) << "from " << first;
}

class OnednnInBf16 : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_bf16_instructions()) GTEST_SKIP() << "this CPU has neither AVX512-BF16 nor AMX";
  }
};

/// One forward and backward in each type; the gradients of every parameter are as near as `tolerance`, of its length.
void expect_gradients_of_fp32(const Network& network, double tolerance) {
  const auto exact = make_onednn(network, {.batch = 8});
  const auto rounded = make_onednn(network, {.batch = 8, .precision = DType::bf16});
  const std::vector<float> first(exact->weights().begin(), exact->weights().end());
  const double loss = exact->forward().value();
  exact->backward([](std::size_t, std::size_t) {});
  EXPECT_NEAR(rounded->forward().value(), loss, 0.02 * loss);
  rounded->backward([](std::size_t, std::size_t) {});
  ASSERT_EQ(rounded->stripes().size(), exact->stripes().size());
  for (std::size_t i = 0; i < exact->stripes().size(); ++i) {
    const Stripe &s = exact->stripes()[i], &t = rounded->stripes()[i];
    ASSERT_EQ(t.name, s.name);
    const auto own_first = part(rounded->weights(), t);
    const bool matrix = own_first[0] != own_first[1] && s.name.ends_with(".weight");
    const auto want = in_common_order(part(first, s), part(exact->gradients(), s), matrix);
    const auto have = in_common_order(own_first, part(rounded->gradients(), t), matrix);
    ASSERT_EQ(have.size(), want.size()) << s.name;
    // Shifts in front of a batch norm have no gradient but for rounding; 0.01 is small against all others.
    EXPECT_LT(distance(have, want), tolerance * (length(want) + 0.01)) << s.name << " of length " << length(want);
  }
}

/// bf16 has 8 bits of mantissa: a rounding is off by 2^-9 at most, and a gradient has gone through some ten. Where
/// there are ReLUs and maxima, roundings take values to their other side, and gradients differ by whole elements. The
/// bounds are those of the step on a GPU (tests/gpu/gpu_engine_test.cpp).
TEST_F(OnednnInBf16, ComputesGradientsAsInFp32) {
  expect_gradients_of_fp32(smooth_network(), 0.03);
  expect_gradients_of_fp32(small_network(), 0.3);
}

/// Channels that do not fill a block of a layout, and a linear layer with an image as input.
TEST_F(OnednnInBf16, ComputesGradientsOfOddShapesAsInFp32) {
  auto net = small("odd");
  const int a = net.norm("n", net.convolution("a", -1, 5, 3), false);
  net.linear("fc", net.convolution("b", a, 16, 1, 2), 10);
  expect_gradients_of_fp32(std::move(net).finish(), 0.03);
}

TEST_F(OnednnInBf16, LossFallsAsInFp32) {
  const Sgd::Settings rule{.rate = 0.05F};
  const auto exact = make_onednn(small_network(), {.batch = 8, .rule = rule});
  const auto rounded = make_onednn(small_network(), {.batch = 8, .precision = DType::bf16, .rule = rule});
  double first = 0, last = 0;
  for (int step = 0; step < 8; ++step) {
    last = rounded->forward().value();
    if (step == 0) first = last;
    EXPECT_NEAR(last, exact->forward().value(), 0.1) << "step " << step;
    for (const auto& engine : {exact.get(), rounded.get()}) {
      engine->backward([](std::size_t, std::size_t) {});
      engine->update(0, engine->weights().size());
    }
  }
  EXPECT_LT(last, 0.7 * first);
  rounded->reset();
  EXPECT_EQ(rounded->forward().value(), first) << "after reset()";
}

TEST_F(OnednnInBf16, HalvesTheMemoryOfCopiesAndActivations) {
  const auto exact = make_onednn(small_network(), {.batch = 8});
  const auto rounded = make_onednn(small_network(), {.batch = 8, .precision = DType::bf16});
  EXPECT_EQ(exact->facts().copy_bytes, 0U);
  EXPECT_GT(rounded->facts().copy_bytes, 0U);
  EXPECT_LT(rounded->facts().copy_bytes, rounded->weights().size_bytes());
  EXPECT_LT(static_cast<double>(rounded->facts().activation_bytes),
            0.6 * static_cast<double>(exact->facts().activation_bytes));
}

TEST(Onednn, WeightsDependOnTheSeedAndImagesOnTheRankToo) {
  const auto net = resnet(18, 32, 10);
  const auto a = make_onednn(net, {.batch = 2}), b = make_onednn(net, {.batch = 2, .rank = 1}),
             c = make_onednn(net, {.batch = 2, .seed = 2});
  EXPECT_TRUE(std::ranges::equal(a->weights(), b->weights()));
  EXPECT_FALSE(std::ranges::equal(a->weights(), c->weights()));
  EXPECT_NE(a->forward().value(), b->forward().value());
}

}  // namespace
}  // namespace busbar::test
