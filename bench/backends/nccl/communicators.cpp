// SPDX-License-Identifier: Apache-2.0
#include "bench/backends/nccl/communicators.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <optional>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/elements/element.hpp"
#include "core/nccl/check.hpp"
#include "core/ranks/thread_group.hpp"

namespace busbar {
namespace {

/// Sets an environment variable of this process for its own lifetime; an empty value leaves it as it is.
class Variable {
 public:
  Variable(const char* name, std::string_view value) : name_(name) {
    if (value.empty()) return;
    if (const char* was = std::getenv(name)) before_ = was;
    ::setenv(name, std::string(value).c_str(), 1);
    set_ = true;
  }
  ~Variable() {
    if (!set_) return;
    if (before_)
      ::setenv(name_, before_->c_str(), 1);
    else
      ::unsetenv(name_);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  bool set_ = false;
  std::optional<std::string> before_;
};

/// Throws UsageError if the loaded NCCL is too old for these words.
void require_new_enough(const NcclWords& words) {
  const auto require = [](std::string_view flag, NcclVersion first, std::string_view what) {
    try {
      require_nccl(nccl_version(), first, what);
    } catch (const Unsupported& e) {
      throw UsageError(fmt::format("{}: {}", flag, e.what()));
    }
  };
  if (words.symmetric()) require("--algorithm symmetric", first_with_windows, "symmetric windows");
  if (!words.cta_policy.empty()) require("--cta-policy", first_with_windows, "CTA policies");
  if (words.cta_policy == "zero") require("--cta-policy zero", first_with_zero_ctas, "collectives without CTAs");
}

NcclCommunicator::CtaPolicy cta_policy(std::string_view word) {
  using enum NcclCommunicator::CtaPolicy;
  return word == "zero" ? zero : word == "efficiency" ? efficiency : unset;
}

/// The environment that sets a communicator's algorithm and protocol, for its own lifetime. Threads of a process share
/// an environment: the first one changes it while the others wait.
class Environment {
 public:
  /// `group`: all ranks, if threads are ranks; else null.
  Environment(Group* group, const NcclWords& words)
      : group_(words.value_of_nccl_algo().empty() && words.protocol.empty() ? nullptr : group) {
    meet();
    if (group == nullptr || rank_in_process(*group) == 0) {
      algorithm_.emplace("NCCL_ALGO", words.value_of_nccl_algo());
      protocol_.emplace("NCCL_PROTO", words.protocol);
    }
    meet();
  }
  ~Environment() {
    meet();
    protocol_.reset();
    algorithm_.reset();
    meet();
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  void meet() const {
    if (group_ != nullptr) group_->barrier();
  }
  Group* group_;
  std::optional<Variable> algorithm_, protocol_;
};

/// Calls make(settings of this communicator) in its environment. `group` as above.
template <class Make>
auto made_under(Group* group, const NcclWords& words, NcclCommunicator::Settings settings, const Make& make) {
  const Environment environment(group, words);
  settings.cta_policy = cta_policy(words.cta_policy);
  return make(settings);
}

struct NativeOp {
  Op op;
  ncclRedOp_t nccl;
  const char* name;
};

constexpr std::array<NativeOp, 5> native_ops{{
    {Op::sum, ncclSum, "ncclSum"},
    {Op::prod, ncclProd, "ncclProd"},
    {Op::min, ncclMin, "ncclMin"},
    {Op::max, ncclMax, "ncclMax"},
    {Op::avg, ncclAvg, "ncclAvg"},
}};

}  // namespace

ncclRedOp_t NcclReductions::op(ncclComm_t comm, DType type, Op op) {
  const auto native = std::ranges::find(native_ops, op, &NativeOp::op);
  if (native != native_ops.end()) return native->nccl;
  if (const auto made = premultiplied_.find(type); made != premultiplied_.end()) return made->second;
  std::array<std::byte, 8> factor{};
  store(type, premultiplier(rank_), factor.data());
  ncclRedOp_t made{};
  nccl_check(ncclRedOpCreatePreMulSum(&made, factor.data(), nccl_type(type), ncclScalarHostImmediate, comm),
             "ncclRedOpCreatePreMulSum");
  return premultiplied_[type] = made;
}

std::string NcclReductions::describe(Op op) {
  const auto native = std::ranges::find(native_ops, op, &NativeOp::op);
  return native != native_ops.end() ? native->name : "ncclRedOpCreatePreMulSum, by 1 on even ranks and 2 on odd ones";
}

NcclCommunicators::NcclCommunicators(Group& group, const std::vector<std::string>& algorithms,
                                     const NcclCommunicator::Settings& settings)
    : settings_(settings) {
  if (std::ranges::find(algorithms, "all") != algorithms.end())
    throw UsageError("--algorithm all: NCCL does not list its algorithms; name them: auto,ring,tree,nvls");
  Group* const shares_environment = group.threads() != nullptr ? &group : nullptr;
  for (const std::string& algorithm : algorithms.empty() ? std::vector<std::string>{""} : algorithms) {
    auto& [name, member] = *members_.emplace(algorithm, nullptr).first;
    const NcclWords words(name);
    require_new_enough(words);
    member = made_under(shares_environment, words, settings_,
                        [&](const auto& its) { return std::make_unique<Member>(group, words, its); });
  }
}

NcclCommunicators::NcclCommunicators(NcclCommunicators& parents, Group* members, int colour)
    : settings_(parents.settings_) {
  for (auto& [name, parent] : parents)
    members_[name] = made_under(nullptr, parent->words, settings_, [&, &of = *parent](const auto& its) {
      return std::make_unique<Member>(of, members, colour, its);
    });
}

NcclCommunicators::Member& NcclCommunicators::of(std::string_view algorithm) {
  return *members_.find(algorithm)->second;
}

}  // namespace busbar
