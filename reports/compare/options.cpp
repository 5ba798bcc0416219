// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/options.hpp"

#include "core/base/error.hpp"
#include "core/base/words.hpp"

namespace busbar::compare {

void add_common_options(CommandLine& line, CommonOptions& o) {
  line.add("--margin", &o.margin, "two sides are equal if they differ by less than this", {.name = "PERCENT"});
  line.add("--confidence", &o.confidence, "confidence level of intervals, and of all verdicts together",
           {.name = "PERCENT"});
  line.add("--launch-spread", &o.launch_spread,
           "launch-to-launch standard deviation to assume if there are too few launches", {.name = "PERCENT"});
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

ComparisonOptions options_of(const CommonOptions& o) {
  return {.margin = parse_percent("--margin", o.margin, 0, 100),
          .confidence = parse_percent("--confidence", o.confidence, 50, 99.99),
          .launch_spread = parse_percent("--launch-spread", o.launch_spread, 0, 1000),
          .as_measured = o.as_measured,
          .metric = o.metric};
}

}  // namespace busbar::compare
