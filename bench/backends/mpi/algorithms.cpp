// SPDX-License-Identifier: Apache-2.0
#include "bench/backends/mpi/algorithms.hpp"

#include <algorithm>

#include <fmt/core.h>
#include <fmt/ranges.h>

namespace busbar {

std::optional<std::string> RequestedAlgorithms::note() const {
  return library_ ? std::optional(library_->note()) : std::nullopt;
}

bool RequestedAlgorithms::has(std::string_view call, std::string_view algorithm) const {
  const std::string_view wanted = algorithm.substr(0, algorithm.find('/'));
  const auto names = library_->names(call);
  return std::ranges::find(names, wanted) != names.end();
}

void RequestedAlgorithms::add(const Collective& what, const std::string& algorithm) {
  auto& known = communicators_[{std::string(what.call), algorithm}];
  if (!known) known.emplace(library_->communicator(ranks_, what.call, algorithm));
  known->set_name(name_of_data_plane);
}

MPI_Comm RequestedAlgorithms::choose(const Collective& what, const std::string& algorithm) {
  if (!library_) return ranks_.handle();
  if (!algorithm.empty()) require(what, algorithm);
  library_->select(what.call, algorithm);
  const auto own = communicators_.find({std::string(what.call), algorithm});
  return own != communicators_.end() && own->second ? own->second->handle() : ranks_.handle();
}

void RequestedAlgorithms::require(const Collective& what, const std::string& algorithm) const {
  const auto names = library_->names(what.call);
  if (names.empty()) throw Unsupported(fmt::format("busbar requests no algorithms of {} for {}", library(), what.name));
  if (!has(what.call, algorithm))
    throw Unsupported(fmt::format("{} has no {} for {}", library(), algorithm, what.name));
}

std::vector<std::vector<std::string>> RequestedAlgorithms::expand(std::span<const Collective* const> collectives,
                                                                  const std::vector<std::string>& requested) const {
  std::vector<std::vector<std::string>> all;
  std::set<std::string> unknown(requested.begin(), requested.end());
  for (const Collective* c : collectives) all.push_back(expand(*c, requested, unknown));
  for (const std::string& text : requested)
    if (unknown.contains(text)) throw_unknown(collectives, text);
  return all;
}

/// The canonical texts for one collective, each once; removes the texts that it has from `unknown`.
std::vector<std::string> RequestedAlgorithms::expand(const Collective& what, const std::vector<std::string>& requested,
                                                     std::set<std::string>& unknown) const {
  std::vector<std::string> all;
  const auto add_once = [&all](std::string text) {
    if (std::ranges::find(all, text) == all.end()) all.push_back(std::move(text));
  };
  for (const std::string& text : requested) {
    if (text.empty() || text == "all" || has(what.call, text)) unknown.erase(text);
    if (text != "all") {
      add_once(library_->canonical(text));
      continue;
    }
    add_once("");
    for (std::string& name : library_->names(what.call))
      if (!library_->crashes(what.call, name)) add_once(std::move(name));
  }
  return all;
}

/// Throws UsageError for an algorithm that no requested collective has.
void RequestedAlgorithms::throw_unknown(std::span<const Collective* const> collectives, const std::string& text) const {
  if (const std::string obstacle = library_->obstacle(text); !obstacle.empty())
    throw UsageError(fmt::format("--algorithm: {}", obstacle));
  std::string known;
  for (const Collective* c : collectives)
    if (const auto names = library_->names(c->call); !names.empty())
      known += fmt::format("{}{}: {}", known.empty() ? "" : "; ", c->name, fmt::join(names, ", "));
  throw UsageError(fmt::format("--algorithm: unknown '{}'; {} has auto, all, and for {}", text, library(),
                               known.empty() ? "these collectives none" : known));
}

}  // namespace busbar
