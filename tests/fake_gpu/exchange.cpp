// SPDX-License-Identifier: Apache-2.0
#include "exchange.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>

namespace fake_gpu {
namespace {

constexpr std::size_t label_bytes = sizeof(Label);

std::string described(const Label& label) {
  return "call " + std::to_string(label.what) + ", type " + std::to_string(label.type) + ", operation " +
         std::to_string(label.op) + ", root " + std::to_string(label.root) + ", " + std::to_string(label.bytes) +
         " bytes";
}

// All that goes to one rank. Says whether something moved.
struct Outgoing {
  std::vector<const Send*> waiting;
  std::size_t current = 0;
  std::size_t done = 0;  // bytes of the current one, label and data

  bool finished() const { return current == waiting.size(); }

  bool move(SharedRanks& ranks) {
    const auto& send = *waiting[current];
    const auto label = std::as_bytes(std::span(&send.label, 1));
    const auto rest = done < label_bytes ? label.subspan(done) : send.data.subspan(done - label_bytes);
    const auto moved = ranks.write(send.to, rest);
    done += moved;
    if (done == label_bytes + send.data.size()) {
      ++current;
      done = 0;
      return true;
    }
    return moved > 0;
  }
};

// All that comes from one rank.
struct Incoming {
  std::vector<const Receive*> waiting;
  std::size_t current = 0;
  std::size_t done = 0;
  Label label;

  bool finished() const { return current == waiting.size(); }

  bool move(SharedRanks& ranks) {
    const auto& receive = *waiting[current];
    const auto into = std::as_writable_bytes(std::span(&label, 1));
    const auto rest = done < label_bytes ? into.subspan(done) : receive.data.subspan(done - label_bytes);
    const auto moved = ranks.read(receive.from, rest);
    done += moved;
    if (moved > 0 && done == label_bytes) check(receive);
    if (done == label_bytes + receive.data.size()) {
      ++current;
      done = 0;
      return true;
    }
    return moved > 0;
  }

  void check(const Receive& receive) const {
    if (label != receive.label)
      throw std::runtime_error("rank " + std::to_string(receive.from) + " sent " + described(label) +
                               " where this rank expected " + described(receive.label));
  }
};

template <class Ways>
bool move_all(Ways& ways, SharedRanks& ranks, bool& finished) {
  bool moved = false;
  for (auto& [peer, way] : ways) {
    while (!way.finished() && way.move(ranks)) moved = true;
    finished = finished && way.finished();
  }
  return moved;
}

}  // namespace

void exchange(SharedRanks& ranks, const std::vector<Send>& sends, const std::vector<Receive>& receives,
              const std::function<bool()>& given_up) {
  std::map<int, Outgoing> out;
  std::map<int, Incoming> in;
  for (const auto& send : sends) out[send.to].waiting.push_back(&send);
  for (const auto& receive : receives) in[receive.from].waiting.push_back(&receive);
  const auto read_by_all = [&] {
    return std::ranges::all_of(out, [&](const auto& each) { return ranks.all_read(each.first); });
  };
  for (;;) {
    const auto seen = ranks.rung();
    bool finished = true;
    bool moved = move_all(out, ranks, finished);
    moved = move_all(in, ranks, finished) || moved;
    if (finished && read_by_all()) return;
    if (given_up()) throw Abandoned{};
    if (!moved) ranks.wait_for_ring(seen);
  }
}

}  // namespace fake_gpu
