// SPDX-License-Identifier: Apache-2.0
#include "core/record/end_record.hpp"
#include "core/record/field.hpp"

namespace busbar {
namespace {

constexpr Field end_record_fields[] = {
    constant("record", "end", "Which of the four records this is."),
    field<&EndRecord::status>("status",
                              "How the run ended. failed: a case did, or nothing could be measured. aborted: ranks "
                              "were waiting on each other. output: results could not be written.")
        .must_be_there(),
    field<&EndRecord::reason>("reason", "Why, where it is not ok."),
    field<&EndRecord::exit_code>("exit_code",
                                 "Exit code of the program: busbar's are 0, 1, 2, 3, 4 and 130; an imported one may be "
                                 "any. null where not known.")
        .of_any_sign(),
    field<&EndRecord::cases>("cases", "How many cases ended how."),
    field<&EndRecord::end_utc>("end_utc", "When it ended.").like(utc_form),
    field<&EndRecord::verdict>(
        "verdict",
        "What a sweep of one collective comes to, in a sentence. null or absent where there are several, or none.")
        .later(),
    field<&EndRecord::half_width>("half_width",
                                  "Relative half width of the cases' intervals, their median: 0.02 is plus or minus 2 "
                                  "%. null or absent where none was cut short by a budget, or there is no interval.")
        .later(),
    field<&EndRecord::wall_s>("wall_s", "How long the run took, in seconds."),
    field<&EndRecord::clock>("clock", "Looks at the clocks during the run; null where there were none.").later(),
    field<&EndRecord::settling>("settling", "Of the ranks of a host; null where they were not settled.").later(),
    field<&EndRecord::over_earlier>(
        "over_earlier",
        "This launch beside earlier ones of the same hosts; null or absent where fewer than 3 are known.")
        .later(),
    field<&EndRecord::cold_over_hot>("cold_over_hot", "Cases that were measured both cold and hot.").later(),
    field<&EndRecord::unguarded>("unguarded", "Ranks whose guard was killed before they ended.").later(),
};
constexpr Part end_record_part{
    "end", "The last record of a journal. Where there is none, the run was ended before its plan was done.",
    end_record_fields};

constexpr Field over_earlier_fields[] = {
    field<&OverEarlier::ratio>("ratio", "Of a case's time to its median over earlier launches, the median over cases.")
        .above(0)
        .must_be_there(),
    field<&OverEarlier::launches>("launches", "Earlier ones, at most.").at_least(3).must_be_there(),
};
constexpr Part over_earlier_part{"over_earlier", "A launch beside earlier ones of the same hosts.",
                                 over_earlier_fields};

constexpr Field cold_start_fields[] = {
    field<&ColdStart::series>("series", "The key of the hot case without its size.").must_be_there(),
    field<&ColdStart::bytes>("bytes", "As in the key.").must_be_there(),
    field<&ColdStart::hot_s>("hot_s", "time_s of the hot case, in seconds.").above(0).must_be_there(),
    field<&ColdStart::cold_s>("cold_s", "time_s of the cold case, in seconds.").above(0).must_be_there(),
    field<&ColdStart::ratio>("ratio", "cold_s over hot_s.").above(0).must_be_there(),
    field<&ColdStart::interval>("interval", "Of the ratio, of this launch alone; null where a case has no interval."),
};
constexpr Part cold_start_part{"cold_start",
                               "A case that was measured both ways in one launch: by calls that follow each other "
                               "(hot) and by calls that find caches cold.",
                               cold_start_fields};

constexpr Field settling_fields[] = {
    field<&Settling::first_barrier_s>("first_barrier_s", "What a barrier took before, in seconds.").must_be_there(),
    field<&Settling::best_barrier_s>("best_barrier_s", "The least that a barrier took at any look, in seconds.")
        .must_be_there(),
    field<&Settling::seconds>("seconds", "Wall time that went into it, all times together, on rank 0.").must_be_there(),
    field<&Settling::times>("times", "How often; the first before the first round.").must_be_there(),
    field<&Settling::wakes>(
        "wakes", "How often rank 0 was woken; 0 where it is alone on its host, or where wakes do not arrive.")
        .must_be_there(),
    field<&Settling::looks>("looks", "How often a barrier was timed between rounds.").must_be_there(),
    field<&Settling::far>(
        "far", "Looks at which it took more than 1.8 times the usual one (in records before 0.2: the best one).")
        .must_be_there(),
    field<&Settling::usual_barrier_s>(
        "usual_barrier_s",
        "The lower quartile of what a barrier took over all looks, in seconds. null or absent in records before 0.2.")
        .later(),
    field<&Settling::gave_up>(
        "gave_up",
        "True: the ranks were left alone after waking one another had not helped. Absent in records before 0.2.")
        .later(),
};
constexpr Part settling_part{"settling",
                             "How the ranks of each host were brought near each other by waking one another, and "
                             "whether they stayed there. Barriers are of all ranks.",
                             settling_fields};

constexpr Field case_counts_fields[] = {
    field<&CaseCounts::ok>("ok", "Measured."),
    field<&CaseCounts::partial>(
        "partial",
        "Has a time, but ended before it had the rounds that an interval needs. Absent in records before 0.2.")
        .later(),
    field<&CaseCounts::skipped>("skipped", "Could not run here."),
    field<&CaseCounts::failed>("failed", "Wrong data, or an error."),
};
constexpr Part case_counts_part{"cases", "How many cases ended how.", case_counts_fields};

}  // namespace

const Part& part_of(const EndRecord* /*type*/) { return end_record_part; }
const Part& part_of(const OverEarlier* /*type*/) { return over_earlier_part; }
const Part& part_of(const ColdStart* /*type*/) { return cold_start_part; }
const Part& part_of(const Settling* /*type*/) { return settling_part; }
const Part& part_of(const CaseCounts* /*type*/) { return case_counts_part; }

}  // namespace busbar
