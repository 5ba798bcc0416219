// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "reports/import/training/training_lines.hpp"

namespace busbar {
namespace {

using namespace std::string_view_literals;

/// Models of one name.
constexpr std::array whole_names{
    "alexnet"sv,           "deepspeech2"sv, "googlenet"sv, "inception3"sv, "inception4"sv, "inception_v3"sv,
    "inceptionresnetv2"sv, "inceptionv3"sv, "lenet"sv,     "mobilenet"sv,  "nasnet"sv,     "nasnetlarge"sv,
    "nasnetmobile"sv,      "ncf"sv,         "overfeat"sv,  "ssd300"sv,     "trivial"sv,    "xception"sv,
};

/// Models that exist in sizes and versions: what may follow the name.
struct Family {
  std::string_view name;
  std::array<std::string_view, 16> sizes = {};
};

constexpr std::array families{
    Family{"resnet", {"18", "20", "32", "34", "44", "50", "56", "101", "110", "152", "200"}},
    Family{"official_resnet", {"18", "34", "50", "101", "152", "200"}},
    Family{"resnext", {"50", "101", "50_32x4d", "101_32x8d", "101_64x4d"}},
    Family{"wide_resnet", {"50_2", "101_2"}},
    Family{"vgg", {"11", "13", "16", "19", "11_bn", "13_bn", "16_bn", "19_bn"}},
    Family{"densenet", {"121", "161", "169", "201", "264", "40_k12", "100_k12", "100_k24"}},
    Family{"squeezenet", {"1_0", "1_1"}},
    Family{"mnasnet", {"0_5", "0_75", "1_0", "1_3"}},
    Family{"shufflenet_v2_", {"x0_5", "x1_0", "x1_5", "x2_0"}},
    Family{"mobilenet", {"v2", "v3small", "v3large", "_v2", "_v3_small", "_v3_large"}},
    Family{"efficientnet",
           {"b0", "b1", "b2", "b3", "b4", "b5", "b6", "b7", "v2s", "v2m", "v2l", "v2b0", "v2b1", "v2b2", "v2b3"}},
    Family{"efficientnet_", {"b0", "b1", "b2", "b3", "b4", "b5", "b6", "b7", "v2_s", "v2_m", "v2_l"}},
    Family{"convnext", {"tiny", "small", "base", "large", "xlarge", "_tiny", "_small", "_base", "_large"}},
    Family{"vit_", {"b_16", "b_32", "l_16", "l_32", "h_14"}},
    Family{"swin_", {"t", "s", "b", "v2_t", "v2_s", "v2_b"}},
    Family{"regnet_x_", {"400mf", "800mf", "1_6gf", "3_2gf", "8gf", "16gf", "32gf"}},
    Family{"regnet_y_", {"400mf", "800mf", "1_6gf", "3_2gf", "8gf", "16gf", "32gf", "128gf"}},
};

/// Versions of ResNet that follow its size: resnet50_v1.5, ResNet50V2.
constexpr std::array versions{"_v1.5"sv, "_v2"sv, "v2"sv};

bool is_of_family(std::string_view name, const Family& family) {
  if (!name.starts_with(family.name)) return false;
  name.remove_prefix(family.name.size());
  return !name.empty() && is_one_of(family.sizes, name);
}

}  // namespace

bool is_known_model(std::string_view name) {
  for (const std::string_view version : versions)
    if (holds(name, "resnet") && name.ends_with(version)) {
      name.remove_suffix(version.size());
      break;
    }
  const auto fits = [name](const Family& family) { return is_of_family(name, family); };
  return is_one_of(whole_names, name) || std::ranges::any_of(families, fits);
}

}  // namespace busbar
