// SPDX-License-Identifier: Apache-2.0
#include "workloads/model.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace busbar::test {
namespace {

constexpr std::uint64_t mib = 1 << 20;

Model resnet50() { return read_model("../workloads/models/resnet50.json"); }

TEST(ResNet50, HasThePublishedNumberOfParameters) {
  const Model model = resnet50();
  EXPECT_EQ(model.gradients.size(), 161U);
  EXPECT_EQ(parameters(model), 25'557'032U);
  EXPECT_EQ(model.gradients.front().name, "fc.bias");
  EXPECT_EQ(model.gradients.back().name, "conv1.weight");
  EXPECT_DOUBLE_EQ(model.gradients.back().ready, 1);
  EXPECT_TRUE(std::ranges::is_sorted(model.gradients, {}, &Gradient::ready));
}

/// MiB of each bucket, to one decimal, and per cent of backward when it is complete, to one decimal.
std::vector<std::pair<double, double>> table(const std::vector<Fused>& buckets) {
  std::vector<std::pair<double, double>> rows;
  const auto one_decimal = [](double v) { return std::round(v * 10) / 10; };
  for (const Fused& b : buckets)
    rows.emplace_back(one_decimal(static_cast<double>(b.bytes) / mib), one_decimal(b.ready * 100));
  return rows;
}

TEST(Fusion, BucketsOfResNet50AreThoseOfDistributedDataParallel) {
  using Rows = std::vector<std::pair<double, double>>;
  EXPECT_EQ(table(fuse(resnet50(), 4, mib, 25 * mib)),
            (Rows{{7.8, 0.1}, {30.0, 9.6}, {25.0, 17.6}, {25.3, 49.8}, {9.3, 100}}));
  EXPECT_EQ(table(fuse(resnet50(), 2, mib, 25 * mib)), (Rows{{3.9, 0.1}, {27.5, 17.6}, {17.3, 100}}));
}

TEST(Fusion, EveryGradientIsInOneBucket) {
  const Model model = resnet50();
  for (const std::uint64_t limit : {std::uint64_t{0}, std::uint64_t{1000}, mib, 1000 * mib}) {
    std::uint64_t bytes = 0;
    std::size_t gradients = 0;
    for (const Fused& b : fuse(model, 4, limit, limit)) {
      bytes += b.bytes;
      gradients += b.gradients;
    }
    EXPECT_EQ(bytes, 4 * parameters(model));
    EXPECT_EQ(gradients, model.gradients.size());
  }
  EXPECT_EQ(fuse(model, 4, 0, 0).size(), 161U);
  EXPECT_EQ(fuse(model, 4, 1000 * mib, 1000 * mib).size(), 1U);
}

TEST(Model, WhatIsWrongIsNamed) {
  const std::string path = testing::TempDir() + "/model.json";
  const auto problem = [&](const std::string& text) -> std::string {
    std::ofstream(path) << text;
    try {
      (void)read_model(path);
    } catch (const UsageError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_NE(problem("hello").find("not a model file"), std::string::npos);
  EXPECT_NE(problem(R"({"model":"m"})").find("'source' not found"), std::string::npos);
  EXPECT_NE(problem(R"({"model":"m","source":"s","backward_flop_per_sample":1,"gradients":[]})").find("no gradients"),
            std::string::npos);
  EXPECT_NE(
      problem(
          R"({"model":"m","source":"s","backward_flop_per_sample":1,"gradients":[{"name":"w","shape":[2],"backward_flop":3}]})")
          .find("gradient w is ready outside"),
      std::string::npos);
  EXPECT_THROW((void)read_model("/no/such/model"), UsageError);
}

}  // namespace
}  // namespace busbar::test
