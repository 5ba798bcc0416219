// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <fmt/core.h>

#include "core/backend/collective.hpp"
#include "core/base/units.hpp"
#include "core/elements/element.hpp"
#include "core/files/module.hpp"
#include "preflight/stages/sums.hpp"

namespace busbar::preflight {
namespace {

/// A periodic pattern of value(index).
template <class Value>
Periodic repeated(Value value) {
  constexpr std::size_t width = sizeof(std::int32_t);
  auto table = std::make_shared<Table>(period_of_sums * width);
  for (std::size_t i = 0; i < period_of_sums; ++i) store(DType::i32, value(i), &(*table)[i * width]);
  return {.table = std::move(table), .width = width};
}

/// Tests one allreduce of `bytes`. Returns the problem; empty: none.
std::optional<std::string> test_nccl_sum(Backend& backend, const Group& group, const Periodic& mine,
                                         const Periodic& expected, std::size_t bytes) {
  MemorySpace& memory = backend.memory();
  const Buffer send = memory.allocate(bytes), recv = memory.allocate(bytes);
  const Call call{.rank = group.rank(),
                  .ranks = group.size(),
                  .type = DType::i32,
                  .op = Op::sum,
                  .count = bytes / sizeof(std::int32_t),
                  .send = {send.get(), bytes},
                  .recv = {recv.get(), bytes}};
  memory.fill({send.get(), bytes}, mine);
  memory.poison(call.recv, call.type, 1, 0);
  const Collective& allreduce = *try_find<Collective>("allreduce");
  backend.prepare(allreduce, call);
  (backend.*backend.find_call(allreduce.call))(call);
  (void)backend.complete();
  std::string found;
  const auto wrong = memory.first_difference(call.recv, expected, found, call.type, 1);
  if (!wrong) return std::nullopt;
  return fmt::format("element {} of the sum of {} is {}, expected {}", *wrong, format_size(bytes), found,
                     sum_of_elements(*wrong, group.size()));
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
    const Periodic mine = repeated([&](std::size_t i) { return element(i, group.rank()); });
    const Periodic expected = repeated([&](std::size_t i) { return sum_of_elements(i, group.size()); });
    const Module module = Module::open("nccl");
    const auto& kind = module.symbol<BackendFactory>("busbar_nccl_backend");
    const auto backend = kind.make(group, {.place = place, .nonblocking = true, .timeout_s = limit_s});
    for (const std::size_t bytes : sizes_of_sums) {
      const auto wrong = test_nccl_sum(*backend, group, mine, expected, bytes);
      for (std::string& seen : group.all_gather(wrong.value_or("")))  // stop together, or a rank hangs
        if (!seen.empty()) return wrong.value_or(std::move(seen));
    }
  } catch (const std::exception& e) {
    return e.what();
  }
  return std::nullopt;
}

}  // namespace busbar::preflight
