// SPDX-License-Identifier: Apache-2.0
#include "core/mpi/check.hpp"
#include "workloads/reducer/mpi.hpp"
#include "workloads/reducer/wire.hpp"

namespace busbar {
namespace {

class Hierarchical final : public Reducer {
 public:
  Hierarchical(const Communicator& ranks, int host, DType wire, bool with_data)
      : size_(ranks.size()),
        inside_(ranks.split(host).value()),
        between_(ranks.split(inside_.rank() == 0 ? std::optional(0) : std::nullopt)),
        wire_(wire, with_data) {}

  [[nodiscard]] int ranks() const override { return size_; }
  [[nodiscard]] bool with_data() const override { return wire_.with_data(); }

  void sum(std::span<float> values) override {
    void* const data = wire_.pack(values);
    const int n = Wire::count(values.size());
    const auto type = wire_.datatype();
    const bool first = inside_.rank() == 0;
    const void* const from = wire_.source(values.size());
    // Calls on one rank are skipped: there is nothing to send, and SMPI's reduce aborts.
    const bool several_inside = inside_.size() > 1;
    if (several_inside)
      mpi_check(MPI_Reduce(first ? from : data, data, n, type, wire_.sum(), 0, inside_.handle()), "MPI_Reduce");
    if (between_ && between_->size() > 1)
      mpi_check(MPI_Allreduce(from, data, n, type, wire_.sum(), between_->handle()), "MPI_Allreduce");
    if (several_inside) mpi_check(MPI_Bcast(data, n, type, 0, inside_.handle()), "MPI_Bcast");
    wire_.unpack(values.data(), 0, values);
  }

  void start(std::span<float> values) override { sum(values); }
  [[nodiscard]] bool poll() override { return true; }
  void wait() override {}

 private:
  int size_;
  Communicator inside_;                  // the ranks of this host
  std::optional<Communicator> between_;  // the first rank of each host
  Wire wire_;
};

}  // namespace

std::unique_ptr<Reducer> make_hierarchical(const Communicator& ranks, int host, DType wire, bool with_data) {
  return std::make_unique<Hierarchical>(ranks, host, wire, with_data);
}

}  // namespace busbar
