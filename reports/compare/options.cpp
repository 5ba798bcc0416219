// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/options.hpp"

#include <fmt/core.h>

#include "core/error.hpp"
#include "core/words.hpp"

namespace busbar::compare {

void add_common_options(CommandLine& line, CommonOptions& o) {
  line.add("--margin", &o.margin, "two sides are equal if they differ by less than this", {.name = "SHARE"});
  line.add("--confidence", &o.confidence, "confidence level of intervals, and of all verdicts together",
           {.name = "SHARE"});
  line.add("--launch-spread", &o.launch_spread,
           "launch-to-launch standard deviation to assume if there are too few launches", {.name = "SHARE"});
  line.add(
      "--as-measured", &o.as_measured,
      "compare times as measured. Without it, times of the same hosts are corrected for CPU speed if both sides have "
      "6 launches or more");
  line.add("--metric", &o.metric, "quantity to compare",
           {.name = "METRIC",
            .choices = {"time", "rate", "algbw", "busbw"},
            .strict = true,
            .standard = "training: rate; else time"});
  line.add("--across", &o.across,
           "fields of the method that can differ between the sides: cadence, rank_rule, warmup, memory, share_gpu, ...",
           {.name = "FIELD", .list = true});
}

double parse_share(std::string_view flag, const std::string& text, double low, double high) {
  const bool percent = text.ends_with('%');
  std::string number = percent ? text.substr(0, text.size() - 1) : text;
  while (number.ends_with(' ')) number.pop_back();
  const double unit = percent ? 100 : 1;
  const std::string what = fmt::format("a share such as 5% or 0.05, from {:g}% to {:g}%", 100 * low, 100 * high);
  try {
    return parse_number(flag, number, low * unit, high * unit, what) / unit;
  } catch (const UsageError&) {
    throw UsageError(fmt::format("{}: '{}' is not {}", flag, text, what));
  }
}

Options options_of(const CommonOptions& o) {
  return {.margin = parse_share("--margin", o.margin, 0, 1),
          .confidence = parse_share("--confidence", o.confidence, 0.5, 0.9999),
          .launch_spread = parse_share("--launch-spread", o.launch_spread, 0, 10),
          .as_measured = o.as_measured,
          .metric = o.metric};
}

}  // namespace busbar::compare
