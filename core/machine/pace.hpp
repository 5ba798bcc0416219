// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

namespace busbar {

/// How fast a CPU is just now: what a fixed piece of work takes. Where it slows down, so does what is measured there: a
/// neighbour on the same core (another virtual machine on its second thread), a lower clock. Nothing else tells of
/// these: the kernel counts no time as lost.
///
/// The work goes through the caches as a reduction does, since arithmetic alone does not feel a neighbour: on a 2-core
/// virtual machine a chain of multiplications took 1 to 5 % longer where this took 25 % longer and allreduce 10 to 20
/// %.
class Pace {
 public:
  Pace();

  /// Seconds of one pass over two arrays of 64 KiB: the median of some passes, so that an interrupt is not in it. Takes
  /// about 50 us.
  [[nodiscard]] double measure();

 private:
  std::vector<float> sum_, addend_;
};

}  // namespace busbar
