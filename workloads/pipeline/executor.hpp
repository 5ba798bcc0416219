// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/ranks/group.hpp"
#include "workloads/pipeline/timetable.hpp"

namespace busbar::pipeline {

/// What moves activations and their gradients between a stage and its neighbours. Used by one thread. The stage
/// before, or behind, calls the counterpart for the same micro-batch; both neighbours do so in the same order of
/// micro-batches. No method is collective. They throw what their implementation throws.
///
/// A send must not wait for its own message to be taken: in 1F1B two neighbours send each other at the same time, one
/// forward and one backward, and with sends that return only when they are received (MPI_Send of a large message) both
/// would wait for ever. So a send only starts the message (MPI_Isend) and may wait for the one before it in the same
/// direction to be taken, which leaves one message a direction under way; finish() completes the rest. With this much
/// neither schedule can deadlock: a stage blocked in a send waits for a message that its neighbour takes before it
/// needs anything more of this stage.
///
/// A message under way needs its buffer until it is taken, and something that moves it while the stage computes: a
/// library that moves large messages only inside its own calls delivers them late, which shows as idle time of the
/// receiver, not as a deadlock.
class Link {
 public:
  Link() = default;
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;
  virtual ~Link() = default;

  /// Starts to send the output of forward(micro_batch) to the stage behind. Not called on the last stage.
  virtual void send_forward(int micro_batch) = 0;
  /// Returns when the input of forward(micro_batch) is here. Not called on the first stage.
  virtual void receive_forward(int micro_batch) = 0;
  /// Starts to send what backward(micro_batch) gives for its input to the stage before. Not called on the first stage.
  virtual void send_backward(int micro_batch) = 0;
  /// Returns when the gradient of the output of micro_batch is here. Not called on the last stage.
  virtual void receive_backward(int micro_batch) = 0;
  /// Returns when all that was sent is taken. Called once, at the end of a step.
  virtual void finish() = 0;
};

/// The computing of one stage. Where a Link puts what it receives and looks for what it sends is between the two;
/// most_in_flight() says for how many micro-batches at a time.
class StageWork {
 public:
  StageWork() = default;
  StageWork(const StageWork&) = delete;
  StageWork& operator=(const StageWork&) = delete;
  virtual ~StageWork() = default;

  /// Returns when it is done; likewise backward().
  virtual void forward(int micro_batch) = 0;
  /// After forward(micro_batch), whose activations it needs no longer when it returns.
  virtual void backward(int micro_batch) = 0;
};

/// A stage's place: 0 takes the input, stages - 1 has the loss.
struct Place {
  int stage = 0, stages = 1;
};

/// Runs one step of one stage: `operations` in order, each after what it needs has been received, then what it made is
/// sent. All stages of a pipeline do so at the same time, with operations of the same schedule. Gives back when
/// each was computed, in seconds since `origin_ns`, a reading of steady_ns(); waiting for and handling messages is not
/// part of it, and so counts as idle. Throws what link and work throw: then the neighbours wait, and the job must end
/// (or_abort).
[[nodiscard]] std::vector<TimedOperation> run_step(std::span<const Operation> operations, Place place, Link& link,
                                                   StageWork& work, std::int64_t origin_ns);

/// Collective. The timetable of all stages, rank r being stage r; `mine` is what run_step() gave this rank. All ranks
/// have equally many operations, and their origins are the same reading of one clock, so all are on one host; on
/// several see idle_share().
[[nodiscard]] Timetable gather(Group& group, std::span<const TimedOperation> mine);

}  // namespace busbar::pipeline
