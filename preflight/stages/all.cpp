// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/mpi/check.hpp"
#include "core/mpi/communicator.hpp"
#include "preflight/contact/limited_group.hpp"
#include "preflight/stages/parts.hpp"
#include "preflight/stages/sums.hpp"

namespace busbar::preflight {
namespace {

SumResult test_sum(const Communicator& all, std::size_t bytes) {
  std::vector<std::int32_t> send(bytes / 4), recv(send.size(), -1);
  for (std::size_t i = 0; i < send.size(); ++i) send[i] = element(i, all.rank());
  mpi_check(MPI_Allreduce(send.data(), recv.data(), static_cast<int>(send.size()), MPI_INT32_T, MPI_SUM, all.handle()),
            "MPI_Allreduce");
  std::vector<std::int32_t> period;
  for (std::size_t i = 0; i < period_of_sums; ++i) period.push_back(sum_of_elements(i, all.size()));
  for (std::size_t i = 0; i < recv.size(); ++i)
    if (const std::int32_t expected = period[i % period_of_sums]; recv[i] != expected)
      return {.bytes = bytes,
              .problem = fmt::format("element {} of the sum of {} is {}, expected {}", i, format_size(bytes), recv[i],
                                     expected)};
  return {.bytes = bytes, .problem = std::nullopt};
}

}  // namespace

void gather_all(Run& run) {
  run.alarm.at("waiting for the other ranks before MPI collectives");
  (void)run.roll.gather("");
  (void)run.roll.tell("");
  run.alarm.at("in MPI_Comm_dup");
  const Communicator all = Communicator::world();
  all.set_name("busbar data");
  std::vector<SumResult> mine;
  for (const std::size_t bytes : sizes_of_sums) {
    run.alarm.at(fmt::format("in MPI_Allreduce of {}", format_size(bytes)));
    mine.push_back(test_sum(all, bytes));
  }
  run.alarm.at("sending its sums to rank 0");
  gather(run, &RankFacts::sums, mine);
  if (!everyone_has_nccl(run)) return;
  run.alarm.at("in an NCCL allreduce over all ranks");
  LimitedGroup group(run.roll);
  const auto problem = sum_by_nccl(group, own_place(run), run.alarm.limit_s() / 2);
  run.alarm.at("sending the NCCL result to rank 0");
  gather(run, &RankFacts::nccl_problem, problem);
}

}  // namespace busbar::preflight
