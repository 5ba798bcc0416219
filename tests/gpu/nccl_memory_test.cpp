// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <gtest/gtest.h>

#include "bench/backends/nccl/memory.hpp"
#include "core/base/error.hpp"
#include "core/ranks/thread_group.hpp"

namespace busbar {
namespace {

/// NCCL's last error changes if a call gets a communicator that is gone.
TEST(NcclMemory, LeavesAnAbortedCommunicatorAlone) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) GTEST_SKIP() << "no GPU";
  ThreadRanks ranks(1);
  ThreadGroup group(ranks, 0);
  NcclCommunicators communicators(group, {"auto"}, {});
  NcclMemory memory(cuda::Device{}, communicators, true, false);
  Buffer buffer = memory.allocate(1000);
  NcclCommunicator& comm = communicators.of("auto").comm;
  EXPECT_THROW(comm.await(ncclInternalError, "a call"), Error);
  ASSERT_EQ(comm.handle(), nullptr);
  const std::string before = ncclGetLastError(nullptr);
  buffer.reset();
  EXPECT_EQ(ncclGetLastError(nullptr), before);
}

}  // namespace
}  // namespace busbar
