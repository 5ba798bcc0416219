// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include <mpi.h>

namespace busbar {

/// A private communicator, which returns errors as codes (MPI_ERRORS_RETURN). Must live between MPI_Init and
/// MPI_Finalize.
class Communicator {
 public:
  /// Collective over MPI_COMM_WORLD. All ranks of the job.
  [[nodiscard]] static Communicator world();
  Communicator(Communicator&& other) noexcept;
  Communicator& operator=(Communicator&&) = delete;
  ~Communicator();

  /// Collective over the communicator. The same ranks, with separate messages.
  [[nodiscard]] Communicator duplicate() const;
  /// Collective over the communicator. The same with an info key, which the library may ignore.
  [[nodiscard]] Communicator duplicate_with(const char* key, const char* value) const;
  /// Collective over the communicator. The ranks with the same colour, in the same order; empty for ranks without one.
  [[nodiscard]] std::optional<Communicator> split(std::optional<int> colour) const;

  /// A name for tools that inspect communicators, e.g. "busbar data".
  void set_name(const char* name) const;

  [[nodiscard]] MPI_Comm handle() const { return comm_; }
  [[nodiscard]] int rank() const;
  [[nodiscard]] int size() const;

 private:
  explicit Communicator(MPI_Comm comm);
  [[nodiscard]] static Communicator duplicate_of(MPI_Comm other);
  MPI_Comm comm_;
};

}  // namespace busbar
