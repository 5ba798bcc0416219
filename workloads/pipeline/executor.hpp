// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/ranks/group.hpp"
#include "workloads/pipeline/timetable.hpp"

namespace busbar::pipeline {

/// Transfers activations and their gradients between a stage and its neighbours. Used by one thread. For each call, the
/// neighbouring stage calls the counterpart for the same micro-batch; both call in the same order of micro-batches. No
/// method is collective. They throw what the implementation throws.
///
/// A send must not block until it is received. In 1F1B, two neighbours send to each other at the same time, one forward
/// and one backward, so blocking sends (MPI_Send of a large message) would deadlock. A send therefore only starts the
/// message (MPI_Isend); it may wait for the previous one in the same direction, which leaves one message per direction
/// pending. finish() completes the rest. Neither schedule can then deadlock: a stage blocked in a send waits for a
/// message that its neighbour receives before it needs anything more from this stage.
///
/// A pending message needs its buffer until it is received, and progress while the stage computes. A library that
/// progresses large messages only inside its own calls delivers them late; that shows as idle time of the receiver, not
/// as a deadlock.
class Link {
 public:
  Link() = default;
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;
  virtual ~Link() = default;

  /// Starts sending the output of forward(micro_batch) to the next stage. Not called on the last stage.
  virtual void send_forward(int micro_batch) = 0;
  /// Waits for the input of forward(micro_batch). Not called on the first stage.
  virtual void receive_forward(int micro_batch) = 0;
  /// Starts sending the input gradient from backward(micro_batch) to the previous stage. Not called on the first stage.
  virtual void send_backward(int micro_batch) = 0;
  /// Waits for the gradient of micro_batch's output. Not called on the last stage.
  virtual void receive_backward(int micro_batch) = 0;
  /// Waits until all sends are received. Called once, at the end of a step.
  virtual void finish() = 0;
};

/// The compute work of one stage. Link and StageWork agree on buffers between themselves; most_in_flight() is the
/// number of micro-batches that need them at a time.
class StageWork {
 public:
  StageWork() = default;
  StageWork(const StageWork&) = delete;
  StageWork& operator=(const StageWork&) = delete;
  virtual ~StageWork() = default;

  /// Blocking, like backward().
  virtual void forward(int micro_batch) = 0;
  /// Call after forward(micro_batch); releases its activations.
  virtual void backward(int micro_batch) = 0;
};

/// Position of a stage: 0 reads the input, stages - 1 computes the loss.
struct Place {
  int stage = 0, stages = 1;
};

/// Runs one step of one stage: for each of `operations` in order, receives its inputs, computes, and sends its outputs.
/// All stages of a pipeline run at the same time, with the same schedule. Returns the compute interval of each
/// operation, in seconds since `origin_ns`, a reading of steady_ns(). Waiting for and handling messages is excluded and
/// counts as idle. Exceptions of link and work propagate while the neighbours still wait, so the job must end
/// (or_abort).
[[nodiscard]] std::vector<TimedOperation> run_step(std::span<const Operation> operations, Place place, Link& link,
                                                   StageWork& work, std::int64_t origin_ns);

/// Collective over the group. Returns the timetable of all stages; rank r is stage r. `mine` is this rank's result of
/// run_step(). All ranks must have the same number of operations and the same origin on one clock, i.e. be on one host;
/// for several hosts see idle_share().
[[nodiscard]] Timetable gather(Group& group, std::span<const TimedOperation> mine);

}  // namespace busbar::pipeline
