// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/profile.hpp"

#include <fstream>
#include <random>
#include <sstream>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "tests/unit/catch_error.hpp"
#include "workloads/networks/data.hpp"
#include "workloads/networks/model.hpp"

namespace busbar::test {
namespace {

Profile a100() { return read_profile(find_profile("a100-pcie.resnet50.b1024")); }

const std::string header =
    "busbar-profile 1\n# by hand\nmodel m\ndevice d\nprecision fp16\nbatch 8\nsample image\nelement_bytes 2\n"
    "provenance measured\nsource a test\n";
const std::string events = "F a 10\nF b 20.5 cut=64\nB b 30 3 4 allreduce=128\nB a 40 5\nO 2\n";

std::string written(const Profile& profile) {
  std::ostringstream out;
  write_profile(out, profile);
  return out.str();
}

TEST(ShippedProfile, GivesThePublishedRate) {
  const Profile p = a100();
  EXPECT_NEAR(samples_per_s(p), 2757.21, 2757.21 * 0.0001);
  EXPECT_EQ(p.device, "a100-pcie");
  EXPECT_EQ(p.batch, 1024);
  EXPECT_EQ(p.image, 224);
  EXPECT_TRUE(p.provenance.starts_with("roofline"));
}

TEST(ShippedProfile, HasTheGradientsOfItsModel) {
  const Profile p = a100();
  const Model model = read_model(find_model(p.model));
  EXPECT_EQ(gradient_elements(p), parameters(model));
  EXPECT_EQ(gradient_bytes(p), 51'114'064U);
  std::size_t gradients = 0;
  for (const BackwardEvent& e : p.backward) gradients += e.gradients.size();
  EXPECT_EQ(gradients, model.gradients.size());
}

TEST(ShippedProfile, CanBeCutAfterTheStemAndEveryBlock) {
  const Profile p = a100();
  std::vector<std::uint64_t> bytes;
  for (const ForwardEvent& e : p.forward)
    if (e.cut_bytes) bytes.push_back(*e.cut_bytes);
  ASSERT_EQ(bytes.size(), 17U);
  EXPECT_EQ(bytes[0], 64U * 56 * 56 * 1024 * 2);
  EXPECT_EQ(bytes[1], 256U * 56 * 56 * 1024 * 2);
  EXPECT_EQ(bytes[4], 512U * 28 * 28 * 1024 * 2);
  EXPECT_EQ(bytes[8], 1024U * 14 * 14 * 1024 * 2);
  EXPECT_EQ(bytes[16], 2048U * 7 * 7 * 1024 * 2);
  EXPECT_FALSE(p.forward.back().cut_bytes);
}

TEST(Profile, IsReadBack) {
  const Profile p = parse_profile(header + events, "m");
  EXPECT_EQ(p.source, "a test");
  EXPECT_EQ(p.forward[1].cut_bytes, 64U);
  EXPECT_FALSE(p.forward[0].cut_bytes);
  EXPECT_EQ(p.backward[0].gradients, (std::vector<std::uint64_t>{3, 4}));
  EXPECT_EQ(p.backward[0].allreduce_bytes, 128U);
  EXPECT_NEAR(step_s(p), 102.5e-6, 1e-12);
  EXPECT_NEAR(samples_per_s(p), 8 / 102.5e-6, 1e-6);
  EXPECT_EQ(gradient_bytes(p), 24U);
  for (const Profile& each : {p, a100(), profile_of(read_model(find_model("bert-large")), 4, {.flop_per_s = 1e14})}) {
    const Profile again = parse_profile(written(each), "again");
    EXPECT_EQ(written(again), written(each));
    EXPECT_EQ(again.heads, each.heads);
    EXPECT_NEAR(step_s(again), step_s(each), 1e-9 * static_cast<double>(each.forward.size() + each.backward.size()));
  }
}

std::string catch_profile_error(const std::string& text) {
  return catch_error([&] { (void)parse_profile(text, "x.profile"); });
}

/// With one line in place of `from`.
std::string changed(const std::string& from, const std::string& to) {
  std::string text = header + events;
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return catch_profile_error(text.replace(at, from.size(), to));
}

TEST(Profile, NamesTheLineOfAnErrorAndAcceptedValues) {
  EXPECT_EQ(changed("F a 10", "F a -10"),
            "x.profile:11: the time is '-10'; microseconds, from 0 to 3600000000 (an hour)");
  EXPECT_EQ(changed("batch 8\n", ""), "x.profile:10: no 'batch' in front of the events; a line 'batch VALUE'");
  EXPECT_EQ(changed("B a 40", "B c 40"), "x.profile:14: layer 'c' has no F line; a layer of the forward pass");
  EXPECT_EQ(changed("3 4", "3 0"),
            "x.profile:13: elements of a gradient is '0'; a whole number from 1 to 4398046511104");
  EXPECT_EQ(changed("device d", "colour d"),
            "x.profile:4: unknown key 'colour'; known: model, device, precision, batch, sample, image, heads, "
            "element_bytes, provenance, source, and lines F, B, O");
}

TEST(Profile, RefusesOtherErrorsWithTheirLine) {
  struct Wrong {
    const char *from, *to, *says;
  };
  for (const Wrong& w : std::initializer_list<Wrong>{
           {"busbar-profile 1", "busbar-profile 2", "x.profile:1: "},
           {"F a 10", "F a", ":11: the time is ''"},
           {"F a 10", "F a ten", ":11: the time is 'ten'"},
           {"F a 10", "F a nan", ":11: the time is 'nan'"},
           {"F a 10", "F a inf", ":11: the time is 'inf'"},
           {"F a 10", "F a 3600000001", ":11: the time is"},
           {"F a 10", "F a 10us", ":11: the time is"},
           {"F a 10", "F a -0", ":11: the time is"},
           {"F a 10", "F", ":11: no name of a layer"},
           {"F a 10", "F b 10", ":12: layer 'b' has an F line already"},
           {"cut=64", "cut=", ":12: cut is ''"},
           {"cut=64", "cut=0", ":12: cut is '0'"},
           {"cut=64", "cut=64 cut=64", ":12: cut a second time"},
           {"cut=64", "64", ":12: '64'"},
           {"3 4", "3 -4", ":13: elements of a gradient is '-4'"},
           {"3 4", "3 4.5", ":13: elements of a gradient is '4.5'"},
           {"3 4", "4398046511104 4398046511104", ":13: too many elements"},
           {"3 4", "99999999999999999999999", ":13: elements of a gradient"},
           {"B b 30 3 4 allreduce=128\nB a 40 5\n", "B b 30\n", ":14: no gradients"},
           {"F a 10\nF b 20.5 cut=64\nB b 30 3 4 allreduce=128\nB a 40 5\n", "", ":11: no F line"},
           {events.c_str(), "", ":10: the file ends without an O line"},
           {"O 2\n", "", ":14: the file ends without an O line"},
           {"O 2\n", "O 2\nF c 1\n", ":16: out of order"},
           {"O 2\n", "O 2\nO 2\n", ":16: out of order"},
           {"O 2\n", "O 2 3\n", ":15: '3'"},
           {"F a 10", "B a 10", ":11: layer 'a' has no F line"},
           {"B a 40 5", "batch 8", ":14: out of order"},
           {"model m", "model m\nmodel m", ":4: model a second time"},
           {"model m", "model", ":3: model has no value"},
           {"model m", "model m\x01", ":3: a control character"},
           {"batch 8", "batch 0", ":6: batch is '0'"},
           {"batch 8", "batch 8 9", ":6: batch is '8 9'"},
           {"sample image", "sample word", ":7: sample is 'word'"},
           {"sample image", "image 0", ":7: image is '0'"},
           {"sample image", "heads many", ":7: heads is 'many'"},
           {"element_bytes 2", "element_bytes 3", ":8: element_bytes is '3'"},
       })
    EXPECT_NE(changed(w.from, w.to).find(w.says), std::string::npos) << w.to << ": " << changed(w.from, w.to);
  EXPECT_NE(catch_profile_error("").find("x.profile:1: empty"), std::string::npos);
  EXPECT_NE(catch_profile_error(header + "F a 0\nB a 0 1\nO 0\n").find("all times are 0"), std::string::npos);
}

TEST(Profile, MayHaveBlankLinesAndCarriageReturns) {
  EXPECT_EQ(changed("F a 10\n", "\r\n  \n\t# a comment\nF\ta   10 \r\n"), "no error");
}

TEST(Profile, IsBounded) {
  EXPECT_NE(catch_profile_error(header + std::string(100'001, '\n')).find(":100001: too many lines"),
            std::string::npos);
  EXPECT_NE(catch_profile_error(header + std::string((16 << 20) + 1, '#')).find("too large"), std::string::npos);
  EXPECT_LT(catch_profile_error(std::string(100'000, 'x')).size(), 300U);
}

TEST(Profile, RefusesAnUnreadableFile) {
  EXPECT_THROW((void)read_profile("/no/such/file"), UsageError);
  EXPECT_THROW((void)read_profile("/"), UsageError);
  EXPECT_THROW((void)read_profile("/dev/zero"), UsageError);
}

TEST(Profile, ReadsOrRefusesDamagedText) {
  std::ifstream in(find_profile("a100-pcie.resnet50.b1024"));
  const std::string good{std::istreambuf_iterator<char>(in), {}};
  std::mt19937 random(1);
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  int refused = 0;
  for (int i = 0; i < 500; ++i) {
    std::string text = good;
    for (std::size_t damages = 1 + below(4); damages > 0; --damages) {
      const std::size_t at = below(text.size() - 100);
      switch (below(3)) {
        case 0:
          text[at] = static_cast<char>(below(256));
          break;
        case 1:
          text.erase(at, below(100));
          break;
        case 2:
          text.insert(at, text.substr(below(text.size() - 100), below(100)));
          break;
      }
    }
    const std::string what = catch_profile_error(text);
    if (what != "no error") ++refused;
    EXPECT_TRUE(what == "no error" || what.starts_with("x.profile:")) << what;
  }
  EXPECT_GT(refused, 250);
}

TEST(ProfileOfAModel, DividesOperationsByARate) {
  const Model model = read_model(find_model("resnet50"));
  const Profile p = profile_of(model, 32, {.name = "gpu", .flop_per_s = 1e13});
  EXPECT_NEAR(forward_s(p), 32 * 8178368512 / 1e13, 1e-12);
  EXPECT_NEAR(backward_s(p), 32 * 16120709120 / 1e13, 1e-12);
  EXPECT_EQ(p.optimiser_us, 0);
  EXPECT_EQ(p.provenance, "model's operation counts at 10 TFLOP/s");
  EXPECT_EQ(p.device, "gpu");
  EXPECT_EQ(gradient_bytes(p), 51'114'064U);
  EXPECT_EQ(p.forward.front().layer, "conv1");
  EXPECT_EQ(p.forward.back().layer, "fc");
  EXPECT_EQ(p.backward.front().layer, "fc");
  EXPECT_EQ(p.backward.front().gradients, (std::vector<std::uint64_t>{1000, 2048000}));
  EXPECT_NEAR(p.backward.front().us, 32 * 8192000 / 1e13 * 1e6, 1e-9);
}

TEST(ProfileOfAModel, HasTheMessagesBetweenRanksOfATransformer) {
  const Profile p = profile_of(read_model(find_model("gpt2-xl")), 4, {.flop_per_s = 1e14});
  const std::uint64_t bytes = 4ULL * 1024 * 1600 * 2;
  std::vector<std::string> cuts, forward, backward;
  for (const ForwardEvent& e : p.forward) {
    if (e.cut_bytes == bytes) cuts.push_back(e.layer);
    if (e.allreduce_bytes == bytes) forward.push_back(e.layer);
  }
  for (const BackwardEvent& e : p.backward)
    if (e.allreduce_bytes == bytes) backward.push_back(e.layer);
  ASSERT_EQ(cuts.size(), 48U);
  ASSERT_EQ(forward.size(), 96U);
  ASSERT_EQ(backward.size(), 96U);
  EXPECT_EQ(cuts.front(), "0.fc2");
  EXPECT_EQ(cuts.back(), "47.fc2");
  EXPECT_EQ(forward[0], "0.o");
  EXPECT_EQ(forward[1], "0.fc2");
  EXPECT_EQ(backward[0], "47.fc1");
  EXPECT_EQ(backward[1], "47.qkv");
}

TEST(ProfileOfAModel, RefusesAnEmptyStep) {
  const Model model = read_model(find_model("bert-large"));
  EXPECT_THROW((void)profile_of(model, 0, {.flop_per_s = 1e12}), UsageError);
  EXPECT_THROW((void)profile_of(model, 1, {}), UsageError);
  EXPECT_THROW((void)profile_of(model, 1, {.flop_per_s = -1e12}), UsageError);
  EXPECT_THROW((void)profile_of(model, 2'000'000'000, {.element_bytes = 8, .flop_per_s = 1e12}), UsageError);
}

TEST(Part, AddsUpToTheWholeOverStages) {
  const Profile whole = a100();
  double time = 0, optimiser = 0;
  std::uint64_t bytes = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < whole.forward.size(); ++i) {
    if (!whole.forward[i].cut_bytes && i + 1 < whole.forward.size()) continue;
    const Profile stage = part(whole, begin, i + 1);
    EXPECT_EQ(stage.forward.size(), i + 1 - begin);
    EXPECT_EQ(stage.backward.back().layer, stage.forward.front().layer);
    time += step_s(stage);
    optimiser += stage.optimiser_us;
    bytes += gradient_bytes(stage);
    begin = i + 1;
  }
  EXPECT_NEAR(time, step_s(whole), 1e-9);
  EXPECT_NEAR(optimiser, whole.optimiser_us, 1e-6);
  EXPECT_EQ(bytes, gradient_bytes(whole));
}

TEST(Part, KeepsTheOrderAndRefusesBadBounds) {
  const Profile p = parse_profile(header + events, "m");
  const Profile last = part(p, 1, 2);
  ASSERT_EQ(last.forward.size(), 1U);
  ASSERT_EQ(last.backward.size(), 1U);
  EXPECT_EQ(last.backward[0].layer, "b");
  EXPECT_NEAR(last.optimiser_us, 2.0 * 7 / 12, 1e-12);
  EXPECT_THROW((void)part(p, 1, 1), Error);
  EXPECT_THROW((void)part(p, 0, 3), Error);
}

}  // namespace
}  // namespace busbar::test
