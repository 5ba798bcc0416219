// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/json.hpp"
#include "core/base/units.hpp"
#include "core/base/words.hpp"
#include "core/files/output_file.hpp"
#include "reports/commands/command.hpp"
#include "reports/drawing/render.hpp"
#include "reports/expected/line_rate.hpp"
#include "reports/platform/interconnects.hpp"
#include "reports/platform/picture.hpp"
#include "reports/platform/told.hpp"

namespace busbar {
namespace {

using namespace platform;

constexpr auto usual_gpu_link = "nvlink3";

struct PlatformOptions {
  std::string topology, interconnect, gpu_link, bandwidth, latency, switch_latency, oversubscription = "1";
  int nodes = 0, gpus = 1, nics = 1, radix = 0;
  std::string out, picture;
  bool list = false;
  std::string format = "text";

  [[nodiscard]] bool wants_json() const { return format == "json"; }
};

/// Parses "2" or "2:1".
double parse_oversubscription(std::string text) {
  if (text.ends_with(":1")) text.resize(text.size() - 2);
  return parse_number("--oversubscription", text, 1, 64, "a number from 1 to 64, such as 2 or 2:1");
}

/// Sets the interconnect from the table, with figures from the user overriding it.
void take_interconnect(const PlatformOptions& o, PlatformSpec& s) {
  if (!o.interconnect.empty()) s.interconnect = find_interconnect(o.interconnect).figures;
  std::vector<std::string> given;
  const auto take = [&](const std::string& text, std::string_view flag, auto& value,
                        double (*parse)(std::string_view, std::string_view)) {
    if (text.empty()) return;
    value = parse(flag, text);
    given.push_back(fmt::format("{} {}", flag, text));
  };
  take(o.bandwidth, "--bandwidth", s.interconnect.bandwidth_Bps, expected::parse_rate);
  take(o.latency, "--latency", s.interconnect.latency_s, parse_duration);
  take(o.switch_latency, "--switch-latency", s.interconnect.switch_latency_s, parse_duration);
  if (o.interconnect.empty() && (o.bandwidth.empty() || o.latency.empty()))
    throw UsageError("--interconnect: say which (--list-interconnects shows them), or --bandwidth and --latency");
  if (o.interconnect.empty()) s.interconnect.name = "given";
  if (given.empty())
    s.figures_from = "busbar's table";
  else
    s.figures_from =
        fmt::format("{}{}", fmt::join(given, ", "), o.interconnect.empty() ? "" : "; the rest busbar's table");
}

void refuse_what_does_not_count(const PlatformOptions& o) {
  if (o.topology.empty()) throw UsageError("--topology: say which network, e.g. --topology fat-tree:2-level");
  const bool of_switches = family_of(o.topology).of_switches;
  if (!of_switches && o.radix != 0) throw UsageError(fmt::format("--radix: only fat-tree has it, not {}", o.topology));
  if (!of_switches && o.oversubscription != "1")
    throw UsageError(fmt::format("--oversubscription: only fat-tree has it, not {}", o.topology));
  if (o.gpus == 1 && !o.gpu_link.empty()) throw UsageError("--gpu-link: nodes have one GPU; --gpus says how many");
  if (!o.picture.empty() && o.out.empty()) throw UsageError("--picture: only with a platform file (-o)");
  if (o.format != "text" && o.out.empty())
    throw UsageError("--format: needs -o FILE, which prints a summary; without it the XML is printed");
}

PlatformSpec spec_of(const PlatformOptions& o) {
  refuse_what_does_not_count(o);
  PlatformSpec s{.topology = o.topology,
                 .nodes = o.nodes,
                 .gpus = o.gpus,
                 .nics = o.nics,
                 .radix = o.radix,
                 .oversubscription = parse_oversubscription(o.oversubscription)};
  take_interconnect(o, s);
  if (o.gpus > 1) s.gpu_link = find_gpu_link(o.gpu_link.empty() ? usual_gpu_link : o.gpu_link).figures;
  return s;
}

Exit write_platform_file(const PlatformOptions& o) {
  const PlatformSpec spec = spec_of(o);
  if (o.out.empty() || o.out == "-") {
    std::ostringstream text;
    write_xml(spec, text);
    write_standard_output(text.str());
    return Exit::ok;
  }
  const Overview overview = overview_of(spec);
  write_whole(o.out, [&](std::ostream& out) { write_xml(spec, out); }, "-o");
  if (!o.picture.empty()) write_whole(o.picture, report::svg_file(picture_of(spec).sketch), "--picture");
  if (o.wants_json()) return print_json(json_of(spec, overview));
  return print_document({.chapters = {{.blocks = {facts_of(spec, overview)}}}}, o.format);
}

Exit list_interconnects(const PlatformOptions& o) {
  if (o.wants_json()) return print_json(json_of_interconnects());
  return print_document({.chapters = {{.blocks = list_of_interconnects()}}}, o.format);
}

template <class Rows>
std::vector<std::string> names_in_rows(const Rows& rows) {
  std::vector<std::string> all;
  for (const auto& row : rows) all.push_back(row.name);
  return all;
}

}  // namespace

extern const Command write_platform{
    .name = "platform",
    .about = "write a SimGrid platform: a cluster to simulate",
    .heading = "Predict",
    .attach = [](CommandLine& line) -> std::function<Exit()> {
      const auto o = std::make_shared<PlatformOptions>();
      line.add("--topology", &o->topology, all_families(), {.name = "TOPOLOGY"});
      line.add("--nodes", &o->nodes,
               fmt::format("number of nodes, at most {}; implied by a torus or dragonfly with sizes", most_nodes),
               {.name = "N", .low = 1, .high = 1'000'000});
      line.add("--gpus", &o->gpus, "GPUs per node", {.name = "N"});
      line.add("--nics", &o->nics, "NICs per node; GPU i uses NIC i * NICs / GPUs", {.name = "N"});
      line.add("--interconnect", &o->interconnect, "type of the NICs: hdr, roce100, 100gbe, ...",
               {.name = "NAME", .find_choices = [] { return names_in_rows(interconnects()); }});
      line.add("--gpu-link", &o->gpu_link, "link between the GPUs of a node: nvlink4, pcie4, ...",
               {.name = "NAME",
                .find_choices = [] { return names_in_rows(gpu_links()); },
                .standard = std::string(usual_gpu_link)});
      line.add("--bandwidth", &o->bandwidth, "bandwidth per NIC, each way, instead of the table's: 24.1GB/s, 193Gb/s",
               {.name = "RATE"});
      line.add("--latency", &o->latency, "one-way latency between nodes at one switch, instead of the table's: 1.6us",
               {.name = "TIME"});
      line.add("--switch-latency", &o->switch_latency, "latency that each further switch adds, instead of the table's",
               {.name = "TIME"});
      line.add("--radix", &o->radix, "fat-tree: ports per switch, instead of the table's",
               {.name = "N", .low = 1, .high = 1'000'000});
      line.add("--oversubscription", &o->oversubscription,
               "fat-tree: ratio of nodes to uplinks of a leaf switch: 2 or 2:1", {.name = "RATIO"});
      line.add("-o,--out", &o->out, "file to write; prints a summary",
               {.name = "FILE", .completes = Completes::files, .standard = "standard output"});
      line.add("--picture", &o->picture, "-o: write a picture of the network (SVG)", file_value);
      line.add("--list-interconnects", &o->list, "list the known interconnects and GPU links, with sources, and exit");
      add_format(line, o->format);
      line.examples = {"busbar platform --topology fat-tree:3-level --nodes 512 -o fat.xml",
                       "busbar platform --topology torus:8x8x8 --interconnect edr -o torus.xml"};
      return [o] { return o->list ? list_interconnects(*o) : write_platform_file(*o); };
    },
};

}  // namespace busbar
