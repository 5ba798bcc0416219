// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace fake_gpu {

/// Bytes from one rank to one other, in order. One writer, one reader, in shared memory.
struct Channel {
  std::atomic<std::uint64_t> written;
  std::atomic<std::uint64_t> read;
};

/// Shared memory of the ranks of one communicator: processes of one host, or threads of one process.
class SharedRanks {
 public:
  /// A unique name for `join`. Removes leftovers of dead processes.
  static std::string new_name();

  /// Collective: returns when all `ranks` have joined under this name; the name is gone then, and the memory stays
  /// until the last one leaves. \throws std::runtime_error where memory cannot be had, or when `given_up` says so.
  SharedRanks(const std::string& name, int rank, int ranks, const std::function<bool()>& given_up);
  /// Takes the place of a rank that cannot join: the others' constructors throw. Does not wait.
  static void refuse(const std::string& name, int ranks);
  ~SharedRanks();
  SharedRanks(const SharedRanks&) = delete;
  SharedRanks& operator=(const SharedRanks&) = delete;

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int ranks() const { return ranks_; }

  /// Writes as much of `data` as there is room for on the way to `to`, and says how much that was. Never waits.
  std::size_t write(int to, std::span<const std::byte> data);
  /// Reads as much as has come from `from`, at most data.size(), and says how much that was. Never waits.
  std::size_t read(int from, std::span<std::byte> data);
  /// Whether `to` has read all that was written to it.
  [[nodiscard]] bool all_read(int to) const;

  /// Counts writes to this rank and reads from it by other ranks. Read it, try, then wait for a change.
  [[nodiscard]] std::uint32_t rung() const;
  /// Waits until `rung` is no longer `seen`, or for 5 ms.
  void wait_for_ring(std::uint32_t seen) const;

  /// Notifies all ranks of an abort.
  void abort();
  [[nodiscard]] bool aborted() const;

 private:
  struct Header;
  SharedRanks(const std::string& path, int ranks, bool refuses);
  [[nodiscard]] Header& header() const;
  [[nodiscard]] std::atomic<std::uint32_t>& bell(int rank) const;
  void ring(int rank) const;
  [[nodiscard]] Channel& channel(int from, int to) const;
  [[nodiscard]] std::byte* bytes_of(int from, int to) const;

  int rank_;
  int ranks_;
  std::size_t capacity_;
  std::size_t size_;
  std::byte* memory_ = nullptr;
};

/// Waits a moment: gives the processor away first, and sleeps some 50 us a time after many tries.
void relax(int tries);

}  // namespace fake_gpu
