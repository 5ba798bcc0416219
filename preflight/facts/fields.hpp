// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/base/fields.hpp"
#include "core/record/parts.hpp"
#include "preflight/facts/facts.hpp"

/// JSON names of the members of facts, for messages between ranks (core/base/fields.hpp). For .cpp files only.
namespace busbar::preflight {

using busbar::from_json;
using busbar::to_json;

constexpr auto fields(const Identity*) {
  return std::make_tuple(std::pair("rank", &Identity::rank), std::pair("host", &Identity::host),
                         std::pair("machine", &Identity::machine), std::pair("network", &Identity::network),
                         std::pair("launched", &Identity::launched), std::pair("world", &Identity::world),
                         std::pair("interfaces", &Identity::interfaces),
                         std::pair("environment", &Identity::environment));
}
constexpr auto fields(const Versions*) {
  return std::make_tuple(std::pair("build", &Versions::build), std::pair("mpi", &Versions::mpi),
                         std::pair("nccl", &Versions::nccl), std::pair("cuda", &Versions::cuda));
}
constexpr auto fields(const HostFacts*) {
  return std::make_tuple(
      std::pair("host", &HostFacts::host), std::pair("clock_offset_s", &HostFacts::clock_offset_s),
      std::pair("clock_error_s", &HostFacts::clock_error_s), std::pair("shm_bytes", &HostFacts::shm_bytes),
      std::pair("shm_free_bytes", &HostFacts::shm_free_bytes),
      std::pair("available_bytes", &HostFacts::available_bytes), std::pair("usable_cpus", &HostFacts::usable_cpus),
      std::pair("huge_pages", &HostFacts::huge_pages), std::pair("gpu_peer_memory", &HostFacts::gpu_peer_memory));
}
constexpr auto fields(const Limits*) {
  return std::make_tuple(std::pair("memlock_bytes", &Limits::memlock_bytes),
                         std::pair("open_files", &Limits::open_files));
}
constexpr auto fields(const Place*) {
  return std::make_tuple(std::pair("cpus", &Place::cpus), std::pair("numa_nodes", &Place::numa_nodes));
}
constexpr auto fields(const GpuOfRank*) {
  return std::make_tuple(
      std::pair("uuid", &GpuOfRank::uuid), std::pair("bus", &GpuOfRank::bus), std::pair("how", &GpuOfRank::how),
      std::pair("problem", &GpuOfRank::problem), std::pair("visible", &GpuOfRank::visible),
      std::pair("dma_buf", &GpuOfRank::dma_buf), std::pair("no_peer_access", &GpuOfRank::no_peer_access),
      std::pair("throttled_by", &GpuOfRank::throttled_by), std::pair("ecc_uncorrected", &GpuOfRank::ecc_uncorrected));
}
constexpr auto fields(const Address*) {
  return std::make_tuple(std::pair("interface", &Address::interface), std::pair("address", &Address::address),
                         std::pair("port", &Address::port));
}
constexpr auto fields(const RdmaDevicePort*) {
  return std::make_tuple(std::pair("device", &RdmaDevicePort::device), std::pair("port", &RdmaDevicePort::port),
                         std::pair("interfaces", &RdmaDevicePort::interfaces),
                         std::pair("physical_state", &RdmaDevicePort::physical_state),
                         std::pair("gids", &RdmaDevicePort::gids));
}
constexpr auto fields(const Network*) {
  return std::make_tuple(std::pair("addresses", &Network::addresses), std::pair("rdma", &Network::rdma));
}
constexpr auto fields(const Unreached*) {
  return std::make_tuple(std::pair("from", &Unreached::from), std::pair("to", &Unreached::to),
                         std::pair("interface", &Unreached::interface), std::pair("address", &Unreached::address),
                         std::pair("problem", &Unreached::problem));
}
constexpr auto fields(const Connections*) {
  return std::make_tuple(std::pair("host", &Connections::host), std::pair("made", &Connections::made),
                         std::pair("unreached", &Connections::unreached));
}
constexpr auto fields(const Unshelled*) {
  return std::make_tuple(std::pair("from", &Unshelled::from), std::pair("to", &Unshelled::to),
                         std::pair("problem", &Unshelled::problem));
}
constexpr auto fields(const PairResult*) {
  return std::make_tuple(std::pair("a", &PairResult::a), std::pair("b", &PairResult::b),
                         std::pair("problem", &PairResult::problem));
}
constexpr auto fields(const SumResult*) {
  return std::make_tuple(std::pair("bytes", &SumResult::bytes), std::pair("problem", &SumResult::problem));
}

}  // namespace busbar::preflight
