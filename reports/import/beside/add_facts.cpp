// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <utility>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run_record.hpp"
#include "reports/import/beside/beside.hpp"
#include "reports/import/beside/host_names.hpp"
#include "reports/import/text_lines.hpp"
#include "reports/import/told_places.hpp"

namespace busbar {
namespace {

void note(ImportedRun& run, std::string text) { run.head.notes.push_back(std::move(text)); }

/// A number on which all files agree, and the first file.
struct AgreedNumber {
  std::optional<int> value;
  std::string from, disagreement;
};

AgreedNumber agreed_number(const Beside& beside, std::string_view what, std::optional<int> CompanionFacts::* member) {
  AgreedNumber agreed;
  for (const BesideFact& f : beside.facts) {
    const std::optional<int> value = f.facts.*member;
    if (!value) continue;
    if (agreed.value && *agreed.value != *value)
      return {.value = {},
              .from = {},
              .disagreement = fmt::format("{}: {} in {}, {} in {}; neither is taken", what, *agreed.value, agreed.from,
                                          *value, f.from)};
    if (!agreed.value) agreed = {.value = value, .from = f.from, .disagreement = {}};
  }
  return agreed;
}

void add_nodes(ImportedRun& run, const Beside& beside, const ImportRequest& stated) {
  const AgreedNumber nodes = agreed_number(beside, "nodes", &CompanionFacts::nodes);
  if (!nodes.disagreement.empty() && !run.head.nodes) add_warning(run, nodes.disagreement);
  if (!nodes.value || run.head.ranks < 1) return;
  if (run.head.nodes) {
    if (*run.head.nodes != *nodes.value)
      add_warning(run, fmt::format("nodes: {} {}, {} in {}; the former is taken", *run.head.nodes,
                                   stated.nodes ? "by --nodes" : "in the log", *nodes.value, nodes.from));
    return;
  }
  if (run.head.ranks == 1 && *nodes.value > 1) return;  // a program of one process, in a larger job
  if (*nodes.value > run.head.ranks)
    return add_warning(run, fmt::format("nodes: {} in {}, more than the {} of the log; not taken", *nodes.value,
                                        nodes.from, plural(run.head.ranks, "rank")));
  const bool known_of_cases =
      std::ranges::any_of(run.cases, [](const CaseRecord& c) { return c.key.nodes.has_value(); });
  if (known_of_cases) return;
  run.head.nodes = nodes.value;
  const ImportRequest places{.ranks = run.head.ranks, .nodes = nodes.value};
  for (CaseRecord& c : run.cases)
    if (c.key.ranks == run.head.ranks || *nodes.value == 1) tell_nodes(c.key, places);
  note(run, fmt::format("nodes: {}, from {}", *nodes.value, nodes.from));
}

/// A host of the log that is not in a list of hosts; empty if all are.
std::string host_missing_in(const std::vector<std::string>& list, const std::vector<Host>& hosts) {
  std::set<std::string_view> names;
  for (const std::string& name : list) names.insert(short_host(name));
  const auto missing = std::ranges::find_if(hosts, [&](const Host& h) { return !names.contains(short_host(h.name)); });
  return missing == hosts.end() ? "" : missing->name;
}

void add_hosts(ImportedRun& run, const BesideFact& f) {
  const std::vector<std::string>& hosts = f.facts.hosts;
  if (hosts.empty() || run.head.nodes != static_cast<int>(hosts.size())) return;
  if (run.head.hosts.empty()) {
    for (const std::string& name : hosts) run.head.hosts.push_back({.name = name});
    note(run, fmt::format("host names: from {}", f.from));
  } else if (const std::string host = host_missing_in(hosts, run.head.hosts); !host.empty()) {
    add_warning(run, fmt::format("hosts: {} in the log is not in {}; the log's are taken", host, f.from));
  }
}

void add_environment(ImportedRun& run, const BesideFact& f) {
  constexpr std::size_t most_said = 3, longest = 60;
  std::size_t added = 0, different = 0;
  for (const auto& [name, value] : f.facts.environment) {
    const auto [at, is_new] = run.head.environment.try_emplace(name, value);
    added += is_new ? 1 : 0;
    if (at->second != value && ++different <= most_said)
      add_warning(run, fmt::format("environment: {}={} in the log, {} in {}; the log's is taken", name,
                                   at->second.substr(0, longest), value.substr(0, longest), f.from));
  }
  if (different > most_said)
    add_warning(run, fmt::format("environment: {} differ in all between the log and {}; the log's are taken",
                                 plural(different, "variable"), f.from));
  if (added > 0) note(run, fmt::format("environment: {}, from {}", plural(added, "variable"), f.from));
}

/// The version of a library that the log says, in the record or in a note ("NCCL version 2.18.3+cuda12.2").
std::string version_in_log(const RunRecord& head, const std::string& library) {
  if (const auto known = head.libraries.find(library); known != head.libraries.end()) return known->second;
  static constexpr std::string_view mark = "NCCL version ";
  const auto found = std::ranges::find_if(head.notes, [](const std::string& text) { return holds(text, mark); });
  if (library != "nccl" || found == head.notes.end()) return "";
  const std::string_view version = behind(*found, mark);
  return std::string(version.substr(0, version.find_first_not_of("0123456789.")));
}

/// True if the shorter version is the beginning of the other: 12.2 and 12.2.1.
bool same_version(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) std::swap(a, b);
  return b.starts_with(a) && (a.size() == b.size() || b[a.size()] == '.');
}

void add_libraries(ImportedRun& run, const BesideFact& f) {
  auto libraries = f.facts.libraries;
  const bool uses_gpus = std::ranges::any_of(run.cases, [](const CaseRecord& c) { return c.key.backend == "nccl"; });
  if (uses_gpus) libraries.insert(f.facts.loaded.begin(), f.facts.loaded.end());
  for (const auto& [library, version] : libraries) {
    const std::string known = version_in_log(run.head, library);
    if (known.empty()) {
      run.head.libraries.emplace(library, version);
      note(run, fmt::format("{}: {}, from {}", library, version, f.from));
    } else if (!same_version(known, version)) {
      add_warning(run, fmt::format("{}: {} is known, {} in {}; the former is taken", library, known, version, f.from));
    }
  }
}

void add_gpus(ImportedRun& run, const BesideFact& f) {
  if (!f.facts.gpus) return;
  const int gpus = *f.facts.gpus;
  if (run.head.nodes && run.head.ranks > gpus * static_cast<long long>(*run.head.nodes) && run.head.ranks > 0)
    add_warning(run, fmt::format("GPUs: {} of a node in {}, too few for {}", gpus, f.from, scale_text(run.head)));
  std::vector<Host>& hosts = run.head.hosts;
  if (f.facts.gpu_links && hosts.size() == 1 && !hosts[0].gpu_links &&
      hosts[0].gpus.size() == static_cast<std::size_t>(gpus))
    hosts[0].gpu_links = f.facts.gpu_links;
}

void add_facts(ImportedRun& run, const Beside& beside, const ImportRequest& stated) {
  for (const std::string& text : beside.warnings) add_warning(run, text);
  add_nodes(run, beside, stated);
  for (const BesideFact& f : beside.facts) {
    add_hosts(run, f);
    add_environment(run, f);
    add_libraries(run, f);
    add_gpus(run, f);
    for (const std::string& text : f.facts.remarks) note(run, fmt::format("{}, from {}", text, f.from));
  }
}

/// The name of the format of a log.
std::string_view format_of(std::string_view text) {
  const auto importers = table<Importer>();
  const auto found = std::ranges::find_if(importers, [text](const Importer* i) { return i->recognises(text); });
  return found == importers.end() ? "" : (*found)->name;
}

/// Published figures are from elsewhere, whatever lies beside their table.
bool is_of_this_place(std::string_view text) { return format_of(text) != "CSV table"; }

/// True for logs with one rank a task of Slurm; those of nccl-tests may have several GPUs a task.
bool has_a_rank_per_task(std::string_view text) { return !holds(format_of(text), "ccl-tests"); }

/// Reads a log once more with the number of ranks that the files beside it say; empty if that is no use.
std::vector<ImportedRun> import_with_ranks(ImportRequest request, const Beside& beside) {
  const AgreedNumber ranks = agreed_number(beside, "ranks", &CompanionFacts::ranks);
  if (request.ranks || !ranks.value || !has_a_rank_per_task(request.text)) return {};
  request.ranks = ranks.value;
  try {
    auto runs = import_log(request);
    for (ImportedRun& run : runs) {
      std::erase(run.head.notes, "number of ranks taken from --ranks");
      add_warning(run, fmt::format("ranks: {}, from {}; --ranks states another number", *ranks.value, ranks.from));
    }
    return runs;
  } catch (const UsageError&) {
    return {};
  }
}

}  // namespace

std::vector<ImportedRun> import_with(const ImportRequest& request, const Beside& beside) {
  std::vector<ImportedRun> runs;
  try {
    runs = import_log(request);
  } catch (const Contradiction&) {
    throw;
  } catch (const UnknownFormat&) {
    throw;
  } catch (const UsageError&) {
    runs = import_with_ranks(request, beside);
    if (runs.empty()) throw;
  }
  if (is_of_this_place(request.text))
    for (ImportedRun& run : runs) add_facts(run, beside, request);
  return runs;
}

}  // namespace busbar
