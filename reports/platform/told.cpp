// SPDX-License-Identifier: Apache-2.0
#include "reports/platform/told.hpp"

#include <fmt/core.h>

#include "core/base/json.hpp"
#include "core/base/units.hpp"
#include "reports/platform/interconnects.hpp"

namespace busbar::platform {
namespace {

using nlohmann::json;

/// "26 leaf, 20 spine".
std::string switches_text(const Overview& all) {
  std::string text;
  for (const Level& level : all.levels)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", level.switches, level.name);
  return text;
}

std::string switches_passed(const Distances& d) {
  if (d.least == d.most) return d.least == 1 ? "1 switch" : fmt::format("{} switches", d.least);
  return fmt::format("{} to {} switches, {:.2f} on average", d.least, d.most, d.mean);
}

std::string latency_text(const Overview& all) {
  if (all.nearest_s == all.farthest_s) return format_duration(all.nearest_s);
  return fmt::format("{} to {}", format_duration(all.nearest_s), format_duration(all.farthest_s));
}

std::string nodes_text(const PlatformSpec& s, const Overview& all) {
  return s.gpus == 1 ? fmt::format("{} of 1 GPU", plural(all.nodes, "node"))
                     : fmt::format("{} of {} GPUs and {}", plural(all.nodes, "node"), s.gpus, plural(s.nics, "NIC"));
}

std::string bisection_text(const PlatformSpec& s, const Overview& all) {
  return fmt::format(
      "{} one way from {} of {} nodes to the others, {:.0f} % of the NICs' {}", rate_text(all.bisection_Bps),
      all.first_half, all.nodes, 100 * all.bisection_Bps / all.half_of_nics_Bps,
      rate_text(s.nics * s.interconnect.bandwidth_Bps * std::min(all.first_half, all.nodes - all.first_half)));
}

json format_figure(const Figure& f) { return {{"value", f.value}, {"source", f.source}}; }

/// Names of the figures that are assumptions.
std::string assumed_of(const InterconnectRow& row) {
  std::string all;
  const auto look = [&](const Figure& f, std::string_view what) {
    if (f.assumed()) all += fmt::format("{}{}", all.empty() ? "" : ", ", what);
  };
  look(row.latency_s, "latency");
  look(row.switch_latency_s, "switch");
  look(row.switch_ports, "ports");
  return all;
}

std::string figure_text(const std::string& value, const Figure& f) { return fmt::format("{}: {}", value, f.source); }

}  // namespace

std::string rate_text(double bytes_per_second) {
  const double GBps = bytes_per_second / 1e9;
  return GBps < 1000 ? fmt::format("{:.4g} GB/s", GBps) : fmt::format("{:.0f} GB/s", GBps);
}

report::KeyValues facts_of(const PlatformSpec& s, const Overview& all) {
  const Interconnect& net = s.interconnect;
  report::KeyValues facts{
      .rows = {{"topology", all.topology},
               {"hosts", fmt::format("{}, one per GPU: {}", all.hosts, nodes_text(s, all))},
               {"switches", switches_text(all)},
               {"cables between switches", fmt::format("{}", all.cables)},
               {"NIC", fmt::format("{}: {} each way, {} to a node on the same switch{}", net.name,
                                   rate_text(net.bandwidth_Bps), format_duration(net.latency_s),
                                   s.figures_from.empty() ? "" : fmt::format(" ({})", s.figures_from))}}};
  if (s.gpus > 1)
    facts.rows.emplace_back("GPUs of a node",
                            fmt::format("{}: {} each way, {}", s.gpu_link.name, rate_text(s.gpu_link.bandwidth_Bps),
                                        format_duration(s.gpu_link.latency_s)));
  if (all.nodes > 1) {
    facts.rows.emplace_back("routing", fmt::format("{}; crosses {}", all.routing, switches_passed(all.distances)));
    facts.rows.emplace_back("latency between nodes", latency_text(all));
  }
  if (all.half_of_nics_Bps > 0) facts.rows.emplace_back("bisection", bisection_text(s, all));
  return facts;
}

json json_of(const PlatformSpec& s, const Overview& all) {
  json levels = json::array();
  for (const Level& level : all.levels) levels.push_back({{"name", level.name}, {"switches", level.switches}});
  return {{"topology", all.topology},
          {"nodes", all.nodes},
          {"hosts", all.hosts},
          {"levels", levels},
          {"cables", all.cables},
          {"least_switches", all.distances.least},
          {"most_switches", all.distances.most},
          {"mean_switches", all.distances.mean},
          {"least_latency_s", all.nearest_s},
          {"most_latency_s", all.farthest_s},
          {"bisection_GBps", all.bisection_Bps / 1e9},
          {"bisection_nodes", all.first_half},
          {"full_bisection_GBps", all.half_of_nics_Bps / 1e9},
          {"properties", properties(s)}};
}

std::vector<report::Block> list_of_interconnects() {
  using enum report::ColumnKind;
  report::Table net{.title = "Between nodes (--interconnect)",
                    .columns = {{"name", name},
                                {"kind"},
                                {"data, GB/s", number},
                                {"latency", number},
                                {"switch", number},
                                {"ports", number},
                                {"assumed", name}}};
  report::Table sources{.title = "Sources", .columns = {{"name", name}, {"of", name}, {"figure and source"}}};
  for (const auto& row : interconnects()) {
    net.rows.push_back({row.name, row.about, fmt::format("{:.4g}", row.figures.bandwidth_Bps / 1e9),
                        format_duration(row.latency_s.value), format_duration(row.switch_latency_s.value),
                        fmt::format("{}", row.figures.switch_ports), assumed_of(row)});
    sources.rows.push_back(
        {row.name, "data",
         fmt::format("{:g} Gb/s: {}; {}", row.line_rate_Gbps.value, row.line_rate_Gbps.source, row.overhead)});
    sources.rows.push_back({row.name, "latency", figure_text(format_duration(row.latency_s.value), row.latency_s)});
    sources.rows.push_back(
        {row.name, "switch", figure_text(format_duration(row.switch_latency_s.value), row.switch_latency_s)});
    sources.rows.push_back(
        {row.name, "ports", figure_text(fmt::format("{:g}", row.switch_ports.value), row.switch_ports)});
  }
  report::Table gpu{.title = "Between the GPUs of a node (--gpu-link)",
                    .columns = {{"name", name}, {"kind"}, {"data, GB/s", number}, {"latency", number}}};
  for (const auto& row : gpu_links()) {
    gpu.rows.push_back({row.name, row.about, fmt::format("{:.4g}", row.figures.bandwidth_Bps / 1e9),
                        format_duration(row.latency_s.value)});
    sources.rows.push_back({row.name, "data", fmt::format("{}; {}", row.bandwidth_source, row.overhead)});
    sources.rows.push_back({row.name, "latency", figure_text(format_duration(row.latency_s.value), row.latency_s)});
  }
  return {net, gpu, sources};
}

json json_of_interconnects() {
  json between_nodes = json::array(), between_gpus = json::array();
  for (const auto& row : interconnects())
    between_nodes.push_back({{"name", row.name},
                             {"about", row.about},
                             {"bandwidth_Bps", row.figures.bandwidth_Bps},
                             {"overhead", row.overhead},
                             {"line_rate_Gbps", format_figure(row.line_rate_Gbps)},
                             {"latency_s", format_figure(row.latency_s)},
                             {"switch_latency_s", format_figure(row.switch_latency_s)},
                             {"switch_ports", format_figure(row.switch_ports)}});
  for (const auto& row : gpu_links())
    between_gpus.push_back({{"name", row.name},
                            {"about", row.about},
                            {"bandwidth_Bps", {{"value", row.figures.bandwidth_Bps}, {"source", row.bandwidth_source}}},
                            {"overhead", row.overhead},
                            {"latency_s", format_figure(row.latency_s)},
                            {"carries_network", row.figures.carries_network}});
  return {{"interconnects", between_nodes}, {"gpu_links", between_gpus}};
}

}  // namespace busbar::platform
