// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/case_key.hpp"
#include "core/clock_facts.hpp"
#include "core/environment.hpp"
#include "core/library_choice.hpp"
#include "core/machine/contention.hpp"
#include "core/machine/noise.hpp"
#include "core/machine/timer.hpp"
#include "core/round.hpp"
#include "core/settling.hpp"
#include "core/simulation.hpp"
#include "core/statistics.hpp"
#include "core/statistics/interval.hpp"
#include "core/statistics/modes.hpp"
#include "core/telemetry.hpp"

/// What a run leaves behind, as plain data: one RunRecord, then a CaseRecord a case, then an EndRecord.
/// On disk one JSON object a line (core/journal.hpp); the schema is docs/record.schema.json, the words docs/records.md.
namespace busbar {

/// Version of the format that this build writes. It reads this and all older ones and refuses newer ones by name.
inline constexpr int schema_version = 1;

/// The program that took the numbers.
struct Tool {
  std::string name;  ///< busbar-bench, nccl-tests, ...
  std::optional<std::string> version;
  std::optional<std::string> revision;  ///< git, of the sources it was built from
  std::optional<std::string> compiler;
  std::optional<std::string> build_type;
};

/// One rank of the job and where it ran.
struct RankPlace {
  int rank = 0;
  std::string host;                       ///< name of a Host in the same record
  std::optional<int> local_rank;          ///< among the ranks of its host
  std::optional<std::string> cpus;        ///< CPUs it may run on: "0-3,8"
  std::optional<bool> bound;              ///< false: it may run on every CPU of its host
  std::optional<std::string> device;      ///< name of the GPU it used
  std::optional<std::string> device_bus;  ///< PCI address or index as the source gave it
  std::optional<std::string> device_uuid;
};

struct Mpi {
  std::string library;   ///< one line, e.g. "Open MPI 4.1.4"
  std::string standard;  ///< "3.1"
  std::string thread_level;
  std::optional<bool> yields;                 ///< ranks that wait let others have their CPU
  std::optional<std::string> yield_asked_by;  ///< who wanted that: "busbar: more ranks than CPUs", "the user", "nobody"
};

/// The rules that ended a case, the first that held.
struct StopAt {
  double confidence = 0.95, relative_half_width = 0.02;  ///< of the interval of the median over rounds
  int least_rounds = 0;
  double least_span_s = 0;             ///< from a case's first round
  double case_budget_s = 0;            ///< wall time of a case
  std::optional<double> run_budget_s;  ///< wall time of the sampling of all cases; empty: none
  std::uint64_t most_samples = 0;
};

/// Buffers begin at a multiple of `alignment_bytes` plus an offset.
struct BufferPlace {
  std::uint64_t alignment_bytes = 0, send_offset_bytes = 0, recv_offset_bytes = 0;
};

/// What clocks are called in records.
inline constexpr auto host_clock = "host", device_clock = "cuda_events";

/// How numbers were taken; two runs that differ here do not mean the same by "time".
struct Method {
  std::string cadence;    ///< barrier, synchronised, streaming
  std::string rank_rule;  ///< slowest: a sample is the slowest rank's; mean: mean over ranks
  /// What key.bytes are: larger_buffer: the larger of a rank's send and receive buffer; unknown: a table did not say.
  std::string size_rule = "larger_buffer";
  /// Which one `time_s` is: median or mean over iterations, or median_of_rounds: of the medians of rounds.
  std::string statistic;
  std::optional<int> warmup_iterations;
  std::optional<int> iterations;             ///< fixed number, empty where a stop rule decided
  std::optional<int> aggregated_iterations;  ///< calls timed as one iteration; empty: by case
  std::string check;                         ///< every_call, every_call_sampled, some_calls, off, unknown
  std::optional<StopAt> stop;                ///< what ended a case; empty where imported or where the number was fixed
  std::optional<BufferPlace> buffers;        ///< where buffers lay; empty where not known
  std::optional<std::string> clock;          ///< that samples are read from: host, cuda_events; empty: not known
  std::optional<int> graph_calls;            ///< calls that were launched as one CUDA graph; empty: none were
  std::optional<bool> registered_buffers;    ///< with the library (ncclCommRegister); empty: not known
  std::optional<bool> nonblocking_calls;     ///< calls return before their work is in the stream; empty: not known
  std::optional<bool> shared_gpu;            ///< ranks shared a GPU, on purpose: no figure of a real cluster
};

struct RunRecord {
  int schema = schema_version;
  std::string id;  ///< unlike any other run's: start time and a random part
  /// Id of the record that this launch went on with (--resume); empty: it began one of its own.
  std::optional<std::string> resumes;
  std::string origin = "measured";  ///< measured here, simulated, or imported from another tool's output
  Tool tool;
  std::vector<std::string> argv;              ///< empty where not known
  std::optional<std::string> start_utc;       ///< "2026-01-31T12:00:00Z"
  std::map<std::string, std::string> labels;  ///< the user's own: platform=vm
  int ranks = 0;                              ///< 0: not known, of an imported launch that failed before it said so
  std::optional<int> nodes;
  bool anonymised = false;  ///< names of machines are aliases (core/anonymiser.hpp)
  Method method;
  std::optional<Mpi> mpi;
  std::map<std::string, std::string> libraries;    ///< versions: {"nccl", "2.28.9"}
  std::vector<Host> hosts;                         ///< facts of each host, core/environment.hpp
  std::vector<RankPlace> placement;                ///< a row a rank, in order
  std::map<std::string, std::string> environment;  ///< variables from the allow-list only
  std::optional<Timer> timer;                      ///< of rank 0's clock
  std::optional<ClockFacts> clock;                 ///< how ranks came to one time
  std::vector<Noise> noise;                        ///< a row a rank, in order; empty where not measured
  std::optional<std::string> source;               ///< imported: file it came from
  std::optional<Simulation> simulation;            ///< of a run whose origin is "simulated"
  std::vector<std::string> notes;  ///< what a reader should know: warnings of the run or of the importer
};

enum class Status { ok, skipped, failed };

/// A case whose data was wrong: the first difference on the lowest rank that saw one.
struct WrongElement {
  int rank = 0;
  std::uint64_t index = 0;  ///< element of that rank's receive buffer
  std::string expected;
  std::string found;
  std::uint64_t call = 0;  ///< how many calls of this case had been made before, warm-up counted
  std::string phase;       ///< "warm-up" or "timed"
};

struct Check {
  std::string state;  ///< passed, failed, off, unknown
  std::optional<std::uint64_t> calls_checked;
  std::optional<double> wrong_elements;  ///< imported from tools that count them
  std::vector<int> wrong_ranks;          ///< ranks that saw a wrong element
  std::optional<WrongElement> first;
};

/// One rank's own times, before the slowest is taken. The median is the median over rounds of its own medians.
struct RankSummary {
  int rank = 0;
  double min_s = 0, median_s = 0, max_s = 0;
};

/// A rank that starts last more often than chance allows (bench/engine/arrival.hpp).
struct LateRank {
  int rank = 0;
  std::string host;
  std::optional<std::string> cpus, device;
  double last_share = 0;  ///< of the samples it started last, mean over rounds
  double behind_s = 0;    ///< behind the first rank, median over rounds
};

/// How ranks came to the calls, apart from how long the transfer then took. By synchronised clocks; medians over rounds
/// of medians over samples.
struct Arrival {
  double skew_s = 0;      ///< from the first rank's start to the last one's
  double transfer_s = 0;  ///< from the last rank's start to the last one's end, one call
  std::vector<LateRank> late;
};

/// Wall time of a case on rank 0, summed over its rounds.
struct Overhead {
  double inside_s = 0;  ///< in the collective
  double start_s = 0;   ///< waiting for the start: barrier or window
  double data_s = 0;    ///< poisoning, filling, checking buffers
  double other_s = 0;   ///< warm-up, agreeing, statistics
};

struct CaseRecord {
  int index = 0;  ///< position in the plan of the run
  CaseKey key;
  Status status = Status::ok;
  std::optional<std::string> reason;              ///< why skipped or failed
  std::optional<std::uint64_t> count;             ///< elements, as the library's count argument
  std::optional<std::string> reduction;           ///< who reduced: "MPI_SUM", "busbar's op for fp16", ...
  std::optional<LibraryChoice> choice;            ///< told by the library; empty: not known. "library_choice" on disk
  std::optional<double> time_s;                   ///< by the run's Method; what the bandwidths are made from
  std::optional<double> algbw_GBps;               ///< bytes / time_s, 1 GB = 1e9 B
  std::optional<double> busbw_GBps;               ///< algbw times bus_factor
  std::optional<double> bus_factor;               ///< by collective and ranks, as in nccl-tests' PERFORMANCE.md
  std::map<std::string, double> time_by_clock_s;  ///< where there are two clocks: time_s by each of them
  std::optional<Summary> statistics;              ///< over samples_s; empty where the raw samples are not known
  std::optional<std::uint64_t> samples_taken;
  std::vector<double> samples_s;        ///< one an iteration: the slowest rank; cut to a cap, see samples_taken
  std::optional<Interval> interval_s;   ///< of time_s, over rounds
  std::optional<PacedTime> paced;       ///< with the pace of the CPUs meanwhile; empty where not known
  std::vector<Round> rounds;            ///< in order; empty where not known
  std::optional<Modes> modes;           ///< where rounds fall into two groups
  std::optional<int> calls_per_sample;  ///< timed as one; empty where not known
  std::optional<std::uint64_t> invalid_samples;  ///< synchronised: left out because a rank missed its window
  std::optional<Arrival> arrival;
  std::vector<Usage> usage;              ///< what each rank got of its processor; empty where not known
  std::optional<Contention> contention;  ///< empty where not looked at
  std::vector<GpuTelemetry> telemetry;   ///< what each rank's GPU did; empty where no rank has one that NVML knows
  std::optional<bool> throttled;         ///< some rank's GPU was; empty where not known
  std::optional<Overhead> overhead;      ///< only where asked for
  std::optional<Training> training;      ///< of a case of kind "training"
  std::vector<std::string> remarks;      ///< what a person should know of these numbers
  std::vector<RankSummary> ranks;        ///< a row a rank, in order; empty where not known
  Check check;
  std::optional<int> warmup_iterations;
  std::optional<std::string> ended_by;  ///< what ended the sampling: converged, time_budget, ..., docs/records.md
  std::optional<double> started_s;      ///< since the start of the run
  std::optional<double> wall_s;         ///< the whole case with set-up and checks
  /// Which launch measured it: 0 the run's first, n the n-th that resumed it. Not a key: told by where its line stands.
  std::size_t launch = 0;
};

struct EndRecord {
  std::string status;  ///< ok, failed (some case did), aborted, interrupted, output, unknown
  std::optional<std::string> reason;
  std::optional<int> exit_code;
  int ok = 0, skipped = 0, failed = 0;
  std::optional<std::string> end_utc;
  std::optional<double> wall_s;
  std::optional<ClockChecks> clock;  ///< looks at the clocks during the run; empty where there were none
  std::optional<Settling> settling;  ///< of the ranks of a host; empty where they were not settled
};

/// A whole journal, as read back.
struct Run {
  std::string path;  ///< file it was read from
  RunRecord head;
  std::vector<CaseRecord> cases;
  std::optional<EndRecord> end;    ///< empty where the run did not get there
  std::vector<std::string> notes;  ///< what the reader noticed: "line 7 is cut off ..."
  /// Launches that went on with the run, in order: CaseRecord::launch counts them from 1.
  std::vector<RunRecord> resumed;
};

/// Short name of a run for legends and tables: its labels if it has any, else the file's name without suffix.
[[nodiscard]] std::string display_name(const Run&);

/// "8 ranks on 2 nodes"; "8 ranks", "unknown ranks" where no more is known.
[[nodiscard]] std::string scale_text(const RunRecord&);

[[nodiscard]] std::string_view name(Status);

/// Sets time_s and both bandwidths (null for no bytes or no time) from the key, a time and a factor.
void set_bandwidth(CaseRecord&, double time_s, double bus_factor);

void to_json(nlohmann::json&, const RunRecord&);
void from_json(const nlohmann::json&, RunRecord&);
void to_json(nlohmann::json&, const CaseRecord&);
void from_json(const nlohmann::json&, CaseRecord&);
void to_json(nlohmann::json&, const EndRecord&);
void from_json(const nlohmann::json&, EndRecord&);

}  // namespace busbar
