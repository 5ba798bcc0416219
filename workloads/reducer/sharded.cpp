// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "core/mpi/check.hpp"
#include "workloads/reducer/mpi.hpp"
#include "workloads/reducer/started.hpp"
#include "workloads/reducer/wire.hpp"

namespace busbar {
namespace {

/// Shares are as equal as possible; the first ranks get one element more if the division has a remainder.
class Sharded final : public Reducer {
 public:
  Sharded(const Communicator& ranks, DType wire) : ranks_(ranks.duplicate()), wire_(wire, true) {
    const auto n = static_cast<std::size_t>(ranks_.size());
    counts_.resize(n);
    offsets_.resize(n);
  }

  [[nodiscard]] int ranks() const override { return ranks_.size(); }

  void sum(std::span<float> values) override {
    divide_up(values.size());
    void* const data = wire_.pack(values);
    mpi_check(MPI_Reduce_scatter(MPI_IN_PLACE, data, counts_.data(), wire_.datatype(), wire_.sum(), ranks_.handle()),
              "MPI_Reduce_scatter");
    arrived(values);
  }

  void start(std::span<float> values) override {
    divide_up(values.size());
    auto& counts = started_counts_.emplace_back(counts_);  // MPI reads them until completion
    mpi_check(MPI_Ireduce_scatter(MPI_IN_PLACE, wire_.pack(values), counts.data(), wire_.datatype(), wire_.sum(),
                                  ranks_.handle(), started_.add(values)),
              "MPI_Ireduce_scatter");
  }

  [[nodiscard]] bool poll() override {
    const bool done = started_.poll();
    if (done) all_arrived();
    return done;
  }

  void wait() override {
    started_.wait();
    all_arrived();
  }

  [[nodiscard]] Bucket share(const Bucket& bucket) const override {
    const auto [begin, size] = part_of(bucket.size(), ranks_.rank());
    return {.begin = bucket.begin + begin, .end = bucket.begin + begin + size};
  }

  void spread(std::span<float> weights) override {
    divide_up(weights.size());
    mpi_check(MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_FLOAT, weights.data(), counts_.data(), offsets_.data(), MPI_FLOAT,
                             ranks_.handle()),
              "MPI_Allgatherv");
  }

 private:
  struct Part {
    std::size_t begin = 0, size = 0;
  };
  [[nodiscard]] Part part_of(std::size_t elements, int rank) const {
    const auto n = static_cast<std::size_t>(ranks_.size()), r = static_cast<std::size_t>(rank);
    const std::size_t each = elements / n, more = elements % n;
    return {.begin = r * each + std::min(r, more), .size = each + (r < more ? 1 : 0)};
  }
  void divide_up(std::size_t elements) {
    for (int r = 0; r < ranks_.size(); ++r) {
      const Part part = part_of(elements, r);
      counts_[static_cast<std::size_t>(r)] = Wire::count(part.size);
      offsets_[static_cast<std::size_t>(r)] = Wire::count(part.begin);
    }
  }
  /// In place, MPI writes the result to the start of the buffer.
  void arrived(std::span<float> values) {
    const auto [begin, size] = part_of(values.size(), ranks_.rank());
    const std::span<float> mine = values.subspan(begin, size);
    if (wire_.element_bytes() == sizeof(float))
      std::memmove(mine.data(), values.data(), mine.size_bytes());
    else
      wire_.unpack(values.data(), 0, mine);
  }
  void all_arrived() {
    started_.finish_all([this](std::span<float> values) { arrived(values); });
    started_counts_.clear();
  }

  Communicator ranks_;
  Wire wire_;
  std::vector<int> counts_, offsets_;
  Started started_;
  std::vector<std::vector<int>> started_counts_;
};

}  // namespace

std::unique_ptr<Reducer> make_sharded(const Communicator& ranks, DType wire) {
  return std::make_unique<Sharded>(ranks, wire);
}

}  // namespace busbar
