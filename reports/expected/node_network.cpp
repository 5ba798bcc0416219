// SPDX-License-Identifier: Apache-2.0
#include "reports/expected/node_network.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/ranges.h>

#include "core/base/words.hpp"
#include "core/record/run_record.hpp"
#include "reports/text/text.hpp"

namespace busbar::expected {
namespace {

std::string variable(const RunRecord& run, const std::string& name) {
  const auto it = run.environment.find(name);
  return it == run.environment.end() ? "" : it->second;
}

/// NCCL's device lists: "mlx5_0,mlx5_1:1" matches prefixes (with a port), "=..." exact names, "^..." all others.
class DeviceList {
 public:
  explicit DeviceList(std::string text) {
    exclude_ = text.starts_with('^');
    if (exclude_) text.erase(0, 1);
    exact_ = text.starts_with('=');
    if (exact_) text.erase(0, 1);
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find(',', begin), text.size());
      if (end > begin) entries_.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  [[nodiscard]] bool allows(const std::string& name, int port) const {
    if (entries_.empty()) return true;
    const auto names_it = [&](const std::string& entry) {
      const std::size_t colon = entry.rfind(':');
      if (colon != std::string::npos && entry.substr(colon + 1) != std::to_string(port)) return false;
      const std::string device = entry.substr(0, colon);
      return exact_ ? name == device : name.starts_with(device);
    };
    return std::ranges::any_of(entries_, names_it) != exclude_;
  }

 private:
  bool exclude_ = false, exact_ = false;
  std::vector<std::string> entries_;
};

/// One port or interface that carries data.
struct Nic {
  std::string name, kind;
  double raw_Gbps = 0;
  DataRate rate;
};

/// The NICs of a node, or why they are unknown.
using Nics = std::variant<std::vector<Nic>, std::string>;

bool plausible(const std::optional<double>& Gbps) { return Gbps && *Gbps > 0 && *Gbps < 1e6; }

/// MTU of RoCE ports at this rate: the largest among Ethernet interfaces of that speed; empty if unknown.
std::optional<int> ethernet_mtu(const Host& h, double rate_Gbps) {
  std::optional<int> most;
  for (const NetworkInterface& n : h.interfaces)
    if (n.kind == InterfaceKind::ethernet && n.is_up() && n.mtu && n.speed_Gbps == rate_Gbps)
      most = std::max(most.value_or(0), *n.mtu);
  return most;
}

DataRate rate_of(const Host& h, const RdmaPort& p) {
  const std::string layer = p.link_layer.value_or("link unknown");
  if (layer == "InfiniBand") return infiniband(*p.rate_Gbps);
  if (layer == "Ethernet") return roce(*p.rate_Gbps, ethernet_mtu(h, *p.rate_Gbps));
  return {.GBps = *p.rate_Gbps / 8, .overhead = "nothing deducted: the headers of this link type are unknown"};
}

Nics rdma_nics(const Host& h, const DeviceList& wanted) {
  std::vector<Nic> all;
  for (const RdmaPort& p : h.rdma) {
    if (p.state != "ACTIVE" || !wanted.allows(p.device, p.port)) continue;
    if (!plausible(p.rate_Gbps)) return fmt::format("{}: the rate of {} is unknown", h.name, p.device);
    all.push_back({.name = p.device,
                   .kind = p.link_layer == "Ethernet" ? "RoCE" : p.link_layer.value_or("RDMA"),
                   .raw_Gbps = *p.rate_Gbps,
                   .rate = rate_of(h, p)});
  }
  return all;
}

Nics socket_nics(const Host& h, const DeviceList& wanted, bool is_tcp) {
  std::vector<Nic> all;
  for (const NetworkInterface& n : h.interfaces) {
    if (n.kind == InterfaceKind::without_device || !n.is_up() || !wanted.allows(n.name, 0)) continue;
    if (!plausible(n.speed_Gbps)) return fmt::format("{}: the driver of {} does not report its speed", h.name, n.name);
    const bool ipoib = n.kind == InterfaceKind::infiniband;
    const DataRate unknown{.GBps = *n.speed_Gbps / 8,
                           .overhead = "nothing deducted: NCCL_NET selects a custom transport"};
    all.push_back(
        {.name = n.name,
         .kind = ipoib ? "IPoIB" : "Ethernet",
         .raw_Gbps = *n.speed_Gbps,
         .rate = is_tcp ? tcp(*n.speed_Gbps, n.mtu, ipoib ? "InfiniBand framing" : "Ethernet framing") : unknown});
  }
  return all;
}

/// Sums the rates. NICs of one kind share an entry, "2 x 200 Gbit/s InfiniBand (mlx5_0, mlx5_1)", joined by " and ".
NodeNetwork sum_of_rates(const std::vector<Nic>& nics) {
  NodeNetwork sum{.nics = static_cast<int>(nics.size())};
  std::vector<std::string> overheads;
  for (const Nic& first : nics) {
    sum.rate.GBps += first.rate.GBps;
    sum.raw_GBps += first.raw_Gbps / 8;
    add_new(overheads, first.rate.overhead);
    const auto alike = [&](const Nic& n) { return n.kind == first.kind && n.raw_Gbps == first.raw_Gbps; };
    if (&*std::ranges::find_if(nics, alike) != &first) continue;  // its kind has an entry
    std::vector<std::string> names;
    for (const Nic& n : nics)
      if (alike(n)) names.push_back(n.name);
    sum.source += fmt::format("{}{} x {:g} Gbit/s {} ({})", sum.source.empty() ? "" : " and ", names.size(),
                              first.raw_Gbps, first.kind, report::list(names, 8));
  }
  sum.rate.overhead = fmt::format("{}", fmt::join(overheads, "; "));
  return sum;
}

}  // namespace

std::variant<NodeNetwork, std::string> node_network(const RunRecord& run, bool nccl, const Host& h) {
  const auto told = [&](const std::string& name) { return nccl ? variable(run, name) : std::string(); };
  const std::string net = told("NCCL_NET");
  const bool sockets = net == "Socket" || told("NCCL_IB_DISABLE") == "1";
  Nics found = sockets ? Nics{} : rdma_nics(h, DeviceList(told("NCCL_IB_HCA")));
  if (const auto* nics = std::get_if<std::vector<Nic>>(&found); nics && nics->empty())
    found = socket_nics(h, DeviceList(told("NCCL_SOCKET_IFNAME")), net.empty() || net == "Socket" || net == "IB");
  if (const auto* why = std::get_if<std::string>(&found)) return *why;
  const auto& nics = std::get<std::vector<Nic>>(found);
  if (nics.empty()) return fmt::format("{}: the record lists no RDMA port or interface that is up", h.name);
  return sum_of_rates(nics);
}

std::variant<NodeNetwork, std::string> slowest_network(const RunRecord& run, bool nccl) {
  std::optional<NodeNetwork> least;
  std::string slowest;
  bool alike = true;
  for (const Host& host : run.hosts) {
    auto found = node_network(run, nccl, host);
    if (std::holds_alternative<std::string>(found)) return found;
    auto& network = std::get<NodeNetwork>(found);
    alike = alike && (!least || least->source == network.source);
    if (least && least->rate.GBps <= network.rate.GBps) continue;
    least = std::move(network);
    slowest = host.name;
  }
  if (!least) return "the record names no host";
  least->source = (alike ? "each node" : slowest) + ": " + least->source;
  return *least;
}

}  // namespace busbar::expected
