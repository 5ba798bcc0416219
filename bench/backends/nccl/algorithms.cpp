// SPDX-License-Identifier: Apache-2.0
#include "bench/backends/nccl/algorithms.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/core.h>

#include "core/error.hpp"

namespace busbar {
namespace {

struct Row {
  std::string_view algorithm;
  std::vector<std::string_view> collectives;
};

const std::array<Row, 7>& rows() {
  static const std::array<Row, 7> all{{
      {"ring", {"allreduce", "allgather", "reduce_scatter", "broadcast", "reduce"}},
      {"tree", {"allreduce"}},
      {"collnetdirect", {"allreduce", "allgather", "reduce_scatter"}},
      {"collnetchain", {"allreduce"}},
      {"nvls", {"allreduce", "allgather", "reduce_scatter"}},
      {"nvlstree", {"allreduce"}},
      {"pat", {"allgather", "reduce_scatter"}},
  }};
  return all;
}

}  // namespace

void require_algorithm(std::string_view collective, std::string_view algorithm) {
  if (algorithm.empty()) return;
  if (std::ranges::find(rows()[0].collectives, collective) == rows()[0].collectives.end())
    throw Unsupported(fmt::format("{} is made of point-to-point, for which NCCL has no algorithms", collective));
  const std::string_view name = algorithm.substr(0, algorithm.find('/'));
  const auto row = std::ranges::find(rows(), name, &Row::algorithm);
  if (row != rows().end() && std::ranges::find(row->collectives, collective) == row->collectives.end())
    throw Unsupported(fmt::format("NCCL has no {} for {}", name, collective));
}

}  // namespace busbar
