// SPDX-License-Identifier: Apache-2.0
#include "reports/platform/interconnects.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "reports/expected/protocols.hpp"

namespace busbar::platform {
namespace {

using nlohmann::json;

constexpr double giga = 1e9;

Figure read_figure(const json& j) { return {.value = j.at("value"), .source = j.at("source")}; }

expected::DataRate data_rate(const std::string& protocol, double rate_Gbps, std::optional<int> mtu) {
  if (protocol == "infiniband") return expected::infiniband(rate_Gbps);
  if (protocol == "roce") return expected::roce(rate_Gbps, mtu);
  if (protocol == "tcp") return expected::tcp(rate_Gbps, mtu, "Ethernet framing");
  throw Error(fmt::format("interconnects.json: no protocol '{}'", protocol));
}

InterconnectRow interconnect(const json& j) {
  InterconnectRow row{.name = j.at("name"),
                      .about = j.at("about"),
                      .line_rate_Gbps = read_figure(j.at("line_rate_Gbps")),
                      .latency_s = read_figure(j.at("latency_s")),
                      .switch_latency_s = read_figure(j.at("switch_latency_s")),
                      .switch_ports = read_figure(j.at("switch_ports"))};
  const auto mtu = j.contains("mtu") ? std::optional<int>(j.at("mtu").get<int>()) : std::nullopt;
  auto rate = data_rate(j.at("protocol"), row.line_rate_Gbps.value, mtu);
  row.overhead = std::move(rate.overhead);
  row.figures = {.name = row.name,
                 .bandwidth_Bps = rate.GBps * giga,
                 .latency_s = row.latency_s.value,
                 .switch_latency_s = row.switch_latency_s.value,
                 .switch_ports = static_cast<int>(row.switch_ports.value)};
  return row;
}

GpuLinkRow nvlink(const json& j) {
  const int links = j.at("links").at("value");
  const double each_GBps = expected::nvlink_GBps(j.at("version").get<std::string>()).value();
  return {
      .name = j.at("name"),
      .about = j.at("about"),
      .overhead = fmt::format("{} links of {:g} GB/s each way; nothing deducted", links, each_GBps),
      .latency_s = read_figure(j.at("latency_s")),
      .bandwidth_source = j.at("links").at("source"),
      .figures = {
          .name = j.at("name"), .bandwidth_Bps = links * each_GBps * giga, .latency_s = j.at("latency_s").at("value")}};
}

GpuLinkRow pcie(const json& j) {
  auto rate = expected::pcie(j.at("generation"), j.at("lanes")).value();
  return {.name = j.at("name"),
          .about = j.at("about"),
          .overhead = std::move(rate.overhead),
          .latency_s = read_figure(j.at("latency_s")),
          .bandwidth_source = j.at("bandwidth_source"),
          .figures = {.name = j.at("name"),
                      .bandwidth_Bps = rate.GBps * giga,
                      .latency_s = j.at("latency_s").at("value"),
                      .carries_network = true}};
}

const json& rows() {
  static const json all = json::parse(interconnects_json());
  return all;
}

template <class Row>
const Row& find(const std::vector<Row>& all, std::string_view name, std::string_view flag) {
  if (const auto it = std::ranges::find(all, name, &Row::name); it != all.end()) return *it;
  std::string names;
  for (const Row& row : all) names += (names.empty() ? "" : ", ") + row.name;
  throw UsageError(fmt::format("{}: unknown '{}'; known: {}", flag, name, names));
}

}  // namespace

const std::vector<InterconnectRow>& interconnects() {
  static const auto all = [] {
    std::vector<InterconnectRow> made;
    for (const json& j : rows().at("interconnects")) made.push_back(interconnect(j));
    return made;
  }();
  return all;
}

const std::vector<GpuLinkRow>& gpu_links() {
  static const auto all = [] {
    std::vector<GpuLinkRow> made;
    for (const json& j : rows().at("gpu_links")) made.push_back(j.contains("links") ? nvlink(j) : pcie(j));
    return made;
  }();
  return all;
}

const InterconnectRow& find_interconnect(std::string_view name) {
  return find(interconnects(), name, "--interconnect");
}
const GpuLinkRow& find_gpu_link(std::string_view name) { return find(gpu_links(), name, "--gpu-link"); }

}  // namespace busbar::platform
