// SPDX-License-Identifier: Apache-2.0
// A library to preload between busbar-bench and MPI. It gives the data plane's MPI_Iallreduce a known duration, of
// which work can hide a known share:
//   BUSBAR_TEST_CALL_S    duration of start and wait together, in seconds
//   BUSBAR_TEST_HIDDEN    the share that passes in the background after the start; the rest passes in MPI_Wait only
//   BUSBAR_TEST_SEGMENTS  instead: the call has so many equal parts, each in the background. The start begins the first
//                         one, and each MPI_Test or MPI_Wait the next if the last has ended.
// The data is that of the real call, which advances meanwhile.
#include <cstdlib>

#include <mpi.h>

#include "tests/mpi/data_plane.hpp"

namespace {

double setting(const char* name, double standard) {
  const char* text = std::getenv(name);
  return text == nullptr ? standard : std::strtod(text, nullptr);
}

/// The call in progress; one at a time.
class MadeUpCall {
 public:
  void start() {
    part_s_ = segments_ > 0 ? call_s_ / segments_ : hidden_ * call_s_;
    left_ = segments_ > 0 ? static_cast<int>(segments_) : 1;
    part_end_ = PMPI_Wtime() + part_s_;
    active_ = true;
  }
  [[nodiscard]] bool active() const { return active_; }
  /// True if all parts in the background have ended.
  bool advance() {
    if (left_ > 0 && PMPI_Wtime() >= part_end_ && --left_ > 0) part_end_ = PMPI_Wtime() + part_s_;
    return left_ == 0;
  }
  /// True if MPI_Test may say that the call is complete.
  bool test() {
    if (!advance() || (segments_ == 0 && hidden_ < 1)) return false;
    active_ = false;
    return true;
  }
  /// `meanwhile` advances the real call.
  template <class Meanwhile>
  void wait(Meanwhile meanwhile) {
    while (!advance()) meanwhile();
    const double end = PMPI_Wtime() + (segments_ > 0 ? 0 : (1 - hidden_) * call_s_);
    while (PMPI_Wtime() < end) meanwhile();
    active_ = false;
  }

 private:
  const double call_s_ = setting("BUSBAR_TEST_CALL_S", 1e-3), hidden_ = setting("BUSBAR_TEST_HIDDEN", 1),
               segments_ = setting("BUSBAR_TEST_SEGMENTS", 0);
  double part_s_ = 0, part_end_ = 0;
  int left_ = 0;
  bool active_ = false;
};

MadeUpCall& made_up() {
  static MadeUpCall call;
  return call;
}

void advance_real(MPI_Request* request) {
  int done = 0;
  if (*request != MPI_REQUEST_NULL) PMPI_Test(request, &done, MPI_STATUS_IGNORE);
}

}  // namespace

extern "C" int MPI_Iallreduce(const void* send, void* recv, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                              MPI_Request* request) {
  const int code = PMPI_Iallreduce(send, recv, count, type, op, comm, request);
  if (busbar::test::is_data_plane(comm)) made_up().start();
  return code;
}

extern "C" int MPI_Test(MPI_Request* request, int* done, MPI_Status* status) {
  if (!made_up().active()) return PMPI_Test(request, done, status);
  advance_real(request);
  *done = 0;
  if (!made_up().test()) return MPI_SUCCESS;
  *done = 1;
  return PMPI_Wait(request, status);
}

extern "C" int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  if (made_up().active()) made_up().wait([&] { advance_real(request); });
  return PMPI_Wait(request, status);
}
