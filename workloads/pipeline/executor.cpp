// SPDX-License-Identifier: Apache-2.0
#include "workloads/pipeline/executor.hpp"

#include "core/machine/local_clock.hpp"

namespace busbar::pipeline {
namespace {

void receive(const Operation& o, Place place, Link& link) {
  const bool forward = o.pass == Pass::forward;
  if (forward && place.stage > 0) link.receive_forward(o.micro_batch);
  if (!forward && place.stage + 1 < place.stages) link.receive_backward(o.micro_batch);
}

void compute(const Operation& o, StageWork& work) {
  if (o.pass == Pass::forward)
    work.forward(o.micro_batch);
  else
    work.backward(o.micro_batch);
}

void send(const Operation& o, Place place, Link& link) {
  const bool forward = o.pass == Pass::forward;
  if (forward && place.stage + 1 < place.stages) link.send_forward(o.micro_batch);
  if (!forward && place.stage > 0) link.send_backward(o.micro_batch);
}

constexpr std::size_t numbers = 4;  ///< per timed operation in the all-gather

}  // namespace

std::vector<TimedOperation> run_step(std::span<const Operation> operations, Place place, Link& link, StageWork& work,
                                     std::int64_t origin_ns) {
  std::vector<TimedOperation> all;
  all.reserve(operations.size());
  for (const Operation& o : operations) {
    receive(o, place, link);
    const double start_s = seconds_since(origin_ns);
    compute(o, work);
    const double end_s = seconds_since(origin_ns);
    all.push_back({.operation = o, .start_s = start_s, .end_s = end_s});
    send(o, place, link);
  }
  link.finish();
  return all;
}

Timetable gather(Group& group, std::span<const TimedOperation> mine) {
  std::vector<double> sent;
  for (const auto& [operation, start_s, end_s] : mine)
    sent.insert(sent.end(),
                {static_cast<double>(operation.pass), static_cast<double>(operation.micro_batch), start_s, end_s});
  const std::vector<double> got = group.all_gather(sent);
  Timetable table;
  table.stages.resize(static_cast<std::size_t>(group.size()));
  for (std::size_t i = 0; i < got.size(); i += numbers) {
    const Operation o{.pass = static_cast<Pass>(static_cast<int>(got[i])), .micro_batch = static_cast<int>(got[i + 1])};
    table.stages[i / sent.size()].push_back({.operation = o, .start_s = got[i + 2], .end_s = got[i + 3]});
  }
  return table;
}

}  // namespace busbar::pipeline
