// SPDX-License-Identifier: Apache-2.0
#include "bench/engine/buffers.hpp"

#include <algorithm>

namespace busbar {

void Buffers::grow(Room& room, std::size_t bytes, std::size_t offset) {
  if (room.memory && room.bytes >= bytes) return;
  Buffer larger = memory_.allocate(bytes + offset);  // before freeing the old buffer, so that a failure changes nothing
  room = {.memory = std::move(larger), .bytes = bytes};
}

/// The largest buffer of any rank in bytes.
static std::uint64_t largest_buffer(const Case& c) {
  std::size_t most = 0;
  for (int r = 0; c.shares && r < c.shares->ranks(); ++r) {
    const Layout l = c.collective->layout(
        {.count = c.count, .rank = r, .ranks = c.shares->ranks(), .root = c.root, .shares = c.shares.get()});
    most = std::max({most, l.send, l.recv});
  }
  return std::max<std::uint64_t>(c.all_bytes(), most * size_of(c.type));
}

void Buffers::reserve(const Layout& layout, const Case& c) {
  const std::size_t width = size_of(c.type);
  const std::size_t least = memory_.same_on_all_ranks() ? largest_buffer(c) : 0;
  if (!c.in_place) grow(send_, std::max(least, layout.send * width), offsets_.send);
  grow(recv_, std::max(least, (c.in_place ? layout.in_place_total() : layout.recv) * width), offsets_.recv);
}

Prepared Buffers::view(const Case& c, const Layout& layout, int rank, int ranks) const {
  const std::size_t width = size_of(c.type);
  Prepared p{.call = {.rank = rank,
                      .ranks = ranks,
                      .root = c.root,
                      .type = c.type,
                      .op = c.op.value_or(Op::sum),
                      .count = c.count,
                      .shares = c.shares.get(),
                      .in_place = c.in_place,
                      .window = c.messages(),
                      .algorithm = c.algorithm,
                      .form = c.form,
                      .advance = c.advance}};
  std::byte* const recv = recv_.memory.get() + offsets_.recv;
  if (c.in_place) {
    p.whole_recv = {recv, layout.in_place_total() * width};
    p.input = p.whole_recv.subspan(layout.send_at * width, layout.send * width);
    p.call.recv = p.whole_recv.subspan(layout.recv_at * width, layout.recv * width);
  } else {
    p.whole_recv = p.call.recv = {recv, layout.recv * width};
    p.input = {send_.memory.get() + offsets_.send, layout.send * width};
  }
  p.call.send = p.input;
  const Geometry geometry{
      .count = c.count, .rank = rank, .ranks = ranks, .root = c.root, .window = c.messages(), .shares = c.shares.get()};
  p.result = c.collective->result(geometry);
  if (c.collective->peers != nullptr) {
    const Peers peers = c.collective->peers(geometry);
    p.call.to = peers.to;
    p.call.from = peers.from;
  }
  return p;
}

Bytes Buffers::whole(const Room& room, std::size_t offset) {
  return room.memory ? Bytes{room.memory.get() + offset, room.bytes} : Bytes{};
}

}  // namespace busbar
