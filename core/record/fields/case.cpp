// SPDX-License-Identifier: Apache-2.0
#include "core/record/case_record.hpp"
#include "core/record/check.hpp"
#include "core/record/fields/member_field.hpp"

namespace busbar {
namespace {

std::string id_of(const CaseRecord& record) { return to_string(record.key); }

constexpr Field case_record_fields[] = {
    constant("record", "case", "Type of this record: launch, run, case or end."),
    field<&CaseRecord::index>("index",
                              "Position in the plan of the run. Records are in the order in which their cases ended."),
    derived<CaseRecord, id_of>("id", "The key as one string. Equal keys give equal strings.").not_empty(),
    field<&CaseRecord::key>("key", "Identifies what was measured.").must_be_there().holds(Privacy::own_words),
    field<&CaseRecord::status>(
        "status",
        "partial: has a time, but the run ended before it had enough rounds for an interval. skipped: could not run "
        "here, or no time was left. failed: wrong data, or an error of a library.")
        .must_be_there()
        .column(23),
    field<&CaseRecord::reason>("reason", "Why it is partial, skipped or failed; null otherwise.").column(24),
    field<&CaseRecord::count>("count", "Number of elements, as in the library's count argument.")
        .column(13, "count_elements"),
    field<&CaseRecord::reduction>(
        "reduction", "Operator that reduced: MPI_SUM, an op of busbar's own, ...; null if nothing is reduced."),
    field<&CaseRecord::time_s>(
        "time_s",
        "Time of one call in seconds, as defined by the run's method; with key.work, of start, work and wait together. "
        "null if nothing was measured.")
        .column(25),
    field<&CaseRecord::algbw_GBps>("algbw_GBps",
                                   "Algorithm bandwidth: key.bytes / time_s, in 1e9 B/s; for imported copies and "
                                   "pairs, as the source reports it. null without bytes or time, and with key.work.")
        .column(26),
    field<&CaseRecord::busbw_GBps>("busbw_GBps", "Bus bandwidth: algbw_GBps times bus_factor, in 1e9 B/s.").column(27),
    field<&CaseRecord::time_by_clock_s>(
        "time_by_clock_s",
        "With two clocks: the time in seconds by each of them (host, cuda_events; see method). Medians over rounds of "
        "medians, slowest rank. time_s is one of the two; the other includes some more calls. Empty with one clock.")
        .later(),
    field<&CaseRecord::bus_factor>(
        "bus_factor",
        "Ratio of bus to algorithm bandwidth for this collective and number of ranks, as defined by nccl-tests; null "
        "if they define none (pair, exchange, scan), and without bytes or time.")
        .column(28),
    field<&CaseRecord::statistics>(
        "statistics",
        "Statistics over all samples of all rounds, including samples that samples_s omits; null if unknown."),
    field<&CaseRecord::samples_taken>("samples_taken",
                                      "Number of samples taken; more than samples_s contains if that was truncated.")
        .column(35),
    field<&CaseRecord::samples_s>("samples_s",
                                  "Samples in the order in which they were taken, possibly truncated, in seconds: the "
                                  "slowest rank's time for one call. With rounds, the first rounds[0].kept samples "
                                  "belong to the first round, the next rounds[1].kept to the second, and so on."),
    field<&CaseRecord::ranks>("ranks", "Times of each rank, one row per rank, in order; empty if unknown."),
    field<&CaseRecord::check>("check", "Result of checking the data."),
    field<&CaseRecord::warmup_iterations>(
        "warmup_iterations",
        "Number of calls before the first sample. Each later round has one such call, or none if this is 0."),
    field<&CaseRecord::ended_by>(
        "ended_by",
        "Why sampling ended; null if nothing was sampled, or unknown. count: the fixed number was reached. converged, "
        "time_budget, run_budget, max_samples: that rule of method.stop applied. wrong_data: a result was wrong. "
        "missed_windows: in round after round, some rank was not ready when its window opened. interrupted: by a "
        "signal. unfinished: the program was killed later; this is the last saved state of the case."),
    field<&CaseRecord::started_s>(
        "started_s",
        "Start of the case, or of its first round if it has rounds, in seconds since the start of the run."),
    field<&CaseRecord::wall_s>(
        "wall_s", "Total wall time including warm-up and checks, in seconds; summed over rounds if there are any."),
    field<&CaseRecord::interval_of_launches_s>(
        "interval_of_launches_s",
        "Interval of the median over later launches, in seconds: interval_s, or the launch-to-launch spread (of the "
        "case, else method.launch_spread) if that is wider, extended to the states of the machine that earlier "
        "launches met, or to their median if it does not contain that. null or absent if there is no basis for it: no "
        "interval_s, no earlier launch of the case and no contention.")
        .later(),
    field<&CaseRecord::interval_s>("interval_s",
                                   "Confidence interval of time_s over rounds, in seconds; null if there are too few "
                                   "rounds (below 6 at 95 %; correlated rounds count as fewer), or unknown.")
        .later()
        .column(38, "interval_low_s", "low")
        .column(39, "interval_high_s", "high")
        .column(40, "confidence", "confidence"),
    field<&CaseRecord::paced>("paced",
                              "Time of the case, and time of a fixed amount of work on the CPUs meanwhile. Comparisons "
                              "use both to scale times to equal pace. null if the pace is unknown.")
        .later(),
    field<&CaseRecord::rounds>("rounds", "Rounds with at least one sample, in order; empty if unknown.")
        .later()
        .column(41),
    field<&CaseRecord::modes>(
        "modes",
        "The two groups of rounds of a bimodal case; time_s is of both together. null if not bimodal, or unknown.")
        .later(),
    field<&CaseRecord::calls_per_sample>(
        "calls_per_sample", "Number of calls timed together as one sample; all times are per call. null if unknown.")
        .at_least(1)
        .later()
        .column(42),
    field<&CaseRecord::invalid_samples>("invalid_samples",
                                        "Cadence synchronised: samples dropped because a rank was not ready when their "
                                        "window opened; samples_taken excludes them. null for other cadences.")
        .later(),
    field<&CaseRecord::arrival>("arrival", "Arrival of ranks at the calls; null for one rank, or if unknown.").later(),
    field<&CaseRecord::usage>("usage", "CPU usage of each rank, one row per rank, in order; empty if unknown.").later(),
    field<&CaseRecord::contention>("contention",
                                   "Whether other processes or the hypervisor used the CPUs; null if not checked.")
        .later(),
    field<&CaseRecord::telemetry>(
        "telemetry",
        "Telemetry of each rank's GPU, one row per rank, in order; empty if no rank has a GPU that NVML knows.")
        .later(),
    field<&CaseRecord::throttled>("throttled",
                                  "Power, temperature or supply throttled some rank's GPU; null if unknown.")
        .later(),
    field<&CaseRecord::gated>("gated", "Separate times of launch, device and notice; null without a device clock.")
        .later(),
    field<&CaseRecord::overhead>("overhead", "Breakdown of the wall time around the collective; null if not requested.")
        .later(),
    field<&CaseRecord::overlap>("overlap", "Share of the call that work hides; null without work.").later(),
    field<&CaseRecord::library_call>("library_call",
                                     "Library function that was timed: MPI_Allreduce, ncclAllReduce, grouped ncclSend "
                                     "and ncclRecv; null if unknown.")
        .like(line_form)
        .later()
        .column(80)
        .holds(Privacy::own_words),
    field<&CaseRecord::choice>("library_choice",
                               "The library's choice for this collective, as reported on rank 0 before the first "
                               "sample; null if not reported.")
        .later(),
    field<&CaseRecord::training>("training", "Results of training; null for collectives.").later(),
    field<&CaseRecord::replay>("replay", "Totals of a replay; null for other kinds.").later(),
    field<&CaseRecord::remarks>("remarks", "What readers should know before using these numbers, one sentence each.")
        .later(),
    field<&CaseRecord::groups>("groups",
                               "Times of each group if several called at the same time, one row per group; with two "
                               "kinds of groups, first those of the first kind. Empty for one group, or if unknown.")
        .later(),
    field<&CaseRecord::calls>("calls",
                              "If a sample alternates calls of two kinds of groups: the time of each kind's calls "
                              "within the samples, in order. Empty if a sample calls one kind.")
        .later(),
};
constexpr Part case_record_part{"case", "One case: one line with everything that was measured under one key.",
                                case_record_fields, after_reading<check_figures>};

constexpr Field case_key_fields[] = {
    field<&CaseKey::kind>("kind",
                          "collective: one call of one collective. copy: a transfer between two ranks or devices. "
                          "training: a step. replay: all calls of a recorded trace, one after another. pair: "
                          "communication between two ranks at a time, such as pingpong. Only imported: function (a "
                          "named timing of another program).")
        .column(5),
    field<&CaseKey::collective>(
        "collective",
        "allreduce, allgather, broadcast, reduce_scatter, alltoall, reduce, gather, scatter, sendrecv, barrier, ...; "
        "pairs: pingpong, unidirectional, bidirectional, put, get, accumulate, ...; for other kinds the model, the "
        "trace, or the name that a program gave its timing.")
        .like(line_form)
        .must_be_there()
        .column(6),
    field<&CaseKey::backend>("backend", "Library that moved the data: mpi, nccl, ...")
        .like(word_form)
        .must_be_there()
        .column(7),
    field<&CaseKey::memory>("memory", "Location of the buffers; null without buffers, or if unknown.")
        .one_of("host|device")
        .column(8),
    field<&CaseKey::type>("type",
                          "Element type: int8, int32, int64, uint8, uint32, uint64, fp16, bf16, fp32, fp64, fp8_e4m3, "
                          "fp8_e5m2; imported cases may have others. null without elements.")
        .like(word_form)
        .column(9),
    field<&CaseKey::op>(
        "op", "Reduction: sum, prod, min, max, avg; imported cases may have others. null if nothing is reduced.")
        .like(word_form)
        .column(10),
    field<&CaseKey::root>("root", "Root rank; null for collectives without one.").column(11),
    field<&CaseKey::bytes>("bytes",
                           "The larger of a rank's send and receive buffer, as in nccl-tests; of pairs, one message.")
        .must_be_there()
        .column(12, "size_bytes"),
    field<&CaseKey::in_place>("in_place", "Send and receive buffer are the same; null without a buffer.").column(14),
    field<&CaseKey::ranks>("ranks", "Number of participating ranks.").at_least(1).must_be_there().column(15),
    field<&CaseKey::nodes>("nodes", "Number of their hosts.").at_least(1).column(16),
    field<&CaseKey::ranks_per_node>("ranks_per_node",
                                    "Ranks on each host; null if hosts have different numbers of ranks, or unknown.")
        .at_least(1)
        .column(17),
    field<&CaseKey::cadence>("cadence",
                             "How iterations follow each other, as in the run's method, or cold. replay: calls of a "
                             "trace, each at once after the one before; replay_gaps: with the trace's time between "
                             "them. null if unknown.")
        .one_of("barrier|synchronised|streaming|cold|replay|replay_gaps|blocking|unknown")
        .column(18),
    field<&CaseKey::algorithm>(
        "algorithm",
        "Algorithm, protocol and CTA policy requested from the library: ring/simple, ring, "
        "*/ll128, symmetric+zero; of MPI: segmented_ring/segsize=64K; null if the library chose, or unknown.")
        .column(19),
    field<&CaseKey::group>("group",
                           "Participating ranks. world: all ranks of the job. rank % 8, rank / 8, ranks 0-3;4-7: the "
                           "groups that this rule forms, all at the same time. rank / 8 + rank % 8: calls of two kinds "
                           "of groups in alternation; key.ranks is then the number of ranks of all groups.")
        .column(20)
        .holds(Privacy::names),
    field<&CaseKey::counts>("counts",
                            "How the blocks of an uneven collective (allgatherv, alltoallv, ...) differ: even, linear, "
                            "zipf:1.2, one-empty, moe:64,2,1.2, ...; null for other collectives, or unknown.")
        .later()
        .column(81),
    field<&CaseKey::window>("window",
                            "Messages, or one-sided accesses, that a rank has in flight before it waits; null if it "
                            "sends no stream of them, or unknown.")
        .at_least(1)
        .later()
        .column(82),
    field<&CaseKey::form>("form",
                          "nonblocking: started, then waited for. persistent: prepared once, then started and waited "
                          "for each time. null for the plain call, or unknown.")
        .later()
        .column(83),
    field<&CaseKey::progress>("progress",
                              "What advances the call while the rank works. library: the library alone. poll: tests "
                              "between parts of the work. thread: a thread of its own. null without work.")
        .later()
        .column(84),
    field<&CaseKey::work>("work",
                          "Work between start and wait, in per cent of the time of the call alone; null without work.")
        .at_least(0)
        .later()
        .column(85),
    field<&CaseKey::training>("training", "How ranks train; null for collectives.").later(),
};
constexpr Part case_key_part{
    "key", "What was measured, without the result. Cases of two runs with equal keys are comparable.", case_key_fields};

constexpr Field library_choice_fields[] = {
    field<&LibraryChoice::algorithm>(
        "algorithm",
        "NCCL: ring, tree, collnet_direct, collnet_chain, nvls, nvls_tree, pat, or others of newer versions.")
        .must_be_there(),
    field<&LibraryChoice::protocol>("protocol", "NCCL: ll, ll128, simple, or others of newer versions.")
        .must_be_there(),
    field<&LibraryChoice::channels>("channels",
                                    "Number of parallel data paths; null if the library does not report it.")
        .at_least(1),
};
constexpr Part library_choice_part{"library_choice", "The library's choice, in its own names, lower case.",
                                   library_choice_fields};

constexpr Field overhead_fields[] = {
    field<&Overhead::inside_s>("inside_s", "In the collective: the timed part.").must_be_there(),
    field<&Overhead::start_s>("start_s", "Waiting for the start: in the barrier or for the window.").must_be_there(),
    field<&Overhead::data_s>("data_s", "Filling and checking buffers.").must_be_there(),
    field<&Overhead::other_s>("other_s", "The rest: warm-up, agreement, statistics.").of_any_sign().must_be_there(),
};
constexpr Part overhead_part{"overhead",
                             "Breakdown of the wall time of the case on rank 0, in seconds, summed over its rounds.",
                             overhead_fields};

constexpr Field overlap_fields[] = {
    field<&Overlap::hidden>(
        "hidden",
        "Hidden share: (alone + work - total) / min(alone, work) of each sample, median over rounds "
        "of medians over samples. 1: the shorter of call and work is hidden completely; 0: they "
        "run one after the other; negative: together they take longer than that.")
        .of_any_sign()
        .must_be_there()
        .column(86, "hidden_share"),
    field<&Overlap::hidden_interval>("hidden_interval",
                                     "Confidence interval of hidden over rounds; null if there are too few rounds."),
    field<&Overlap::alone_s>("alone_s", "The call in its form, started and waited for at once, in the same rounds.")
        .must_be_there()
        .column(87),
    field<&Overlap::work_s>("work_s", "The work while no call is in progress, in the same rounds.")
        .must_be_there()
        .column(88),
    field<&Overlap::start_s>("start_s", "Part of time_s: the start of the call.").must_be_there(),
    field<&Overlap::work_beside_s>("work_beside_s",
                                   "Part of time_s: the work between start and wait, with the tests of the call if the "
                                   "rank polls. Longer than work_s if the call slows the work down.")
        .must_be_there(),
    field<&Overlap::wait_s>("wait_s", "Part of time_s: the wait after the work.").must_be_there(),
};
constexpr Part overlap_part{"overlap",
                            "Times of a call and of work beside it, in seconds: medians over rounds of medians over "
                            "samples, slowest rank of each.",
                            overlap_fields};

constexpr Field gated_times_fields[] = {
    field<&GatedTimes::launch_s>("launch_s", "Until the host has enqueued the call on the device.").must_be_there(),
    field<&GatedTimes::device_s>("device_s", "On the device, by its own clock.").must_be_there(),
    field<&GatedTimes::notice_s>("notice_s",
                                 "The rest, from the start signal until the host knows that the call is complete. Can "
                                 "be slightly negative, because two clocks are involved.")
        .of_any_sign()
        .must_be_there(),
};
constexpr Part gated_times_part{
    "gated",
    "Parts of the time of calls that all ranks enqueued before any call started on a device, in seconds. Each part is "
    "the slowest rank's, and a median over rounds of medians.",
    gated_times_fields};

constexpr Field group_time_fields[] = {
    field<&GroupTime::kind>("kind", "Kind of groups: key.group of a case of this kind alone.")
        .must_be_there()
        .holds(Privacy::own_words),
    field<&GroupTime::group>("group", "Number of the group within its kind, from 0, ordered by first rank.")
        .must_be_there(),
    field<&GroupTime::ranks>("ranks", "Its ranks in the job: 0-7, or 0,3,5, or 0-56:8 (0, 8, ..., 56).")
        .must_be_there()
        .holds(Privacy::own_words),
    field<&GroupTime::time_s>(
        "time_s", "Time of one call by the slowest of its ranks, in seconds: median over rounds of medians.")
        .must_be_there(),
    field<&GroupTime::interval_s>("interval_s",
                                  "Confidence interval of time_s over rounds; null if there are too few."),
    field<&GroupTime::busbw_GBps>("busbw_GBps", "Bus bandwidth of the group, in 1e9 B/s; null without bytes."),
    field<&GroupTime::over_others>(
        "over_others", "Its time divided by the median of the other groups in the same round; median over rounds.")
        .must_be_there(),
    field<&GroupTime::over_others_interval>(
        "over_others_interval",
        "Confidence interval of over_others, over rounds; wider the more groups there are, so that all groups' "
        "intervals hold together. null if there are too few rounds."),
};
constexpr Part group_time_part{"group_time", "Times of one of several groups that called at the same time.",
                               group_time_fields};

constexpr Field kind_time_fields[] = {
    field<&KindTime::kind>("kind", "Kind of groups: key.group of a case of this kind alone.")
        .must_be_there()
        .holds(Privacy::own_words),
    field<&KindTime::time_s>("time_s", "Time of one call by the slowest rank of all groups, in seconds.")
        .must_be_there(),
    field<&KindTime::interval_s>("interval_s", "Confidence interval of time_s over rounds; null if there are too few."),
};
constexpr Part kind_time_part{"kind_time", "Calls of one kind of groups within samples that alternate two kinds.",
                              kind_time_fields};

constexpr Field check_fields[] = {
    field<&Check::state>("state",
                         "off: not checked. none: no data (barrier, no bytes). unknown: the source does not say.")
        .must_be_there()
        .column(36, "check"),
    field<&Check::calls_made>("calls_made", "Calls of the case, including warm-up. null or absent if unknown.").later(),
    field<&Check::calls_checked>("calls_checked", "Calls whose result was compared, partly or completely."),
    field<&Check::calls_whole>("calls_whole",
                               "Calls whose result was compared completely, every element. null or absent if unknown.")
        .later(),
    field<&Check::element_share>("element_share",
                                 "Fraction of elements that were compared, over the results of all calls on all ranks, "
                                 "0 to 1. null or absent if unknown.")
        .at_most(1)
        .later(),
    field<&Check::wrong_elements>("wrong_elements", "Number of wrong elements; imported from tools that count them.")
        .column(37),
    field<&Check::wrong_ranks>("wrong_ranks", "Ranks with a wrong element."),
    field<&Check::first>("first", "The first wrong element; null if none was found, or unknown."),
};
constexpr Part check_part{"check", "Result of checking the data.", check_fields};

constexpr Field wrong_element_fields[] = {
    field<&WrongElement::rank>("rank", "Rank with that element.").must_be_there(),
    field<&WrongElement::index>("index", "Index of the element in that rank's receive buffer.").must_be_there(),
    field<&WrongElement::expected>("expected", "Expected value.").must_be_there(),
    field<&WrongElement::found>("found", "Value found.").must_be_there(),
    field<&WrongElement::call>("call", "Number of calls of this case before this one, including warm-up."),
    field<&WrongElement::phase>("phase", "Phase of that call.").one_of("warm-up|timed"),
};
constexpr Part wrong_element_part{"wrong_element", "The first wrong element, on the lowest rank that found one.",
                                  wrong_element_fields};

}  // namespace

const Part& part_of(const Check* /*type*/) { return check_part; }
const Part& part_of(const WrongElement* /*type*/) { return wrong_element_part; }
const Part& part_of(const CaseRecord* /*type*/) { return case_record_part; }
const Part& part_of(const CaseKey* /*type*/) { return case_key_part; }
const Part& part_of(const LibraryChoice* /*type*/) { return library_choice_part; }
const Part& part_of(const Overhead* /*type*/) { return overhead_part; }
const Part& part_of(const Overlap* /*type*/) { return overlap_part; }
const Part& part_of(const GatedTimes* /*type*/) { return gated_times_part; }
const Part& part_of(const GroupTime* /*type*/) { return group_time_part; }
const Part& part_of(const KindTime* /*type*/) { return kind_time_part; }

}  // namespace busbar
