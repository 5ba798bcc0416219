// SPDX-License-Identifier: Apache-2.0
#include "core/record/case_record.hpp"
#include "core/record/check.hpp"
#include "core/record/field.hpp"

namespace busbar {
namespace {

std::string id_of(const CaseRecord& record) { return to_string(record.key); }

void check_read_figures(void* owner) { check_figures(*static_cast<const CaseRecord*>(owner)); }

constexpr Field case_record_fields[] = {
    constant("record", "case", "Which of the four records this is."),
    field<&CaseRecord::index>(
        "index", "Position in the plan of the run. Records stand in the order in which their cases ended."),
    derived<CaseRecord, id_of>("id", "The key as one string: equal keys give equal strings.").not_empty(),
    field<&CaseRecord::key>("key", "What was measured.").must_be_there().holds(Privacy::own_words),
    field<&CaseRecord::status>(
        "status",
        "partial: it has a time, but the run ended before it had the rounds that an interval needs. skipped: it could "
        "not run here, or no time was left for it. failed: wrong data, or an error of a library.")
        .must_be_there()
        .column(23),
    field<&CaseRecord::reason>("reason", "Why it is partial, skipped or failed; null where it is none of these.")
        .column(24),
    field<&CaseRecord::count>("count", "Elements, as the library's count argument.").column(13, "count_elements"),
    field<&CaseRecord::reduction>("reduction",
                                  "Who reduced: MPI_SUM, an op of busbar's own, ...; null for what does not reduce."),
    field<&CaseRecord::time_s>("time_s",
                               "Time of one call by the run's method, in seconds; null where nothing was measured.")
        .column(25),
    field<&CaseRecord::algbw_GBps>(
        "algbw_GBps",
        "key.bytes / time_s, in 1e9 B/s; of kinds copy and pair as its source gives it. null without bytes or time.")
        .column(26),
    field<&CaseRecord::busbw_GBps>("busbw_GBps", "algbw_GBps times bus_factor, in 1e9 B/s.").column(27),
    field<&CaseRecord::time_by_clock_s>(
        "time_by_clock_s",
        "Where there are two clocks: the time by each (host, cuda_events; see method), medians over rounds of medians, "
        "slowest rank; time_s is one of them, the other is of some more calls. Empty where there is one clock.")
        .later(),
    field<&CaseRecord::bus_factor>("bus_factor",
                                   "By collective and ranks, as nccl-tests define it; null where they define none (a "
                                   "pair, exchange, scan), and without bytes or time.")
        .column(28),
    field<&CaseRecord::statistics>(
        "statistics",
        "Over all samples, of whatever round, also those that samples_s does not hold; null where they are not known."),
    field<&CaseRecord::samples_taken>("samples_taken",
                                      "Samples that were taken; more than samples_s holds where that was cut to a cap.")
        .column(35),
    field<&CaseRecord::samples_s>("samples_s",
                                  "The samples that were kept, in the order they were taken, in seconds: of each the "
                                  "slowest rank's time for one call. Where there are rounds, the first rounds[0].kept "
                                  "of them are of the first, the next rounds[1].kept of the second, and so on."),
    field<&CaseRecord::ranks>("ranks", "A row a rank, in order; empty where not known."),
    field<&CaseRecord::check>("check", "Whether the data was right."),
    field<&CaseRecord::warmup_iterations>(
        "warmup_iterations", "Calls before the first sample; a later round has one, or none where this is 0."),
    field<&CaseRecord::ended_by>(
        "ended_by",
        "What ended the sampling; null where nothing was sampled, or it is not known. count: the fixed number was "
        "taken. converged, time_budget, run_budget, max_samples: that rule of method.stop. wrong_data: a result was "
        "wrong. missed_windows: round after round, some rank was not ready when its window opened. interrupted: by a "
        "signal. unfinished: the program was killed later; the case as it stood."),
    field<&CaseRecord::started_s>(
        "started_s",
        "When it started, in seconds since the start of the run; its first round, where there are rounds."),
    field<&CaseRecord::wall_s>(
        "wall_s",
        "How long it took in all, with warm-up and checks, in seconds; summed over its rounds, where there are any."),
    field<&CaseRecord::interval_of_launches_s>(
        "interval_of_launches_s",
        "Of the median over later launches, in seconds: interval_s, widened by the spread between launches (of the "
        "case, else method.launch_spread) and reaching to the median of earlier launches. null or absent where nothing "
        "is known of that: no interval_s, no earlier launch of the case and no contention.")
        .later(),
    field<&CaseRecord::interval_s>(
        "interval_s",
        "Interval of time_s over rounds, in seconds; null where there are too few rounds (below 6 at 95 %; rounds that "
        "resemble their neighbours count as fewer), or they are not known.")
        .later()
        .column(38, "interval_low_s", "low")
        .column(39, "interval_high_s", "high")
        .column(40, "confidence", "confidence"),
    field<&CaseRecord::paced>("paced",
                              "What the case took, and what the fixed piece of work took the CPUs meanwhile: compared "
                              "figures are brought to equal pace with it. null where the pace is not known.")
        .later(),
    field<&CaseRecord::rounds>("rounds", "The rounds that have a sample, in order; empty where not known.")
        .later()
        .column(41),
    field<&CaseRecord::modes>(
        "modes",
        "Two groups that the rounds fall into; time_s is of both together. null where they do not, or it is not known.")
        .later(),
    field<&CaseRecord::calls_per_sample>(
        "calls_per_sample",
        "Calls that were timed together as one sample; all times are of one call. null where not known.")
        .at_least(1)
        .later()
        .column(42),
    field<&CaseRecord::invalid_samples>(
        "invalid_samples",
        "Cadence synchronised: samples left out because a rank was not ready when their window opened; samples_taken "
        "does not count them. null under other cadences.")
        .later(),
    field<&CaseRecord::arrival>("arrival", "How ranks came to the calls; null for one rank, or where not known.")
        .later(),
    field<&CaseRecord::usage>("usage", "A row a rank, in order; empty where not known.").later(),
    field<&CaseRecord::contention>("contention",
                                   "Whether something else had the processors; null where it was not looked at.")
        .later(),
    field<&CaseRecord::telemetry>(
        "telemetry", "What each rank's GPU did, a row a rank, in order; empty where no rank has one that NVML knows.")
        .later(),
    field<&CaseRecord::throttled>(
        "throttled", "Some rank's GPU was held down by power, temperature or supply; null where not known.")
        .later(),
    field<&CaseRecord::gated>("gated", "Launch, device and notice apart; null where there is no device's clock.")
        .later(),
    field<&CaseRecord::overhead>("overhead",
                                 "Where the time around the collective went; null where it was not asked for.")
        .later(),
    field<&CaseRecord::library_call>("library_call",
                                     "Function of the library that was timed: MPI_Allreduce, ncclAllReduce, grouped "
                                     "ncclSend and ncclRecv; null where not known.")
        .like(line_form)
        .later()
        .column(80)
        .holds(Privacy::own_words),
    field<&CaseRecord::choice>("library_choice",
                               "What the library said that it chose for this collective, on rank 0 before the first "
                               "sample; null where it did not say.")
        .later(),
    field<&CaseRecord::training>("training", "What training came to; null for collectives.").later(),
    field<&CaseRecord::remarks>("remarks", "What a person should know before using these numbers, a sentence each.")
        .later(),
};
constexpr Part case_record_part{"case", "One case: one line for everything that was measured under one key.",
                                case_record_fields, check_read_figures};

constexpr Field case_key_fields[] = {
    field<&CaseKey::kind>("kind",
                          "collective: one call of one collective. training: a step. Imported also pair: what ranks do "
                          "with each other two by two, such as pingpong; function: what another program timed under a "
                          "name; copy: memory copied between two devices.")
        .like(word_form)
        .column(5),
    field<&CaseKey::collective>(
        "collective",
        "allreduce, allgather, broadcast, reduce_scatter, alltoall, reduce, gather, scatter, sendrecv, barrier, ...; "
        "of other kinds the model, or the name that a program gave what it timed.")
        .like(line_form)
        .must_be_there()
        .column(6),
    field<&CaseKey::backend>("backend", "What moved the data: mpi, nccl, ...")
        .like(word_form)
        .must_be_there()
        .column(7),
    field<&CaseKey::memory>("memory", "Where the buffers were; null where there is none, or it is not known.")
        .one_of("host|device")
        .column(8),
    field<&CaseKey::type>("type",
                          "Type of the elements: int8, int32, int64, uint8, uint32, uint64, fp16, bf16, fp32, fp64, "
                          "fp8_e4m3, fp8_e5m2; an imported one may be another. null where there are none.")
        .like(word_form)
        .column(9),
    field<&CaseKey::op>(
        "op", "Reduction: sum, prod, min, max, avg; an imported one may be another. null for what does not reduce.")
        .like(word_form)
        .column(10),
    field<&CaseKey::root>("root", "Root rank; null for collectives without one.").column(11),
    field<&CaseKey::bytes>("bytes", "The larger of a rank's send and receive buffer, as in nccl-tests.")
        .must_be_there()
        .column(12, "size_bytes"),
    field<&CaseKey::in_place>("in_place", "Send and receive buffer were one; null where there is no buffer.")
        .column(14),
    field<&CaseKey::ranks>("ranks", "Ranks that took part.").at_least(1).must_be_there().column(15),
    field<&CaseKey::nodes>("nodes", "Hosts they were on.").at_least(1).column(16),
    field<&CaseKey::ranks_per_node>(
        "ranks_per_node", "Ranks on each host; null where hosts hold different numbers of them, or it is not known.")
        .at_least(1)
        .column(17),
    field<&CaseKey::cadence>(
        "cadence", "How iterations followed each other, as in the run's method, or cold; null where not known.")
        .one_of("barrier|synchronised|streaming|cold|blocking|unknown")
        .column(18),
    field<&CaseKey::algorithm>("algorithm",
                               "That the library was told to use, algorithm, protocol and CTA policy: ring/simple, "
                               "ring, */ll128, symmetric+zero; null where it chose by itself, or it is not known.")
        .column(19),
    field<&CaseKey::group>("group", "Which ranks took part; world: all ranks of the job.")
        .column(20)
        .holds(Privacy::names),
    field<&CaseKey::training>("training", "How ranks train; null for collectives.").later(),
};
constexpr Part case_key_part{
    "key", "What was measured, without the result. Cases of two runs with equal keys can be compared.",
    case_key_fields};

constexpr Field library_choice_fields[] = {
    field<&LibraryChoice::algorithm>(
        "algorithm", "NCCL: ring, tree, collnet_direct, collnet_chain, nvls, nvls_tree, pat, or what a newer one has.")
        .must_be_there(),
    field<&LibraryChoice::protocol>("protocol", "NCCL: ll, ll128, simple, or what a newer one has.").must_be_there(),
    field<&LibraryChoice::channels>("channels",
                                    "Parallel ways that the data takes; null where the library does not say.")
        .at_least(1),
};
constexpr Part library_choice_part{"library_choice", "What the library chose, in its own names, lower case.",
                                   library_choice_fields};

constexpr Field overhead_fields[] = {
    field<&Overhead::inside_s>("inside_s", "In the collective: the timed part.").must_be_there(),
    field<&Overhead::start_s>("start_s", "Waiting for the start: in the barrier, or for the window.").must_be_there(),
    field<&Overhead::data_s>("data_s", "Filling and checking buffers.").must_be_there(),
    field<&Overhead::other_s>("other_s", "All the rest: warm-up, agreeing, statistics.").of_any_sign().must_be_there(),
};
constexpr Part overhead_part{
    "overhead", "Where the wall time of the case went on rank 0, in seconds, summed over its rounds.", overhead_fields};

constexpr Field gated_times_fields[] = {
    field<&GatedTimes::launch_s>("launch_s", "Until the host had given the call to the device.").must_be_there(),
    field<&GatedTimes::device_s>("device_s", "On the device, by its own clock.").must_be_there(),
    field<&GatedTimes::notice_s>("notice_s",
                                 "The rest from the start signal until the host knew that the call was complete. Two "
                                 "clocks: it can be slightly negative.")
        .of_any_sign()
        .must_be_there(),
};
constexpr Part gated_times_part{
    "gated",
    "Parts of the time of calls that all ranks had given to their devices before any started there, in seconds: each "
    "part the slowest rank's, the median over rounds of medians.",
    gated_times_fields};

constexpr Field check_fields[] = {
    field<&Check::state>(
        "state", "off: not looked at. none: there is no data (barrier, no bytes). unknown: the source does not say.")
        .must_be_there()
        .column(36, "check"),
    field<&Check::calls_made>("calls_made", "Calls of the case, warm-up counted. null or absent where not known.")
        .later(),
    field<&Check::calls_checked>("calls_checked", "Calls whose result was compared, in part or whole."),
    field<&Check::calls_whole>("calls_whole",
                               "Calls of whose result every element was compared. null or absent where not known.")
        .later(),
    field<&Check::element_share>("element_share",
                                 "Elements that were compared, of all elements of the results of all calls on all "
                                 "ranks. null or absent where not known.")
        .at_most(1)
        .later(),
    field<&Check::wrong_elements>("wrong_elements", "Imported from tools that count them.").column(37),
    field<&Check::wrong_ranks>("wrong_ranks", "Ranks that saw a wrong element."),
    field<&Check::first>("first", "The first wrong element; null where none was found, or it is not known."),
};
constexpr Part check_part{"check", "Whether the data was right.", check_fields};

constexpr Field wrong_element_fields[] = {
    field<&WrongElement::rank>("rank", "That rank.").must_be_there(),
    field<&WrongElement::index>("index", "Element of its receive buffer.").must_be_there(),
    field<&WrongElement::expected>("expected", "What it should have been.").must_be_there(),
    field<&WrongElement::found>("found", "What it was.").must_be_there(),
    field<&WrongElement::call>("call", "Calls of this case that had been made before, warm-up counted."),
    field<&WrongElement::phase>("phase", "When that was.").one_of("warm-up|timed"),
};
constexpr Part wrong_element_part{"wrong_element", "The first element found wrong, on the lowest rank that saw one.",
                                  wrong_element_fields};

}  // namespace

const Part& part_of(const Check* /*type*/) { return check_part; }
const Part& part_of(const WrongElement* /*type*/) { return wrong_element_part; }
const Part& part_of(const CaseRecord* /*type*/) { return case_record_part; }
const Part& part_of(const CaseKey* /*type*/) { return case_key_part; }
const Part& part_of(const LibraryChoice* /*type*/) { return library_choice_part; }
const Part& part_of(const Overhead* /*type*/) { return overhead_part; }
const Part& part_of(const GatedTimes* /*type*/) { return gated_times_part; }

}  // namespace busbar
