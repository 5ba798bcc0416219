// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "core/mpi/check.hpp"

namespace busbar {

/// Pending MPI reductions and their gradients.
class Started {
 public:
  /// Returns the request for a reduction of `values`. Use it at once: the next add() may move it.
  [[nodiscard]] MPI_Request* add(std::span<float> values) {
    values_.push_back(values);
    return &requests_.emplace_back(MPI_REQUEST_NULL);
  }

  /// Progresses all requests; true if all are done.
  [[nodiscard]] bool poll() {
    int done = 0;
    mpi_check(MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done, MPI_STATUSES_IGNORE),
              "MPI_Testall");
    return done != 0;
  }
  void wait() {
    mpi_check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
  }

  /// Requires that all are done. Calls arrived(values) for each in the order of their start, then removes them.
  template <class Arrived>
  void finish_all(Arrived arrived) {
    for (const auto& values : values_) arrived(values);
    values_.clear();
    requests_.clear();
  }

 private:
  std::vector<MPI_Request> requests_;
  std::vector<std::span<float>> values_;
};

}  // namespace busbar
