// SPDX-License-Identifier: Apache-2.0
#include "reports/expected/protocols.hpp"

#include <array>
#include <cmath>
#include <utility>

#include <fmt/core.h>

namespace busbar::expected {
namespace {

constexpr double bits = 8;

/// The share of a rate that is left for data, without `what`.
DataRate rate_without(const std::string& what, double rate_Gbps, double share) {
  return {.GBps = rate_Gbps / bits * share, .overhead = fmt::format("{:.1f} % deducted: {}", 100 * (1 - share), what)};
}

bool is_multiple(double value, double of) { return std::abs(value / of - std::round(value / of)) < 1e-9; }

/// Fraction of an InfiniBand port's rate that is data, and the name of its encoding.
std::pair<double, std::string_view> encoding(double rate_Gbps) {
  if (is_multiple(rate_Gbps, 25)) return {1, "no encoding: EDR and later rates are data rates"};
  if (is_multiple(rate_Gbps, 14)) return {14.0625 / 14 * 64 / 66, "64b/66b encoding"};
  if (is_multiple(rate_Gbps, 10)) return {1, "no encoding, as it is unknown: QDR uses 8b/10b, FDR10 64b/66b"};
  return {0.8, "8b/10b encoding"};
}

/// The largest InfiniBand MTU that fits into the Ethernet MTU, with 96 B reserved for headers.
int roce_payload(int ethernet_mtu) {
  for (const int size : {4096, 2048, 1024, 512})
    if (ethernet_mtu - 96 >= size) return size;
  return 256;
}

}  // namespace

DataRate tcp(double rate_Gbps, std::optional<int> mtu, std::string_view framing) {
  static constexpr int around = 38, headers = 52, least = 576;
  if (!mtu || *mtu < least)
    return {.GBps = rate_Gbps / bits, .overhead = "nothing deducted: the MTU of the interface is unknown"};
  const double share = static_cast<double>(*mtu - headers) / (*mtu + around);
  const std::string what = fmt::format("{} ({} B per packet), IPv4 and TCP headers with timestamps ({} B), MTU {}",
                                       framing, around, headers, *mtu);
  return rate_without(what, rate_Gbps, share);
}

DataRate infiniband(double rate_Gbps) {
  static constexpr double payload = 4096, headers = 26;
  const auto [data, what] = encoding(rate_Gbps);
  const double share = data * payload / (payload + headers);
  return rate_without(
      fmt::format("{}; {} B of headers per {} B, the largest MTU (not in the record)", what, headers, payload),
      rate_Gbps, share);
}

DataRate roce(double rate_Gbps, std::optional<int> ethernet_mtu) {
  static constexpr int headers = 82, largest = 4096;
  const int payload = ethernet_mtu ? roce_payload(*ethernet_mtu) : largest;
  const double share = static_cast<double>(payload) / (payload + headers);
  const std::string why = ethernet_mtu ? fmt::format("the largest payload for MTU {}", *ethernet_mtu)
                                       : "the largest MTU (not in the record)";
  return rate_without(fmt::format("Ethernet framing and RoCE v2 headers, {} B per {} B, {}", headers, payload, why),
                      rate_Gbps, share);
}

std::optional<DataRate> pcie(int generation, int width) {
  struct Generation {
    double GTps, encoding;
    int around;
    std::string_view what;
  };
  static constexpr std::array<Generation, 6> all{{{2.5, 0.8, 24, "8b/10b encoding"},
                                                  {5, 0.8, 24, "8b/10b encoding"},
                                                  {8, 128.0 / 130, 24, "128b/130b encoding"},
                                                  {16, 128.0 / 130, 24, "128b/130b encoding"},
                                                  {32, 128.0 / 130, 24, "128b/130b encoding"},
                                                  {64, 236.0 / 256, 16, "236 of 256 B of each flit"}}};
  static constexpr double payload = 256;
  if (generation < 1 || generation > static_cast<int>(all.size()) || width < 1 || width > 32) return std::nullopt;
  const Generation& g = all[static_cast<std::size_t>(generation - 1)];
  const double share = g.encoding * payload / (payload + g.around);
  return rate_without(fmt::format("{}; {} B of headers per {} B of payload (assumed)", g.what, g.around, payload),
                      g.GTps * width, share);
}

std::optional<double> nvlink_GBps(std::string_view version) {
  static constexpr std::array<std::pair<std::string_view, double>, 6> all{
      {{"1.0", 20}, {"2.0", 25}, {"2.2", 25}, {"3.0", 25}, {"4.0", 25}, {"5.0", 50}}};
  for (const auto& [name, GBps] : all)
    if (name == version) return GBps;
  return std::nullopt;
}

}  // namespace busbar::expected
