// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include "core/elements/memory_space.hpp"

namespace busbar {

/// Two buffers of each rank that the other ranks may access (MPI RMA windows, made by MPI_Win_create), in a
/// passive-target epoch that lasts as long as this object. Displacements are in bytes.
class ExposedMemory {
 public:
  /// Collective over the communicator. The buffers must outlive this object. Throws Unsupported if MPI has separate
  /// memory models for windows and memory, Error if it fails.
  ExposedMemory(MPI_Comm comm, Bytes send, Bytes recv);
  /// Collective.
  ~ExposedMemory();
  ExposedMemory(const ExposedMemory&) = delete;
  ExposedMemory& operator=(const ExposedMemory&) = delete;

  [[nodiscard]] MPI_Win send() const { return send_; }
  [[nodiscard]] MPI_Win recv() const { return recv_; }
  /// Orders this rank's own loads and stores with accesses by others that are complete.
  void synchronise() const;

 private:
  MPI_Win send_ = MPI_WIN_NULL, recv_ = MPI_WIN_NULL;
};

}  // namespace busbar
