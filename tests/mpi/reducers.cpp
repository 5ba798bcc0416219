// SPDX-License-Identifier: Apache-2.0
// Every reducer on the ranks of this job: sums of small whole numbers, which are exact in every type on the wire. Hosts
// are made up: two ranks each, one rank each, one host. Prints "right" once; exit code 1 otherwise.
#include <functional>

#include <fmt/core.h>

#include "core/mpi/group.hpp"
#include "workloads/reducer/mpi.hpp"

namespace busbar::test {
namespace {

constexpr std::size_t size = 1003;
const std::vector<Bucket> buckets{{0, 2}, {2, 500}, {500, size}};

float value(int rank, std::size_t i, int step) {
  return static_cast<float>((rank + 1) * static_cast<int>(i % 5) + step);
}

float sum_over(int ranks, std::size_t i, int step) {
  float sum = 0;
  for (int r = 0; r < ranks; ++r) sum += value(r, i, step);
  return sum;
}

std::span<float> part(std::vector<float>& all, const Bucket& b) { return std::span(all).subspan(b.begin, b.size()); }

/// All buckets, blocking or not.
void reduce(Reducer& reducer, std::vector<float>& values, bool blocking) {
  for (const Bucket& b : buckets) blocking ? reducer.sum(part(values, b)) : reducer.start(part(values, b));
  if (blocking) return;
  while (!reducer.poll()) {
  }
  reducer.wait();
}

/// The first wrong element after sums, shares and spreads; empty: none.
std::optional<std::string> wrong(Reducer& reducer, int rank, bool blocking) {
  for (int step = 0; step < 3; ++step) {
    std::vector<float> values(size), weights(size, -1);
    for (std::size_t i = 0; i < size; ++i) values[i] = value(rank, i, step);
    reduce(reducer, values, blocking);
    for (const Bucket& b : buckets) {
      const Bucket mine = reducer.share(b);
      for (std::size_t i = mine.begin; i < mine.end; ++i) {
        if (values[i] != sum_over(reducer.ranks(), i, step))
          return fmt::format("step {}, gradient {}: {} is not {}", step, i, values[i],
                             sum_over(reducer.ranks(), i, step));
        weights[i] = values[i];
      }
      reducer.spread(part(weights, b));
    }
    for (std::size_t i = 0; reducer.ranks() > 1 && i < size; ++i)
      if (weights[i] != sum_over(reducer.ranks(), i, step))
        return fmt::format("step {}, weight {} is {}", step, i, weights[i]);
  }
  return std::nullopt;
}

std::unique_ptr<Reducer> make(int kind, const Communicator& world, DType wire) {
  const int rank = world.rank();
  switch (kind) {
    case 0:
      return make_allreduce(world, wire);
    case 1:
      return make_sharded(world, wire);
    case 2:
      return make_hierarchical(world, rank / 2, wire);
    case 3:
      return make_hierarchical(world, rank, wire);
    default:
      return make_hierarchical(world, 0, wire);
  }
}

int run(int argc, char** argv) {
  const auto group = join_mpi(argc, argv);
  int problems = 0;
  {
    const Communicator world = Communicator::world();
    for (const DType wire : {DType::f32, DType::f16, DType::bf16})
      for (const bool blocking : {true, false})
        for (const int kind : {0, 1, 2, 3, 4}) {
          const auto reducer = make(kind, world, wire);
          if (const auto problem = wrong(*reducer, group->rank(), blocking)) {
            fmt::print("rank {}: reducer {}, {}, blocking {}: {}\n", group->rank(), kind, name(wire), blocking,
                       *problem);
            ++problems;
          }
        }
    const auto all = group->all_gather(static_cast<double>(problems));
    for (const double p : all) problems = std::max(problems, static_cast<int>(p));
    if (problems == 0 && group->rank() == 0) fmt::print("right\n");
  }
  return problems == 0 ? 0 : 1;
}

}  // namespace
}  // namespace busbar::test

int main(int argc, char** argv) { return busbar::test::run(argc, argv); }
