// SPDX-License-Identifier: Apache-2.0
#include "reports/fit/library.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/error.hpp"
#include "core/base/words.hpp"
#include "core/elements/dtype.hpp"
#include "core/mpi_library/mpi_library.hpp"
#include "core/record/case_record.hpp"
#include "reports/libraries/mpi_choice.hpp"

namespace busbar::fit {
namespace {

constexpr std::string_view nccl = "NCCL";

std::vector<std::string> library_names() {
  std::vector<std::string> all = list_names<MpiLibrary>();
  all.emplace(all.begin(), nccl);
  return all;
}

/// "Open MPI" as in --library: "open-mpi".
std::string typed(std::string_view name) {
  std::string text = lower_case(name);
  std::ranges::replace(text, ' ', '-');
  return text;
}

bool is_version(std::string_view text) {
  return !text.empty() && text.front() >= '0' && text.front() <= '9' && text.back() != '.' &&
         text.find_first_not_of("0123456789.") == std::string_view::npos;
}

std::string backend_of(std::string_view library) { return library.starts_with(nccl) ? "nccl" : "mpi"; }

std::string library_of_head(const RunRecord& head, const CaseKey& key) {
  if (key.backend == "mpi") return head.mpi ? head.mpi->library : "";
  const auto known = head.libraries.find(key.backend);
  if (key.backend != "nccl" || known == head.libraries.end()) return "";
  return fmt::format("{} {}", nccl, known->second.substr(0, known->second.find('+')));  // "2.18.3+cuda12.2"
}

/// The only one of several words; empty if there are none or more, or one is empty.
std::string only(const std::set<std::string>& words) { return words.size() == 1 ? *words.begin() : ""; }

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

std::string parse_library(std::string_view text) {
  if (text == library_of_record || text == no_library) return std::string(text);
  const std::string wanted = typed(text);
  for (const std::string& name : library_names()) {
    const std::string start = typed(name) + "-";
    if (wanted.starts_with(start) && is_version(std::string_view(wanted).substr(start.size())))
      return fmt::format("{} {}", name, wanted.substr(start.size()));
  }
  std::vector<std::string> known;
  for (const std::string& name : library_names()) known.push_back(typed(name) + "-VERSION");
  throw UsageError(fmt::format("--library: '{}' is none of {}, {}, {}", text, library_of_record, no_library,
                               fmt::join(known, ", ")));
}

std::string library_of(const RunRecord& head, const CaseKey& key, std::string_view asked) {
  if (asked == no_library) return std::string(no_library);
  const std::string own = library_of_head(head, key);
  if (!own.empty() || asked == library_of_record || key.backend != backend_of(asked)) return own;
  return std::string(asked);
}

std::string device_of(const RunRecord& head, const CaseKey& key) {
  if (key.memory != "device") return cpu_of(head);
  std::set<std::string> gpus;
  for (const RankPlace& place : head.placement) gpus.insert(place.device.value_or(""));
  if (const std::string used = only(gpus); !used.empty()) return used;
  gpus.clear();
  for (const Host& host : head.hosts)
    for (const Gpu& gpu : host.gpus) gpus.insert(gpu.name);
  return only(gpus);
}

std::string cpu_of(const RunRecord& head) {
  std::set<std::string> cpus;
  for (const Host& host : head.hosts) cpus.insert(host.cpu_model.value_or(""));
  return only(cpus);
}

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
