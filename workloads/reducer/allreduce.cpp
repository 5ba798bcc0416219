// SPDX-License-Identifier: Apache-2.0
#include "core/mpi/check.hpp"
#include "workloads/reducer/mpi.hpp"
#include "workloads/reducer/wire.hpp"

namespace busbar {
namespace {

class Allreduce final : public Reducer {
 public:
  Allreduce(const Communicator& ranks, DType wire) : ranks_(ranks.split(0).value()), wire_(wire) {
    ranks_.set_name("busbar data");
  }

  [[nodiscard]] int ranks() const override { return ranks_.size(); }

  void sum(std::span<float> values) override {
    mpi_check(MPI_Allreduce(MPI_IN_PLACE, wire_.pack(values), Wire::count(values.size()), wire_.datatype(), wire_.sum(),
                            ranks_.handle()),
              "MPI_Allreduce");
    wire_.unpack(values.data(), 0, values);
  }

  void start(std::span<float> values) override {
    MPI_Request& request = requests_.emplace_back(MPI_REQUEST_NULL);
    started_.push_back(values);
    mpi_check(MPI_Iallreduce(MPI_IN_PLACE, wire_.pack(values), Wire::count(values.size()), wire_.datatype(),
                             wire_.sum(), ranks_.handle(), &request),
              "MPI_Iallreduce");
  }

  [[nodiscard]] bool poll() override {
    int done = 0;
    mpi_check(MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done, MPI_STATUSES_IGNORE),
              "MPI_Testall");
    if (done != 0) arrived();
    return done != 0;
  }

  void wait() override {
    mpi_check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
    arrived();
  }

 private:
  void arrived() {
    for (const auto& values : started_) wire_.unpack(values.data(), 0, values);
    started_.clear();
    requests_.clear();
  }

  Communicator ranks_;
  Wire wire_;
  std::vector<MPI_Request> requests_;
  std::vector<std::span<float>> started_;
};

}  // namespace

std::unique_ptr<Reducer> make_allreduce(const Communicator& ranks, DType wire) {
  return std::make_unique<Allreduce>(ranks, wire);
}

}  // namespace busbar
