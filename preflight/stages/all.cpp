// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include <fmt/core.h>

#include "core/mpi/check.hpp"
#include "core/mpi/communicator.hpp"
#include "core/units.hpp"
#include "preflight/stages/parts.hpp"

namespace busbar::preflight {
namespace {

constexpr std::size_t sizes[] = {8, 1 << 20};

/// Element `i` of what rank `rank` contributes: below 2^31 in the sum of a million ranks.
std::int32_t element(std::size_t i, int rank) { return static_cast<std::int32_t>(i % 1009) + rank % 7; }

/// What the ranks add to the sum of each element beyond what they have in common.
std::int32_t own_parts(int ranks) {
  std::int32_t sum = 0;
  for (int r = 0; r < ranks; ++r) sum += element(0, r);
  return sum;
}

SumResult sum(const Communicator& all, std::size_t bytes) {
  std::vector<std::int32_t> send(bytes / 4), recv(send.size(), -1);
  for (std::size_t i = 0; i < send.size(); ++i) send[i] = element(i, all.rank());
  mpi_check(MPI_Allreduce(send.data(), recv.data(), static_cast<int>(send.size()), MPI_INT32_T, MPI_SUM, all.handle()),
            "MPI_Allreduce");
  const std::int32_t own = own_parts(all.size());
  for (std::size_t i = 0; i < recv.size(); ++i)
    if (const std::int32_t expected = element(i, 0) * all.size() + own; recv[i] != expected)
      return {.bytes = bytes,
              .problem = fmt::format("element {} of the sum of {} is {}, expected {}", i, format_size(bytes), recv[i],
                                     expected)};
  return {.bytes = bytes, .problem = std::nullopt};
}

}  // namespace

void gather_all(Run& run) {
  run.alarm.at("meeting the others before MPI's collective calls");
  (void)run.roll.gather("");
  (void)run.roll.tell("");
  run.alarm.at("in MPI_Comm_dup");
  const Communicator all = Communicator::world();
  all.set_name("busbar data");
  std::vector<SumResult> mine;
  for (const std::size_t bytes : sizes) {
    run.alarm.at(fmt::format("in MPI_Allreduce of {}", format_size(bytes)));
    mine.push_back(sum(all, bytes));
  }
  run.alarm.at("telling rank 0 what came out");
  gather(run, &RankFacts::sums, mine);
}

}  // namespace busbar::preflight
