// SPDX-License-Identifier: Apache-2.0
#include "reports/fit/own_rules.hpp"

#include <algorithm>
#include <array>

#include "core/elements/dtype.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run_record.hpp"
#include "reports/libraries/mpi_choice.hpp"

namespace busbar::fit {
namespace {

using namespace std::string_view_literals;

/// MPICH's variables that its rules depend on have one of these words.
constexpr std::array words_of_mpich{"ALGORITHM"sv, "COMPOSITION"sv, "COLLECTIVE"sv, "COLL_"sv, "SMP"sv, "MSG_SIZE"sv};

bool changes_choices(std::string_view variable) {
  if (variable.starts_with("OMPI_MCA_coll")) return true;
  return variable.starts_with("MPIR_CVAR_") && std::ranges::any_of(words_of_mpich, [&](std::string_view word) {
           return variable.find(word) != std::string_view::npos;
         });
}

/// In place, libraries have a loop of their own for an alltoall.
bool has_own_way(const CaseKey& k) { return k.collective == "alltoall" && k.in_place.value_or(false); }

}  // namespace

std::string rules_of(const RunRecord& head, const CaseRecord& c, std::string_view library) {
  const CaseKey& k = c.key;
  const bool by_itself = k.backend == "mpi" && k.kind == CaseKind::collective && !k.algorithm && !c.choice && !k.form &&
                         k.memory.value_or("host") == "host" && !has_own_way(k);
  if (!by_itself || libraries::mpi_source(library).empty()) return {};
  const bool changed = std::ranges::any_of(head.environment, [](const auto& v) { return changes_choices(v.first); });
  return changed ? std::string() : std::string(library);
}

std::uint64_t element_bytes_of(const CaseRecord& c) {
  const auto type = dtype_named(c.key.type.value_or(""));
  return type ? size_of(*type) : 1;
}

std::string row_of_request(const CaseRecord& c, std::string_view library, std::string_view algorithm) {
  return libraries::mpi_row(library,
                            {.collective = c.key.collective,
                             .ranks = c.key.ranks,
                             .nodes = c.key.nodes.value_or(1),
                             .bytes = c.key.bytes,
                             .element_bytes = element_bytes_of(c)},
                            algorithm);
}

}  // namespace busbar::fit
