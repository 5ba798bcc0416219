// SPDX-License-Identifier: Apache-2.0
#include "bench/backends/mpi/backend.hpp"

#include <algorithm>
#include <array>
#include <climits>

#include <fmt/core.h>

#include "core/mpi/group.hpp"

namespace busbar {

MpiBackend::MpiBackend(const Group& group, std::unique_ptr<MemorySpace> memory, BackendFacts facts,
                       std::unique_ptr<MpiAlgorithms> algorithms, bool with_data)
    : BlockingBackend(std::move(memory)),
      facts_(std::move(facts)),
      owner_(communicator_of(group)),
      algorithms_(owner_, std::move(algorithms)),
      reductions_(with_data) {
  owner_.set_name(name_of_data_plane);
  if (auto note = algorithms_.note()) facts_.notes.push_back(std::move(*note));
}

void MpiBackend::prepare(const Collective& what, const Call& c) {
  if (c.count > INT_MAX)
    throw Unsupported(fmt::format("{} elements are more than the int that MPI 3 counts with", c.count));
  if (what.call == "reduce_scatter" && c.count * static_cast<std::size_t>(c.ranks) > INT_MAX)
    throw Unsupported(fmt::format(
        "{} elements for each of {} ranks are more than the int that libraries add up counts in", c.count, c.ranks));
  type_ = MpiReductions::datatype(c.type);
  op_ = reductions_.op(c.type, c.op);
  if (c.form == CallForm::persistent && persistent_collectives() == nullptr)
    throw Unsupported("this MPI library has no persistent collectives (MPI_Allreduce_init and others, MPI 4)");
  if (what.reduces && op_ == MPI_OP_NULL)
    throw Unsupported(fmt::format("MPI has no {} of {}", name(c.op), name(c.type)));
  if (what.reduces && memory().kind() == "device" && MpiReductions::registered(c.type))
    throw Unsupported(
        fmt::format("MPI has no {} of {}, and busbar's own works on host memory", name(c.op), name(c.type)));
  if (what.family == Family::one_sided) require_one_sided(what, c);
  count_ = static_cast<int>(c.count);
  bytes_ = c.count * size_of(c.type);
  counts_.assign(static_cast<std::size_t>(c.ranks), count_);
  if (c.shares != nullptr) {
    sent_ = sent_blocks(c);
    if (what.call == "alltoallv") received_ = received_blocks(c);
  }
  average_ = what.reduces && c.op == Op::avg;
  requests_.resize(static_cast<std::size_t>(std::max(c.ranks + 1, 2 * c.window)));
  comm_ = algorithms_.choose(what, std::string(c.algorithm));
}

void MpiBackend::try_out(const Collective& what, const Call& c) {
  if (!c.algorithm.empty()) algorithms_.add(what, std::string(c.algorithm));
  comm_ = algorithms_.choose(what, std::string(c.algorithm));
  try {
    if (c.form == CallForm::persistent)
      create_request(what, c);
    else
      (this->*find_call(what.call, c.form))(c);
  } catch (const Error& e) {
    if (!c.algorithm.empty())
      throw Unsupported(
          fmt::format("{} refuses {} for {}: {}", algorithms_.library(), c.algorithm, what.name, e.what()));
    if (c.form == CallForm::persistent) throw Unsupported(e.what());
    throw;
  }
}

void MpiBackend::create_request(const Collective& what, const Call& c) {
  if (c.form != CallForm::persistent) return;
  started_.free();
  (this->*find_call(what.call, c.form))(c);
}

std::span<const Backend::Offer> MpiBackend::offers() const {
  static constexpr auto in_all_forms = [](std::string_view name, void (MpiBackend::*make)(const Call&)) {
    return offer(name, make, make, make);
  };
  static const std::array all{
      in_all_forms("allreduce", &MpiBackend::allreduce),
      in_all_forms("allgather", &MpiBackend::allgather),
      in_all_forms("broadcast", &MpiBackend::broadcast),
      in_all_forms("reduce_scatter", &MpiBackend::reduce_scatter),
      in_all_forms("reduce_scatter_block", &MpiBackend::reduce_scatter_block),
      in_all_forms("alltoall", &MpiBackend::alltoall),
      in_all_forms("reduce", &MpiBackend::reduce),
      in_all_forms("gather", &MpiBackend::gather),
      in_all_forms("scatter", &MpiBackend::scatter),
      offer("incast", &MpiBackend::incast),
      offer("sendrecv", &MpiBackend::sendrecv),
      in_all_forms("barrier", &MpiBackend::barrier),
      offer("allgatherv", &MpiBackend::allgatherv, &MpiBackend::allgatherv),
      offer("alltoallv", &MpiBackend::alltoallv, &MpiBackend::alltoallv),
      offer("reduce_scatterv", &MpiBackend::reduce_scatterv, &MpiBackend::reduce_scatterv),
      offer("gatherv", &MpiBackend::gatherv, &MpiBackend::gatherv),
      offer("scatterv", &MpiBackend::scatterv, &MpiBackend::scatterv),
      offer("pingpong", &MpiBackend::pingpong),
      offer("unidirectional", &MpiBackend::unidirectional),
      offer("bidirectional", &MpiBackend::bidirectional),
      offer("put", &MpiBackend::put),
      offer("get", &MpiBackend::get),
      offer("accumulate", &MpiBackend::accumulate),
  };
  return all;
}

}  // namespace busbar
