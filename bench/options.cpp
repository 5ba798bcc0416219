// SPDX-License-Identifier: Apache-2.0
#include "bench/options.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/backend/plugin_file.hpp"
#include "core/base/units.hpp"
#include "core/base/words.hpp"
#include "core/ranks/here.hpp"
#include "core/record/method.hpp"

namespace busbar {
namespace {

/// All cadences except Cadence::cold, which is a condition, and those of replays.
constexpr auto names_of_hot = std::span(cadence_names).first<3>();

/// Option values as text.
struct Words {
  JobWords job;
  std::vector<std::string> collectives, types, ops, sizes, windows;
  std::string from = "8", to = "64M", factor = "2", step;
  std::string root = "0", place = "out", offsets = "0";
  std::string iterations, warmup = "5", check = "sampled";
  std::vector<std::string> conditions, forms, overlaps, works;
  std::string cadence = "barrier", stream_calls = "20", settle = "auto", backend = "mpi";
  std::string memory, clock = "host", graph = "0", work_sms, gpus_per_rank = "1", launch = "group";
  std::vector<std::string> backend_options, counts, algorithms, protocols, cta_policies, groups, layouts, splits;
  std::string between = "auto";
  bool concurrent = false, alone = false, gaps = false, rescale = false;
  bool overhead = false, list = false, share_gpu = false, registered = false, nonblocking = false, comm_split = false;
  StopWords stop{.run_budget = "auto"};
  bool quick = false;
};

constexpr const char* notes =
    "Sizes are binary (1K = 1024) and mean what they mean in nccl-tests: the larger of a rank's send and receive "
    "buffer. "
    "Bandwidth is decimal (1 GB/s = 1e9 B/s). A sample is the time of the slowest rank in one call. Cases are sampled "
    "in rounds; the time shown is the median over rounds of each round's median. docs/method.md explains the "
    "intervals.";

const std::vector<std::string> examples{
    "mpirun -np 2 busbar-bench",
    "mpirun -np 8 busbar-bench allreduce allgather -b 8 -e 1G -d fp32,bf16",
    "mpirun -np 8 busbar-bench allreduce --backend nccl --clock events -d bf16",
    "mpirun -np 4 busbar-bench reduce_scatter --sizes 8,1K,3000000 --op sum,max --place both",
    "mpirun -np 8 --bind-to core busbar-bench --cadence streaming --width 1 --run-budget 300",
    "mpirun -np 16 busbar-bench allreduce alltoall --groups node,leaders,world",
    "mpirun -np 16 busbar-bench allreduce --layout 1x4,2x2,4x1",
    "mpirun -np 16 busbar-bench allreduce --split 'rank / 4' --split 'rank % 4'",
    "mpirun -np 2 busbar-bench p2p rma",
    "mpirun -np 8 busbar-bench unidirectional put --window 1,64 -d int8 -b 1 -e 4M",
    "mpirun -np 8 busbar-bench allreduce --overlap library,poll --work 50,100,200",
    "mpirun -np 8 busbar-bench replay et_rank_0.json",
    "mpirun -np 16 busbar-bench pairs --between ranks --sizes 8,1M,16M",
    "mpirun -np 16 busbar-bench all -d all --op all -n 20 -w 5 --label platform=vm --label interconnect=hdr",
    "mpirun -np 16 busbar-bench all -d all --resume results/x.jsonl"};

/// A simulation is deterministic, so one call per case suffices, after one call that shows how long a call takes.
/// Checking is off by default.
Words default_words() {
  Words words{.job = job_words()};
  if (here::simulation() == nullptr) return words;
  words.iterations = words.warmup = "1";
  words.check = "off";
  return words;
}

/// Appends "all" to the names.
std::vector<std::string> or_all(std::vector<std::string> names) {
  names.emplace_back("all");
  return names;
}

std::vector<std::string> names_of_types() {
  std::vector<std::string> names;
  for (const auto& row : dtypes) names.emplace_back(row.name);
  return names;
}

/// Words that stand for all rows of a family.
struct FamilyWord {
  std::string_view word, heading;
  Family family;
};
constexpr std::array family_words{FamilyWord{"all", "collectives", Family::collective},
                                  FamilyWord{"uneven", "uneven collectives, with a count per rank", Family::uneven},
                                  FamilyWord{"p2p", "messages between pairs of ranks", Family::point_to_point},
                                  FamilyWord{"rma", "one-sided access between pairs of ranks", Family::one_sided}};

std::vector<std::string> names_of_family(Family family) {
  std::vector<std::string> names;
  for (const Collective* c : table<Collective>())
    if (c->family == family) names.emplace_back(c->name);
  return names;
}

/// All names and the words for families.
std::vector<std::string> known_collectives() {
  std::vector<std::string> known = list_names<Collective>();
  for (const auto& row : family_words) known.emplace_back(row.word);
  return known;
}

/// Replaces the words for families by names.
std::vector<std::string> without_family_words(const std::vector<std::string>& words) {
  std::vector<std::string> names;
  for (const std::string& word : words) {
    const auto row = std::ranges::find(family_words, word, &FamilyWord::word);
    const auto some = row == family_words.end() ? std::vector{word} : names_of_family(row->family);
    names.insert(names.end(), some.begin(), some.end());
  }
  return names;
}

void add_sweep(CommandLine& line, Words& w) {
  line.begin_group("Sweep");
  line.add("-b,--minbytes", &w.from, "smallest size", {.name = "SIZE", .common = true});
  line.add("-e,--maxbytes", &w.to, "largest size",
           {.name = "SIZE", .standard = "64M; windows of messages: 4M", .common = true});
  line.add("-f,--stepfactor", &w.factor, "factor from one size to the next, a whole number from 2", {.name = "N"});
  line.add("-i,--stepbytes", &w.step, "add this to each size for the next, instead of -f", {.name = "SIZE"});
  line.add("--sizes", &w.sizes, "measure exactly these sizes, instead of -b, -e, -f, -i",
           {.name = "SIZE", .list = true, .common = true});
  line.add(
      "-d,--datatype", &w.types,
      "element types: int8, int32, int64, uint8, uint32, uint64, fp16, bf16, fp32, fp64, fp8_e4m3, fp8_e5m2 or all",
      {.name = "TYPE", .choices = or_all(names_of_types()), .list = true, .standard = "fp32", .common = true});
  line.add("--op", &w.ops, "reduction operations: sum, prod, min, max, avg, mulsum or all",
           {.name = "OP", .choices = or_all({op_names.begin(), op_names.end()}), .list = true, .standard = "sum"});
  line.add("--window", &w.windows,
           "messages or accesses in flight, of unidirectional, bidirectional, put, get and accumulate",
           {.name = "N", .list = true, .standard = "64; put, get, accumulate: 1"});
  line.add("-r,--root", &w.root, "root rank of broadcast, reduce, gather, scatter", {.name = "RANK"});
  line.add(
      "--counts", &w.counts,
      "how the blocks of allgatherv, alltoallv, reduce_scatterv, gatherv, scatterv differ: even; linear; zipf:S, 1 "
      "/ (rank + 1)^S; one-empty; file:FILE; alltoallv also moe:EXPERTS,TOPK,SKEW, what a router of experts sends",
      {.name = "COUNTS",
       .choices = {"even", "linear", "zipf:1.2", "one-empty", "moe:64,2,1.2"},
       .list = true,
       .standard = "even"});
  line.add("--place", &w.place, "separate send and receive buffers (out), one buffer (in), or both",
           {.name = "PLACE", .choices = {"out", "in", "both"}});
  line.add("--offset", &w.offsets, "byte offset of the buffers from a page boundary; two numbers: send,receive",
           {.name = "BYTES"});
}

void add_scope(CommandLine& line, Words& w) {
  line.begin_group("Groups of ranks");
  line.add("--groups", &w.groups,
           "measure these groups in one launch. node: the ranks of each host, all hosts at once; leaders: the first "
           "rank of each host; world: all ranks",
           {.name = "GROUP", .choices = {"node", "leaders", "world"}, .list = true, .standard = "world"});
  line.add("--layout", &w.layouts, "measure subsets of the job, NODES x RANKS PER NODE: 1x4,2x2,4x1",
           {.name = "SHAPE", .list = true});
  line.add(
      "--split", &w.splits,
      "measure all groups of ranks that RULE forms at the same time: 'rank % 8', 'rank / 8', 'rank & 5', lists such "
      "as '0-3;4-7', or the text of nccl-tests' NCCL_TESTS_SPLIT. Given twice: each kind alone, and both in "
      "alternation",
      {.name = "RULE", .single = true});
  line.add("--between", &w.between,
           "pairs: of hosts (first rank of each) or of ranks; auto: hosts, or ranks if there is one host",
           {.name = "ENDS", .choices = {"hosts", "ranks"}});
  line.add("--concurrent", &w.concurrent, "pairs: run disjoint pairs of ranks at the same time, so pairs share links");
  line.add("--alone", &w.alone, "pairs: run one pair at a time, on unshared links");
}

void add_replay(CommandLine& line, Words& w) {
  line.begin_group("Replay");
  line.add("--gaps", &w.gaps,
           "replay: wait between calls as long as the recorded job did; otherwise each call follows the one before at "
           "once");
  line.add("--rescale", &w.rescale,
           "replay: a trace of another number of ranks: make its calls over all ranks of this job, with the trace's "
           "sizes");
}

void add_sampling(CommandLine& line, Words& w) {
  line.begin_group("Sampling");
  line.add("--quick", &w.quick, "first look in 3 seconds: all sizes, wide intervals", {.common = true});
  add_stop_options(line, w.stop);
  line.begin_group("Sampling");
  line.add("-n,--iters", &w.iterations, "fixed number of samples per case; disables the stopping rule",
           {.name = "N", .common = true});
  line.add("-w,--warmup_iters", &w.warmup, "calls before the first sample of a case", {.name = "N"});
  line.add("-c,--check", &w.check,
           "compare results with the expected ones, outside the timed part. sampled (1): one element in 4 KiB of every "
           "call, and two whole calls per round; first-last: the first and last call of a round, whole; all (2): every "
           "call, whole; off (0)",
           {.name = "EXTENT", .choices = {"sampled", "first-last", "all", "off", "0", "1", "2"}});
  line.add(
      "--cadence", &w.cadence,
      "how calls start. barrier: a barrier before each, as in OSU and IMB; synchronised: all ranks at one time, by "
      "synchronised clocks; streaming: back to back, as in nccl-tests",
      {.name = "CADENCE", .choices = {names_of_hot.begin(), names_of_hot.end()}});
  line.add("--stream-calls", &w.stream_calls, "--cadence streaming: calls per sample", {.name = "N"});
  line.add("--condition", &w.conditions,
           "hot: calls in a loop, as in other tools; cold: before each call, evict caches and delay ranks by up to "
           "100 us, as in an application; hot,cold: both, and their ratio",
           {.name = "CONDITION", .choices = {"hot", "cold"}, .list = true, .standard = "hot"});
  line.add("--settle", &w.settle,
           "before and between rounds, let the ranks of a host wake one another: a hypervisor then moves them close "
           "together; auto: on virtual CPUs",
           {.name = "WHEN", .choices = {"yes", "no", "auto"}});
  line.add(
      "--clock", &w.clock,
      "host: each rank's clock, until it knows that the call is complete; events: CUDA events around the call. The "
      "record has both where possible",
      {.name = "CLOCK", .choices = {"host", "events"}});
  line.add("--overhead", &w.overhead, "show the time spent inside and around the collective, per case");
}

void add_forms(CommandLine& line, Words& w) {
  line.begin_group("Forms of calls, and work beside them");
  line.add("--form", &w.forms,
           "measure each of these. plain: one function that returns when the call is complete; nonblocking: started, "
           "then waited for (MPI_Iallreduce, MPI_Wait); persistent: prepared once, then started and waited for each "
           "time (MPI_Allreduce_init)",
           {.name = "FORM",
            .choices = {"plain", "nonblocking", "persistent"},
            .list = true,
            .standard = "plain; with --overlap: nonblocking"});
  line.add("--overlap", &w.overlaps,
           "work between start and wait, and measure the hidden share (docs/overlap.md). The call is advanced by the "
           "library alone, by poll: tests between parts of the work, or by a thread that tests all the time",
           {.name = "HOW", .choices = {"library", "poll", "thread"}, .list = true});
  line.add("--work", &w.works, "--overlap: work, in per cent of the time of the call alone",
           {.name = "PERCENT", .list = true, .standard = "100"});
  line.add("--work-sms", &w.work_sms,
           "--overlap, nccl: number of the GPU's multiprocessors that the kernel of the work uses",
           {.name = "N", .standard = "all"});
}

std::vector<std::string> plugin_names() {
  std::vector<std::string> all;
  for (const PluginFile& plugin : list_plugins()) all.push_back(plugin.name);
  return all;
}

void add_backend(CommandLine& line, Words& w) {
  line.begin_group("Backend");
  line.add("--backend", &w.backend,
           "library to measure: " + names_of<BackendFactory>() + ", or NAME of a plug-in busbar-NAME.so",
           {.name = "BACKEND", .choices = list_names<BackendFactory>(), .find_choices = plugin_names, .common = true});
  line.add("--backend-option", &w.backend_options, "set an option of a plug-in; can be repeated",
           {.name = "KEY=VALUE", .single = true});
  line.add("--memory", &w.memory, "memory of the buffers; mpi on device needs a CUDA-aware MPI",
           {.name = "MEMORY", .choices = {"host", "device"}, .standard = "mpi: host; nccl: device"});
  line.add("-g,--gpus-per-rank", &w.gpus_per_rank,
           "nccl: GPUs of each process that mpirun starts, or of the only one without mpirun. Each GPU is a rank",
           {.name = "N"});
  line.add(
      "--launch", &w.launch,
      "with --gpus-per-rank: one thread launches the calls of a process's GPUs as a group (nccl-tests -g), or each "
      "GPU has a thread (nccl-tests -t)",
      {.name = "BY", .choices = {"group", "threads"}});
  line.add("--share-gpu", &w.share_gpu, "allow several ranks per GPU: for functional tests only, not for performance");
  line.add("--graph", &w.graph, "nccl: launch this many calls as one CUDA graph, timed as one sample; 0: no graph",
           {.name = "N"});
  line.add("--register", &w.registered, "nccl: register buffers (ncclCommRegister)");
  line.add("--nonblocking", &w.nonblocking,
           "nccl: non-blocking communicators (not --form nonblocking); NCCL launches each call from its own thread, "
           "which adds to the time");
  line.add("--comm-split", &w.comm_split,
           "nccl: make the communicators of --groups, --split and pairs by ncclCommSplit, sharing resources");
  line.add(
      "--algorithm", &w.algorithms,
      "measure each of these; auto: the library's choice. mpi: names of --list, or all, with parameters as in "
      "ring/segsize=64K. nccl: values of NCCL_ALGO, such as ring,tree,nvls; symmetric: NCCL's choice over symmetric "
      "windows; grouped: alltoall, gather, scatter by sends and receives",
      {.name = "ALGORITHM",
       .choices = {"auto", "all", "ring", "tree", "nvls", "symmetric", "grouped"},
       .list = true,
       .standard = "auto"});
  line.add("--protocol", &w.protocols, "nccl: measure each of these values of NCCL_PROTO: simple,ll,ll128",
           {.name = "PROTOCOL", .choices = {"simple", "ll", "ll128"}, .list = true, .standard = "NCCL's choice"});
  line.add("--cta-policy", &w.cta_policies,
           "nccl: measure each of these limits on a GPU's CTAs for communication; zero needs --algorithm symmetric",
           {.name = "POLICY", .choices = {"default", "efficiency", "zero"}, .list = true, .standard = "default"});
}

void add_options(CommandLine& line, Words& w) {
  auto collectives = known_collectives();
  collectives.emplace_back("pairs");
  collectives.emplace_back("replay");
  line.add("COLLECTIVE", &w.collectives,
           fmt::format(
               "{}. Sets: all of these; uneven ({}); p2p ({}); rma ({}). pairs: every two hosts or ranks. replay "
               "FILE...: a recorded job. --list says what each does",
               fmt::join(names_of_family(Family::collective), ", "), fmt::join(names_of_family(Family::uneven), ", "),
               fmt::join(names_of_family(Family::point_to_point), ", "),
               fmt::join(names_of_family(Family::one_sided), ", ")),
           {.name = "NAME", .choices = collectives, .list = true, .standard = "allreduce"});
  line.add("--list", &w.list, "list collectives, types, operations, backends and MPI's algorithms");
  add_sweep(line, w);
  add_scope(line, w);
  add_replay(line, w);
  add_sampling(line, w);
  add_forms(line, w);
  add_backend(line, w);
  add_job_options(line, w.job);
}

/// "all_reduce", "AllReduce" and "all-reduce" become allreduce, "bcast" becomes broadcast.
std::string folded(std::string_view text) {
  std::string s = lower_case(text, "_-");
  return s == "bcast" ? "broadcast" : s;
}

/// Looks up each word by `find` and drops duplicates; "all" selects every value.
template <class T, class Find>
std::vector<T> look_up(std::string_view flag, const std::vector<std::string>& words, const std::vector<T>& all,
                       Find find, const std::vector<std::string>& known) {
  std::vector<T> found;
  for (const auto& word : words) {
    if (word == "all") return all;
    const std::optional<T> one = find(word);
    if (!one) throw UsageError(fmt::format("{}: {}", flag, unknown_word("", word, known)));
    if (std::ranges::find(found, *one) == found.end()) found.push_back(*one);
  }
  return found;
}

std::vector<const Collective*> parse_collectives(std::vector<std::string> words) {
  if (words.empty()) words = {"allreduce"};
  const auto rows = table<Collective>();
  const auto find = [&](const std::string& word) -> std::optional<const Collective*> {
    for (const Collective* c : rows)
      if (folded(c->name) == folded(word)) return c;
    return std::nullopt;
  };
  return look_up<const Collective*>("COLLECTIVE", without_family_words(words), {}, find, known_collectives());
}

std::vector<Unevenness> parse_unevenness(const Words& w, const std::vector<const Collective*>& collectives) {
  if (w.counts.empty()) return {{}};
  if (std::ranges::none_of(collectives, &Collective::uneven))
    throw UsageError(
        fmt::format("--counts: is for {}, or uneven: all of them", fmt::join(names_of_family(Family::uneven), ", ")));
  auto counts = parse_counts("--counts", w.counts);
  const bool alltoallv = std::ranges::any_of(collectives, [](const Collective* c) { return c->call == "alltoallv"; });
  for (const Unevenness& one : counts)
    if (differs_by_sender(one) && !alltoallv)
      throw UsageError(fmt::format("--counts: {} differs by sender; only alltoallv can have that", one.name));
  return counts;
}

std::vector<DType> parse_types(std::string_view flag, std::vector<std::string> words) {
  if (words.empty()) words = {"fp32"};
  std::vector<DType> all;
  for (const auto& row : dtypes) all.push_back(row.type);
  return look_up<DType>(flag, words, all, dtype_named, or_all(names_of_types()));
}

std::vector<Op> parse_ops(std::vector<std::string> words) {
  if (words.empty()) words = {"sum"};
  std::vector<Op> all;
  for (std::size_t i = 0; i < op_names.size(); ++i) all.push_back(static_cast<Op>(i));
  return look_up<Op>("--op", words, all, enum_named<Op>, or_all({op_names.begin(), op_names.end()}));
}

constexpr std::size_t most_sizes = 100'000;
constexpr double longest_warmup_s = 0.02;
constexpr std::size_t samples_of_a_pair = 100;  ///< kept per pair: hundreds of ranks form 100,000 pairs

std::vector<std::uint64_t> swept_sizes(const Words& w, const CommandLine& line) {
  const std::string from_flag = line.typed("-b"), to_flag = line.typed("-e"), step_flag = line.typed("-i");
  const std::uint64_t from = parse_size(from_flag, w.from), to = parse_size(to_flag, w.to);
  if (from > to)
    throw UsageError(fmt::format("{}: {} is larger than {} {}; {} is {} unless given", from_flag, w.from, to_flag, w.to,
                                 to_flag, format_size(to)));
  std::vector<std::uint64_t> sizes;
  if (!w.step.empty()) {
    const std::uint64_t step = parse_size(step_flag, w.step);
    if (step == 0 || (to - from) / step > most_sizes)
      throw UsageError(fmt::format("{}: steps of {} from {} to {} are more than {} sizes", step_flag, w.step, w.from,
                                   w.to, most_sizes));
    for (std::uint64_t s = from; s <= to; s += step) sizes.push_back(s);
  } else {
    const int factor = parse_count(line.typed("-f"), w.factor, 2, 1 << 20);
    if (from == 0)
      throw UsageError(fmt::format("{}: 0 cannot be multiplied by -f; start at 1 or more, or give -i", from_flag));
    for (std::uint64_t s = from; s <= to; s *= static_cast<std::uint64_t>(factor)) sizes.push_back(s);
  }
  return sizes;
}

std::vector<std::uint64_t> parse_sizes(const Words& w, const CommandLine& line) {
  if (w.sizes.empty()) {
    if (!w.step.empty() && line.count("-f") > 0)
      throw UsageError(fmt::format("{}: cannot be used together with {}", line.typed("-i"), line.typed("-f")));
    return swept_sizes(w, line);
  }
  for (const char* flag : {"-b", "-e", "-f", "-i"})
    if (line.count(flag) > 0)
      throw UsageError(fmt::format("--sizes: cannot be used together with {}", line.typed(flag)));
  std::vector<std::uint64_t> sizes;
  for (const auto& text : w.sizes) sizes.push_back(parse_size("--sizes", text));
  return sizes;
}

/// The value beside `text`. Throws UsageError that lists the known words.
template <class T>
T choose(std::string_view flag, const std::string& text, const std::vector<std::pair<std::string, T>>& known) {
  std::vector<std::string> words;
  for (const auto& [word, value] : known) {
    if (word == text) return value;
    words.push_back(word);
  }
  throw UsageError(fmt::format("{}: unknown '{}'; known: {}", flag, text, fmt::join(words, ", ")));
}

std::vector<bool> parse_place(const std::string& text) {
  return choose<std::vector<bool>>("--place", text, {{"out", {false}}, {"in", {true}}, {"both", {false, true}}});
}

std::vector<int> parse_windows(const Words& w, const std::vector<const Collective*>& collectives) {
  constexpr int most = 65'536;
  std::vector<int> windows;
  for (const std::string& word : w.windows)
    if (const int one = parse_count("--window", word, 1, most); std::ranges::find(windows, one) == windows.end())
      windows.push_back(one);
  if (!windows.empty() && std::ranges::all_of(collectives, [](const Collective* c) { return c->window == 0; })) {
    std::vector<std::string_view> with;
    for (const Collective* c : table<Collective>())
      if (c->window > 0) with.push_back(c->name);
    throw UsageError(
        fmt::format("--window: {} has none; these have: {}", collectives.front()->name, fmt::join(with, ", ")));
  }
  return windows;
}

/// Largest message of a window unless the user says how far a sweep goes: all messages of a window have room of their
/// own. 4 MiB is also where OSU's sweeps end.
std::optional<std::uint64_t> most_in_window(const Words& w, const CommandLine& line) {
  constexpr std::uint64_t most = std::uint64_t{4} << 20;
  if (line.count("-e") > 0 || line.count("--sizes") > 0) return std::nullopt;
  return std::max(most, parse_size(line.typed("-b"), w.from));
}

std::optional<int> parse_fixed_count(std::string_view flag, const Words& w) {
  if (w.iterations.empty()) return std::nullopt;
  return parse_count(flag, w.iterations, 1, 10'000'000);
}

Cadence parse_cadence(const std::string& text) {
  const auto found = enum_named<Cadence>(text);
  if (!found || std::ranges::find(names_of_hot, text) == names_of_hot.end())
    throw UsageError(fmt::format("--cadence: unknown '{}'; known: {}", text, fmt::join(names_of_hot, ", ")));
  return *found;
}

/// Cadences of the conditions; --cadence sets the hot one. Cold comes last, so that hot rows are adjacent.
std::vector<Cadence> parse_conditions(const Words& w) {
  const Cadence hot = parse_cadence(w.cadence);
  bool with_hot = w.conditions.empty(), with_cold = false;
  for (const std::string& word : w.conditions)
    (parse_choice("--condition", word, {"hot", "cold"}) == "cold" ? with_cold : with_hot) = true;
  if (!with_cold) return {hot};
  if (here::simulation() != nullptr) throw UsageError("--condition cold: a simulation has no caches");
  if (hot == Cadence::streaming || w.graph != "0")
    throw UsageError(
        "--condition cold: cannot be used together with --cadence streaming or --graph, where calls follow each other");
  return with_hot ? std::vector{hot, Cadence::cold} : std::vector{Cadence::cold};
}

/// A list of words of an enum, without duplicates.
template <HasWords Enum>
std::vector<Enum> parse_words(std::string_view flag, const std::vector<std::string>& words) {
  std::vector<Enum> all;
  for (const std::string& word : words) {
    const auto found = enum_named<Enum>(word);
    if (!found) throw UsageError(fmt::format("{}: unknown '{}'; known: {}", flag, word, words_list<Enum>()));
    if (std::ranges::find(all, *found) == all.end()) all.push_back(*found);
  }
  return all;
}

/// Throws UsageError for options that do not go together with work beside calls.
void require_no_overlap_conflict(const Words& w, const Sweep& sweep) {
  const auto refuse = [](std::string_view with, std::string_view why) {
    throw UsageError(fmt::format("--overlap: cannot be used together with {}: {}", with, why));
  };
  if (here::simulation() != nullptr) throw UsageError("--overlap: a simulation has no work beside calls");
  if (w.cadence == "streaming") refuse("--cadence streaming", "calls follow each other");
  if (w.cadence == "synchronised") refuse("--cadence synchronised", "only --cadence barrier is supported");
  if (sweep.cadences.back() == Cadence::cold) refuse("--condition cold", "the work is part of the sample");
  if (w.clock == "events") refuse("--clock events", "it times the call alone");
  if (w.graph != "0") refuse("--graph", "a graph has no time between start and wait");
  if (std::ranges::all_of(sweep.forms, [](CallForm form) { return form == CallForm::plain; }))
    throw UsageError("--overlap: --form plain has no time between start and wait; accepted: nonblocking, persistent");
}

void set_forms(Sweep& sweep, const Words& w, bool pairs) {
  if (pairs && !(w.forms.empty() && w.overlaps.empty()))
    throw UsageError("--form, --overlap: cannot be used together with 'pairs'");
  sweep.advances = parse_words<Advance>("--overlap", w.overlaps);
  const std::vector<std::string> standard{sweep.advances.empty() ? "plain" : "nonblocking"};
  sweep.forms = parse_words<CallForm>("--form", w.forms.empty() ? standard : w.forms);
  if (sweep.advances.empty()) {
    if (!w.works.empty() || !w.work_sms.empty())
      throw UsageError(fmt::format("{}: belongs to --overlap; give --overlap library, poll or thread",
                                   w.works.empty() ? "--work-sms" : "--work"));
    return;
  }
  require_no_overlap_conflict(w, sweep);
  std::vector<std::string> works = w.works;
  if (works.empty()) works.emplace_back("100");
  for (const std::string& word : works) {
    const int work = parse_count("--work", word.substr(0, word.find_last_not_of(" %") + 1), 1, 1000);
    if (std::ranges::find(sweep.works, work) == sweep.works.end()) sweep.works.push_back(work);
  }
}

SampleClock parse_clock(const std::string& text) {
  return choose<SampleClock>("--clock", text, {{"host", SampleClock::host}, {"events", SampleClock::device}});
}

/// A word that is safe as the value of a library's environment variable. `also`: characters that it may have besides.
const std::string& plain_word(std::string_view flag, const std::string& word, std::string_view also = "") {
  const auto plain = [also](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || also.find(c) != also.npos;
  };
  if (word.empty() || !std::ranges::all_of(word, plain))
    throw UsageError(fmt::format("{}: '{}' is not a name such as ring or tree", flag, word));
  return word;
}

/// Each algorithm with each protocol and CTA policy: "ring/simple+zero", "*/simple". Empty: the library chooses all.
std::vector<std::string> parse_algorithms(const Words& w) {
  const bool of_mpi = w.backend == "mpi";
  const auto or_one = [](const std::vector<std::string>& words, const char* standard) {
    return words.empty() ? std::vector<std::string>{standard} : words;
  };
  std::vector<std::string> all;
  for (const auto& a : or_one(w.algorithms, "auto"))
    for (const auto& p : or_one(w.protocols, ""))
      for (const auto& c : or_one(w.cta_policies, "default")) {
        std::string text = plain_word("--algorithm", a, of_mpi ? "-/=" : "") == "auto" ? "*" : a;
        if (!p.empty()) text += "/" + plain_word("--protocol", p);
        text +=
            choose<std::string>("--cta-policy", c, {{"default", ""}, {"efficiency", "+efficiency"}, {"zero", "+zero"}});
        all.push_back(text == "*" ? "" : text);
      }
  if (of_mpi && (!w.protocols.empty() || !w.cta_policies.empty()))
    throw UsageError(fmt::format("{}: of --backend nccl; MPI's algorithms have parameters, as in ring/segsize=64K",
                                 w.protocols.empty() ? "--cta-policy" : "--protocol"));
  return all == std::vector<std::string>{""} ? std::vector<std::string>{} : all;
}

BackendOptions parse_backend(const Words& w, double timeout_s) {
  // A hanging call must time out before its visit does.
  BackendOptions o{.share_gpu = w.share_gpu,
                   .graph_calls = parse_count("--graph", w.graph, 0, 10'000),
                   .registered = w.registered,
                   .nonblocking = w.nonblocking,
                   .comm_split = w.comm_split,
                   .algorithms = parse_algorithms(w),
                   .timeout_s = 0.9 * timeout_s};
  if (!w.work_sms.empty()) {
    if (w.backend != "nccl") throw UsageError("--work-sms: is for --backend nccl, whose calls run on GPUs");
    o.work_sms = parse_count("--work-sms", w.work_sms, 1, 10'000);
  }
  if (!w.memory.empty()) o.memory = choose<std::string>("--memory", w.memory, {{"host", "host"}, {"device", "device"}});
  return o;
}

std::pair<std::string, std::string> parse_plugin_option(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos)
    throw UsageError(fmt::format("--backend-option: '{}' is not KEY=VALUE", text));
  return {text.substr(0, equals), text.substr(equals + 1)};
}

/// Finds the plug-in, if the backend is not one of busbar's own.
void set_plugin(BackendOptions& o, const Words& w) {
  const bool own = try_find<BackendFactory>(w.backend) != nullptr;
  if (own && !w.backend_options.empty())
    throw UsageError(fmt::format("--backend-option: {} is no plug-in; it has options of its own", w.backend));
  for (const std::string& text : w.backend_options) o.plugin_options.push_back(parse_plugin_option(text));
  if (own) return;
  if (const auto file = find_plugin(w.backend)) {
    o.plugin = *file;
    return;
  }
  std::vector<std::string> folders;
  for (const auto& folder : plugin_folders()) folders.push_back(folder.string());
  throw UsageError(fmt::format("--backend: no '{}': this build has {}, and no folder has busbar-{}.so: {}", w.backend,
                               names_of<BackendFactory>(), w.backend, fmt::join(folders, ", ")));
}

/// Empty: auto.
std::optional<bool> parse_settle(const std::string& text) {
  return choose<std::optional<bool>>("--settle", text, {{"auto", std::nullopt}, {"yes", true}, {"no", false}});
}

/// True for "pairs", which replaces the list of collectives.
bool asks_for_pairs(const std::vector<std::string>& words) {
  const bool asks = std::ranges::find(words, "pairs") != words.end();
  if (asks && words.size() > 1) throw UsageError("pairs: cannot be combined with a collective; launch it separately");
  return asks;
}

/// "replay FILE..." replaces the list of collectives. Throws UsageError for options that a trace decides.
std::optional<replay::ReplayOptions> parse_replay(Words& w, const CommandLine& line) {
  const bool asks = !w.collectives.empty() && w.collectives[0] == "replay";
  if (!asks) {
    if (std::ranges::find(w.collectives, "replay") != w.collectives.end())
      throw UsageError("replay: comes first: replay FILE...");
    if (w.gaps || w.rescale) throw UsageError(fmt::format("{}: belongs to 'replay'", w.gaps ? "--gaps" : "--rescale"));
    return std::nullopt;
  }
  if (w.collectives.size() == 1) throw UsageError("replay: no trace is given: replay FILE...");
  for (const char* flag :
       {"-b",      "-e",       "-f",          "-i",         "--sizes",      "-d",          "--counts",
        "-r",      "--groups", "--layout",    "-w",         "--cadence",    "--condition", "--stream-calls",
        "--clock", "--graph",  "--algorithm", "--protocol", "--cta-policy", "--overhead",  "--resume"})
    if (line.count(flag) > 0)
      throw UsageError(fmt::format("{}: cannot be used together with 'replay'", line.typed(flag)));
  if (w.ops.size() > 1 || w.place == "both") throw UsageError("replay: give one --op and one --place");
  if (here::simulation() != nullptr) throw UsageError("replay: not on a simulated cluster");
  replay::ReplayOptions options{
      .files = {w.collectives.begin() + 1, w.collectives.end()}, .gaps = w.gaps, .rescale = w.rescale};
  w.collectives = {"allreduce"};
  return options;
}

/// Pairs are many, and each needs only a rough figure: two sizes, a fixed number of samples.
void set_defaults_of_pairs(Words& w, const CommandLine& line) {
  const auto none_of = [&](std::initializer_list<const char*> flags) {
    return std::ranges::all_of(flags, [&](const char* flag) { return line.count(flag) == 0; });
  };
  w.collectives = {"sendrecv"};
  if (none_of({"-b", "-e", "-f", "-i", "--sizes"})) w.sizes = {"8", "4M"};
  if (w.iterations.empty() &&
      none_of({"--width", "--min-rounds", "--min-span", "--time-budget", "--run-budget", "--max-samples"}))
    w.iterations = "40";
  if (none_of({"--settle"})) w.settle = "no";
}

Scope::Between parse_between(const std::string& text) {
  if (text == "auto") return Scope::Between::hosts_or_ranks;
  return choose<Scope::Between>("--between", text,
                                {{"hosts", Scope::Between::hosts}, {"ranks", Scope::Between::ranks}});
}

std::vector<Split> parse_splits(const Words& w) {
  if (w.splits.size() > 2)
    throw UsageError(fmt::format("--split: given {} times; give one or two kinds of groups", w.splits.size()));
  if (w.splits.size() == 2 && w.clock == "events")
    throw UsageError("--clock events: cannot be used together with two --split, whose calls alternate on the host");
  if (w.splits.size() == 2 && w.graph != "0")
    throw UsageError("--graph: cannot be used together with two --split, whose calls alternate on the host");
  std::vector<Split> splits;
  for (const std::string& text : w.splits) splits.push_back(parse_split("--split", text));
  return splits;
}

Scope parse_scope(const Words& w, const CommandLine& line, bool pairs) {
  for (const char* flag : {"--between", "--concurrent", "--alone"})
    if (!pairs && line.count(flag) > 0) throw UsageError(fmt::format("{}: belongs to 'pairs'", flag));
  for (const char* flag : {"--groups", "--layout", "--split"})
    if (pairs && line.count(flag) > 0) throw UsageError(fmt::format("{}: cannot be used together with 'pairs'", flag));
  if (!w.groups.empty() && !w.layouts.empty())
    throw UsageError("--groups: cannot be used together with --layout; launch twice");
  for (const char* flag : {"--groups", "--layout"})
    if (!w.splits.empty() && line.count(flag) > 0)
      throw UsageError(fmt::format("--split: cannot be used together with {}; launch twice", flag));
  if (pairs && line.count("--condition") > 0) throw UsageError("--condition: cannot be used together with 'pairs'");
  if (w.concurrent && w.alone) throw UsageError("--concurrent: cannot be used together with --alone");
  Scope scope;
  for (const std::string& word : w.groups)
    scope.levels.push_back(parse_choice("--groups", word, {"node", "leaders", "world"}));
  for (const std::string& word : w.layouts) scope.layouts.push_back(parse_layout("--layout", word));
  scope.splits = parse_splits(w);
  if (pairs) scope.pairs = parse_between(w.between);
  if (w.concurrent) scope.turns = Scope::Turns::concurrent;
  if (w.alone) scope.turns = Scope::Turns::alone;
  return scope;
}

/// "16": both buffers; "0,16": send, receive.
Offsets parse_offsets(const std::string& text) {
  const auto one = [](const std::string& word) {
    const int bytes = parse_count("--offset", word, 0, 4088);
    if (bytes % 8 != 0)
      throw UsageError(
          fmt::format("--offset: {} is not a multiple of 8, the alignment of the largest element type", bytes));
    return static_cast<std::size_t>(bytes);
  };
  const auto comma = text.find(',');
  if (comma == std::string::npos) return {.send = one(text), .recv = one(text)};
  return {.send = one(text.substr(0, comma)), .recv = one(text.substr(comma + 1))};
}

/// Numbers as in nccl-tests: -c 1.
Checking parse_check(std::string_view flag, const std::string& text) {
  if (text == "0") return Checking::off;
  if (text == "1") return Checking::sampled;
  if (text == "2") return Checking::all;
  const auto at = std::ranges::find(checking_names, text);
  if (at == checking_names.end())
    throw UsageError(fmt::format("{}: unknown '{}'; known: {}, 0, 1, 2", flag, text, fmt::join(checking_names, ", ")));
  return static_cast<Checking>(at - checking_names.begin());
}

Settings parse_settings(const Words& w, const CommandLine& line) {
  Settings s{.warmup = parse_count(line.typed("-w"), w.warmup, 0, 1'000'000),
             .stop = stop_rules_of(w.stop),
             .fixed_count = parse_fixed_count(line.typed("-n"), w),
             .check = parse_check(line.typed("-c"), w.check),
             .clock = parse_clock(w.clock),
             .graph_calls = parse_count("--graph", w.graph, 0, 10'000),
             .offsets = parse_offsets(w.offsets),
             .costs = w.overhead};
  s.streaming_calls = parse_count("--stream-calls", w.stream_calls, 1, 1'000'000);
  return s;
}

std::string list() {
  std::string text;
  for (const auto& row : family_words) {
    text += fmt::format("{} ({}):\n", row.heading, row.word);
    for (const Collective* c : table<Collective>())
      if (c->family == row.family) text += fmt::format("  {:20} {}\n", c->name, c->about);
  }
  text += "types (alias):\n";
  for (const auto& row : dtypes)
    text += fmt::format("  {:20} {} byte{} ({})\n", row.name, row.size, row.size == 1 ? "" : "s", row.alias);
  text += fmt::format("operations:\n  {}\nbackends:\n", fmt::join(op_names, ", "));
  for (const BackendFactory* b : table<BackendFactory>()) text += fmt::format("  {:20} {}\n", b->name, b->about);
  for (const PluginFile& plugin : list_plugins())
    text += fmt::format("  {:20} plug-in {}\n", plugin.name, plugin.file.string());
  return text;
}

void set_defaults_of_quick(Words& w, const CommandLine& line) {
  if (line.count("--run-budget") == 0) w.stop.run_budget = "3";
  if (line.count("--noise") == 0) w.job.noise = "0.1";
}

/// By itself: g++ 12 destroys parts of a nested aggregate twice if a later part throws.
Sweep parse_sweep(const Words& w, const CommandLine& line, bool pairs) {
  Sweep sweep;
  sweep.collectives = parse_collectives(w.collectives);
  sweep.types = parse_types(line.typed("-d"), w.types);
  sweep.ops = parse_ops(w.ops);
  sweep.sizes = parse_sizes(w, line);
  sweep.places = parse_place(w.place);
  sweep.cadences = parse_conditions(w);
  sweep.streams_pairs = line.count("--cadence") == 0 && !pairs;
  sweep.windows = parse_windows(w, sweep.collectives);
  sweep.counts = parse_unevenness(w, sweep.collectives);
  sweep.most_in_window = most_in_window(w, line);
  sweep.root = parse_count(line.typed("-r"), w.root, 0, 1 << 24);
  return sweep;
}

/// Throws UsageError if two kinds of groups should alternate other calls than plain ones of collectives.
void require_plain_calls(const Scope& scope, const Sweep& sweep) {
  if (scope.splits.size() < 2) return;
  const bool collectives =
      std::ranges::all_of(sweep.collectives, [](auto* c) { return c->family == Family::collective; });
  if (!collectives || sweep.forms != std::vector{CallForm::plain})
    throw UsageError(
        "--split: two kinds of groups alternate plain calls of collectives; leave out --form, --overlap, uneven, p2p "
        "and rma, or give one --split");
}

/// Throws UsageError for options that need a process per GPU, or a thread per GPU.
void set_gpus_per_process(BenchOptions& options, const Words& w, const CommandLine& line) {
  constexpr int most = 16;  // of an HGX-2
  BackendOptions& o = options.backend_options;
  o.gpus_per_process = parse_count("--gpus-per-rank", w.gpus_per_rank, 1, most);
  if (parse_choice("--launch", w.launch, {"group", "threads"}) == "threads") o.launch = GpuLaunch::threads;
  if (o.gpus_per_process == 1) {
    if (line.count("--launch") > 0) throw UsageError("--launch: is for several --gpus-per-rank");
    return;
  }
  if (options.backend != "nccl") throw UsageError("--gpus-per-rank: is for --backend nccl");
  const auto refuse = [](std::string_view word) {
    throw UsageError(fmt::format("{}: needs a process per GPU: mpirun without --gpus-per-rank", word));
  };
  for (const char* flag : {"--groups", "--layout", "--split", "--share-gpu"})
    if (line.count(flag) > 0) refuse(line.typed(flag));
  if (options.scope.pairs != Scope::Between::none) refuse("pairs");
  if (options.replay) refuse("replay");
  if (o.launch == GpuLaunch::threads) return;
  for (const char* flag : {"--graph", "--nonblocking"})
    if (line.count(flag) > 0)
      throw UsageError(fmt::format("{}: needs a thread per GPU: --launch threads", line.typed(flag)));
}

BenchOptions options_of(Words w, const CommandLine& line) {
  if (w.quick) set_defaults_of_quick(w, line);
  const bool budget_by_cases = w.stop.run_budget == "auto";
  if (budget_by_cases) w.stop.run_budget = "0";
  const auto replay = parse_replay(w, line);
  const bool pairs = asks_for_pairs(w.collectives);
  if (pairs) set_defaults_of_pairs(w, line);
  Sweep sweep = parse_sweep(w, line, pairs);
  set_forms(sweep, w, pairs);
  BenchOptions options{.sweep = std::move(sweep),
                       .scope = parse_scope(w, line, pairs),
                       .replay = replay,
                       .settings = parse_settings(w, line),
                       .backend = w.backend,
                       .settle = parse_settle(w.settle),
                       .budget_by_cases = budget_by_cases && w.iterations.empty() && here::simulation() == nullptr,
                       .asks_for_budget = line.count("--run-budget") > 0};
  require_plain_calls(options.scope, options.sweep);
  options.job = job_options_of(w.job, options.settings.stop.run_budget_s);
  if (line.count("-w") == 0) options.settings.warmup_s = longest_warmup_s;
  if (pairs) options.settings.keep = samples_of_a_pair;
  if (replay) {  // a pass takes as long as the trace wants: by default the number of passes is limited, not their time
    options.budget_by_cases = false;
    options.sweep.cadences = {replay->gaps ? Cadence::replay_gaps : Cadence::replay};
  }
  options.backend_options = parse_backend(w, options.job.timeout_s);
  options.backend_options.split_calls = options.sweep.forms != std::vector{CallForm::plain};
  set_plugin(options.backend_options, w);
  set_gpus_per_process(options, w, line);
  options.backend_options.with_data = options.settings.check != Checking::off || here::simulation() == nullptr;
  if (const auto& algorithms = options.backend_options.algorithms; !algorithms.empty())
    options.sweep.algorithms = algorithms;
  return options;
}

}  // namespace

std::variant<BenchOptions, Information> parse_options(const std::vector<std::string>& arguments,
                                                      std::string (*more_to_list)()) {
  CommandLine line{.name = "busbar-bench",
                   .about = "Measure collective communication between the ranks of an MPI job.",
                   .notes = notes,
                   .exit_codes = exit_codes,
                   .examples = examples,
                   .launched_by = "mpirun -np N "};
  Words words = default_words();
  add_options(line, words);
  if (auto information = parse_command_line(line, arguments)) return *information;
  if (words.list) return Information{list() + (more_to_list == nullptr ? "" : more_to_list())};
  return options_of(words, line);
}

}  // namespace busbar
