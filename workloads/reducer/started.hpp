// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "core/mpi/check.hpp"

namespace busbar {

/// Reductions by MPI that are under way, and the gradients that they are of.
class Started {
 public:
  /// Where MPI puts the request of a reduction of `values`; used at once, as the next call moves it.
  [[nodiscard]] MPI_Request* add(std::span<float> values) {
    values_.push_back(values);
    return &requests_.emplace_back(MPI_REQUEST_NULL);
  }

  /// Lets them go on; true if all are done.
  [[nodiscard]] bool poll() {
    int done = 0;
    mpi_check(MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done, MPI_STATUSES_IGNORE),
              "MPI_Testall");
    return done != 0;
  }
  void wait() {
    mpi_check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
  }

  /// Calls arrived(values) for each in the order of their start, and forgets them. All are done.
  template <class Arrived>
  void take(Arrived arrived) {
    for (const auto& values : values_) arrived(values);
    values_.clear();
    requests_.clear();
  }

 private:
  std::vector<MPI_Request> requests_;
  std::vector<std::span<float>> values_;
};

}  // namespace busbar
