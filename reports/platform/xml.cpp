// SPDX-License-Identifier: Apache-2.0
#include <iterator>
#include <ostream>

#include <fmt/core.h>
#include <fmt/format.h>

#include "reports/platform/platform.hpp"
#include "reports/text/escape.hpp"

namespace busbar::platform {
namespace {

/// Formats into a buffer and flushes it when full, so that memory use does not grow with the file.
class Out {
 public:
  explicit Out(std::ostream& stream) : stream_(stream) {}
  ~Out() { flush(); }
  Out(const Out&) = delete;
  Out& operator=(const Out&) = delete;

  template <class... T>
  void operator()(fmt::format_string<T...> format, T&&... values) {
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<T>(values)...);
    if (buffer_.size() > enough) flush();
  }

 private:
  static constexpr std::size_t enough = 1 << 16;
  void flush() {
    stream_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    buffer_.clear();
  }
  std::ostream& stream_;
  fmt::memory_buffer buffer_;
};

/// A one-way link. `name` includes the direction: directions never share bandwidth.
void write_link(Out& out, std::string_view name, double bandwidth_Bps, double latency_s) {
  out("<link id=\"{}\" bandwidth=\"{}Bps\" latency=\"{}s\"/>\n", name, bandwidth_Bps, latency_s);
}

/// SimGrid rejects a route without links, which two nodes on one switch would have. This link costs nothing.
constexpr std::string_view at_one_switch = "s";

class NodeWriter {
 public:
  NodeWriter(const PlatformSpec& s, Out& out) : s_(s), out_(out) {}

  /// Writes a node's zone: its hosts, its gateway router r12, links, and the routes between them. Half of a latency is
  /// on the outgoing link of one end, half on the incoming link of the other.
  void write(int node) {
    out_("<zone id=\"z{}\" routing=\"Full\">\n", node);
    for (int g = 0; g < s_.gpus; ++g)
      out_("<host id=\"{}\" speed=\"1Gf\"><prop id=\"busbar.node\" value=\"n{}\"/></host>\n", host(node, g), node);
    out_("<router id=\"r{}\"/>\n", node);
    for (int i = 0; i < s_.nics; ++i)
      write_pair(node, "o", "i", i, s_.interconnect.bandwidth_Bps, s_.interconnect.latency_s);
    if (s_.gpus > 1)
      for (int g = 0; g < s_.gpus; ++g) write_pair(node, "u", "d", g, s_.gpu_link.bandwidth_Bps, s_.gpu_link.latency_s);
    for (int g = 0; g < s_.gpus; ++g) write_routes(node, g);
    out_("</zone>\n");
  }

 private:
  [[nodiscard]] std::string host(int node, int gpu) const { return host_name(s_, node * s_.gpus + gpu); }

  void write_pair(int node, std::string_view out, std::string_view in, int i, double bandwidth_Bps, double latency_s) {
    write_link(out_, fmt::format("n{}-{}{}", node, out, i), bandwidth_Bps, latency_s / 2);
    write_link(out_, fmt::format("n{}-{}{}", node, in, i), bandwidth_Bps, latency_s / 2);
  }

  void write_route(std::string_view from, std::string_view to, std::string_view links) {
    out_("<route src=\"{}\" dst=\"{}\" symmetrical=\"NO\">{}</route>\n", from, to, links);
  }

  void write_routes(int node, int gpu) {
    const auto link = [node](std::string_view kind, int i) {
      return fmt::format("<link_ctn id=\"n{}-{}{}\"/>", node, kind, i);
    };
    const bool through = s_.gpus > 1 && s_.gpu_link.carries_network;
    const int nic = gpu * s_.nics / s_.gpus;
    const std::string self = host(node, gpu), router = fmt::format("r{}", node);
    write_route(self, router, (through ? link("u", gpu) : "") + link("o", nic));
    write_route(router, self, link("i", nic) + (through ? link("d", gpu) : ""));
    for (int other = 0; other < s_.gpus; ++other)
      if (other != gpu) write_route(self, host(node, other), link("u", gpu) + link("d", other));
  }

  const PlatformSpec& s_;
  Out& out_;
};

/// SimGrid accepts settings only before all zones.
void write_config(const PlatformSpec& s, Out& out) {
  if (s.config.empty()) return;
  out("<config>\n");
  for (const auto& [key, value] : s.config)
    out("<prop id=\"{}\" value=\"{}\"/>\n", report::escape_html(key), report::escape_html(value));
  out("</config>\n");
}

/// Cable c becomes links f<c> and b<c>, forward and back. Each has the latency of the switch it leads to.
void write_cables(const PlatformSpec& s, const Topology& t, Out& out) {
  const double bandwidth_Bps = s.nics * s.interconnect.bandwidth_Bps;
  out("<link id=\"{}\" bandwidth=\"{}Bps\" latency=\"0s\" sharing_policy=\"FATPIPE\"/>\n", at_one_switch,
      bandwidth_Bps);
  for (std::size_t c = 0; c < t.cables().size(); ++c)
    for (const char way : {'f', 'b'})
      write_link(out, fmt::format("{}{}", way, c), bandwidth_Bps, s.interconnect.switch_latency_s.value_or(0));
}

void write_ways(const Topology& t, Out& out) {
  std::vector<Hop> way;
  for (int from = 0; from < t.nodes(); ++from)
    for (int to = 0; to < t.nodes(); ++to) {
      if (from == to) continue;
      out("<zoneRoute src=\"z{0}\" dst=\"z{1}\" gw_src=\"r{0}\" gw_dst=\"r{1}\" symmetrical=\"NO\">", from, to);
      way.clear();
      t.append_way(from, to, way);
      if (way.empty()) out("<link_ctn id=\"{}\"/>", at_one_switch);
      for (const Hop& hop : way) out("<link_ctn id=\"{}{}\"/>", hop.forward ? 'f' : 'b', hop.cable);
      out("</zoneRoute>\n");
    }
}

}  // namespace

void write_xml(const PlatformSpec& s, std::ostream& stream) {
  const auto topology = topology_of(s);
  Out out(stream);
  out("<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<platform version=\"4.1\">\n");
  write_config(s, out);
  out("<zone id=\"busbar\" routing=\"Full\">\n");
  for (const auto& [key, value] : properties(s))
    out("<prop id=\"{}\" value=\"{}\"/>\n", key, report::escape_html(value));
  NodeWriter nodes(s, out);
  for (int node = 0; node < topology->nodes(); ++node) nodes.write(node);
  write_cables(s, *topology, out);
  write_ways(*topology, out);
  out("</zone>\n</platform>\n");
}

}  // namespace busbar::platform
