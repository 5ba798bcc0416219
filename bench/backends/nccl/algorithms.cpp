// SPDX-License-Identifier: Apache-2.0
#include "bench/backends/nccl/algorithms.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/core.h>

#include "core/base/error.hpp"

namespace busbar {
namespace {

struct Row {
  std::string_view algorithm;
  std::vector<std::string_view> collectives;
};

const std::array<Row, 9>& rows() {
  static const std::array<Row, 9> all{{
      {"ring", {"allreduce", "allgather", "reduce_scatter", "broadcast", "reduce"}},
      {"tree", {"allreduce"}},
      {"collnetdirect", {"allreduce", "allgather", "reduce_scatter"}},
      {"collnetchain", {"allreduce"}},
      {"nvls", {"allreduce", "allgather", "reduce_scatter"}},
      {"nvlstree", {"allreduce"}},
      {"pat", {"allgather", "reduce_scatter"}},
      {"symmetric", {"allreduce", "allgather", "reduce_scatter", "alltoall", "gather", "scatter"}},
      {"grouped", {"alltoall", "gather", "scatter"}},
  }};
  return all;
}

bool has(const Row& row, std::string_view collective) {
  return std::ranges::find(row.collectives, collective) != row.collectives.end();
}

}  // namespace

NcclWords::NcclWords(std::string_view text) {
  const auto cut = [&text](char at) {
    const auto where = text.find(at);
    const std::string_view behind = where == text.npos ? std::string_view{} : text.substr(where + 1);
    text = text.substr(0, where);
    return behind;
  };
  cta_policy = cut('+');
  protocol = cut('/');
  if (text != "*") algorithm = text;
}

std::string_view NcclWords::value_of_nccl_algo() const {
  return symmetric() || grouped() ? std::string_view{} : algorithm;
}

void require_algorithm(std::string_view collective, const NcclWords& words) {
  const auto row = std::ranges::find(rows(), words.algorithm, &Row::algorithm);
  const std::string_view called = words.symmetric() ? "symmetric kernels"
                                  : words.grouped() ? "sends and receives"
                                                    : words.algorithm;
  if (row != rows().end() && !has(*row, collective))
    throw Unsupported(fmt::format("NCCL has no {} for {}", called, collective));
  if (!words.value_of_nccl_algo().empty() && !has(rows()[0], collective))
    throw Unsupported(fmt::format("NCCL has no algorithms for {}", collective));
}

}  // namespace busbar
