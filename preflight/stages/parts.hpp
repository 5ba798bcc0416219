// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/ranks/local_place.hpp"
#include "preflight/facts/fields.hpp"
#include "preflight/stages/run.hpp"

/// Gathers parts of the facts on rank 0. For the files of stages only.
namespace busbar::preflight {

/// Collective over the job. Gathers one part of each rank's facts.
template <class Part>
void gather(Run& run, Part RankFacts::* part, const Part& mine) {
  const auto texts = run.roll.gather(nlohmann::json(mine).dump());
  for (std::size_t r = 0; r < texts.size(); ++r)
    run.facts.ranks[r].*part = nlohmann::json::parse(texts[r]).template get<Part>();
}

/// Collective over the job. Gathers one part per host; calls `mine` only on the first rank of each host.
template <class Part, class Read>
[[nodiscard]] std::vector<Part> gather_of_hosts(Run& run, Read mine) {
  const auto texts = run.roll.gather(run.speaks_for_host() ? nlohmann::json(mine()).dump() : "");
  std::vector<Part> all;
  for (const std::string& text : texts)
    if (!text.empty()) all.push_back(nlohmann::json::parse(text).template get<Part>());
  return all;
}

/// Collective over the job. True if every rank has a GPU and can load busbar's NCCL module; the same on all ranks.
[[nodiscard]] bool everyone_has_nccl(Run& run);
/// Place of this rank among the ranks of its host.
[[nodiscard]] LocalPlace own_place(const Run& run);

}  // namespace busbar::preflight
