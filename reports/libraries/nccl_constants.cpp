// SPDX-License-Identifier: Apache-2.0
#include "reports/libraries/nccl_constants.hpp"

#include <algorithm>
#include <compare>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/base/json.hpp"

namespace busbar::libraries {

using busbar::from_json;  // for enums with words

namespace {

using nlohmann::json;

template <class Enum>
std::string key_of(std::size_t index) {
  return std::string(words_of(Enum{})[index]);
}

NcclConstants::ByAlgorithm by_algorithm(const json& j) {
  NcclConstants::ByAlgorithm all{};
  for (std::size_t a = 0; a < all.size(); ++a) j.at(key_of<NcclAlgorithm>(a)).get_to(all[a]);
  return all;
}

/// Values by generation of GPUs; of an unknown generation, as of the one before.
template <class T>
void by_gpus(const json& j, std::array<T, gpu_generations>& all) {
  for (std::size_t g = 0; g < all.size(); ++g) {
    const std::string key = key_of<Gpus>(g);
    if (g > 0 && !j.contains(key))
      all[g] = all[g - 1];
    else
      j.at(key).get_to(all[g]);
  }
}

void read_shares(const json& j, NcclConstants& c) {
  j.at("post_us").at("intel").get_to(c.post_intel);
  j.at("post_us").at("amd").get_to(c.post_amd);
  j.at("ring_ll_share").get_to(c.ring_ll_share);
  j.at("ring_ll_share_of_gathers_on_one_node").get_to(c.ring_ll_share_of_gathers_on_one_node);
  j.at("ring_ll128_share").get_to(c.ring_ll128_share);
  j.at("ring_ll128_share_of_one_rank_per_node").get_to(c.ring_ll128_share_of_one_rank_per_node);
  j.at("plain_tree_share").get_to(c.plain_tree_share);
  j.at("nvls_ratio").get_to(c.nvls_ratio);
  j.at("pat_share").get_to(c.pat_share);
  j.at("collnet_arity_us").get_to(c.collnet_arity);
}

void read_rules(const json& j, NcclConstants& c) {
  c.ring_passes_each_node_twice = j.at("ring_passes_network") == "2 n";
  j.at("one_rank_per_node_has_tree_latency").get_to(c.one_rank_per_node_has_tree_latency);
  j.at("ratio_of_gathers").get_to(c.ratio_of_gathers);
  j.at("nvls_gathers").get_to(c.nvls_gathers);
  j.at("corrects_nvls_tree").get_to(c.corrects_nvls_tree);
  j.at("nvls_rule").get_to(c.nvls_rule);
  j.at("collnet_gathers").get_to(c.collnet_gathers);
}

NcclConstants constants_in(const json& j) {
  NcclConstants c{.version = j.at("version"), .tag = j.at("tag")};
  c.base = by_algorithm(j.at("base_us"));
  c.nvlink = by_algorithm(j.at("hop_us").at("nvlink"));
  c.pci = by_algorithm(j.at("hop_us").at("pci"));
  c.network = by_algorithm(j.at("hop_us").at("network"));
  by_gpus(j.at("ll_most"), c.ll_most);
  by_gpus(j.at("ring_ll128_channel_most"), c.ring_ll128_channel_most);
  by_gpus(j.at("tree_ll128_channel_most"), c.tree_ll128_channel_most);
  by_gpus(j.at("tree_channel_most"), c.tree_channel_most);
  by_gpus(j.at("nvls_tree_channel_most"), c.nvls_tree_channel_most);
  by_gpus(j.at("nvls_efficiency"), c.nvls_efficiency);
  by_gpus(j.at("ring_plateau"), c.ring_plateau);
  j.at("tree_correction").get_to(c.tree_correction);
  read_shares(j, c);
  read_rules(j, c);
  return c;
}

/// Numbers of a version: "NCCL 2.18.3+cuda12.2" is 2, 18, 3.
std::vector<int> numbers_of(std::string_view text) {
  constexpr std::string_view digits = "0123456789";
  std::vector<int> all;
  auto at = text.find_first_of(digits);
  while (at != std::string_view::npos && all.size() < 3) {
    const auto end = std::min(text.find_first_not_of(digits, at), text.size());
    all.push_back(0);
    for (const char c : text.substr(at, std::min<std::size_t>(end - at, 8))) all.back() = 10 * all.back() + (c - '0');
    if (end == text.size() || text[end] != '.') break;
    at = end + 1;
    if (at == text.size() || digits.find(text[at]) == std::string_view::npos) break;
  }
  return all;
}

}  // namespace

std::vector<NcclConstants> parse_nccl_constants(std::string_view text) {
  std::vector<NcclConstants> all;
  std::string at = "versions";
  try {
    const json file = json::parse(text);
    json known = json::object();
    for (const json& version : file.at("versions")) {
      at = "version " + version.at("version").get<std::string>();
      known.merge_patch(version);
      all.push_back(constants_in(known));
      if (all.size() > 1 && numbers_of(all[all.size() - 2].version) >= numbers_of(all.back().version))
        throw Error("versions do not ascend");
    }
    if (all.empty()) throw Error("no version");
  } catch (const std::exception& e) {
    throw Error(fmt::format("nccl.json: {}: {}", at, e.what()));
  }
  return all;
}

const std::vector<NcclConstants>& nccl_versions() {
  static const std::vector<NcclConstants> all = parse_nccl_constants(nccl_json());
  return all;
}

const NcclConstants& constants_of_nccl(std::string_view version) {
  const auto& all = nccl_versions();
  std::vector<int> wanted = numbers_of(version);
  if (wanted.empty()) return all.back();
  constexpr int last_release = 1'000'000'000;
  while (wanted.size() < 3) wanted.push_back(last_release);
  const auto newer = std::ranges::find_if(all, [&](const NcclConstants& c) { return numbers_of(c.version) > wanted; });
  return newer == all.begin() ? all.front() : *std::prev(newer);
}

}  // namespace busbar::libraries
