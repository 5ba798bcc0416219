// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/record/run_record.hpp"
#include "reports/import/importer.hpp"
#include "reports/import/json/lenient_json.hpp"
#include "reports/import/json/nvbandwidth_run.hpp"
#include "reports/import/text_lines.hpp"

/// JSON of nvbandwidth -j (json_output.cpp of NVIDIA/nvbandwidth).
namespace busbar {
namespace {

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
      if (++cells <= nvbandwidth_most_cells) out.push_back(number_of(cell));
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
  const bool of_three = holds(description, "Total") && m.size() % 3 == 0;
  if (!told) return of_three ? 3 : 1;
  if (of_three && is_sum(*told, sum_of(m, m.size() / 3 * 2, m.size()))) return 3;
  return is_sum(*told, sum_of(m, 0, m.size())) ? 1 : 0;
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

/// Parses the value of "testcases"; non-numeric cells are left out.
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

Host host_of(const Members& file) {
  Host host{.name = "unknown", .gpu_driver = file.text("Driver Version")};
  if (const nlohmann::json* list = file.list("GPU Device list"))
    for (const auto& gpu : *list)
      if (gpu.is_string()) add_nvbandwidth_gpu(host, gpu.get_ref<const std::string&>());
  return host;
}

bool recognises_nvbandwidth(std::string_view text) { return first_json_key(text) == "nvbandwidth"; }

std::vector<ImportedRun> read_nvbandwidth(const ImportRequest& request) {
  constexpr std::size_t lists = 3;  // drop a truncated test
  const LenientJson json = parse_lenient(request.text, lists);
  const nlohmann::json* root = Members(json.value).object("nvbandwidth");
  if (root == nullptr) refuse(request, "\"nvbandwidth\" is empty{}", json.cut ? "; " + *json.cut : "");
  const Members file(*root);
  const auto error = file.text("error");
  const nlohmann::json* testcases = file.list("testcases");
  const std::vector<NvbandwidthTest> tests =
      testcases == nullptr ? std::vector<NvbandwidthTest>{} : read_nvbandwidth_tests(*testcases);
  if (tests.empty() && !error) refuse(request, "no test in it");
  auto revision = file.text("git_version");
  if (revision && revision->empty()) revision.reset();
  NvbandwidthOutput out{.tests = tests,
                        .version = file.text("version"),
                        .revision = revision,
                        .cuda = file.small_count("CUDA Runtime Version"),
                        .warning = file.text("warning"),
                        .error = error,
                        .cut = json.cut};
  if (Host host = host_of(file); !host.gpus.empty() || host.gpu_driver) out.hosts = {std::move(host)};
  return {nvbandwidth_run(request, out)};
}

}  // namespace

extern const Importer nvbandwidth_json{
    .name = "nvbandwidth JSON",
    .about = "what NVIDIA's nvbandwidth writes with -j",
    .recognises = recognises_nvbandwidth,
    .read = read_nvbandwidth,
};

}  // namespace busbar
