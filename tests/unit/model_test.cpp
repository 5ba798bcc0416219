// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/model.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "tests/unit/catch_error.hpp"
#include "workloads/networks/data.hpp"
#include "workloads/networks/fusion.hpp"

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

struct Published {
  std::string name;
  std::size_t gradients;
  std::uint64_t parameters;
  double multiply_adds;  ///< of one sample's forward pass, in 1e9
  std::string last;      ///< the gradient that is ready last
};

/// Operation counts by another count than the file's: blocks * (12 * hidden^2 * tokens + 2 * tokens^2 * hidden), and
/// the layers before and after the blocks; convolutions of VGG one by one.
const std::vector<Published> published{
    {"resnet50", 161, 25'557'032, 4.089184, "conv1.weight"},
    {"vgg16", 32, 138'357'544, 15.470264, "features.0.weight"},
    {"bert-large", 391, 335'141'888, 38.654706 + 0.805306 + 0.001049, "emb.word"},
    {"vit-huge", 392, 632'045'800, 161.690419 + 5.410734 + 0.192676 + 0.001280, "cls"},
    {"gpt2-xl", 580, 1'557'611'200, 1509.949440 + 161.061274 + 82.341069, "wte"},
};

TEST(Models, HaveThePublishedNumbersOfParametersAndOperations) {
  for (const Published& p : published) {
    const Model model = read_model(find_model(p.name));
    EXPECT_EQ(model.name, p.name);
    EXPECT_EQ(model.gradients.size(), p.gradients) << p.name;
    EXPECT_EQ(parameters(model), p.parameters) << p.name;
    EXPECT_NEAR(model.forward_flop / 2e9, p.multiply_adds, p.multiply_adds * 1e-5) << p.name;
    EXPECT_NEAR(model.backward_flop / model.forward_flop, 2, 0.03) << p.name;
    EXPECT_EQ(model.gradients.back().name, p.last);
    EXPECT_DOUBLE_EQ(model.gradients.back().ready, 1) << p.name;
  }
}

TEST(Models, DescribeTheBlocksOfTransformers) {
  const auto blocks = read_model(find_model("gpt2-xl")).blocks;
  ASSERT_TRUE(blocks);
  EXPECT_EQ(blocks->count, 48);
  EXPECT_EQ(blocks->hidden, 1600);
  EXPECT_EQ(blocks->tokens, 1024);
  EXPECT_EQ(blocks->heads, 25);
  EXPECT_FALSE(resnet50().blocks);
  EXPECT_EQ(resnet50().image, 224);
  EXPECT_EQ(read_model(find_model("bert-large")).sample, "sequence");
}

TEST(Models, AreFoundByName) {
  EXPECT_EQ(shipped_models(), (std::vector<std::string>{"bert-large", "gpt2-xl", "resnet50", "vgg16", "vit-huge"}));
  EXPECT_NE(
      catch_error([] { (void)find_model("resnet"); }).find("there are: bert-large, gpt2-xl, resnet50, vgg16, vit-huge"),
      std::string::npos);
  EXPECT_THROW((void)find_model("../models/resnet50"), UsageError);
  EXPECT_TRUE(shipped_models("/no/such/folder").empty());
}

TEST(DataFolder, IsNamedByTheEnvironment) {
  setenv("BUSBAR_DATA", testing::TempDir().c_str(), 1);
  EXPECT_EQ(data_folder(), testing::TempDir());
  setenv("BUSBAR_DATA", "/no/such/folder", 1);
  EXPECT_THROW((void)data_folder(), UsageError);
  unsetenv("BUSBAR_DATA");
  EXPECT_TRUE(std::filesystem::exists(data_folder() / "models" / "resnet50.json"));
}

using Rows = std::vector<std::pair<double, double>>;

/// MiB of each bucket, to one decimal, and per cent of backward when it is complete, to one decimal.
Rows fused(const Model& model, std::size_t bytes_per_element, FusionLimits limits) {
  const auto one_decimal = [](double v) { return std::round(v * 10) / 10; };
  Rows rows;
  auto last = model.gradients.begin();
  std::size_t end = 0;
  for (const Bucket& b : fuse(model.gradients, bytes_per_element, limits)) {
    while ((end += last->elements) < b.end) ++last;
    rows.emplace_back(one_decimal(static_cast<double>(b.size() * bytes_per_element) / mib),
                      one_decimal(last++->ready * 100));
  }
  return rows;
}

TEST(Fusion, MakesTheBucketsOfDistributedDataParallel) {
  const FusionLimits limits{.first = mib, .others = 25 * mib};
  EXPECT_EQ(fused(resnet50(), 4, limits), (Rows{{7.8, 0.1}, {30.0, 9.6}, {25.0, 17.6}, {25.3, 49.8}, {9.3, 100}}));
  EXPECT_EQ(fused(resnet50(), 2, limits), (Rows{{3.9, 0.1}, {27.5, 17.6}, {17.3, 100}}));
}

TEST(Fusion, PutsEveryGradientIntoOneBucket) {
  const auto gradients = resnet50().gradients;
  for (const std::uint64_t limit : {std::uint64_t{0}, std::uint64_t{1000}, mib, 1000 * mib}) {
    std::size_t end = 0;
    for (const Bucket& b : fuse(gradients, 4, {.first = limit, .others = limit})) {
      EXPECT_EQ(b.begin, end);
      end = b.end;
    }
    EXPECT_EQ(end, parameters(resnet50()));
  }
  EXPECT_EQ(fuse(gradients, 4, {}).size(), 161U);
  EXPECT_EQ(fuse(gradients, 4, {.first = 1000 * mib, .others = 1000 * mib}).size(), 1U);
}

TEST(Model, NamesErrors) {
  const std::string path = testing::TempDir() + "/model.json";
  const auto catch_model_error = [&](const std::string& text) {
    std::ofstream(path) << text;
    return catch_error([&] { (void)read_model(path); });
  };
  EXPECT_NE(catch_model_error("hello").find("not a model file"), std::string::npos);
  EXPECT_NE(catch_model_error(R"({"model":"m"})").find("no 'source'"), std::string::npos);
  EXPECT_NE(catch_model_error(R"({"model":"m","source":"s","backward_flop_per_sample":1,"gradients":[]})")
                .find("no gradients"),
            std::string::npos);
  EXPECT_NE(
      catch_model_error(
          R"({"model":"m","source":"s","backward_flop_per_sample":1,"gradients":[{"name":"w","shape":[2],"backward_flop":3}]})")
          .find("gradient w is ready outside"),
      std::string::npos);
  const auto with = [&](const std::string& gradients, const std::string& more) {
    return catch_model_error(R"({"model":"m","source":"s","backward_flop_per_sample":2,"gradients":[)" + gradients +
                             "]" + more + "}");
  };
  const auto says = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  const std::string w = R"({"name":"w","shape":[2],"backward_flop":2})", flop = R"(,"forward_flop_per_sample":1)";
  EXPECT_EQ(with(w, flop), "no error");
  EXPECT_TRUE(says(with(w, ""), "forward_flop_per_sample"));
  EXPECT_TRUE(says(with(w, R"(,"forward_flop_per_sample":-1)"), "forward_flop_per_sample is not above 0"));
  EXPECT_TRUE(says(with(w + R"(,{"name":"v","shape":[2],"backward_flop":1})", flop), "v is ready before"));
  EXPECT_TRUE(says(with(R"({"name":"w","shape":[4294967296,4294967296],"backward_flop":2})", flop), "w has over"));
  EXPECT_TRUE(says(with(R"({"name":"w","shape":[0],"backward_flop":2})", flop), "no elements"));
  EXPECT_TRUE(says(with(w, flop + R"(,"sample":"word")"), "neither image nor sequence"));
  EXPECT_TRUE(says(with(w, flop + R"(,"block":{"count":0})"), "count is not from 1"));
  EXPECT_TRUE(says(with(w, flop + R"(,"block":{"count":1})"), "not a model file"));
  EXPECT_THROW((void)read_model("/no/such/model"), UsageError);
}

}  // namespace
}  // namespace busbar::test
