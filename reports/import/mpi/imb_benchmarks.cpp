// SPDX-License-Identifier: Apache-2.0
#include "reports/import/mpi/imb_benchmarks.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace busbar {
namespace {

struct Transfer {
  std::string_view benchmark;
  CaseKind kind;
  std::string_view name, name_of_many;  ///< name_of_many: with more than two processes, if it differs
  MpiSize size;
  double counted;
  std::string_view bus_like;
};

// Sources of 2021.11: src_c/IMB_parse_name_mpi1.c, and IMB_exchange.c, which sends one message to each neighbour.
constexpr std::array transfers{
    Transfer{"PingPong", CaseKind::pair, "pingpong", "", MpiSize::buffer, 1, ""},
    Transfer{"PingPongSpecificSource", CaseKind::pair, "pingpong_specific_source", "", MpiSize::buffer, 1, ""},
    Transfer{"PingPongAnySource", CaseKind::pair, "pingpong_any_source", "", MpiSize::buffer, 1, ""},
    Transfer{"PingPing", CaseKind::pair, "pingping", "", MpiSize::buffer, 1, ""},
    Transfer{"PingPingSpecificSource", CaseKind::pair, "pingping_specific_source", "", MpiSize::buffer, 1, ""},
    Transfer{"PingPingAnySource", CaseKind::pair, "pingping_any_source", "", MpiSize::buffer, 1, ""},
    Transfer{"Uniband", CaseKind::pair, "unidirectional", "multi_pair", MpiSize::buffer, 1, ""},
    Transfer{"Biband", CaseKind::pair, "bidirectional", "multi_pair_bidirectional", MpiSize::buffer, 1, ""},
    Transfer{"Sendrecv", CaseKind::collective, "sendrecv", "", MpiSize::buffer, 2, "sendrecv"},
    Transfer{"Exchange", CaseKind::collective, "exchange", "", MpiSize::twice, 2, ""},
};

std::optional<ImbBenchmark> transfer(std::string_view benchmark, int processes) {
  const auto row = std::ranges::find(transfers, benchmark, &Transfer::benchmark);
  if (row == transfers.end()) return std::nullopt;
  const std::string_view name = processes > 2 && !row->name_of_many.empty() ? row->name_of_many : row->name;
  return ImbBenchmark{.kind = row->kind,
                      .operation = {.name = std::string(name), .size = row->size, .bus_like = row->bus_like},
                      .counted = row->counted};
}

}  // namespace

std::optional<ImbBenchmark> imb_benchmark(std::string_view name, int processes, bool totals) {
  if (auto b = transfer(name, processes)) return b;
  if (name.ends_with("_pure")) name.remove_suffix(5);
  auto operation = mpi_collective(name);
  const bool without_waiting = !operation && name.starts_with('I');
  if (without_waiting) operation = mpi_collective(name.substr(1));
  if (!operation) return std::nullopt;
  ImbBenchmark b;
  b.operation = *std::move(operation);
  b.synced = without_waiting || b.operation.size != MpiSize::none;  // Barrier runs back to back
  if (b.operation.size == MpiSize::blocks && !totals) b.operation.size = MpiSize::block;
  if (without_waiting) b.operation.form = "nonblocking";
  return b;
}

}  // namespace busbar
