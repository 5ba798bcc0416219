// SPDX-License-Identifier: Apache-2.0
#include "core/nccl/communicator.hpp"

#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>

#include <fmt/core.h>

#include "core/machine/local_clock.hpp"

namespace busbar {
namespace {

/// Delay before reporting an error that another rank's end caused, so that that rank can report first.
constexpr std::chrono::seconds cause_first{1};

std::string as_text(const ncclUniqueId& id) { return {id.internal, sizeof id.internal}; }

ncclUniqueId as_id(const std::string& text) {
  ncclUniqueId id;
  std::memcpy(id.internal, text.data(), sizeof id.internal);
  return id;
}

/// Headers before NCCL 2.27 lack this member.
template <class Config>
void set_cta_policy(Config& config, NcclCommunicator::CtaPolicy policy) {
  if (policy == NcclCommunicator::CtaPolicy::unset) return;
  if constexpr (requires { config.CTAPolicy; })
    config.CTAPolicy = static_cast<int>(policy);
  else
    throw UsageError(fmt::format("--cta-policy: busbar was built with NCCL {}.{}, which has none (2.27 has)",
                                 NCCL_MAJOR, NCCL_MINOR));
}

ncclConfig_t config_of(const NcclCommunicator::Settings& settings) {
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  config.blocking = settings.blocking ? 1 : 0;
  set_cta_policy(config, settings.cta_policy);
  return config;
}

}  // namespace

NcclCommunicator::NcclCommunicator(Group& group, const Settings& settings)
    : rank_(group.rank()), size_(group.size()), settings_(settings) {
  ncclUniqueId id{};
  on_rank_0(group, [&] { nccl_check(ncclGetUniqueId(&id), "ncclGetUniqueId"); });
  id = as_id(group.broadcast(as_text(id), 0));
  ncclConfig_t config = config_of(settings_);
  await(ncclCommInitRankConfig(&comm_, size_, id, rank_, &config), "ncclCommInitRankConfig");
}

NcclCommunicator::NcclCommunicator(NcclCommunicator& parent, Group* group, int colour, const Settings& settings)
    : settings_(settings) {
  if (group != nullptr) {
    rank_ = group->rank();
    size_ = group->size();
  }
  ncclConfig_t config = config_of(settings_);
  config.splitShare = 1;
  const int given = group != nullptr ? colour : NCCL_SPLIT_NOCOLOR;
  parent.await(ncclCommSplit(parent.comm_, given, parent.rank_, &comm_, &config), "ncclCommSplit");
  if (comm_ != nullptr) await(ncclInProgress, "ncclCommSplit");
}

NcclCommunicator::~NcclCommunicator() {
  if (comm_ == nullptr) return;
  try {
    await(ncclCommFinalize(comm_), "ncclCommFinalize");
    ncclCommDestroy(comm_);
  } catch (const Error&) {
    // fail() has aborted it, and a destructor must not throw.
  }
}

ncclResult_t NcclCommunicator::outcome(ncclResult_t code, std::string_view what) {
  const std::int64_t begin_ns = steady_ns();
  while (code == ncclInProgress) {
    if (settings_.timeout_s > 0 && seconds_since(begin_ns) > settings_.timeout_s) fail(ncclInProgress, what);
    std::this_thread::yield();
    if (const ncclResult_t asked = ncclCommGetAsyncError(comm_, &code); asked != ncclSuccess) code = asked;
  }
  return code;
}

bool NcclCommunicator::usable() const {
  ncclResult_t state = ncclSuccess;
  return comm_ != nullptr && ncclCommGetAsyncError(comm_, &state) == ncclSuccess && state == ncclSuccess;
}

void NcclCommunicator::await_slowly(ncclResult_t code, std::string_view what) {
  if (const ncclResult_t final = outcome(code, what); final != ncclSuccess) fail(final, what);
}

void NcclCommunicator::require_progress(std::string_view what, std::int64_t begin_ns) {
  ncclResult_t state = ncclSuccess;
  if (const ncclResult_t asked = ncclCommGetAsyncError(comm_, &state); asked != ncclSuccess) state = asked;
  if (state != ncclSuccess && state != ncclInProgress) fail(state, what);
  if (settings_.timeout_s > 0 && seconds_since(begin_ns) > settings_.timeout_s) fail(ncclInProgress, what);
}

/// ncclCommAbort releases waits on the device and on other ranks (NCCL documentation, "Fault tolerance").
void NcclCommunicator::fail(ncclResult_t code, std::string_view what) {
  const std::string reason = code == ncclInProgress
                                 ? fmt::format("not done after {:.0f} s", settings_.timeout_s)
                                 : fmt::format("{}: {}", ncclGetErrorString(code), ncclGetLastError(comm_));
  if (comm_ != nullptr) ncclCommAbort(std::exchange(comm_, nullptr));
  if (code == ncclRemoteError) std::this_thread::sleep_for(cause_first);
  throw Error(fmt::format("{} failed on rank {}: {}; the communicator was aborted", what, rank_, reason));
}

void let_ranks_share_a_gpu(int rank) { ::setenv("NCCL_HOSTID", fmt::format("busbar-rank-{}", rank).c_str(), 0); }

}  // namespace busbar
