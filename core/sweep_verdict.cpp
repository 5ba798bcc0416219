// SPDX-License-Identifier: Apache-2.0
#include "core/sweep_verdict.hpp"

#include <iterator>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/case_key.hpp"
#include "core/launch_spread.hpp"
#include "core/named_table.hpp"
#include "core/record/case_record.hpp"
#include "core/record/status.hpp"
#include "core/units.hpp"

namespace busbar {
namespace {

constexpr double many = 0.1;         ///< of the sizes; one that was disturbed says little
constexpr double much_faster = 0.8;  ///< of a larger size

/// "4 KiB takes less time than 2 KiB". Empty: there is no such pair.
std::string falling_time(const std::map<std::uint64_t, double>& time_s) {
  if (time_s.size() < 2) return "";
  for (auto low = time_s.begin(), high = std::next(low); high != time_s.end(); ++low, ++high)
    if (high->second < much_faster * low->second)
      return fmt::format("{} takes {:.0f} % less time than {}", format_size(high->first),
                         100 * (1 - high->second / low->second), format_size(low->first));
  return "";
}

}  // namespace

void SweepVerdict::take(const CaseRecord& c) {
  if (c.key.training || is_named(c.key) || c.key.cadence == cold_cadence) return;  // other tools show hot calls
  if (c.status == Status::failed) ++failed_;
  if (!is_measured(c.status) || !c.time_s) return;
  const std::string series = series_name(c.key);
  several_ = several_ || (!time_s_.empty() && series != series_);
  series_ = series;
  name_ = c.key.collective;
  if (c.contention && c.contention->contended()) ++contended_;
  time_s_[c.key.bytes] = *c.time_s;
  if (c.busbw_GBps && (!fastest_ || *c.busbw_GBps > fastest_->second)) fastest_ = {c.key.bytes, *c.busbw_GBps};
}

std::string SweepVerdict::judgement(const std::optional<OverEarlier>& over) const {
  std::vector<std::string> reasons;
  if (failed_ > 0) reasons.push_back(fmt::format("{} failed", plural(static_cast<std::size_t>(failed_), "size")));
  if (contended_ > many * static_cast<double>(time_s_.size()))
    reasons.push_back(fmt::format("{} of {} sizes shared their CPUs", contended_, time_s_.size()));
  if (over && over->is_far())
    reasons.push_back(fmt::format("{:.2f}x the time of {} earlier launches", over->ratio, over->launches));
  if (const std::string falls = falling_time(time_s_); !falls.empty()) reasons.push_back(falls);
  if (!reasons.empty()) return fmt::format("suspicious: {}", fmt::join(reasons, "; "));
  if (!over) return "nothing suspicious; no earlier launches to compare with";
  return fmt::format("as expected, like {} earlier launches (ratio {:.2f})", over->launches, over->ratio);
}

std::optional<std::string> SweepVerdict::text(const std::optional<OverEarlier>& over) const {
  if (several_ || time_s_.size() < 2) return std::nullopt;
  const auto& [bytes, seconds] = *time_s_.begin();
  std::string text = fmt::format("{}: {} at {}", name_, format_duration(seconds), format_size(bytes));
  if (fastest_) text += fmt::format(", busbw up to {:.3g} GB/s at {}", fastest_->second, format_size(fastest_->first));
  return fmt::format("{}: {}", text, judgement(over));
}

}  // namespace busbar
