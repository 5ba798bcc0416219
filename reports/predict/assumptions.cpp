// SPDX-License-Identifier: Apache-2.0
#include "reports/predict/assumptions.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/units.hpp"
#include "reports/libraries/mpi_choice.hpp"

namespace busbar::predict {
namespace {

using fit::Region, fit::Scale, fit::SweepFit;

std::string measured_nodes(const fit::Fit& fit) {
  std::set<int> nodes;
  for (const SweepFit& f : fit.sweeps)
    for (const Scale& s : f.sweep.scales()) nodes.insert(s.nodes);
  return fmt::format("{}", fmt::join(nodes, ", "));
}

bool any_assumed(const fit::Fit& fit) {
  return std::ranges::any_of(fit.sweeps, [](const SweepFit& f) {
    return std::ranges::any_of(f.regions, [](const Region& r) { return r.launches.degrees == 0; });
  });
}

/// How the latency of sweeps on one number of nodes is shared between the call and its steps.
std::vector<std::string> assumptions_of_one_scale(const fit::Fit& fit) {
  std::set<std::string> all;
  for (const SweepFit& f : fit.sweeps) {
    if (f.sweep.scales().size() > 1 || f.sweep.level != fit::between_nodes) continue;
    const auto call = fit::prior_of_call(f.sweep);
    all.insert(call ? fmt::format("Measurements on one number of nodes do not show how much of the latency grows with "
                                  "steps. A call of {} takes about {} before its first message (docs/predicting.md).",
                                  f.sweep.backend, format_duration(call->value))
                    : "Measurements on one number of nodes do not show how much of the latency grows with steps: both "
                      "extremes are scenarios.");
  }
  return {all.begin(), all.end()};
}

/// "tree up to 64 KiB, ring from 4 MiB": where nearly all set-ups agree. `nodes`: as many ranks on each as measured.
std::string choices_at(const SweepFit& f, int nodes) {
  constexpr double nearly_all = 0.95;
  const Scale scale = f.sweep.points.front().scale.on(nodes);
  std::optional<std::uint64_t> last_tree, first_ring;
  for (const std::uint64_t bytes : f.sweep.sizes()) {
    const double tree = share_of_choice(f.setups, "tree", scale, bytes);
    if (tree >= nearly_all) last_tree = bytes;
    if (tree <= 1 - nearly_all && !first_ring) first_ring = bytes;
  }
  return fmt::format(
      "on {}{}{}", plural(nodes, "node"), last_tree ? " a tree up to " + format_size(*last_tree) : "",
      first_ring ? fmt::format("{} a ring from {}", last_tree ? "," : "", format_size(*first_ring)) : "");
}

/// Numbers of nodes that were measured, and those to be predicted.
std::set<int> nodes_of(const SweepFit& f, const std::vector<int>& predicted) {
  std::set<int> nodes(predicted.begin(), predicted.end());
  for (const Scale& s : f.sweep.scales()) nodes.insert(s.nodes);
  return nodes;
}

/// "version 2.21.5 on Hopper GPUs, with all numbers of channels that this bandwidth may be of".
std::string inputs_of_model(const SweepFit& f) {
  std::set<std::string> gpus;
  bool with_nvls = false;
  for (const fit::NcclSetup& setup : f.setups) {
    std::string generation(name(setup.gpus));
    generation.front() = static_cast<char>(generation.front() - 'a' + 'A');
    gpus.insert(generation);
    with_nvls = with_nvls || setup.nvls.channels > 0;
  }
  const std::string version = f.sweep.library.empty()
                                  ? "all versions since 2.18"
                                  : "version " + f.sweep.library.substr(f.sweep.library.find(' ') + 1);
  return fmt::format("{} on {} GPUs, with all {}numbers of channels that this bandwidth may be of{}", version,
                     fmt::join(gpus, " or "), f.sweep.cpu.empty() ? "processors and " : "",
                     with_nvls ? " (a tree may be that of NVLS)" : "");
}

/// What NCCL's model says of the allreduces that will be predicted; once for equal texts.
std::vector<std::string> assumptions_of_nccl(const fit::Fit& fit, const std::vector<int>& predicted) {
  std::set<std::string> all;
  for (const SweepFit& f : fit.sweeps) {
    if (f.setups.empty()) continue;
    const std::set<int> nodes = nodes_of(f, predicted);
    std::vector<std::string> choices;
    for (const int n : nodes) choices.push_back(choices_at(f, n));
    all.insert(
        fmt::format("NCCL's own model, {}, chooses for an allreduce: {}. Between these sizes set-ups differ, and "
                    "so do the weights of scenarios.",
                    inputs_of_model(f), fmt::join(choices, "; ")));
  }
  return {all.begin(), all.end()};
}

std::string contention_text(Topology topology) {
  switch (topology) {
    case Topology::single_switch:
      return "A single switch, as given: nodes share no links, so intervals allow for no contention.";
    case Topology::fat_tree:
      return "A fat tree with as many links up as down, as given: intervals allow for half of the contention that "
             "public "
             "logs show, since fixed routes collide there too. \"alone up to\": the upper limit without other jobs.";
    case Topology::unknown:
      return "The topology is unknown (--topology names it), so intervals allow for the contention of links that jobs "
             "share, as public logs of a dragonfly show it. \"alone up to\": the upper limit without other jobs, which "
             "no log has tested.";
    case Topology::tapered_fat_tree:
    case Topology::dragonfly:
    case Topology::torus:
      break;
  }
  return fmt::format(
      "The network is a {}, as given, whose links are shared: intervals allow for the contention that public logs of a "
      "dragonfly show. \"alone up to\": the upper limit without other jobs, which no log has tested.",
      text_of(topology));
}

/// "recursive_doubling up to 4 KiB, rabenseifner above", of the measured sizes. Adds to `no_model` what no
/// curve of a fit is of.
std::string choices_by_rules(const SweepFit& f, int nodes, std::set<std::string>& no_model) {
  const Scale scale = f.sweep.points.front().scale.on(nodes);
  std::vector<std::pair<std::string, std::uint64_t>> last;  // size of each choice, one after the other
  for (const std::uint64_t bytes : f.sweep.sizes()) {
    const auto choice = f.sweep.choice_by_rules(scale, bytes);
    if (!choice) continue;
    if (choice->row.empty()) no_model.insert(choice->algorithm);
    if (last.empty() || last.back().first != choice->algorithm) last.emplace_back(choice->algorithm, bytes);
    last.back().second = bytes;
  }
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < last.size(); ++i) {
    const bool is_last = i + 1 == last.size();
    parts.push_back(last[i].first + (!is_last ? " up to " + format_size(last[i].second)
                                     : i > 0  ? std::string(" above")
                                              : std::string()));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// "on 2 nodes two_proc; on 4, 8 nodes ring": neighbours with equal choices are named once.
std::string choices_on(const SweepFit& f, const std::set<int>& nodes, std::set<std::string>& no_model) {
  std::vector<std::pair<std::string, std::vector<int>>> all;
  for (const int n : nodes) {
    std::string choices = choices_by_rules(f, n, no_model);
    if (all.empty() || all.back().first != choices) all.push_back({std::move(choices), {}});
    all.back().second.push_back(n);
  }
  std::string text;
  for (const auto& [choices, of] : all)
    text += fmt::format("{}on {} {} {}", text.empty() ? "" : "; ", fmt::join(of, ", "),
                        of == std::vector{1} ? "node" : "nodes", choices);
  return text;
}

/// Choices of an MPI library's own rules for the sweeps that will be predicted; equal texts only once.
std::vector<std::string> assumptions_of_rules(const fit::Fit& fit, const std::vector<int>& predicted) {
  std::vector<std::string> all;
  for (const SweepFit& f : fit.sweeps) {
    if (f.sweep.rules.empty() || f.sweep.level != fit::between_nodes) continue;
    std::set<std::string> no_model;
    const std::string choices = choices_on(f, nodes_of(f, predicted), no_model);
    std::string text = fmt::format("By its own rules ({}), {} chooses for {}: {}.",
                                   libraries::mpi_source(f.sweep.rules), f.sweep.rules, f.sweep.collective, choices);
    if (!no_model.empty())
      text +=
          fmt::format(" Steps and volumes of {} are not known: there, times alone decide.", fmt::join(no_model, ", "));
    if (std::ranges::find(all, text) == all.end()) all.push_back(std::move(text));
  }
  if (!all.empty())
    all.push_back(fmt::format(
        "Rules of a library are taken without tuning files and components of vendors (hcoll, ucc). Curves "
        "of algorithms that they do not name weigh a fiftieth, unless times fit them much better. Where the "
        "rules name another algorithm at a predicted scale, it has a weight of {:g}.",
        trust_in_rules));
  return all;
}

}  // namespace

std::vector<std::string> assumptions_of_fit(const fit::Fit& fit, const std::vector<int>& nodes, double confidence,
                                            double allowance, Topology topology) {
  std::vector<std::string> all = assumptions_of_nccl(fit, nodes);
  std::ranges::move(assumptions_of_rules(fit, nodes), std::back_inserter(all));
  const std::vector<std::string> general{
      fmt::format(
          "Measured on {} nodes. The prediction assumes the same hosts, network, library, settings and ranks per node.",
          measured_nodes(fit)),
      "time = call + step x steps + volume x size / bandwidth, by the steps and volumes of each algorithm "
      "(docs/predicting.md). Curves change at the same sizes as in the measurement. Where an algorithm splits a size "
      "among ranks (a ring), more ranks send shorter messages, and the curve for that message length applies.",
      "A figure combines all curves that the times do not rule out: the weighted mean of their logarithms, with an "
      "interval that holds their mixture.",
      "No time is below that of the largest measured scale, and none falls with size where it does not there.",
      fmt::format("If another algorithm of the library would be faster, a switch to it has a weight of {:g}. That "
                  "algorithm has the same cost per step and byte, and at the largest measured scale it is no faster "
                  "than the measurement. Of an allreduce of NCCL its model tells the weight and how times compare.",
                  chance_of_change),
      fmt::format(
          "Intervals are for one new launch, at {:g} % by Student's t. They include coefficient errors, "
          "scatter between sizes, launch-to-launch variation{}, and how far predictions of public logs were off: "
          "the more nodes beyond those measured, the wider, and more upwards.",
          100 * confidence,
          any_assumed(fit) ? fmt::format(" ({:g} % assumed where launches are too few)", 100 * fit.assumed_spread)
                           : ""),
      contention_text(topology),
      "Not in the data, so not in the figures: more switch levels, slow nodes, jobs that fill the network. All of "
      "these "
      "lengthen times."};
  all.insert(all.end(), general.begin(), general.end());
  for (const std::string& text : assumptions_of_one_scale(fit)) all.push_back(text);
  for (const std::string& remark : fit.remarks) all.push_back(remark + ".");
  if (allowance > 0)
    all.push_back(
        fmt::format("To allow for these, upper limits of times are raised by {:g} %, as requested.", 100 * allowance));
  return all;
}

}  // namespace busbar::predict
