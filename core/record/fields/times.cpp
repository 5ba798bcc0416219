// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/record/case_record.hpp"
#include "core/record/field.hpp"

namespace busbar {
namespace {

void check_confidence(void* owner) {
  const double confidence = static_cast<const Interval*>(owner)->confidence;
  if (!(confidence > 0 && confidence < 1))
    throw Error(fmt::format("confidence of an interval is {}, and not between 0 and 1", confidence));
}

constexpr Field summary_fields[] = {
    constant("over", "iterations, slowest rank of each", "What the samples are."),
    field<&Summary::min_s>("min_s", "The shortest.").must_be_there().column(29),
    field<&Summary::mean_s>("mean_s", "Arithmetic mean.").must_be_there().column(30),
    field<&Summary::median_s>("median_s", "The middle one; the mean of the middle two where their number is even.")
        .must_be_there()
        .column(31),
    field<&Summary::p95_s>("p95_s", "95th percentile by nearest rank.").must_be_there().column(32),
    field<&Summary::p99_s>("p99_s", "99th percentile by nearest rank.").must_be_there().column(33),
    field<&Summary::max_s>("max_s", "The longest.").must_be_there().column(34),
};
constexpr Part summary_part{"statistics",
                            "Over all samples of the case, whatever round they are of, in seconds. Its median is not "
                            "time_s where that is a median over rounds.",
                            summary_fields};

constexpr Field rank_summary_fields[] = {
    field<&RankSummary::rank>("rank", "Number of the rank.").must_be_there(),
    field<&RankSummary::min_s>("min_s", "Its shortest.").must_be_there(),
    field<&RankSummary::median_s>("median_s",
                                  "Its median; where there are rounds, the median over them of its medians.")
        .must_be_there(),
    field<&RankSummary::max_s>("max_s", "Its longest.").must_be_there(),
};
constexpr Part rank_summary_part{"rank_summary",
                                 "One rank's own times, before the slowest of each iteration is taken; in seconds.",
                                 rank_summary_fields};

constexpr Field interval_fields[] = {
    field<&Interval::low>("low", "Its lower end.").must_be_there(),
    field<&Interval::high>("high", "Its upper end.").must_be_there(),
    field<&Interval::confidence>("confidence", "Share of such intervals that hold the true value, 0 to 1.")
        .above(0)
        .below(1)
        .must_be_there(),
};
constexpr Part interval_part{"interval", "An interval of confidence, in the unit that the name of its key gives.",
                             interval_fields, check_confidence};

constexpr Field round_fields[] = {
    field<&Round::at_s>("at_s", "When it started, in seconds since the start of the run."),
    field<&Round::samples>("samples", "Samples that it has."),
    field<&Round::kept>("kept", "How many of them, the first ones, are in samples_s."),
    field<&Round::median_s>(
        "median_s", "Of its samples, in seconds, interpolated inside the step of the clock that holds the middle.")
        .must_be_there(),
    field<&Round::mean_s>("mean_s",
                          "Wall time over samples, in seconds, where samples follow each other at once; else null.")
        .later(),
    field<&Round::early_s>("early_s", "Median of the first quarter of its samples, in seconds; null below 8 samples."),
    field<&Round::pace_s>("pace_s",
                          "What a fixed piece of work took the slowest rank's CPU, in seconds: mean of just before the "
                          "round's calls and just behind them; null where not known.")
        .above(0)
        .later(),
    field<&Round::contended>("contended", "Some rank had to share its CPU meanwhile; null where not known."),
};
constexpr Part round_part{
    "round", "One visit of a case: samples taken back to back. Other cases were visited between two rounds of one.",
    round_fields};

constexpr Field paced_time_fields[] = {
    field<&PacedTime::time_s>("time_s", "Of their median_s, in seconds.").above(0).must_be_there(),
    field<&PacedTime::pace_s>("pace_s", "Of their pace_s, in seconds.").above(0).must_be_there(),
};
constexpr Part paced_time_part{"paced", "20 % trimmed geometric means over the rounds of a case.", paced_time_fields};

constexpr Field mode_fields[] = {
    field<&Mode::median_s>("median_s", "Median of the medians of its rounds, in seconds.").must_be_there(),
    field<&Mode::rounds>("rounds", "How many rounds are in it.").must_be_there(),
};
constexpr Part mode_part{"mode", "One group of rounds.", mode_fields};

constexpr Field modes_fields[] = {
    field<&Modes::low>("low", "The faster group.").must_be_there(),
    field<&Modes::high>("high", "The slower group.").must_be_there(),
};
constexpr Part modes_part{"modes", "Two groups that the rounds fall into, 15 % apart or more.", modes_fields};

}  // namespace

const Part& part_of(const Summary* /*type*/) { return summary_part; }
const Part& part_of(const RankSummary* /*type*/) { return rank_summary_part; }
const Part& part_of(const Interval* /*type*/) { return interval_part; }
const Part& part_of(const Round* /*type*/) { return round_part; }
const Part& part_of(const PacedTime* /*type*/) { return paced_time_part; }
const Part& part_of(const Mode* /*type*/) { return mode_part; }
const Part& part_of(const Modes* /*type*/) { return modes_part; }

}  // namespace busbar
