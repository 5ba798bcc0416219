// SPDX-License-Identifier: Apache-2.0
#include <charconv>

#include <fmt/core.h>

#include "core/base/build_info.hpp"
#include "core/base/error.hpp"
#include "reports/platform/platform.hpp"

namespace busbar::platform {
namespace {

constexpr std::string_view prefix = "busbar.";

std::string text(double value) { return fmt::format("{}", value); }

/// Reads properties and remembers whether any was missing or invalid.
class Reader {
 public:
  explicit Reader(const Properties& p) : properties_(p) {}
  std::string text(const std::string& key) {
    const auto it = properties_.find(std::string(prefix) + key);
    if (it != properties_.end() && !it->second.empty() && it->second.size() < 200) return it->second;
    ok_ = false;
    return {};
  }
  bool has(const std::string& key) const { return properties_.contains(std::string(prefix) + key); }
  template <class Number>
  Number number(const std::string& key, Number low, Number high) {
    const std::string word = text(key);
    Number value{};
    const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (problem == std::errc{} && end == word.data() + word.size() && value >= low && value <= high) return value;
    ok_ = false;
    return low;
  }
  [[nodiscard]] bool ok() const { return ok_; }

 private:
  const Properties& properties_;
  bool ok_ = true;
};

}  // namespace

Properties properties(const PlatformSpec& s) {
  const auto t = topology_of(s);
  const Interconnect& net = s.interconnect;
  Properties all;
  const auto set = [&](std::string_view key, std::string value) {
    if (!value.empty()) all[std::string(prefix) + std::string(key)] = std::move(value);
  };
  set("made_by", fmt::format("busbar {} ({})", version(), git_revision()));
  set("topology", t->words());
  set("routing", std::string(t->routing()));
  set("nodes", std::to_string(t->nodes()));
  set("gpus", std::to_string(s.gpus));
  set("nics", std::to_string(s.nics));
  set("interconnect", net.name);
  set("bandwidth_Bps", text(net.bandwidth_Bps));
  set("latency_s", text(net.latency_s));
  set("figures_from", s.figures_from);
  if (net.switch_latency_s) set("switch_latency_s", text(*net.switch_latency_s));
  if (family_of(s.topology).of_switches) {
    set("radix", std::to_string(s.radix == 0 ? net.switch_ports : s.radix));
    set("oversubscription", text(s.oversubscription));
  }
  if (s.gpus == 1) return all;
  set("gpu_link", s.gpu_link.name);
  set("gpu_link_bandwidth_Bps", text(s.gpu_link.bandwidth_Bps));
  set("gpu_link_latency_s", text(s.gpu_link.latency_s));
  set("gpu_link_carries_network", s.gpu_link.carries_network ? "yes" : "no");
  return all;
}

std::optional<PlatformSpec> from_properties(const Properties& all) {
  Reader in(all);
  PlatformSpec s{.topology = in.text("topology"),
                 .nodes = in.number("nodes", 1, most_nodes),
                 .gpus = in.number("gpus", 1, most_gpus),
                 .nics = in.number("nics", 1, most_gpus)};
  s.interconnect = {.name = in.text("interconnect"),
                    .bandwidth_Bps = in.number("bandwidth_Bps", 0.0, 1e15),
                    .latency_s = in.number("latency_s", 0.0, 10.0)};
  if (in.has("switch_latency_s")) s.interconnect.switch_latency_s = in.number("switch_latency_s", 0.0, 10.0);
  if (in.has("figures_from")) s.figures_from = in.text("figures_from");
  if (in.has("radix")) s.radix = in.number("radix", 1, 1 << 12);
  if (in.has("oversubscription")) s.oversubscription = in.number("oversubscription", 1.0, 64.0);
  if (s.gpus > 1)
    s.gpu_link = {.name = in.text("gpu_link"),
                  .bandwidth_Bps = in.number("gpu_link_bandwidth_Bps", 0.0, 1e15),
                  .latency_s = in.number("gpu_link_latency_s", 0.0, 10.0),
                  .carries_network = in.text("gpu_link_carries_network") == "yes"};
  if (!in.ok()) return std::nullopt;
  try {
    (void)topology_of(s);
  } catch (const UsageError&) {
    return std::nullopt;
  }
  return s;
}

}  // namespace busbar::platform
