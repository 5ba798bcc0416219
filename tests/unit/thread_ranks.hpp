// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <barrier>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

#include "core/backend/backend.hpp"
#include "core/backend/collective.hpp"
#include "core/elements/reduce/reduce.hpp"
#include "core/machine/host_memory.hpp"
#include "core/ranks/thread_group.hpp"

/// N ranks as N threads of one process, so that collectives and the engine are tested without mpirun.
namespace busbar::test {

/// Shared by the threads.
struct Hub {
  explicit Hub(int n) : calls(static_cast<std::size_t>(n)), meet(n), ranks(n) {}
  std::vector<Call> calls;
  std::barrier<> meet;
  ThreadRanks ranks;
};

class ThreadGroup final : public busbar::ThreadGroup {
 public:
  ThreadGroup(Hub& hub, int rank) : busbar::ThreadGroup(hub.ranks, rank) {}
};

/// The collectives by their definitions: every rank looks at every other rank's buffers.
class ThreadBackend : public BlockingBackend {
 public:
  ThreadBackend(Hub& hub, int rank, std::unique_ptr<MemorySpace> memory = std::make_unique<HostMemory>())
      : BlockingBackend(std::move(memory)), hub_(hub), me_(static_cast<std::size_t>(rank)) {}
  void prepare(const Collective& what, const Call& c) override {
    if (what.reduces && (is_fp8(c.type) || c.op == Op::mulsum)) throw Unsupported("not reduced here");
    if (what.reduces && what.between_pairs() && c.op == Op::avg) throw Unsupported("no average of a pair");
  }
  [[nodiscard]] std::string reduction(DType /*type*/, Op /*op*/) const override { return "threads"; }

  [[nodiscard]] std::span<const Offer> offers() const override {
    static const std::array all{
        offer("allreduce", &ThreadBackend::allreduce),
        offer("allgather", &ThreadBackend::allgather),
        offer("broadcast", &ThreadBackend::broadcast),
        offer("reduce_scatter", &ThreadBackend::reduce_scatter),
        offer("reduce_scatter_block", &ThreadBackend::reduce_scatter),
        offer("alltoall", &ThreadBackend::alltoall),
        offer("reduce", &ThreadBackend::reduce),
        offer("gather", &ThreadBackend::gather),
        offer("scatter", &ThreadBackend::scatter),
        offer("incast", &ThreadBackend::incast),
        offer("sendrecv", &ThreadBackend::sendrecv),
        offer("barrier", &ThreadBackend::barrier),
        offer("allgatherv", &ThreadBackend::allgatherv),
        offer("alltoallv", &ThreadBackend::alltoallv),
        offer("reduce_scatterv", &ThreadBackend::reduce_scatterv),
        offer("gatherv", &ThreadBackend::gatherv),
        offer("scatterv", &ThreadBackend::scatterv),
        offer("pingpong", &ThreadBackend::exchange_in_pairs),
        offer("unidirectional", &ThreadBackend::exchange_in_pairs),
        offer("bidirectional", &ThreadBackend::exchange_in_pairs),
        offer("put", &ThreadBackend::exchange_in_pairs),
        offer("get", &ThreadBackend::exchange_in_pairs),
        offer("accumulate", &ThreadBackend::accumulate),
    };
    return all;
  }

  virtual void allreduce(const Call& c) {
    exchange(c, [&] { return reduced(c, 0, c.recv.size()); });
  }
  void allgather(const Call& c) {
    exchange(c, [&] { return gathered(c, 0); });
  }
  void broadcast(const Call& c) {
    exchange(c, [&] { return piece(c.root, 0, c.recv.size()); });
  }
  void reduce_scatter(const Call& c) {
    exchange(c, [&] { return reduced(c, me_ * c.recv.size(), c.recv.size()); });
  }
  void alltoall(const Call& c) {
    exchange(c, [&] { return gathered(c, me_ * block(c)); });
  }
  void reduce(const Call& c) {
    exchange(c, [&] { return reduced(c, 0, c.recv.size()); });
  }
  void gather(const Call& c) {
    exchange(c, [&] { return c.recv.empty() ? std::vector<std::byte>{} : gathered(c, 0); });
  }
  void scatter(const Call& c) {
    exchange(c, [&] { return piece(c.root, me_ * block(c), block(c)); });
  }
  void incast(const Call& c) { gather(c); }
  void sendrecv(const Call& c) {
    exchange(c, [&] { return piece(c.from, 0, c.recv.size()); });
  }
  void allgatherv(const Call& c) {
    exchange(c, [&] { return c.recv.empty() ? std::vector<std::byte>{} : blocks_for(c, me_, false); });
  }
  void alltoallv(const Call& c) {
    exchange(c, [&] { return blocks_for(c, me_, true); });
  }
  void reduce_scatterv(const Call& c) {
    exchange(c, [&] { return reduced(c, start_of_own(c), c.recv.size()); });
  }
  void gatherv(const Call& c) { allgatherv(c); }
  void scatterv(const Call& c) {
    exchange(c, [&] { return piece(c.root, start_of_own(c), c.recv.size()); });
  }
  void exchange_in_pairs(const Call& c) {
    exchange(c, [&] { return piece(c.to, 0, c.recv.size()); });
  }
  void accumulate(const Call& c) {
    exchange(c, [&] {
      std::vector<std::byte> all = piece(static_cast<int>(me_), 0, c.recv.size());
      if (!all.empty())
        reduce_local(c.op, c.type, piece(c.to, 0, all.size()).data(), all.data(), all.size() / size_of(c.type));
      return all;
    });
  }
  void barrier(const Call& c) {
    timed(c, [&] {
      hub_.meet.arrive_and_wait();
      return 0;
    });
  }

 private:
  static std::size_t block(const Call& c) { return c.count * size_of(c.type); }

  /// Shows the call to the other ranks, computes this rank's result while no buffer changes, then writes it.
  template <class Compute>
  void exchange(const Call& c, Compute compute) {
    timed(c, [&] {
      hub_.calls[me_] = c;
      hub_.meet.arrive_and_wait();
      const std::vector<std::byte> result = compute();
      hub_.meet.arrive_and_wait();
      std::ranges::copy(result, c.recv.begin());
      return 0;
    });
  }
  [[nodiscard]] std::vector<std::byte> piece(int rank, std::size_t from, std::size_t bytes) const {
    const ConstBytes sent = hub_.calls[static_cast<std::size_t>(rank)].send.subspan(from, bytes);
    return {sent.begin(), sent.end()};
  }
  [[nodiscard]] std::vector<std::byte> gathered(const Call& c, std::size_t from) const {
    std::vector<std::byte> all;
    for (int r = 0; r < c.ranks; ++r) {
      const auto part = piece(r, from, block(c));
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }
  [[nodiscard]] static std::size_t start_of_own(const Call& c) {
    return c.shares->start(c.rank, c.rank, c.count) * size_of(c.type);
  }
  /// Every rank's whole block, or the block that it has for `to`.
  [[nodiscard]] std::vector<std::byte> blocks_for(const Call& c, std::size_t to, bool divided) const {
    std::vector<std::byte> all;
    for (int r = 0; r < c.ranks; ++r) {
      const int block = divided ? static_cast<int>(to) : r;
      const std::size_t from = divided ? c.shares->start(r, block, c.count) : 0;
      const auto part = piece(r, from * size_of(c.type), c.shares->count(r, block, c.count) * size_of(c.type));
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }
  [[nodiscard]] std::vector<std::byte> reduced(const Call& c, std::size_t from, std::size_t bytes) const {
    if (bytes == 0) return {};
    std::vector<std::byte> all = piece(0, from, bytes);
    const Op op = c.op == Op::avg ? Op::sum : c.op;
    for (int r = 1; r < c.ranks; ++r)
      reduce_local(op, c.type, piece(r, from, bytes).data(), all.data(), bytes / size_of(c.type));
    if (c.op == Op::avg) divide_local(c.type, all.data(), bytes / size_of(c.type), c.ranks);
    return all;
  }

  Hub& hub_;
  std::size_t me_;
};

/// Runs `body` on n ranks, each a thread with its own group and backend.
template <class MyBackend = ThreadBackend, class Body>
void run_ranks(int n, const Body& body) {
  Hub hub(n);
  std::vector<std::jthread> threads;
  for (int r = 0; r < n; ++r)
    threads.emplace_back([&, r] {
      ThreadGroup group(hub, r);
      MyBackend backend(hub, r);
      body(group, backend);
    });
}

}  // namespace busbar::test
