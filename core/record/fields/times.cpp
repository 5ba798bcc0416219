// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/record/case_record.hpp"
#include "core/record/fields/member_field.hpp"

namespace busbar {
namespace {

void check_confidence(const Interval& interval) {
  if (!(interval.confidence > 0 && interval.confidence < 1))
    throw Error(fmt::format("confidence of an interval is {}, and not between 0 and 1", interval.confidence));
}

constexpr Field summary_fields[] = {
    constant("over", "iterations, slowest rank of each", "Meaning of a sample."),
    field<&Summary::min_s>("min_s", "Minimum.").must_be_there().column(29),
    field<&Summary::mean_s>("mean_s", "Arithmetic mean.").must_be_there().column(30),
    field<&Summary::median_s>("median_s", "Median; the mean of the middle two if their number is even.")
        .must_be_there()
        .column(31),
    field<&Summary::p95_s>("p95_s", "95th percentile by nearest rank.").must_be_there().column(32),
    field<&Summary::p99_s>("p99_s", "99th percentile by nearest rank.").must_be_there().column(33),
    field<&Summary::max_s>("max_s", "Maximum.").must_be_there().column(34),
};
constexpr Part summary_part{"statistics",
                            "Statistics over all samples of the case, regardless of round, in seconds. Its median "
                            "differs from time_s if that is a median over rounds.",
                            summary_fields};

constexpr Field rank_summary_fields[] = {
    field<&RankSummary::rank>("rank", "Rank number.").must_be_there(),
    field<&RankSummary::min_s>("min_s", "Its minimum.").must_be_there(),
    field<&RankSummary::median_s>("median_s", "Its median; with rounds, the median over rounds of its medians.")
        .must_be_there(),
    field<&RankSummary::max_s>("max_s", "Its maximum.").must_be_there(),
};
constexpr Part rank_summary_part{
    "rank_summary", "One rank's own times, before the slowest rank of each iteration is chosen, in seconds.",
    rank_summary_fields};

constexpr Field interval_fields[] = {
    field<&Interval::low>("low", "Lower bound.").must_be_there(),
    field<&Interval::high>("high", "Upper bound.").must_be_there(),
    field<&Interval::confidence>("confidence", "Fraction of such intervals that contain the true value, 0 to 1.")
        .above(0)
        .below(1)
        .must_be_there(),
};
constexpr Part interval_part{"interval", "A confidence interval, in the unit that the name of its key states.",
                             interval_fields, after_reading<check_confidence>};

constexpr Field round_fields[] = {
    field<&Round::at_s>("at_s", "Start of the round, in seconds since the start of the run."),
    field<&Round::samples>("samples", "Number of its samples."),
    field<&Round::kept>("kept", "Number of its samples in samples_s; these are the first ones."),
    field<&Round::median_s>(
        "median_s", "Median of its samples, in seconds, interpolated within the clock step that contains the middle.")
        .must_be_there(),
    field<&Round::mean_s>(
        "mean_s",
        "Wall time divided by the number of samples, in seconds; null if samples do not follow each other immediately.")
        .later(),
    field<&Round::early_s>("early_s", "Median of the first quarter of its samples, in seconds; null below 8 samples."),
    field<&Round::pace_s>("pace_s",
                          "Time of a fixed amount of work on the slowest rank's CPU, in seconds: mean of just before "
                          "and just after the round's calls; null if unknown.")
        .above(0)
        .later(),
    field<&Round::barrier_s>("barrier_s",
                             "Time of a barrier of all ranks just before this round over all cases, in seconds, as "
                             "settling checks it; null if ranks are not settled or are on several hosts, where the "
                             "network is part of it.")
        .later(),
    field<&Round::contended>("contended", "Some rank shared its CPU meanwhile; null if unknown."),
};
constexpr Part round_part{
    "round",
    "One visit of a case: a batch of consecutive samples. Other cases were visited between two rounds of a case.",
    round_fields};

constexpr Field paced_time_fields[] = {
    field<&PacedTime::time_s>("time_s", "Mean of the rounds' median_s, in seconds.").above(0).must_be_there(),
    field<&PacedTime::pace_s>("pace_s", "Mean of the rounds' pace_s, in seconds.").above(0).must_be_there(),
};
constexpr Part paced_time_part{"paced", "20 % trimmed geometric means over the rounds of a case.", paced_time_fields};

constexpr Field mode_fields[] = {
    field<&Mode::median_s>("median_s", "Median of its rounds' medians, in seconds.").must_be_there(),
    field<&Mode::rounds>("rounds", "Number of its rounds.").must_be_there(),
};
constexpr Part mode_part{"mode", "One group of rounds of a bimodal case.", mode_fields};

constexpr Field modes_fields[] = {
    field<&Modes::low>("low", "The faster group.").must_be_there(),
    field<&Modes::high>("high", "The slower group.").must_be_there(),
};
constexpr Part modes_part{"modes", "The two groups of rounds of a bimodal case, at least 15 % apart.", modes_fields};

}  // namespace

const Part& part_of(const Summary* /*type*/) { return summary_part; }
const Part& part_of(const RankSummary* /*type*/) { return rank_summary_part; }
const Part& part_of(const Interval* /*type*/) { return interval_part; }
const Part& part_of(const Round* /*type*/) { return round_part; }
const Part& part_of(const PacedTime* /*type*/) { return paced_time_part; }
const Part& part_of(const Mode* /*type*/) { return mode_part; }
const Part& part_of(const Modes* /*type*/) { return modes_part; }

}  // namespace busbar
