// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/json.hpp"
#include "core/output_file.hpp"
#include "core/units.hpp"
#include "core/words.hpp"
#include "reports/command.hpp"
#include "reports/expected/line_rate.hpp"
#include "reports/platform/interconnects.hpp"
#include "reports/platform/picture.hpp"
#include "reports/platform/told.hpp"
#include "reports/render.hpp"

namespace busbar {
namespace {

using namespace platform;

constexpr auto usual_gpu_link = "nvlink3";

struct Options {
  std::string topology, interconnect, gpu_link, bandwidth, latency, switch_latency, oversubscription = "1";
  int nodes = 0, gpus = 1, nics = 1, radix = 0;
  std::string out, picture;
  bool list = false, json = false;
};

/// "2" and "2:1".
double parse_oversubscription(std::string text) {
  if (text.ends_with(":1")) text.resize(text.size() - 2);
  return parse_number("--oversubscription", text, 1, 64, "a number from 1 to 64, such as 2 or 2:1");
}

/// The row of the table, and what the user gives in place of its figures.
void take_interconnect(const Options& o, PlatformSpec& s) {
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

void refuse_what_does_not_count(const Options& o) {
  if (o.topology.empty()) throw UsageError("--topology: say which network, e.g. --topology fat-tree:2-level");
  const bool of_switches = family_of(o.topology).of_switches;
  if (!of_switches && o.radix != 0)
    throw UsageError(fmt::format("--radix: {} has no use for it; fat-tree has", o.topology));
  if (!of_switches && o.oversubscription != "1")
    throw UsageError(fmt::format("--oversubscription: {} has no use for it; fat-tree has", o.topology));
  if (o.gpus == 1 && !o.gpu_link.empty()) throw UsageError("--gpu-link: nodes have one GPU; --gpus says how many");
  if (!o.picture.empty() && o.out.empty()) throw UsageError("--picture: goes with a platform that -o names");
  if (o.json && o.out.empty())
    throw UsageError("--json: the summary is of a file that -o names; without -o there is XML");
}

PlatformSpec spec_of(const Options& o) {
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

void print(const std::vector<report::Block>& blocks) {
  const report::Document document{.chapters = {{.blocks = blocks}}};
  fmt::print("{}", report::render_text(document, report::text_style()));
}

void print(const nlohmann::json& json) {
  fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

Exit write(const Options& o) {
  const PlatformSpec spec = spec_of(o);
  if (o.out.empty() || o.out == "-") {
    write_xml(spec, std::cout);
    if (!std::cout.flush()) throw Error("cannot write to standard output");
    return Exit::ok;
  }
  const Overview overview = overview_of(spec);
  write_whole(o.out, [&](std::ostream& out) { write_xml(spec, out); }, "-o");
  if (!o.picture.empty()) write_whole(o.picture, report::svg_file(picture_of(spec).sketch), "--picture");
  if (o.json)
    print(json_of(spec, overview));
  else
    print({facts_of(spec, overview)});
  return Exit::ok;
}

Exit list(const Options& o) {
  if (o.json)
    print(json_of_interconnects());
  else
    print(list_of_interconnects());
  return Exit::ok;
}

std::string families() {
  std::string all;
  for (const Family* f : table<Family>()) all += (all.empty() ? "" : ", ") + std::string(f->words);
  return all;
}

}  // namespace

extern const Command write_platform{
    .name = "platform",
    .about = "write a platform of SimGrid: a cluster to simulate",
    .attach = [](CLI::App& app) -> std::function<Exit()> {
      const auto o = std::make_shared<Options>();
      app.add_option("--topology", o->topology, families());
      app.add_option("--nodes", o->nodes,
                     fmt::format("nodes, up to {}; a torus and a dragonfly may tell it", most_nodes))
          ->check(CLI::Range(1, 1'000'000));
      app.add_option("--gpus", o->gpus, "GPUs of a node, a host each")->capture_default_str();
      app.add_option("--nics", o->nics, "NICs of a node; GPU i uses NIC i * NICs / GPUs")->capture_default_str();
      app.add_option("--interconnect", o->interconnect, "what a NIC is: hdr, roce100, 100gbe, ...");
      app.add_option("--gpu-link", o->gpu_link,
                     fmt::format("what joins the GPUs of a node: nvlink4, pcie4, ... (default: {})", usual_gpu_link));
      app.add_option("--bandwidth", o->bandwidth, "data of a NIC each way, in place of the table's: 24.1GB/s, 193Gb/s");
      app.add_option("--latency", o->latency, "one way between nodes at one switch, in place of the table's: 1.6us");
      app.add_option("--switch-latency", o->switch_latency, "what each further switch adds, in place of the table's");
      app.add_option("--radix", o->radix, "fat-tree: ports of a switch, in place of the table's")
          ->check(CLI::Range(1, 1'000'000));
      app.add_option("--oversubscription", o->oversubscription, "fat-tree: nodes to uplinks of a leaf, 2 or 2:1")
          ->capture_default_str();
      app.add_option("-o,--out", o->out, "file to write, and a summary on the terminal (default: standard output)");
      app.add_option("--picture", o->picture, "with -o: SVG file of the network to write");
      app.add_flag("--list-interconnects", o->list,
                   "what is known by name, with the source of each figure, and no file");
      app.add_flag("--json", o->json, "the summary or the list as one object");
      app.footer(
          "Examples:\n"
          "  busbar platform --topology fat-tree:3-level --nodes 512 --gpus 8 --nics 8 --interconnect hdr -o fat.xml\n"
          "  busbar platform --topology torus:8x8x8 --interconnect edr -o torus.xml");
      return [o] { return o->list ? list(*o) : write(*o); };
    },
};

}  // namespace busbar
