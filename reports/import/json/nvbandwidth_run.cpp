// SPDX-License-Identifier: Apache-2.0
#include "reports/import/json/nvbandwidth_run.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/run_record.hpp"
#include "core/record/status.hpp"
#include "reports/import/case_lists.hpp"
#include "reports/import/text_lines.hpp"

namespace busbar {
namespace {

using Notes = std::vector<std::string>;

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
CaseRecord without_cells(const NvbandwidthTest& t, const NvbandwidthOutput& out) {
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
  const auto& error = t.error ? t.error : out.error;
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

std::vector<CaseRecord> nvbandwidth_cases(const ImportRequest& request, const NvbandwidthOutput& out, Notes& warnings) {
  CaseList all;
  const auto add = [&all](CaseRecord c) {
    c.check.state = CheckState::unknown;
    all.add(std::move(c));
  };
  for (const NvbandwidthTest& t : out.tests) {
    if (!passed(t) || t.cells.empty()) add(without_cells(t, out));
    if (!passed(t)) continue;
    for (const NvbandwidthCell& cell : t.cells) add(nvbandwidth_case(t, cell, request.bytes));
  }
  if (const auto repeated = all.empty_repeats() + all.other_repeats(); repeated > 0)
    warnings.push_back(fmt::format("{} left out that repeat an earlier one", plural(repeated, "cell")));
  return all.sorted_cases();
}

// Head

/// Converts 12080 to 12.8; empty if it is not a CUDA version.
std::optional<std::string> cuda_version(const NvbandwidthOutput& out) {
  if (out.cuda.value_or(0) < 1000) return std::nullopt;
  return fmt::format("{}.{}", *out.cuda / 1000, *out.cuda % 1000 / 10);
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

RunRecord nvbandwidth_head(const ImportRequest& request, const NvbandwidthOutput& out,
                           const std::vector<CaseRecord>& cases) {
  RunRecord head{.id = import_id(request, "nvbandwidth"),
                 .origin = Origin::imported,
                 .tool = {.name = "nvbandwidth", .version = out.version, .revision = out.revision},
                 .labels = request.labels,
                 .ranks = 1,
                 .method = {.cadence = "unknown", .rank_rule = RankRule::rank_0, .check = "unknown"},
                 .source = request.source};
  for (const CaseRecord& c : cases) head.ranks = std::max(head.ranks, c.key.ranks);
  if (std::ranges::all_of(cases, [](const CaseRecord& c) { return c.key.nodes == 1; })) head.nodes = 1;
  if (const auto version = cuda_version(out)) head.libraries["cuda_driver"] = *version;
  head.hosts = out.hosts;
  return head;
}

Notes nvbandwidth_notes(const ImportRequest& request, const NvbandwidthOutput& out) {
  Notes all;
  if (out.warning) all.push_back("nvbandwidth says: " + quotable(*out.warning));
  if (out.tests.empty()) return all;
  all.emplace_back("each cell is the median of nvbandwidth's samples, or their mean if it had -m: it does not say");
  if (request.bytes)
    all.push_back(fmt::format("size taken from --bytes; times are size over bandwidth, where a cell is of one copy"));
  else
    all.emplace_back(
        "it does not print the buffer's size, so copies have no time: add --bytes SIZE (nvbandwidth's "
        "-b, 64M by default)");
  if (std::ranges::any_of(out.tests, &NvbandwidthTest::latency))
    all.emplace_back("latency tests have a buffer of their own and are of one access, in one process");
  if (std::ranges::any_of(out.tests, &NvbandwidthTest::sums))
    all.emplace_back("\"total\" is the sum of copies that run at the same time");
  all.emplace_back("sum, min, max and average are not imported");
  return all;
}

Notes nvbandwidth_warnings(const NvbandwidthOutput& out) {
  Notes all = out.doubts;
  for (const NvbandwidthTest& t : out.tests)
    if (t.unknown_layout)
      all.push_back(fmt::format("{}: {}: cells are named by row and column", t.name,
                                t.told_sum ? fmt::format("the cells of its matrix sum to {:.2f}, but it says {:.2f}",
                                                         sum_of_cells(t), *t.told_sum)
                                           : "its matrices differ in size"));
  if (out.cut) all.push_back("the file is not whole: " + *out.cut);
  return all;
}

EndRecord nvbandwidth_end(const NvbandwidthOutput& out, const std::vector<CaseRecord>& cases) {
  EndRecord end;
  count_cases(end, cases);
  end.status = out.error || end.cases.failed > 0 ? EndStatus::failed : out.cut ? EndStatus::unknown : EndStatus::ok;
  if (out.error)
    end.reason = quotable(*out.error);
  else if (end.cases.failed > 0)
    end.reason = plural(end.cases.failed, "test") + " failed";
  else if (out.cut)
    end.reason = "the file is not whole: " + *out.cut;
  return end;
}

}  // namespace

void add_nvbandwidth_gpu(Host& host, std::string_view text) {
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

ImportedRun nvbandwidth_run(const ImportRequest& request, const NvbandwidthOutput& out) {
  Notes warnings = nvbandwidth_warnings(out);
  std::vector<CaseRecord> cases = nvbandwidth_cases(request, out, warnings);
  RunRecord head = nvbandwidth_head(request, out, cases);
  head.notes = warnings;
  for (std::string& note : nvbandwidth_notes(request, out)) head.notes.push_back(std::move(note));
  EndRecord end = nvbandwidth_end(out, cases);
  return {.head = std::move(head),
          .cases = std::move(cases),
          .end = std::move(end),
          .warnings = std::move(warnings),
          .collective = "copies",
          .rows = static_cast<int>(out.tests.size())};
}

}  // namespace busbar
