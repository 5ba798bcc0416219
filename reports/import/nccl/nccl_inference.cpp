// SPDX-License-Identifier: Apache-2.0
#include "reports/import/nccl/nccl_inference.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "reports/import/bandwidths.hpp"
#include "reports/runs/collective_facts.hpp"

namespace busbar {
namespace {

/// How the rows of a collective look (src/*.cu of nccl-tests, of whose programs only hypercube_perf is no collective of
/// a record: it has neither reduction nor root, and factor 1).
struct RowShape {
  std::string_view collective;
  bool reduces, rooted;
};

constexpr std::array shapes{
    RowShape{"allreduce", true, false}, RowShape{"reduce_scatter", true, false}, RowShape{"sendrecv", true, false},
    RowShape{"reduce", true, true},     RowShape{"broadcast", false, true},      RowShape{"gather", false, true},
    RowShape{"scatter", false, true},   RowShape{"allgather", false, false},     RowShape{"alltoall", false, false},
};

bool reduces_in(const NcclRow& row) { return row.op.has_value(); }
bool has_root(const NcclRow& row) { return row.root.has_value(); }

bool has_column(const NcclJob& job, std::string_view name) {
  return job.columns && std::ranges::find(job.columns->columns, name, &NcclColumn::name) != job.columns->columns.end();
}

/// Whether all rows satisfy the condition, or none; empty if some do.
template <class Condition>
std::optional<bool> of_all_rows(const NcclJob& job, Condition condition) {
  const auto number = std::ranges::count_if(job.rows, condition);
  if (number == 0) return false;
  return number == static_cast<std::ptrdiff_t>(job.rows.size()) ? std::optional(true) : std::nullopt;
}

/// True if three quarters of the bandwidths that are not too small have this factor.
bool fits_factor(const NcclJob& job, double factor) {
  int fit = 0, all = 0;
  for (const NcclRow& row : job.rows)
    for (const NcclHalf& half : row.halves) {
      if (!half.algbw_GBps || !half.busbw_GBps || half.algbw_GBps->low() <= 0) continue;
      ++all;
      if (agrees(*half.busbw_GBps, half.algbw_GBps->low() * factor, half.algbw_GBps->high() * factor)) ++fit;
    }
  return fit > 0 && 4 * fit >= 3 * all;
}

}  // namespace

std::vector<std::string> collectives_of_rows(const NcclJob& job, int ranks) {
  std::vector<std::string> all;
  if (ranks < 2 || job.rows.empty() || !has_column(job, "redop") || !has_column(job, "root")) return all;
  const auto reduces = of_all_rows(job, reduces_in);
  const auto rooted = of_all_rows(job, has_root);
  for (const RowShape& shape : shapes)
    if (shape.reduces == reduces && shape.rooted == rooted && fits_factor(job, bus_factor_of(shape.collective, ranks)))
      all.emplace_back(shape.collective);
  return all;
}

std::string contradiction_of_rows(const NcclJob& job, std::string_view collective) {
  const auto shape = std::ranges::find(shapes, collective, &RowShape::collective);
  if (shape == shapes.end() || job.rows.empty()) return "";
  const auto reduces = of_all_rows(job, reduces_in), rooted = of_all_rows(job, has_root);
  if (has_column(job, "root") && rooted == !shape->rooted)
    return shape->rooted ? "no row has a root" : "its rows have a root";
  if (has_column(job, "redop") && reduces == !shape->reduces)
    return shape->reduces ? "no row has a reduction" : "its rows have a reduction";
  return "";
}

}  // namespace busbar
