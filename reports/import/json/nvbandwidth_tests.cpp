// SPDX-License-Identifier: Apache-2.0
#include "reports/import/json/nvbandwidth_tests.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/core.h>

#include "reports/import/json/lenient_json.hpp"
#include "reports/import/text_lines.hpp"

namespace busbar {
namespace {

constexpr std::size_t most_cells = 100'000;

using Matrix = NvbandwidthMatrix;

/// Parses a cell: a number as text, or "N/A".
std::optional<double> number_of(const nlohmann::json& cell) {
  if (cell.is_number()) return amount_of(cell);
  if (!cell.is_string()) return std::nullopt;
  const auto value = rounded(trimmed(cell.get_ref<const std::string&>()));
  return value && value->value >= 0 ? std::optional(value->value) : std::nullopt;
}

Matrix matrix_of(const Members& test) {
  Matrix m;
  std::size_t cells = 0;
  const nlohmann::json* rows = test.list("bandwidth_matrix");
  if (rows == nullptr) return m;
  for (const auto& row : *rows) {
    auto& out = m.emplace_back();
    if (!row.is_array()) continue;
    for (const auto& cell : row)
      if (++cells <= most_cells) out.push_back(number_of(cell));
  }
  return m;
}

double sum_of(const Matrix& m, std::size_t from, std::size_t to) {
  double sum = 0;
  for (std::size_t i = from; i < to; ++i)
    for (const auto& cell : m[i]) sum += cell.value_or(0);
  return sum;
}

/// nvbandwidth prints cells with six digits, but sums in full.
bool is_sum(double told, double of_cells) {
  return std::abs(told - of_cells) <= 1e-4 * std::max(told, of_cells) + 1e-9;
}

/// Number of matrices stacked in `m`. Bidirectional tests have one per direction, then their total, and `told` is the
/// sum of the total (JsonOutput::addTestcaseResults appends rows). 0 if the sum fits neither layout.
std::size_t matrices_in(const Matrix& m, const std::optional<double>& told, std::string_view description) {
  const bool of_three = description.find("Total") != std::string_view::npos && m.size() % 3 == 0;
  if (!told) return of_three ? 3 : 1;
  if (of_three && is_sum(*told, sum_of(m, m.size() / 3 * 2, m.size()))) return 3;
  return is_sum(*told, sum_of(m, 0, m.size())) ? 1 : 0;
}

// Paths

/// all_to_one and one_to_all have one row, the total of a GPU with all others, but still label GPUs by row.
bool is_with_all(std::string_view description, std::size_t rows) {
  return rows == 1 && description.find("GPU(row)") != std::string_view::npos;
}

/// One side of an arrow: "memcpy CE GPU(row)" becomes GPU and the row's number.
std::string side(std::string_view text, std::size_t row, std::size_t rows, std::size_t column) {
  for (const auto& [mark, index] : {std::pair("(row)", row), std::pair("(column)", column)}) {
    const std::size_t at = text.find(mark);
    if (at == std::string_view::npos) continue;
    const auto all = words(text.substr(0, at));
    const std::string word(all.empty() ? "" : all.back().text);
    const bool alone = word == "CPU" && rows == 1;  // a single host
    return alone ? word : fmt::format("{}{}", word, index);
  }
  return text.find("All") != std::string_view::npos ? "all" : "";
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

NvbandwidthTest test_of(const Members& test) {
  NvbandwidthTest t{.name = quotable(test.text("name").value_or("")),
                    .status = quotable(test.text("status").value_or("unknown")),
                    .description = quotable(test.text("bandwidth_description").value_or("")),
                    .error = test.text("error")};
  const Matrix m = matrix_of(test);
  const auto told = test.amount("sum");
  add_nvbandwidth_cells(t, m, m.empty() ? 1 : matrices_in(m, told, t.description));
  if (t.unknown_layout) t.told_sum = told;
  return t;
}

}  // namespace

double sum_of_cells(const NvbandwidthTest& t) {
  double sum = 0;
  for (const NvbandwidthCell& cell : t.cells) sum += cell.value;
  return sum;
}

void add_nvbandwidth_cells(NvbandwidthTest& t, const Matrix& m, std::size_t matrices) {
  t.latency = t.description.ends_with("(ns)");
  t.unknown_layout = matrices == 0;
  t.sums = t.description.find("otal") != std::string::npos || is_with_all(t.description, m.size());
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

std::vector<NvbandwidthTest> read_nvbandwidth_tests(const nlohmann::json& testcases) {
  std::vector<NvbandwidthTest> all;
  for (const auto& value : testcases) {
    NvbandwidthTest t = test_of(Members(value));
    if (t.name.empty()) continue;
    // A failed test appears twice: first as "Running", then with its status.
    if (!all.empty() && all.back().name == t.name && all.back().status == "Running" && all.back().cells.empty())
      all.pop_back();
    all.push_back(std::move(t));
  }
  return all;
}

}  // namespace busbar
