// SPDX-License-Identifier: Apache-2.0
#include "core/mpi/exposed_memory.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/mpi/check.hpp"

namespace busbar {
namespace {

/// Returns MPI's code, so that every rank comes to the next collective call.
int open_window(MPI_Comm comm, Bytes memory, MPI_Win& window) {
  const int code = MPI_Win_create(memory.data(), static_cast<MPI_Aint>(memory.size()), 1, MPI_INFO_NULL, comm, &window);
  if (code != MPI_SUCCESS) return code;
  MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN);
  return MPI_Win_lock_all(0, window);
}

void close_window(MPI_Win& window) {
  if (window == MPI_WIN_NULL) return;
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
}

bool is_unified(MPI_Win window) {
  int* model = nullptr;
  int found = 0;
  mpi_check(MPI_Win_get_attr(window, MPI_WIN_MODEL, static_cast<void*>(&model), &found), "MPI_Win_get_attr");
  return found != 0 && *model == MPI_WIN_UNIFIED;
}

}  // namespace

ExposedMemory::ExposedMemory(MPI_Comm comm, Bytes send, Bytes recv) {
  const int first = open_window(comm, send, send_), second = open_window(comm, recv, recv_);
  mpi_check(std::max(first, second), "MPI_Win_create");
  if (is_unified(send_) && is_unified(recv_)) return;
  close_window(send_);
  close_window(recv_);
  throw Unsupported("one-sided calls are measured where MPI's windows have the unified memory model");
}

ExposedMemory::~ExposedMemory() {
  close_window(send_);
  close_window(recv_);
}

void ExposedMemory::synchronise() const {
  mpi_check(MPI_Win_sync(send_), "MPI_Win_sync");
  mpi_check(MPI_Win_sync(recv_), "MPI_Win_sync");
}

}  // namespace busbar
