// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "reports/compare/fields.hpp"

namespace busbar::compare {
namespace {

std::string key_text(const std::string& s) { return s; }
std::string key_text(const std::optional<std::string>& s) { return s.value_or(""); }
std::string key_text(int n) { return std::to_string(n); }
std::string key_text(std::uint64_t n) { return std::to_string(n); }
std::string key_text(const std::optional<int>& n) { return n ? std::to_string(*n) : ""; }
template <HasWords Enum>
std::string key_text(Enum e) {
  return text_of(e);
}
std::string key_text(bool b) { return b ? "yes" : "no"; }

/// A member of CaseKey.
template <auto member>
constexpr KeyField part(std::string_view name) {
  return {.name = name,
          .value = [](const CaseKey& k) { return key_text(k.*member); },
          .blank = [](CaseKey& k) { k.*member = {}; }};
}

/// A member of TrainingKey.
template <auto member>
constexpr KeyField training_part(std::string_view name) {
  return {.name = name,
          .value = [](const CaseKey& k) { return k.training ? key_text((*k.training).*member) : ""; },
          .blank =
              [](CaseKey& k) {
                if (k.training) (*k.training).*member = {};
              }};
}

std::string place(const CaseKey& k) {
  if (!k.in_place) return "";
  return *k.in_place ? "in place" : "out of place";
}

/// "2 x 4": nodes times ranks per node.
std::string topology(const CaseKey& k) {
  if (k.nodes && k.ranks_per_node) return fmt::format("{} x {}", *k.nodes, *k.ranks_per_node);
  return k.nodes ? fmt::format("{} on {}", plural(k.ranks, "rank"), plural(*k.nodes, "node")) : "";
}

void blank_topology(CaseKey& k) { k.ranks = 0, k.nodes.reset(), k.ranks_per_node.reset(); }

/// The key does not name an algorithm chosen by the library.
std::string algorithm(const CaseKey& k) { return k.algorithm.value_or("library's choice"); }

constexpr std::array key_rows{
    part<&CaseKey::collective>("collective"),
    part<&CaseKey::backend>("backend"),
    part<&CaseKey::memory>("memory"),
    part<&CaseKey::cadence>("cadence"),
    KeyField{"algorithm", algorithm, [](CaseKey& k) { k.algorithm.reset(); }},
    KeyField{"topology", topology, blank_topology},
    KeyField{"ranks", [](const CaseKey& k) { return key_text(k.ranks); }, blank_topology},
    KeyField{"nodes", [](const CaseKey& k) { return key_text(k.nodes); }, blank_topology},
    KeyField{"ranks_per_node", [](const CaseKey& k) { return key_text(k.ranks_per_node); }, blank_topology},
    part<&CaseKey::type>("type"),
    part<&CaseKey::op>("op"),
    part<&CaseKey::root>("root"),
    KeyField{"place", place, [](CaseKey& k) { k.in_place.reset(); }},
    part<&CaseKey::group>("group"),
    part<&CaseKey::counts>("counts"),
    part<&CaseKey::window>("window"),
    part<&CaseKey::form>("form"),
    part<&CaseKey::progress>("progress"),
    part<&CaseKey::work>("work"),
    part<&CaseKey::kind>("kind"),
    training_part<&TrainingKey::parallel>("parallel"),
    training_part<&TrainingKey::compute>("compute"),
    training_part<&TrainingKey::computed_on>("computed_on"),
    training_part<&TrainingKey::precision>("precision"),
    training_part<&TrainingKey::batch>("batch"),
    training_part<&TrainingKey::micro_batches>("micro_batches"),
    training_part<&TrainingKey::image>("image"),
    training_part<&TrainingKey::threads>("threads"),
    training_part<&TrainingKey::scaling>("scaling"),
    training_part<&TrainingKey::layout>("layout"),
    training_part<&TrainingKey::overlap>("overlap"),
    training_part<&TrainingKey::bucket_bytes>("bucket_bytes"),
    training_part<&TrainingKey::hierarchical>("hierarchical"),
    training_part<&TrainingKey::sharded>("sharded"),
    training_part<&TrainingKey::jobs>("jobs"),
    training_part<&TrainingKey::schedule>("schedule"),
};

}  // namespace

std::span<const KeyField> key_fields() { return key_rows; }

}  // namespace busbar::compare
