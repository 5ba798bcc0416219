// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include <mpi.h>

namespace busbar {

/// A communicator that is ours alone. Errors come back as codes (MPI_ERRORS_RETURN). Lives between MPI_Init and
/// MPI_Finalize.
class Communicator {
 public:
  /// Collective. All ranks of the job.
  [[nodiscard]] static Communicator world();
  Communicator(Communicator&& other) noexcept;
  Communicator& operator=(Communicator&&) = delete;
  ~Communicator();

  /// Collective. The same ranks once more, whose messages are apart from those of this.
  [[nodiscard]] Communicator duplicate() const;
  /// Collective. The ranks that give the same colour, in the order of these; empty for those that give none.
  [[nodiscard]] std::optional<Communicator> split(std::optional<int> colour) const;

  /// For tools that look at communicators, and for what is measured: "busbar data".
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
