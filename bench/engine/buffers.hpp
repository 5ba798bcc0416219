// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "bench/engine/plan.hpp"

namespace busbar {

/// A case's view of the shared buffers, on this rank.
struct Prepared {
  Call call;
  Backend::Make make = nullptr;  ///< that makes it, looked up once
  Bytes whole_recv;              ///< what is poisoned: all of the receive buffer (in place: of the one buffer)
  Bytes input;                   ///< where the input is written
  std::vector<Block> result;     ///< what must be in call.recv afterwards
};

/// Where buffers begin, in bytes behind a page.
struct Offsets {
  std::size_t send = 0, recv = 0;
};

/// The two buffers of this rank that all cases share, each as large as the largest case needs. Local.
class Buffers {
 public:
  Buffers(MemorySpace& memory, Offsets offsets) : memory_(memory), offsets_(offsets) {}

  /// Makes room for a case whose buffers are laid out so. Throws std::bad_alloc; what was there before then is left.
  void reserve(const Layout&, const Case&);
  /// The view of a case that was reserved for, seen from `rank` of `ranks`.
  [[nodiscard]] Prepared view(const Case&, const Layout&, int rank, int ranks) const;

 private:
  struct Room {
    Buffer memory;
    std::size_t bytes = 0;
  };
  void grow(Room&, std::size_t bytes, std::size_t offset);

  MemorySpace& memory_;
  Offsets offsets_;
  Room send_, recv_;
};

}  // namespace busbar
