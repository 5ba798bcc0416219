// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "core/backend/backend.hpp"
#include "core/backend/block_shares.hpp"
#include "core/record/case_key.hpp"

namespace busbar {

/// One rank's view of a case: all that determines the sizes of its buffers.
struct Geometry {
  std::size_t count = 0;  ///< elements, as in Call
  int rank = 0, ranks = 1, root = 0;
  int window = 1;                       ///< messages or accesses per call, as in Call
  bool at_own_block = false;            ///< Backend::reduces_to_own_block()
  const BlockShares* shares = nullptr;  ///< as in Call

  [[nodiscard]] std::size_t all() const { return shares ? count : count * static_cast<std::size_t>(ranks); }
  /// First element of the block of rank r; for an all-to-all, in this rank's send buffer.
  [[nodiscard]] std::size_t block(int r) const {
    return shares ? shares->start(rank, r, count) : count * static_cast<std::size_t>(r);
  }
  /// Elements of the block of rank r.
  [[nodiscard]] std::size_t size(int r) const { return shares ? shares->count(rank, r, count) : count; }
  /// Elements of all messages of a call.
  [[nodiscard]] std::size_t messages() const { return count * static_cast<std::size_t>(window); }
};

/// Elements that this rank sends and receives, and their positions if they share one buffer.
struct Layout {
  std::size_t send = 0, recv = 0;
  std::size_t send_at = 0, recv_at = 0;  ///< in place only

  [[nodiscard]] std::size_t in_place_total() const { return std::max(send_at + send, recv_at + recv); }
};

/// A part of a receive buffer, and its expected content after the call.
struct Block {
  std::size_t at = 0, count = 0;  ///< elements of the receive buffer
  int source = reduced;           ///< rank whose data it contains, or `reduced`: the reduction over all ranks or a pair
  std::size_t from = 0;           ///< first element in the source's send buffer

  static constexpr int reduced = -1;
};

/// Ranks that a rank sends to and receives from.
struct Peers {
  int to = 0, from = 0;
};

/// Who communicates.
enum class Family {
  collective,      ///< all ranks: also by messages, if they replace a collective
  uneven,          ///< all ranks, whose blocks may differ in size: a count per rank (Call::shares)
  point_to_point,  ///< rank r sends messages to its peer of the other half, all pairs at once; with an odd number of
                   ///< ranks, the last one takes no part
  one_sided,       ///< the same pairs: rank r accesses the memory of its peer (MPI RMA)
};

/// Meaning of a case's `bytes`, the larger buffer of a rank, as in nccl-tests. Between pairs: one message.
enum class Sizing {
  whole,     ///< count elements on every rank
  by_ranks,  ///< a block of count elements per rank
  none,      ///< no data
};

/// How a library without special hardware implements a collective.
enum class Movement {
  unknown,
  ring,            ///< in a ring, or by another algorithm that the library chooses
  point_to_point,  ///< by sends and receives: there is no algorithm to choose
};

/// What busbar-bench measures, a collective operation or one between pairs of ranks: its data, its result, and its
/// bandwidth factor. One constant per file in bench/collectives/; the harness, the tests, the importers and the reports
/// all read it.
struct Collective {
  std::string_view name;        ///< canonical, in records and on the command line
  std::string_view alias = {};  ///< another name in other tools; spellings with "_" or "-" need none
  std::string_view about;       ///< one line for --list
  Family family = Family::collective;
  int window = 0;  ///< default number of messages or accesses per call; 0: it has no window
  /// Time of a sample divided by this is the time of the case: half a round trip, one message of a window. Null: 1.
  int (*parts)(int window) = nullptr;
  Sizing sizing = Sizing::whole;
  bool reduces = false;
  bool rooted = false;
  bool out_of_place = true, in_place = true;  ///< which forms exist
  bool moves_input = false;                   ///< in place, every rank's result overwrites its input
  Movement movement = Movement::unknown;
  /// busbw / algbw, NVIDIA nccl-tests doc/PERFORMANCE.md. Uneven: with equal counts.
  double (*bus_factor)(int ranks);
  /// Family::uneven only: the most that a rank sends to or receives from others, over the
  /// size; with equal counts it is bus_factor.
  double (*uneven_bus_factor)(const Geometry&) = nullptr;
  Layout (*layout)(const Geometry&);
  /// The blocks of the receive buffer; together they cover it completely.
  std::vector<Block> (*result)(const Geometry&);
  /// The call that backends offer under this name (Backend::Offer). incast: all ranks send to the root at once by
  /// point-to-point messages; the root receives as in gather. sendrecv: sends to one rank and receives from one; either
  /// may be this rank. Calls between pairs: Call::to is the peer, and this rank if it takes no part.
  std::string_view call;
  Peers (*peers)(const Geometry&) = nullptr;  ///< for the call sendrecv and between pairs only

  [[nodiscard]] bool uneven() const { return family == Family::uneven; }
  /// True if a second call on the same buffers has the same result. If not (in place, it would reduce sums again or
  /// move blocks further), the result of repeated calls cannot be checked.
  [[nodiscard]] bool repeatable(bool placed) const { return !placed || (!reduces && !moves_input); }
  [[nodiscard]] bool between_pairs() const { return family == Family::point_to_point || family == Family::one_sided; }
  /// Kind of the cases, unless the stage has one of its own.
  [[nodiscard]] CaseKind kind() const { return between_pairs() ? CaseKind::pair : CaseKind::collective; }
  [[nodiscard]] int parts_of(int messages) const { return parts == nullptr ? 1 : parts(messages); }
  /// Number of ranks over which data is reduced: a pair adds up the data of two.
  [[nodiscard]] int reducing(int ranks) const { return between_pairs() ? 2 : ranks; }
};

}  // namespace busbar
