// SPDX-License-Identifier: Apache-2.0
#include "reports/import/json/nvbandwidth_run.hpp"

#include <algorithm>
#include <array>
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

// Paths

/// all_to_one and one_to_all have one row, the total of a GPU with all others, but still label GPUs by row.
bool is_with_all(std::string_view description, std::size_t rows) { return rows == 1 && holds(description, "GPU(row)"); }

/// One side of an arrow: "memcpy CE GPU(row)" becomes GPU and the row's number.
std::string side(std::string_view text, std::size_t row, std::size_t rows, std::size_t column) {
  for (const auto& [mark, index] : {std::pair("(row)", row), std::pair("(column)", column)}) {
    const std::size_t at = text.find(mark);
    if (at == std::string_view::npos) continue;
    const std::string word(last_word(text.substr(0, at)));
    const bool alone = word == "CPU" && rows == 1;  // a single host
    return alone ? word : fmt::format("{}{}", word, index);
  }
  return holds(text, "All") ? "all" : "";
}

std::string path_of(std::string_view description, std::size_t row, std::size_t rows, std::size_t column) {
  if (is_with_all(description, rows)) return fmt::format("GPU{} with all", column);
  for (const std::string_view arrow : {"<->", "->", "<-"}) {
    const std::size_t at = description.find(arrow);
    if (at == std::string_view::npos) continue;
    const std::string left = side(description.substr(0, at), row, rows, column);
    const std::string right = side(description.substr(at + arrow.size()), row, rows, column);
    if (!left.empty() && !right.empty()) return left + std::string(arrow) + right;
  }
  const std::string only = side(description, row, rows, column);
  return rows > 1 || only.empty() ? fmt::format("row {}, column {}", row, column) : only;
}

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
  if (all.repeats() > 0) add_note(warnings, "{} left out that repeat an earlier one", plural(all.repeats(), "cell"));
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
  RunRecord head = imported_head(request, "nvbandwidth");
  head.id = import_id(request, "nvbandwidth");
  head.tool.version = out.version;
  head.tool.revision = out.revision;
  head.ranks = 1;
  head.method = {.cadence = "unknown", .rank_rule = RankRule::rank_0, .check = "unknown"};
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
    add_note(all, "size taken from --bytes; times are size over bandwidth, where a cell is of one copy");
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

double sum_of_cells(const NvbandwidthTest& t) {
  double sum = 0;
  for (const NvbandwidthCell& cell : t.cells) sum += cell.value;
  return sum;
}

Notes nvbandwidth_warnings(const NvbandwidthOutput& out) {
  Notes all = out.doubts;
  for (const NvbandwidthTest& t : out.tests)
    if (t.unknown_layout)
      add_note(all, "{}: {}: cells are named by row and column", t.name,
               t.told_sum ? fmt::format("the cells of its matrix sum to {:.2f}, but it says {:.2f}", sum_of_cells(t),
                                        *t.told_sum)
                          : "its matrices differ in size");
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

void add_nvbandwidth_cells(NvbandwidthTest& t, const NvbandwidthMatrix& m, std::size_t matrices) {
  t.latency = t.description.ends_with("(ns)");
  t.unknown_layout = matrices == 0;
  t.sums = holds(t.description, "otal") || is_with_all(t.description, m.size());
  static constexpr std::array parts{" one way", " other way", " total"};
  const std::size_t rows = m.size() / std::max<std::size_t>(matrices, 1);
  for (std::size_t i = 0; i < m.size(); ++i) {
    t.columns = std::max(t.columns, static_cast<int>(m[i].size()));
    for (std::size_t j = 0; j < m[i].size(); ++j) {
      if (!m[i][j]) continue;
      std::string path = path_of(t.description, matrices == 0 ? i : i % rows, rows, j);
      if (matrices == 3) path += parts[i / rows];
      if (matrices == 0) path = fmt::format("row {}, column {}", i, j);
      t.cells.push_back({.path = std::move(path), .value = *m[i][j]});
    }
  }
}

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
  ImportedRun run{
      .warnings = nvbandwidth_warnings(out), .collective = "copies", .rows = static_cast<int>(out.tests.size())};
  run.cases = nvbandwidth_cases(request, out, run.warnings);
  run.head = nvbandwidth_head(request, out, run.cases);
  add_notes(run.head.notes, run.warnings);
  add_notes(run.head.notes, nvbandwidth_notes(request, out));
  run.end = nvbandwidth_end(out, run.cases);
  return run;
}

}  // namespace busbar
