// SPDX-License-Identifier: Apache-2.0
#include "bench/engine/plan.hpp"

#include <numeric>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/cold_starts.hpp"

namespace busbar {
static_assert(name(Cadence::cold) == cold_cadence, "ColdStarts find cold cases by it");

namespace {

/// Granularity of the size in bytes: one element, or one per rank if sized by ranks.
std::uint64_t step_of(const Collective& c, DType type, int ranks) {
  return c.sizing == Sizing::by_ranks ? size_of(type) * static_cast<std::uint64_t>(ranks) : size_of(type);
}

/// Sizes become whole blocks for `whole_for` ranks, a multiple of `ranks`.
void add_sizes(std::vector<Case>& plan, const Case& base, const Sweep& sweep, int ranks, int whole_for) {
  if (base.collective->sizing == Sizing::none) {
    plan.push_back(base);
    return;
  }
  const std::uint64_t step = step_of(*base.collective, base.type, whole_for);
  std::optional<std::uint64_t> last;
  for (const std::uint64_t asked : sweep.sizes) {
    if (base.window > 1 && asked > sweep.most_in_window.value_or(asked)) continue;
    Case c = base;
    if (ranks < 2 && c.collective->between_pairs()) c.skip = "a pair needs two ranks";
    c.bytes = asked / step * step;
    c.count = static_cast<std::size_t>(c.bytes / step_of(*base.collective, base.type, ranks));
    if (c.shares) c.count *= static_cast<std::size_t>(ranks);
    if (c.count == 0 && asked > 0) {
      c.bytes = asked;
      c.skip = fmt::format("{} is less than one {} element{}, {}", format_size(asked), name(c.type),
                           step == size_of(c.type) ? "" : " for each rank", format_size(step));
    }
    if (last != c.bytes || c.skip) plan.push_back(c);
    last = c.bytes;
  }
}

std::vector<std::optional<Op>> ops_for(const Collective& c, const Sweep& sweep) {
  if (!c.reduces) return {std::nullopt};
  return {sweep.ops.begin(), sweep.ops.end()};
}

/// The requested forms that exist; if none does, the one that exists.
std::vector<bool> places_for(const Collective& c, const Sweep& sweep) {
  std::vector<bool> places;
  for (const bool in_place : sweep.places)
    if (in_place ? c.in_place : c.out_of_place) places.push_back(in_place);
  if (places.empty()) places.push_back(c.in_place);
  return places;
}

/// The collective with each distribution of counts and each window that it can have; once if it has neither.
std::vector<Case> variants_of(const Collective& collective, const Sweep& sweep, int ranks) {
  std::vector<Case> all;
  if (collective.window > 0)
    for (const int window : sweep.windows.empty() ? std::vector{collective.window} : sweep.windows)
      all.push_back({.collective = &collective, .window = window});
  if (collective.uneven())
    for (const Unevenness& counts : sweep.counts)
      if (collective.call == "alltoallv" || !differs_by_sender(counts))
        all.push_back({.collective = &collective, .shares = shares_of(counts, ranks)});
  return collective.window > 0 || collective.uneven() ? all : std::vector<Case>{{.collective = &collective}};
}

/// A form of a call, and the work beside it.
struct Manner {
  CallForm form = CallForm::plain;
  std::optional<Advance> advance;
  int work = 0;
};

std::vector<Manner> manners_of(const Sweep& sweep) {
  std::vector<Manner> all;
  for (const CallForm form : sweep.forms) {
    if (form == CallForm::plain || sweep.advances.empty()) all.push_back({.form = form});
    if (form == CallForm::plain) continue;
    for (const Advance advance : sweep.advances)
      for (const int work : sweep.works) all.push_back({.form = form, .advance = advance, .work = work});
  }
  return all;
}

const std::vector<std::string>& algorithms_for(const Collective* c, const Sweep& sweep) {
  const auto own = sweep.algorithms_of.find(c);
  return own == sweep.algorithms_of.end() ? sweep.algorithms : own->second;
}

std::vector<Case> plan_in_blocks(const Sweep& sweep, int ranks, int whole_for) {
  std::vector<Case> plan;
  const auto manners = manners_of(sweep);
  for (const Collective* collective : sweep.collectives) {
    const bool typed = collective->sizing != Sizing::none;
    for (const DType type : typed ? sweep.types : std::vector{DType::i8})
      for (const auto& op : ops_for(*collective, sweep))
        for (const bool in_place : places_for(*collective, sweep))
          for (const Cadence cadence : sweep.cadences)
            for (const Manner& manner : manners)
              for (const std::string& algorithm : algorithms_for(collective, sweep))
                for (Case& c : variants_of(*collective, sweep, ranks)) {
                  c.type = type;
                  c.op = op;
                  c.root = sweep.root;
                  c.in_place = in_place;
                  c.cadence = cadence_for(*collective, cadence, sweep);
                  c.form = manner.form;
                  c.advance = manner.advance;
                  c.work = manner.work;
                  c.algorithm = algorithm;
                  add_sizes(plan, c, sweep, ranks, whole_for);
                }
  }
  return plan;
}

std::vector<Case> numbered(std::vector<Case> plan) {
  for (std::size_t i = 0; i < plan.size(); ++i) plan[i].number = static_cast<int>(i);
  return plan;
}

}  // namespace

Cadence cadence_for(const Collective& c, Cadence cadence, const Sweep& sweep) {
  const bool streams = sweep.streams_pairs && c.between_pairs() && cadence == Cadence::barrier;
  return streams ? Cadence::streaming : cadence;
}

std::vector<Case> make_plan(const Sweep& sweep, int ranks) { return numbered(plan_in_blocks(sweep, ranks, ranks)); }

std::vector<Case> make_plan_of_two_kinds(const Sweep& sweep, int first, int second) {
  const int whole_for = std::lcm(first, second);
  std::vector<Case> plan = plan_in_blocks(sweep, first, whole_for);
  const std::vector<Case> others = plan_in_blocks(sweep, second, whole_for);
  const std::size_t n = plan.size();
  for (Case c : others) {
    c.caller = Caller::second;
    plan.push_back(std::move(c));
  }
  for (std::size_t i = 0; i < n; ++i) {
    Case both = plan[i];
    both.caller = Caller::alternating;
    both.second_count = others[i].count;
    plan.push_back(std::move(both));
  }
  return numbered(std::move(plan));
}

CaseKey key_of(const Case& c, const Team& team, std::string_view backend, std::string_view memory) {
  CaseKey key{.kind = team.kind == CaseKind::collective ? c.collective->kind() : team.kind,
              .collective = std::string(c.collective->name),
              .backend = std::string(backend),
              .memory = std::string(memory),
              .bytes = c.bytes,
              .ranks = team.world.ranks,
              .nodes = team.world.nodes > 0 ? std::optional(team.world.nodes) : std::nullopt,
              .ranks_per_node = team.world.ranks_per_node,
              .cadence = std::string(name(c.cadence)),
              .group = team.level};
  if (c.collective->sizing != Sizing::none) {
    key.type = std::string(name(c.type));
    if (!c.collective->between_pairs()) key.in_place = c.in_place;
  }
  if (!c.algorithm.empty()) key.algorithm = c.algorithm;
  if (c.shares) key.counts = c.shares->name();
  if (c.form != CallForm::plain) key.form = text_of(c.form);
  if (c.advance) {
    key.progress = text_of(*c.advance);
    key.work = c.work;
  }
  if (c.op) key.op = std::string(name(*c.op));
  if (c.collective->rooted) key.root = c.root;
  if (c.window > 0) key.window = c.window;
  return key;
}

}  // namespace busbar
