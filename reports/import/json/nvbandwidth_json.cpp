// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/run_record.hpp"
#include "core/record/status.hpp"
#include "reports/import/case_lists.hpp"
#include "reports/import/importer.hpp"
#include "reports/import/json/lenient_json.hpp"
#include "reports/import/json/nvbandwidth_tests.hpp"
#include "reports/import/text_lines.hpp"

/// JSON of nvbandwidth -j (json_output.cpp of NVIDIA/nvbandwidth).
namespace busbar {
namespace {

using Notes = std::vector<std::string>;
using Tests = std::vector<NvbandwidthTest>;

// Cases

CaseKey nvbandwidth_key(const NvbandwidthTest& t) {
  const bool on_nodes = t.name.starts_with("multinode");  // one process per GPU
  CaseKey k{.kind = CaseKind::copy,
            .collective = t.name,
            .backend = "nvbandwidth",
            .ranks = on_nodes ? std::max(1, t.columns) : 1};
  if (!on_nodes) k.nodes = k.ranks_per_node = 1;
  return k;
}

bool passed(const NvbandwidthTest& t) { return t.status == "Passed" || (t.status == "Running" && !t.cells.empty()); }

/// A test without cells.
CaseRecord without_cells(const NvbandwidthTest& t, const std::optional<std::string>& top_error) {
  CaseRecord c{.key = nvbandwidth_key(t), .status = Status::failed};
  if (t.status == "Waived") {
    c.status = Status::skipped;
    c.reason = "waived: nvbandwidth cannot run it on this machine";
  } else if (passed(t)) {
    c.status = Status::skipped;
    c.reason = "all cells are N/A: no two devices that it applies to";
  } else if (t.status == "Running") {
    c.reason = "it was running when the output was written";
  } else {
    c.reason = "status " + t.status;
  }
  const auto& error = t.error ? t.error : top_error;
  if (c.status == Status::failed && error) c.reason = *c.reason + ": " + quotable(*error);
  return c;
}

CaseRecord nvbandwidth_case(const NvbandwidthTest& t, const NvbandwidthCell& cell,
                            const std::optional<std::uint64_t>& bytes) {
  CaseRecord c{.key = nvbandwidth_key(t)};
  c.key.group = cell.path;
  if (t.latency) {
    c.time_s = cell.value * 1e-9;
    return c;
  }
  c.key.bytes = bytes.value_or(0);
  c.algbw_GBps = cell.value;
  if (bytes && !t.sums && cell.value > 0) c.time_s = static_cast<double>(*bytes) * 1e-9 / cell.value;
  return c;
}

std::vector<CaseRecord> nvbandwidth_cases(const ImportRequest& request, const Tests& tests,
                                          const std::optional<std::string>& top_error, Notes& warnings) {
  CaseList all;
  const auto add = [&all](CaseRecord c) {
    c.check.state = CheckState::unknown;
    all.add(std::move(c));
  };
  for (const NvbandwidthTest& t : tests) {
    if (!passed(t) || t.cells.empty()) add(without_cells(t, top_error));
    if (!passed(t)) continue;
    for (const NvbandwidthCell& cell : t.cells) add(nvbandwidth_case(t, cell, request.bytes));
  }
  if (const auto repeated = all.empty_repeats() + all.other_repeats(); repeated > 0)
    warnings.push_back(fmt::format("{} left out that repeat an earlier one", plural(repeated, "cell")));
  return all.sorted_cases();
}

// Head

/// Converts "12080" to 12.8; empty if it is not a CUDA version.
std::optional<std::string> cuda_version(const Members& file) {
  const auto number = file.small_count("CUDA Runtime Version");
  if (!number || *number < 1000) return std::nullopt;
  return fmt::format("{}.{}", *number / 1000, *number % 1000 / 10);
}

/// Returns the last "(...)" of a text, and removes it with everything after it.
std::string last_brackets(std::string_view& text) {
  const std::size_t open = text.rfind('(');
  const std::size_t close = text.find(')', std::min(open, text.size()));
  if (open == std::string_view::npos || close == std::string_view::npos) return "";
  std::string inside(text.substr(open + 1, close - open - 1));
  text = text.substr(0, open);
  return inside;
}

/// Parses "0: NVIDIA GB200 (00000008:06:00): (host)"; releases before 0.7 name no host.
void add_gpu(Host& host, std::string_view text) {
  std::string bus = last_brackets(text);
  if (std::ranges::count(bus, ':') != 2) {
    host.name = quotable(bus);
    bus = last_brackets(text);
  }
  const std::size_t colon = text.find(": ");
  const std::string name = quotable(text.substr(colon == std::string_view::npos ? 0 : colon + 2));
  if (name.empty()) return;
  host.gpus.push_back({.name = name, .bus = bus.empty() ? std::nullopt : std::optional(quotable(bus))});
}

Host host_of(const Members& file) {
  Host host{.name = "unknown", .gpu_driver = file.text("Driver Version")};
  if (const nlohmann::json* list = file.list("GPU Device list"))
    for (const auto& gpu : *list)
      if (gpu.is_string()) add_gpu(host, gpu.get_ref<const std::string&>());
  return host;
}

RunRecord nvbandwidth_head(const ImportRequest& request, const Members& file, const std::vector<CaseRecord>& cases) {
  auto revision = file.text("git_version");
  if (revision && revision->empty()) revision.reset();
  RunRecord head{.id = import_id(request.text, "nvbandwidth"),
                 .origin = Origin::imported,
                 .tool = {.name = "nvbandwidth", .version = file.text("version"), .revision = revision},
                 .labels = request.labels,
                 .ranks = 1,
                 .method = {.cadence = "unknown", .rank_rule = RankRule::rank_0, .check = "unknown"},
                 .source = request.source};
  for (const CaseRecord& c : cases) head.ranks = std::max(head.ranks, c.key.ranks);
  if (std::ranges::all_of(cases, [](const CaseRecord& c) { return c.key.nodes == 1; })) head.nodes = 1;
  if (const auto version = cuda_version(file)) head.libraries["cuda_driver"] = *version;
  if (Host host = host_of(file); !host.gpus.empty() || host.gpu_driver) head.hosts = {std::move(host)};
  return head;
}

Notes nvbandwidth_notes(const ImportRequest& request, const Members& file, const Tests& tests) {
  Notes all;
  if (const auto warning = file.text("warning")) all.push_back("nvbandwidth says: " + quotable(*warning));
  if (tests.empty()) return all;
  all.emplace_back(
      "each cell is the median of nvbandwidth's samples, or their mean if it had -m: the file does not say");
  if (request.bytes)
    all.push_back(fmt::format("size taken from --bytes; times are size over bandwidth, where a cell is of one copy"));
  else
    all.emplace_back(
        "the file lacks the buffer's size, so copies have no time: add --bytes SIZE (nvbandwidth's "
        "-b, 64M by default)");
  if (std::ranges::any_of(tests, &NvbandwidthTest::latency))
    all.emplace_back("latency tests have a buffer of their own and are of one access, in one process");
  if (std::ranges::any_of(tests, &NvbandwidthTest::sums))
    all.emplace_back("\"total\" is the sum of copies that run at the same time");
  all.emplace_back("sum, min, max and average of the file are not imported");
  return all;
}

Notes nvbandwidth_warnings(const LenientJson& json, const Tests& tests) {
  Notes all;
  for (const NvbandwidthTest& t : tests)
    if (t.summed_rows)
      all.push_back(fmt::format(
          "{}: the sum of its matrix is another than the file says: cells are named by row and column", t.name));
  if (json.cut) all.push_back("the file is not whole: " + *json.cut);
  return all;
}

EndRecord nvbandwidth_end(const LenientJson& json, const std::vector<CaseRecord>& cases,
                          const std::optional<std::string>& error) {
  EndRecord end;
  count_cases(end, cases);
  end.status = error || end.cases.failed > 0 ? EndStatus::failed : json.cut ? EndStatus::unknown : EndStatus::ok;
  if (error)
    end.reason = quotable(*error);
  else if (end.cases.failed > 0)
    end.reason = plural(end.cases.failed, "test") + " failed";
  else if (json.cut)
    end.reason = "the file is not whole: " + *json.cut;
  return end;
}

// The importer

bool recognises_nvbandwidth(std::string_view text) { return first_json_key(text) == "nvbandwidth"; }

std::vector<ImportedRun> read_nvbandwidth(const ImportRequest& request) {
  constexpr std::size_t lists = 3;  // drop a truncated test
  const LenientJson json = parse_lenient(request.text, lists);
  const nlohmann::json* root = Members(json.value).object("nvbandwidth");
  if (root == nullptr)
    throw UsageError(fmt::format("{}: \"nvbandwidth\" is empty{}", request.source, json.cut ? "; " + *json.cut : ""));
  const Members file(*root);
  const auto error = file.text("error");
  const nlohmann::json* testcases = file.list("testcases");
  const Tests tests = testcases == nullptr ? Tests{} : read_nvbandwidth_tests(*testcases);
  if (tests.empty() && !error) throw UsageError(fmt::format("{}: no test in it", request.source));
  Notes warnings = nvbandwidth_warnings(json, tests);
  std::vector<CaseRecord> cases = nvbandwidth_cases(request, tests, error, warnings);
  RunRecord head = nvbandwidth_head(request, file, cases);
  head.notes = warnings;
  for (std::string& note : nvbandwidth_notes(request, file, tests)) head.notes.push_back(std::move(note));
  EndRecord end = nvbandwidth_end(json, cases, error);
  return {{.head = std::move(head),
           .cases = std::move(cases),
           .end = std::move(end),
           .warnings = std::move(warnings),
           .collective = "copies",
           .rows = static_cast<int>(tests.size())}};
}

}  // namespace

extern const Importer nvbandwidth_json{
    .name = "nvbandwidth JSON",
    .about = "what NVIDIA's nvbandwidth writes with -j",
    .recognises = recognises_nvbandwidth,
    .read = read_nvbandwidth,
};

}  // namespace busbar
