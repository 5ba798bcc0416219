// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "bench/engine/overlap.hpp"
#include "bench/engine/plan.hpp"

namespace busbar {

/// A case's view of the shared buffers, on this rank.
struct Prepared {
  Call call;
  Backend* backend = nullptr;
  Backend::Make make = nullptr;  ///< makes the call; looked up once
  OverlapWork* work = nullptr;   ///< work beside timed calls, which are then also made alone; null: none
  Bytes whole_recv;              ///< the poisoned range: the whole receive buffer (in place: the only buffer)
  Bytes input;                   ///< where the input is written
  std::vector<Block> result;     ///< expected contents of call.recv
};

/// Offsets of the buffers from a page boundary, in bytes.
struct Offsets {
  std::size_t send = 0, recv = 0;
};

/// The two buffers of this rank, shared by all cases and as large as the largest case needs. Local.
class Buffers {
 public:
  Buffers(MemorySpace& memory, Offsets offsets) : memory_(memory), offsets_(offsets) {}

  /// Allocates room for a case with this layout. Throws std::bad_alloc and then changes nothing.
  void reserve(const Layout&, const Case&);
  /// The view of a case as `rank` of `ranks`. Requires a reserve() for that case.
  [[nodiscard]] Prepared view(const Case&, const Layout&, int rank, int ranks) const;
  /// The whole buffers. Those of every view begin where these do.
  [[nodiscard]] Bytes send() const { return whole(send_, offsets_.send); }
  [[nodiscard]] Bytes recv() const { return whole(recv_, offsets_.recv); }

 private:
  struct Room {
    Buffer memory;
    std::size_t bytes = 0;
  };
  [[nodiscard]] static Bytes whole(const Room&, std::size_t offset);
  void grow(Room&, std::size_t bytes, std::size_t offset);

  MemorySpace& memory_;
  Offsets offsets_;
  Room send_, recv_;
};

}  // namespace busbar
