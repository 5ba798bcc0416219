// SPDX-License-Identifier: Apache-2.0
#include "core/mpi/check.hpp"
#include "workloads/reducer/mpi.hpp"
#include "workloads/reducer/started.hpp"
#include "workloads/reducer/wire.hpp"

namespace busbar {
namespace {

class Allreduce final : public Reducer {
 public:
  Allreduce(const Communicator& ranks, DType wire, bool with_data) : ranks_(ranks.duplicate()), wire_(wire, with_data) {
    ranks_.set_name("busbar data");
  }

  [[nodiscard]] int ranks() const override { return ranks_.size(); }
  [[nodiscard]] bool with_data() const override { return wire_.with_data(); }

  void sum(std::span<float> values) override {
    mpi_check(MPI_Allreduce(wire_.source(values.size()), wire_.pack(values), Wire::count(values.size()),
                            wire_.datatype(), wire_.sum(), ranks_.handle()),
              "MPI_Allreduce");
    wire_.unpack(values.data(), 0, values);
  }

  void start(std::span<float> values) override {
    mpi_check(MPI_Iallreduce(MPI_IN_PLACE, wire_.pack(values), Wire::count(values.size()), wire_.datatype(),
                             wire_.sum(), ranks_.handle(), started_.add(values)),
              "MPI_Iallreduce");
  }

  [[nodiscard]] bool poll() override {
    const bool done = started_.poll();
    if (done) arrived();
    return done;
  }

  void wait() override {
    started_.wait();
    arrived();
  }

 private:
  void arrived() {
    started_.finish_all([this](std::span<float> values) { wire_.unpack(values.data(), 0, values); });
  }

  Communicator ranks_;
  Wire wire_;
  Started started_;
};

}  // namespace

std::unique_ptr<Reducer> make_allreduce(const Communicator& ranks, DType wire, bool with_data) {
  return std::make_unique<Allreduce>(ranks, wire, with_data);
}

}  // namespace busbar
