// SPDX-License-Identifier: Apache-2.0
#include "core/job/guard/progress.hpp"

#include "core/machine/local_clock.hpp"

namespace busbar {

Progress::Progress() : began_ns_(steady_ns()) {}

void Progress::enter(std::string_view what, std::string_view where, std::string_view flag, double limit_s) {
  deadline_ns_ = 0;  // no deadline while the texts change
  what_.set(what);
  where_.set(where);
  flag_.set(flag);
  at(Phase::preparing);
  ++turn_;
  resting_ = false;
  limit_s_ = limit_s;
  if (limit_s > 0) deadline_ns_ = steady_ns() + static_cast<std::int64_t>(limit_s * 1e9);
}

void Progress::step(std::string_view what) { what_.set(what); }

void Progress::rest() {
  resting_ = true;
  deadline_ns_ = 0;
}

void Progress::abort(std::string_view why) noexcept {
  reason_.set(why);
  fate_.store(Fate::aborting, std::memory_order_release);
}

void Progress::count(const CaseCounts& counts) noexcept {
  ok_ = counts.ok;
  partial_ = counts.partial;
  skipped_ = counts.skipped;
  failed_ = counts.failed;
}

CaseCounts Progress::counts() const { return {.ok = ok_, .partial = partial_, .skipped = skipped_, .failed = failed_}; }

Position Progress::position() const {
  const std::uint64_t bits = position_.load(std::memory_order_relaxed);
  return {.phase = static_cast<Phase>(bits >> 56U),
          .call = static_cast<std::int64_t>((bits & ((std::uint64_t{1} << 56U) - 1)) >> 1U),
          .checking = (bits & 1U) != 0};
}

}  // namespace busbar
