// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include <nccl.h>

#include "exchange.hpp"
#include "shared_ranks.hpp"

namespace fake_gpu {

enum class Call {
  all_reduce,
  broadcast,
  reduce,
  all_gather,
  reduce_scatter,
  all_to_all,
  gather,
  scatter,
  send,
  receive
};

/// A factor of ncclRedOpCreatePreMulSum.
struct Factor {
  const void* on_device = nullptr;  ///< read when the work runs
  std::vector<std::byte> given;     ///< read at creation
};

/// One call of NCCL's that moves data.
struct Operation {
  Call call;
  const void* input = nullptr;
  void* output = nullptr;
  std::size_t count = 0;  ///< as the call counts
  ncclDataType_t type = ncclInt8;
  cudaStream_t stream = nullptr;
  ncclRedOp_t op = ncclSum;
  int root = 0;                          ///< or the peer
  std::shared_ptr<const Factor> factor;  ///< of the operation at the time of the call: it may be destroyed after

  [[nodiscard]] bool point_to_point() const { return call == Call::send || call == Call::receive; }
};

/// How many elements a rank puts in and gets out.
std::size_t inputs(const Operation& operation, int rank, int ranks);
std::size_t outputs(const Operation& operation, int rank, int ranks);

/// Sets the text of ncclGetLastError and returns `code`.
ncclResult_t last_error(ncclResult_t code, const std::string& text);

}  // namespace fake_gpu

/// The target of a ncclComm_t. This process owns it; ranks share only `shared`.
struct ncclComm : std::enable_shared_from_this<ncclComm> {
  int rank = 0;
  int ranks = 1;
  int device = 0;
  bool blocking = true;
  bool lacks_algorithm = false;  ///< NCCL_ALGO, when it was made, is one of FAKE_NCCL_LACKS
  int cta_policy = 0;
  std::vector<std::span<const std::byte>> windows;
  std::unique_ptr<fake_gpu::SharedRanks> shared;     ///< null until all ranks are there
  std::atomic<ncclResult_t> progress = ncclSuccess;  ///< ncclInProgress while a call that does not block goes on
  std::atomic<ncclResult_t> async_error = ncclSuccess;
  std::atomic<bool> aborted = false;
  std::atomic<std::uint64_t> handed_over = 0;  ///< batches given to streams; they run in this order
  std::atomic<std::uint64_t> run_so_far = 0;
  bool finalized = false;
  std::mutex mutex;
  std::map<int, std::shared_ptr<const fake_gpu::Factor>> factors;

  /// Joins the other ranks under `name`. Collective. Sets `async_error` and gives it back where that fails.
  ncclResult_t join(const std::string& name);
  /// Runs a batch in its turn, on a stream's thread; `number` is that of its first call among those of the process.
  void run(const std::vector<fake_gpu::Operation>& batch, std::uint64_t turn, std::uint64_t number);
  /// Waits for a batch's turn. \throws Abandoned.
  void wait_for_turn(std::uint64_t turn);
  /// Waits until all that was handed over has run, or the communicator is aborted.
  void wait_until_idle();
  /// Whether to stop waiting. Records an abort of another rank as an asynchronous error.
  bool given_up();
  void fail(ncclResult_t code, const std::string& text);

 private:
  void run_all(const std::vector<fake_gpu::Operation>& batch, std::uint64_t number);
  void run_with_faults(const fake_gpu::Operation& operation, std::uint64_t number, const std::function<void()>& body);
  void move(const fake_gpu::Operation& operation);
  void move_point_to_point(const std::vector<fake_gpu::Operation>& operations);
  void expect_devices_differ();
  [[noreturn]] void wait_for_abort();
};
