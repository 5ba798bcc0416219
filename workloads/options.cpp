// SPDX-License-Identifier: Apache-2.0
#include "workloads/options.hpp"

#include <algorithm>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/words.hpp"
#include "core/ranks/here.hpp"
#include "core/record/method.hpp"
#include "workloads/compute/onednn.hpp"
#include "workloads/networks/data.hpp"
#include "workloads/networks/network.hpp"

namespace busbar {
namespace {

/// Command-line options before parsing.
struct Words {
  JobWords job;
  std::string model = "resnet50", compute = on_onednn, profile, tflops, pace = "sleep", precision, norm;
  std::string batch = "8", image = "224", classes = "1000", threads = "1", micro_batches = "1";
  std::string parallel = by_data, scaling = weak_scaling, jobs = "1", schedule = "1f1b";
  std::vector<std::string> scale, layout;
  std::vector<std::string> overlap;
  std::string fusion = "25", first_bucket = "1", wire;
  std::string rate = "0.001", momentum = "0.9", decay = "0.0001", seed = "1";
  std::string steps, warmup = "2", write_profile;
  bool hierarchical = false, sharded = false, no_graph = false, share_gpu = false, explain = false, list = false;
  StopWords stop{.min_rounds = "8", .case_budget = "60", .run_budget = "auto"};
};

/// A simulation does not compute, and its step times do not vary.
Words default_words() {
  Words words{.job = job_words()};
  if (here::simulation() == nullptr) return words;
  words.compute = replayed_compute;
  words.steps = words.warmup = "1";
  return words;
}

constexpr const char* notes =
    "A step is forward, loss, backward and weight update, on a batch that is made once. A sample is the time of the "
    "slowest rank for one step; steps follow each other without a pause. Group sizes are interleaved round by round, "
    "so "
    "speedup and efficiency compare measurements taken close together; the baseline is the first group size. Ranks "
    "outside a group sleep.\n"
    "If a group size is missing, --resume measures all of them again: speedup compares groups of the same rounds.";

const std::vector<std::string> examples{
    "mpirun -np 8 --bind-to core busbar-train --batch 16",
    "mpirun -np 8 busbar-train --compute cudnn --batch 256 --wire bf16",
    "mpirun -np 64 busbar-train --compute replay --profile a100-pcie.resnet50.b1024",
    "mpirun -np 1 busbar-train --explain",
    "mpirun -np 8 busbar-train --scale 1,2,4,8 --scaling strong --batch 64 --overlap none",
    "mpirun -np 4 busbar-train --jobs 2 --scale 1,2",
    "mpirun -np 4 busbar-train --compute replay --profile a100-pcie.resnet50.b1024 --parallel pipeline --micro-batches "
    "8",
    "mpirun -np 64 busbar-train --compute replay --profile a100-pcie.resnet50.b1024 --layout spread",
    "mpirun -np 8 busbar-train --compute replay --model bert-large --tflops 140 --batch 32"};

std::vector<std::string> norm_libraries() {
  constexpr auto words = words_of(NormLibrary{});
  return {words.begin(), words.end()};
}

std::vector<std::string> known_models() {
  std::vector<std::string> all = shipped_models();
  for (const std::string& name : networks())
    if (std::ranges::find(all, name) == all.end()) all.push_back(name);
  return all;
}

void add_model(CommandLine& line, Words& w) {
  line.begin_group("Model");
  line.add("--model", &w.model, "model to train; --list names them",
           {.name = "MODEL", .find_choices = known_models, .common = true});
  line.add(
      "--compute", &w.compute,
      fmt::format("where compute time comes from. onednn: run on the CPU{}; cudnn: run on one NVIDIA GPU per rank; "
                  "replay: no compute, wait for the times in a profile",
                  missing_for_onednn().empty() ? "" : " (not in this build: it has no oneDNN)"),
      {.name = "LIBRARY", .choices = {on_onednn, on_cudnn, replayed_compute}, .common = true});
  line.add("--profile", &w.profile, "profile for --compute replay, a name or a file; sets model and batch size",
           {.name = "PROFILE", .find_choices = [] { return shipped_profiles(); }, .completes = Completes::files});
  line.add("--tflops", &w.tflops, "--compute replay without a profile: assume that the model runs at this speed",
           {.name = "TFLOPS"});
  line.add("--precision", &w.precision,
           "type of the layers' arithmetic; weights are fp32. onednn: fp32, or bf16 on CPUs with AVX512-BF16 or AMX; "
           "cudnn: bf16 or fp16",
           {.name = "TYPE", .choices = {"fp32", "bf16", "fp16"}, .standard = "onednn: fp32; cudnn: bf16"});
  line.add(
      "--norm", &w.norm,
      "--compute cudnn: batch-norm implementation. own: built in; cudnn: cuDNN's, where its results agree; genstats: "
      "built in, with sums by cuDNN's convolutions; fastest: time all per layer",
      {.name = "LIBRARY", .choices = norm_libraries(), .standard = "own"});
  line.add("--no-graph", &w.no_graph, "--compute cudnn: launch kernels one by one, not as a CUDA graph");
  line.add("--share-gpu", &w.share_gpu, "allow several ranks per GPU: for functional tests only, not for performance");
  line.add("--pace", &w.pace, "how replay waits: sleep, or spin (uses a full core per rank)",
           {.name = "PACE", .choices = {"sleep", "spin"}});
  line.add("--batch", &w.batch, "batch size: per rank (weak scaling) or global (strong scaling)",
           {.name = "N", .common = true});
  line.add("--micro-batches", &w.micro_batches, "micro-batches per rank and step", {.name = "N"});
  line.add("--image", &w.image, "height and width of an image", {.name = "PIXELS"});
  line.add("--classes", &w.classes, "number of image classes", {.name = "N"});
  line.add("--threads", &w.threads, "compute threads per rank", {.name = "N"});
  line.add("--learning-rate", &w.rate, "learning rate of SGD", {.name = "NUMBER"});
  line.add("--momentum", &w.momentum, "momentum of SGD", {.name = "NUMBER"});
  line.add("--weight-decay", &w.decay, "weight decay of SGD", {.name = "NUMBER"});
  line.add("--seed", &w.seed, "random seed of weights, images and labels", {.name = "N"});
}

void add_parallel(CommandLine& line, Words& w) {
  line.begin_group("Ranks");
  line.add("--scale", &w.scale, "group sizes to measure, in ranks: 1,2,4",
           {.name = "RANKS", .list = true, .standard = "1, 2, 4, ... and all ranks", .common = true});
  line.add("--parallel", &w.parallel,
           "data: replicas; pipeline: a stage of layers per rank; tensor: a part of each layer per rank. The last two "
           "need --compute replay",
           {.name = "KIND", .choices = {by_data, by_pipeline, by_tensor}});
  line.add("--schedule", &w.schedule, "schedule of --parallel pipeline",
           {.name = "SCHEDULE", .choices = list_names<pipeline::ScheduleKind>()});
  line.add("--scaling", &w.scaling, "weak: constant batch per rank; strong: constant global batch",
           {.name = "KIND", .choices = {weak_scaling, strong_scaling}, .common = true});
  line.add("--layout", &w.layout,
           "packed: a group fills host after host; spread: it takes ranks of all hosts in turn; or shapes instead of "
           "--scale, NODES x RANKS PER NODE: 1x4,2x2,4x1",
           {.name = "LAYOUT", .choices = {"packed", "spread"}, .list = true, .standard = "packed"});
  line.add("--jobs", &w.jobs, "number of concurrent trainings, each of the group's size, compared with one alone",
           {.name = "N"});
  line.add("--overlap", &w.overlap,
           "how gradient reduction overlaps the backward pass; list several to compare them. none; poll: non-blocking, "
           "progressed between layers; thread: a helper thread per rank; stream: NCCL on its own stream (--compute "
           "cudnn), or beside the device (replay). cudnn and simulations have stream and none only",
           {.name = "KIND",
            .choices = list_names<ExchangeKind>(),
            .list = true,
            .standard = "thread; cudnn: stream; simulations: none,stream",
            .common = true});
  line.add("--fusion-mb", &w.fusion, "gradient bucket size; 0: no fusion", {.name = "MIB"});
  line.add("--first-bucket-mb", &w.first_bucket, "size of the first gradient bucket", {.name = "MIB"});
  line.add("--wire", &w.wire, "type of gradients on the wire",
           {.name = "TYPE", .choices = {"fp32", "fp16", "bf16"}, .standard = "fp32; replay: profile", .common = true});
  line.add("--hierarchical", &w.hierarchical, "reduce inside hosts first, then between hosts");
  line.add("--sharded", &w.sharded, "shard the optimizer: reduce-scatter gradients, allgather weights");
}

void add_options(CommandLine& line, Words& w) {
  line.add("--list", &w.list, "list models and profiles");
  add_model(line, w);
  add_parallel(line, w);
  line.begin_group("Sampling");
  line.add("-n,--steps", &w.steps, "fixed number of steps per group; disables the stopping rule", {.name = "N"});
  line.add("-w,--warmup", &w.warmup, "steps before the first sample of a group; 1 in later rounds", {.name = "N"});
  add_stop_options(line, w.stop);
  add_job_options(line, w.job);
  line.begin_group("Output");
  line.add("--explain", &w.explain, "show the breakdown of a step: layers, peak rate, memory", {.common = true});
  line.add("--write-profile", &w.write_profile, "write the step to this file as a profile; needs one group size",
           {.name = "FILE", .completes = Completes::files});
}

float parse_rule(std::string_view flag, const std::string& text) {
  return static_cast<float>(parse_number(flag, text, 0, 10, "a number from 0 to 10"));
}

std::vector<int> parse_scale(const std::vector<std::string>& words) {
  std::vector<int> scale;
  for (const auto& word : words) scale.push_back(parse_count("--scale", word, 1, 1 << 24));
  return scale;
}

/// On a GPU, the only overlap other than none is stream.
void judge_overlap(const Words& w, const std::string& word) {
  if (w.compute == on_cudnn) {
    if (word == "none" || word == "stream") return;
    throw UsageError(fmt::format("--overlap {}: --compute cudnn accepts none, stream", word));
  }
  if (word == "stream" && w.compute != replayed_compute)
    throw UsageError("--overlap stream: only with --compute cudnn or replay");
  if (here::simulation() != nullptr && word != "none" && word != "stream")
    throw UsageError(fmt::format("--overlap {}: simulations accept none, stream", word));
  if (try_find<ExchangeKind>(word) == nullptr)
    throw UsageError(fmt::format("--overlap: unknown '{}'; known: {}", word, names_of<ExchangeKind>()));
  if (w.hierarchical && word == "poll")
    throw UsageError(
        "--hierarchical: its three calls block, so --overlap poll cannot progress them; use thread or none");
}

std::vector<std::string> judge_overlaps(const Words& w) {
  std::vector<std::string> kinds;
  if (w.overlap.empty() && here::simulation() != nullptr) return {"none", "stream"};
  if (w.overlap.empty()) return {w.compute == on_cudnn ? "stream" : "thread"};
  for (const auto& word : w.overlap) {
    judge_overlap(w, word);
    if (std::ranges::find(kinds, word) == kinds.end()) kinds.push_back(word);
  }
  return kinds;
}

/// Throws UsageError if this build cannot run the --compute kind.
void judge_compute(const Words& w) {
  static_cast<void>(parse_choice("--compute", w.compute, {on_onednn, on_cudnn, replayed_compute}));
  if (w.compute == replayed_compute && !w.precision.empty())
    throw UsageError("--precision: only with --compute onednn or cudnn; a profile has its own");
  if (w.compute != on_onednn || missing_for_onednn().empty()) return;
  throw UsageError(
      fmt::format("--compute onednn: {}; without it there is --compute replay --profile a100-pcie.resnet50.b1024",
                  missing_for_onednn()));
}

/// Compute type of the layers; the default is the first known.
std::string judge_precision(const Words& w) {
  const std::vector<std::string> known =
      w.compute == on_cudnn ? std::vector<std::string>{"bf16", "fp16"} : std::vector<std::string>{"fp32", "bf16"};
  return parse_choice("--precision", w.precision.empty() ? known.front() : w.precision, known);
}

/// Rejects options that only apply to GPUs, or do not apply to them.
void judge_gpu(const Words& w, DType wire) {
  if (w.compute != on_cudnn) {
    if (!w.norm.empty() || w.no_graph || w.share_gpu)
      throw UsageError("--norm, --no-graph, --share-gpu: only with --compute cudnn");
    return;
  }
  if (w.hierarchical || w.sharded) throw UsageError("--hierarchical, --sharded: not with --compute cudnn");
  if (w.micro_batches != "1") throw UsageError("--micro-batches: not with --compute cudnn");
  if (w.threads != "1") throw UsageError("--threads: not with --compute cudnn, where a GPU computes");
  const std::string precision = judge_precision(w);
  if (wire != DType::f32 && name(wire) != precision)
    throw UsageError(
        fmt::format("--wire {}: with --precision {} gradients travel as fp32 or {}", name(wire), precision, precision));
}

NormLibrary judge_norm(const Words& w) {
  return enum_named<NormLibrary>(parse_choice("--norm", w.norm.empty() ? "own" : w.norm, norm_libraries())).value();
}

/// Type of gradients on the wire; empty if not given.
std::optional<DType> judge_wire(const Words& w) {
  if (w.wire.empty()) return std::nullopt;
  const std::string wire = parse_choice("--wire", w.wire, {"fp32", "fp16", "bf16"});
  if (w.parallel == by_pipeline || w.parallel == by_tensor)
    throw UsageError(
        fmt::format("--wire: only with --parallel data; --parallel {} exchanges no gradients", w.parallel));
  return dtype_named(wire);
}

/// A replay always sums fp32: its gradients cover the bytes of their type (replay_floats()).
ExchangeSettings judge_exchange(const Words& w, std::optional<DType> wire) {
  if (w.hierarchical && w.sharded) throw UsageError("--hierarchical: cannot be used together with --sharded");
  return {.wire = w.compute == replayed_compute ? DType::f32 : wire.value_or(DType::f32),
          .fusion = {.first = parse_mebibytes("--first-bucket-mb", w.first_bucket),
                     .others = parse_mebibytes("--fusion-mb", w.fusion)},
          .hierarchical = w.hierarchical,
          .sharded = w.sharded};
}

TrainSettings judge_settings(Words w, const CommandLine& line) {
  if (w.stop.run_budget == "auto") w.stop.run_budget = w.steps.empty() ? "300" : "0";
  TrainSettings s{.warmup = parse_count(line.typed("--warmup"), w.warmup, 1, 1'000'000), .stop = stop_rules_of(w.stop)};
  if (!w.steps.empty()) s.steps = parse_count(line.typed("--steps"), w.steps, 1, 10'000'000);
  return s;
}

/// Sets the placement of groups on hosts: one word, or layouts that are compared with one rank.
void set_layout(Curve& curve, const Words& w) {
  const std::vector<std::string> words = w.layout.empty() ? std::vector<std::string>{"packed"} : w.layout;
  if (words.size() == 1 && (words[0] == "packed" || words[0] == "spread")) {
    curve.key.training->layout = words[0];
    return;
  }
  if (!w.scale.empty() || curve.jobs > 1)
    throw UsageError(
        "--layout: shapes such as 2x4 say how many ranks train; --scale and --jobs cannot be given as well");
  for (const auto& word : words) {
    if (word.find('x') == std::string::npos)
      throw UsageError(fmt::format("--layout: unknown '{}'; known: packed, spread, or shapes: 1x4,2x2,4x1", word));
    curve.layouts.push_back(parse_layout("--layout", word));
  }
}

Curve judge_curve(const Words& w, const ExchangeSettings& exchange) {
  Curve curve{.scale = parse_scale(w.scale), .jobs = parse_count("--jobs", w.jobs, 1, 1 << 20)};
  curve.key = {.kind = CaseKind::training, .collective = w.model, .backend = "mpi", .memory = "host"};
  curve.key.type = std::string(name(exchange.wire));
  curve.key.cadence = "streaming";
  if (w.compute == on_cudnn) {
    curve.key.backend = "nccl";
    curve.key.memory = "device";
  }
  TrainingKey& t = curve.key.training.emplace();
  t.parallel = parse_choice("--parallel", w.parallel, {by_data, by_pipeline, by_tensor});
  t.compute = w.compute;
  t.computed_on = "cpu";
  if (t.compute != replayed_compute) t.precision = judge_precision(w);
  if (t.precision == "fp32") t.precision.reset();  // records without a precision mean fp32
  t.batch = parse_count("--batch", w.batch, 1, 1 << 24);
  t.micro_batches = parse_count("--micro-batches", w.micro_batches, 1, 1 << 16);
  set_layout(curve, w);
  t.scaling = parse_choice("--scaling", w.scaling, {weak_scaling, strong_scaling});
  if (t.parallel != by_data) {
    t.scaling = strong_scaling;
    return curve;
  }
  curve.overlaps = judge_overlaps(w);
  t.overlap = curve.overlaps.front();
  t.first_bucket_bytes = exchange.fusion.first;
  t.bucket_bytes = exchange.fusion.others;
  t.hierarchical = exchange.hierarchical;
  t.sharded = exchange.sharded;
  return curve;
}

void judge_simulation(const Words& w) {
  if (w.compute != replayed_compute)
    throw UsageError(fmt::format(
        "--compute {}: simulations compute nothing; use --compute replay, or busbar-train under mpirun", w.compute));
  if (w.sharded)
    throw UsageError("--sharded: simulations do not shard; leave it out, or use busbar-train under mpirun");
  if (w.parallel != by_data)
    throw UsageError(fmt::format(
        "--parallel {}: simulations know data parallelism only; use --parallel data, or busbar-train under mpirun",
        w.parallel));
}

TrainOptions options_of(const Words& w, const CommandLine& line) {
  const bool simulated = here::simulation() != nullptr;
  if (simulated) judge_simulation(w);
  const std::optional<DType> wire = judge_wire(w);
  ExchangeSettings exchange = judge_exchange(w, wire);
  exchange.with_data = !simulated;
  judge_compute(w);
  judge_gpu(w, exchange.wire);
  const auto given = [](const std::string& text) { return text.empty() ? std::nullopt : std::optional(text); };
  TrainOptions o{.curve = judge_curve(w, exchange),
                 .settings = judge_settings(w, line),
                 .exchange = exchange,
                 .schedule = try_find<pipeline::ScheduleKind>(w.schedule),
                 .model = w.model,
                 .profile = given(w.profile),
                 .pace = parse_choice("--pace", w.pace, {"sleep", "spin"}) == "spin" ? Pace::spin : Pace::sleep,
                 .image = parse_count("--image", w.image, 32, 1 << 14),
                 .classes = parse_count("--classes", w.classes, 2, 1 << 20),
                 .threads = parse_count("--threads", w.threads, 1, 4096),
                 .seed = static_cast<std::uint64_t>(parse_count("--seed", w.seed, 0, 1 << 30)),
                 .rule = {.rate = parse_rule("--learning-rate", w.rate),
                          .momentum = parse_rule("--momentum", w.momentum),
                          .decay = parse_rule("--weight-decay", w.decay)},
                 .wire = wire,
                 .norm = judge_norm(w),
                 .graphs = !w.no_graph,
                 .share_gpu = w.share_gpu,
                 .explain = w.explain,
                 .write_profile = given(w.write_profile)};
  o.job = job_options_of(w.job, o.settings.stop.run_budget_s);
  o.settings.with_data = exchange.with_data;
  if (o.schedule == nullptr)
    throw UsageError(
        fmt::format("--schedule: unknown '{}'; known: {}", w.schedule, names_of<pipeline::ScheduleKind>()));
  if (o.write_profile && (o.curve.scale.size() != 1 || o.curve.jobs > 1 || w.compute == replayed_compute))
    throw UsageError("--write-profile: needs --compute onednn or cudnn, one job and one group size (--scale 1)");
  TrainingKey& t = *o.curve.key.training;
  if (t.precision) o.precision = dtype_named(*t.precision).value();
  if (t.parallel == by_pipeline) t.schedule = std::string(o.schedule->name);
  if (!w.tflops.empty()) o.tflops = parse_number("--tflops", w.tflops, 1e-6, 1e6, "a number from 0.000001 to 1000000");
  return o;
}

}  // namespace

/// Lists models to compute or replay, and profiles, for users.
static std::string list_workloads() {
  std::string text = fmt::format("models to compute (--compute onednn, cudnn):\n  {}\n", fmt::join(networks(), ", "));
  if (const auto missing = missing_for_onednn(); !missing.empty())
    text += fmt::format("  --compute onednn is not in this build: {}\n", missing);
  text += fmt::format("models to replay at a rate (--compute replay --tflops N):\n  {}\n",
                      fmt::join(shipped_models(), ", "));
  return text + fmt::format("profiles to replay (--compute replay --profile NAME):\n  {}\n",
                            fmt::join(shipped_profiles(), "\n  "));
}

std::variant<TrainOptions, Information> parse_train_options(const std::vector<std::string>& arguments) {
  CommandLine line{.name = "busbar-train",
                   .about = "Measure how training of a model on synthetic data scales over the ranks of an MPI job.",
                   .notes = notes,
                   .exit_codes = exit_codes,
                   .examples = examples,
                   .launched_by = "mpirun -np N "};
  Words words = default_words();
  add_options(line, words);
  if (auto information = parse_command_line(line, arguments)) return *information;
  if (words.list) return Information{list_workloads()};
  return options_of(words, line);
}

}  // namespace busbar
