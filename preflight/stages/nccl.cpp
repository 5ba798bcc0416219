// SPDX-License-Identifier: Apache-2.0
#include <numeric>
#include <vector>

#include <fmt/core.h>

#include "core/collective.hpp"
#include "core/module.hpp"
#include "core/units.hpp"
#include "preflight/stages/sums.hpp"

namespace busbar::preflight {
namespace {

using Table = std::vector<std::int32_t>;

Periodic repeated(const Table& table) {
  return {.table = std::as_bytes(std::span(table)), .width = sizeof(std::int32_t), .start = 0};
}

/// A period of what this rank adds, and of what comes out. A MemorySpace wants them to outlive it.
struct Tables {
  explicit Tables(const Group& group) {
    for (std::size_t i = 0; i < period_of_sums; ++i) {
      mine[i] = element(i, group.rank());
      expected[i] = sum_of_elements(i, group.size());
    }
  }
  Table mine = Table(period_of_sums), expected = Table(period_of_sums);
};

/// One sum of so many bytes.
std::optional<std::string> test_nccl_sum(Backend& backend, const Group& group, const Tables& tables,
                                         std::size_t bytes) {
  MemorySpace& memory = backend.memory();
  const Buffer send = memory.allocate(bytes), recv = memory.allocate(bytes);
  const Call call{.rank = group.rank(),
                  .ranks = group.size(),
                  .type = DType::i32,
                  .op = Op::sum,
                  .count = bytes / sizeof(std::int32_t),
                  .send = {send.get(), bytes},
                  .recv = {recv.get(), bytes}};
  memory.fill({send.get(), bytes}, repeated(tables.mine));
  memory.poison(call.recv, call.type, 1, 0);
  backend.prepare(*try_find<Collective>("allreduce"), call);
  backend.allreduce(call);
  (void)backend.complete();
  std::string found;
  const auto wrong = memory.first_difference(call.recv, repeated(tables.expected), found, call.type, 1);
  if (!wrong) return std::nullopt;
  return fmt::format("element {} of the sum of {} is {}, expected {}", *wrong, format_size(bytes), found,
                     tables.expected[*wrong % period_of_sums]);
}

}  // namespace

std::optional<std::string> nccl_missing() {
  try {
    (void)Module::open("nccl");
  } catch (const UsageError& e) {
    return e.what();
  }
  return std::nullopt;
}

std::optional<std::string> sum_by_nccl(Group& group, LocalPlace place, double limit_s) {
  try {
    const Tables tables(group);
    const Module module = Module::open("nccl");
    const auto& kind = module.symbol<BackendFactory>("busbar_nccl_backend");
    const auto backend = kind.make(group, {.place = place, .nonblocking = true, .timeout_s = limit_s});
    for (const std::size_t bytes : sizes_of_sums) {
      const auto wrong = test_nccl_sum(*backend, group, tables, bytes);
      for (std::string& seen : group.all_gather(wrong.value_or("")))  // who goes on would wait for who does not
        if (!seen.empty()) return wrong.value_or(std::move(seen));
    }
  } catch (const std::exception& e) {
    return e.what();
  }
  return std::nullopt;
}

}  // namespace busbar::preflight
