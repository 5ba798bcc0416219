// SPDX-License-Identifier: Apache-2.0
#include "reports/virtualisation/conclusions.hpp"

#include <algorithm>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "reports/compare/text.hpp"
#include "reports/virtualisation/texts.hpp"

namespace busbar::virtualisation {
namespace {

using compare::ComparedCase, compare::Verdict;

constexpr std::size_t most_trainings = 3;  ///< in the verdict's sentence

bool is_slower(const ComparedCase& p) { return p.verdict == Verdict::slower; }
bool is_slower(const Fact* fact) { return fact != nullptr && fact->point && is_slower(*fact->point); }

/// "+12.1 % (+9.0 to +15.3 %)".
std::string with_interval(const ComparedCase& p) {
  return has_interval(p) ? fmt::format("{} ({})", difference_text(p), interval_text(p)) : difference_text(p);
}

/// "0.98 (0.97 to 0.99)".
std::string ratio_with_interval(const ComparedCase& p) {
  const std::string ratio = compare::ratio_text(p.ratio.ratio());
  return has_interval(p) ? fmt::format("{} ({})", ratio, compare::interval_text(p.interval)) : ratio;
}

/// The part whose interval begins above all other parts; null if there is none.
const StepPart* largest_part(const Step& step) {
  for (const StepPart& part : step.parts) {
    const auto below = [&](const StepPart& one) { return &one == &part || one.added < part.added_interval.low; };
    if (is_slower(part.point) && std::ranges::all_of(step.parts, below)) return &part;
  }
  return nullptr;
}

std::string added_text(const StepPart& part) {
  return fmt::format("{}, {} of the step ({})", part.what, percent_text(part.added),
                     interval_text(part.added_interval));
}

std::string of_step(const Step& step) {
  const std::string whole = "time of a step " + with_interval(step.whole);
  if (const StepPart* largest = largest_part(step))
    return fmt::format("{}. Largest part: {}: {}.", whole, added_text(*largest), largest->lies_in);
  std::vector<std::string> clear;
  for (const StepPart& part : step.parts)
    if (is_slower(part.point)) clear.push_back(added_text(part));
  if (clear.empty()) return whole + ". No part of it is apart from zero: these launches cannot tell where it lies.";
  return fmt::format("{}. Apart from zero: {}. Which part is the largest cannot be told.", whole,
                     fmt::join(clear, "; "));
}

/// Which latency rises: empty if none does.
std::string of_latencies(const Fact* within, const Fact* between) {
  const auto rises = [](const Fact& fact) { return fmt::format("{} {}", fact.what, with_interval(*fact.point)); };
  if (is_slower(between) && within != nullptr && within->point) {
    const bool network = between->point->interval.low > within->point->ratio.ratio();
    return fmt::format("{}; {}. {}.", rises(*between), rises(*within),
                       network ? "The network path costs more than CPU and memory"
                               : "Whether the network path or CPU and memory cost more cannot be told");
  }
  if (is_slower(between)) return rises(*between) + ". Not measured within a host, so the network's share is unknown.";
  if (is_slower(within)) return rises(*within) + ". No network between hosts takes part in it: CPU and memory.";
  return "";
}

std::string of_lost_time(const Fact* fact) {
  if (!is_slower(fact)) return "";
  return fmt::format("{} against {}. By itself it lengthens work by {}.", fact->values[other], fact->values[reference],
                     with_interval(*fact->point));
}

}  // namespace

std::string verdict_sentence(const Study& study) {
  std::vector<std::string> parts;
  for (const Row& row : study.overall)
    parts.push_back(fmt::format("time of {} {}", row.what, with_interval(row.point)));
  std::vector<const Row*> rates;
  for (const Row& row : study.trainings) {
    if (row.point.quantity == &efficiency()) continue;
    std::erase_if(rates, [&](const Row* one) { return one->what == row.what; });  // the largest scale is the last
    rates.push_back(&row);
  }
  for (std::size_t i = 0; i < std::min(rates.size(), most_trainings); ++i)
    parts.push_back(fmt::format("{} {} of the {} on {}", rates[i]->what, ratio_with_interval(rates[i]->point),
                                rates[i]->point.unit, rates[i]->sizes));
  if (parts.empty())
    for (const Row& row : study.messages) parts.push_back(fmt::format("{} {}", row.what, with_interval(row.point)));
  return fmt::format("{}: {}.", sides_text(study), fmt::join(parts, ", "));
}

std::vector<const Step*> largest_steps(const Study& study) {
  std::vector<const Step*> all;
  for (const Step& step : study.steps) {  // by ranks
    std::erase_if(all, [&](const Step* one) { return one->training == step.training; });
    all.push_back(&step);
  }
  return all;
}

const Fact* find_fact(const Study& study, FactKind kind) {
  const auto it = std::ranges::find(study.facts, kind, &Fact::kind);
  return it == study.facts.end() ? nullptr : &*it;
}

std::vector<std::pair<std::string, std::string>> conclusions(const Study& study) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const Step* step : largest_steps(study)) all.emplace_back(step->what, of_step(*step));
  all.emplace_back("messages", of_latencies(find_fact(study, FactKind::latency_within),
                                            find_fact(study, FactKind::latency_between)));
  all.emplace_back("stolen CPU time", of_lost_time(find_fact(study, FactKind::stolen)));
  all.emplace_back("OS noise", of_lost_time(find_fact(study, FactKind::noise)));
  std::erase_if(all, [](const auto& one) { return one.second.empty(); });
  if (all.empty()) all.emplace_back("cannot be told", "No figure below is apart from zero.");
  return all;
}

}  // namespace busbar::virtualisation
