// SPDX-License-Identifier: Apache-2.0
#include "workloads/options.hpp"

#include <algorithm>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/here.hpp"
#include "core/record/method.hpp"
#include "core/words.hpp"
#include "workloads/compute/onednn.hpp"
#include "workloads/data.hpp"
#include "workloads/train/workload.hpp"

namespace busbar {
namespace {

/// The command line as text.
struct Words {
  JobWords job;
  std::string model = "resnet50", compute = "onednn", profile, tflops, pace = "sleep", precision, norm;
  std::string batch = "8", image = "224", classes = "1000", threads = "1", micro_batches = "1";
  std::string parallel = "data", scaling = "weak", jobs = "1", schedule = "1f1b";
  std::vector<std::string> scale, layout;
  std::vector<std::string> overlap;
  std::string fusion = "25", first_bucket = "1", wire = "fp32";
  std::string rate = "0.001", momentum = "0.9", decay = "0.0001", seed = "1";
  std::string steps, warmup = "2", write_profile;
  bool hierarchical = false, sharded = false, no_graph = false, share_gpu = false, explain = false, list = false;
  StopWords stop{.min_rounds = "8", .case_budget = "60", .run_budget = "auto"};
};

/// Nothing is computed in a simulation, and every step takes as long as the one before it.
Words default_words() {
  Words words{.job = job_words()};
  if (here::simulation() == nullptr) return words;
  words.compute = "replay";
  words.steps = words.warmup = "1";
  return words;
}

constexpr const char* footer =
    R"(A step is forward, loss, backward and update of the weights, on a batch that is made once. A sample is the slowest
rank's time of one step; steps follow each other as in training. All group sizes are measured in turns, in rounds, so
that speed-up and efficiency are of neighbours in time; the first is what they are held against. Ranks that have no part
in a group sleep.

Examples:
  mpirun -np 1 busbar-train --explain
  mpirun -np 8 --bind-to core busbar-train --batch 16
  mpirun -np 8 busbar-train --scale 1,2,4,8 --scaling strong --batch 64 --overlap none
  mpirun -np 4 busbar-train --jobs 2 --scale 1,2
  mpirun -np 8 busbar-train --compute cudnn --batch 256 --wire bf16
  mpirun -np 4 busbar-train --compute replay --profile a100-pcie.resnet50.b1024 --parallel pipeline --micro-batches 8
  mpirun -np 64 busbar-train --compute replay --profile a100-pcie.resnet50.b1024 --layout spread
  mpirun -np 8 busbar-train --compute replay --model bert-large --tflops 140 --batch 32

--resume measures all groups again where one is missing: speed-up is of groups in the same rounds.

Exit codes: 0 all measured; 1 some case failed; 2 wrong use; 3 ranks hung or broke and the job was ended; 4 results could
not be written.)";

/// Says the default behind what an option is, where there is one.
std::string with_default(const std::string& about, const std::string& word) {
  return word.empty() ? about : fmt::format("{} ({})", about, word);
}

std::vector<std::string> known_models() {
  std::vector<std::string> all = shipped_models();
  for (const std::string& name : networks())
    if (std::ranges::find(all, name) == all.end()) all.push_back(name);
  return all;
}

void add_model(CommandLine& line, Words& w) {
  const auto add = [&](const char* flag, std::string& word, const std::string& about, Value value) {
    line.add(flag, &word, with_default(about, word), std::move(value));
  };
  line.begin_group("Model");
  add("--model", w.model, "what is trained; --list shows what there is",
      {.name = "MODEL", .find_choices = known_models});
  add("--compute", w.compute,
      fmt::format(
          "who computes. onednn: this CPU{}; cudnn: an NVIDIA GPU a rank; replay: nobody, a profile's times are kept",
          missing_for_onednn().empty() ? "" : ", which this build cannot, as it has no oneDNN"),
      {.name = "LIBRARY", .choices = {"onednn", "cudnn", "replay"}});
  add("--profile", w.profile,
      "--compute replay: a profile's name or file (docs/profiles.md); --model and --batch are its",
      {.name = "PROFILE", .find_choices = [] { return shipped_profiles(); }, .completes = Completes::files});
  add("--tflops", w.tflops, "--compute replay without a profile: the model's operations at so many TFLOP/s",
      {.name = "TFLOPS"});
  add("--precision", w.precision,
      "type that layers compute in; weights are fp32. --compute onednn: fp32, or bf16 where the CPU has AVX512-BF16 or "
      "AMX (fp32); --compute cudnn: bf16, fp16 (bf16)",
      {.name = "TYPE", .choices = {"fp32", "bf16", "fp16"}});
  add("--norm", w.norm,
      "--compute cudnn: whose batch norm. own: ours; cudnn: cuDNN's where it has a plan that agrees with ours; "
      "fastest: of both, by timing each layer's (own)",
      {.name = "LIBRARY", .choices = {"own", "cudnn", "fastest"}});
  line.add("--no-graph", &w.no_graph, "--compute cudnn: launch a step piece by piece, not as one CUDA graph");
  line.add("--share-gpu", &w.share_gpu,
           "--compute cudnn: ranks of a host may have the same GPU, which tells nothing of speed");
  add("--pace", w.pace, "--compute replay: sleep through the times, or spin (a core each)",
      {.name = "PACE", .choices = {"sleep", "spin"}});
  add("--batch", w.batch, "samples between two updates: of a rank (weak scaling) or of all together (strong)",
      {.name = "N"});
  add("--micro-batches", w.micro_batches, "parts of a rank's batch, computed one after the other", {.name = "N"});
  add("--image", w.image, "height and width of an image, in pixels", {.name = "PIXELS"});
  add("--classes", w.classes, "that images are told apart by", {.name = "N"});
  add("--threads", w.threads, "that compute, a rank", {.name = "N"});
  add("--learning-rate", w.rate, "of gradient descent", {.name = "NUMBER"});
  add("--momentum", w.momentum, "of gradient descent", {.name = "NUMBER"});
  add("--weight-decay", w.decay, "of gradient descent", {.name = "NUMBER"});
  add("--seed", w.seed, "of weights, images and labels", {.name = "N"});
}

void add_parallel(CommandLine& line, Words& w) {
  const auto add = [&](const char* flag, std::string& word, const std::string& about, Value value) {
    line.add(flag, &word, with_default(about, word), std::move(value));
  };
  line.begin_group("Ranks");
  line.add("--scale", &w.scale, "group sizes, in ranks: 1,2,4 (1, 2, 4, ... and all ranks)",
           {.name = "RANKS", .list = true});
  add("--parallel", w.parallel,
      "data: replicas; pipeline: a stage of the layers each; tensor: a part of each layer. The "
      "last two with --compute replay",
      {.name = "KIND", .choices = {"data", "pipeline", "tensor"}});
  add("--schedule", w.schedule, "--parallel pipeline: gpipe, 1f1b",
      {.name = "SCHEDULE", .choices = list_names<pipeline::ScheduleKind>()});
  add("--scaling", w.scaling, "weak: the batch of a rank is constant; strong: that of all ranks together",
      {.name = "KIND", .choices = {"weak", "strong"}});
  line.add("--layout", &w.layout,
           "packed: groups fill host after host; spread: they take ranks of all hosts in turn; or shapes in place of "
           "--scale, nodes x ranks on each: 1x4,2x2,4x1 (packed)",
           {.name = "LAYOUT", .choices = {"packed", "spread"}, .list = true});
  add("--jobs", w.jobs, "so many trainings side by side, each of the group's size, beside one alone", {.name = "N"});
  line.add("--overlap", &w.overlap,
           "of reductions with backward, one or several to hold against each other. none; poll: non-blocking, "
           "looked after between layers; thread: a helper thread of each rank (thread); stream: --compute cudnn, NCCL "
           "on a stream of its own (stream), and --compute replay, beside the device. --compute cudnn has no others "
           "but none, nor has a simulation",
           {.name = "KIND", .choices = list_names<ExchangeKind>(), .list = true});
  add("--fusion-mb", w.fusion, "gradients are fused into buckets that are closed at so many MiB; 0: none are fused",
      {.name = "MIB"});
  add("--first-bucket-mb", w.first_bucket, "the same for the first bucket", {.name = "MIB"});
  add("--wire", w.wire, "type of gradients on the wire: fp32, fp16, bf16",
      {.name = "TYPE", .choices = {"fp32", "fp16", "bf16"}});
  line.add("--hierarchical", &w.hierarchical, "reduce inside hosts, then between them");
  line.add("--sharded", &w.sharded, "each rank updates a share of the weights: reduce-scatter and allgather");
}

void add_options(CommandLine& line, Words& w) {
  line.add("--list", &w.list, "list models and profiles");
  add_model(line, w);
  add_parallel(line, w);
  line.begin_group("Sampling");
  line.add("-n,--steps", &w.steps, "time exactly this many steps of each group instead", {.name = "N"});
  line.add("-w,--warmup", &w.warmup, "steps before the first that is timed; a later round has one (2)", {.name = "N"});
  add_stop_options(line, w.stop);
  add_job_options(line, w.job);
  line.begin_group("Output");
  line.add("--explain", &w.explain, "show what the time of a step went into: layers, peak, memory");
  line.add("--write-profile", &w.write_profile, "write the step as a profile to this file; with one group size",
           {.name = "FILE", .completes = Completes::files});
}

std::uint64_t parse_mebibytes(std::string_view flag, const std::string& text) {
  const double mb = parse_number(flag, text, 0, 1e6, "a number of MiB from 0 to 1000000");
  return static_cast<std::uint64_t>(mb * 1048576);
}

float parse_rule(std::string_view flag, const std::string& text) {
  return static_cast<float>(parse_number(flag, text, 0, 10, "a number from 0 to 10"));
}

std::vector<int> parse_scale(const std::vector<std::string>& words) {
  std::vector<int> scale;
  for (const auto& word : words) scale.push_back(parse_count("--scale", word, 1, 1 << 24));
  return scale;
}

/// On a GPU there is another kind beside none.
void judge_overlap(const Words& w, const std::string& word) {
  if (w.compute == "cudnn") {
    if (word == "none" || word == "stream") return;
    throw UsageError(fmt::format("--overlap {}: --compute cudnn has none, stream", word));
  }
  if (word == "stream" && w.compute != "replay")
    throw UsageError("--overlap stream: only with --compute cudnn or replay");
  if (here::simulation() != nullptr && word != "none" && word != "stream")
    throw UsageError(fmt::format("--overlap {}: a simulation has none, stream", word));
  if (try_find<ExchangeKind>(word) == nullptr)
    throw UsageError(fmt::format("--overlap: unknown '{}'; known: {}", word, names_of<ExchangeKind>()));
  if (w.hierarchical && word == "poll")
    throw UsageError(
        "--hierarchical: its three calls block, which --overlap poll cannot look after; use thread or none");
}

std::vector<std::string> judge_overlaps(const Words& w) {
  std::vector<std::string> kinds;
  const bool streams = w.compute == "cudnn" || here::simulation() != nullptr;
  const std::string standard = streams ? "stream" : "thread";
  for (const auto& word : w.overlap.empty() ? std::vector{standard} : w.overlap) {
    judge_overlap(w, word);
    if (std::ranges::find(kinds, word) == kinds.end()) kinds.push_back(word);
  }
  return kinds;
}

/// Throws UsageError where nothing in this build can compute.
void judge_compute(const Words& w) {
  static_cast<void>(parse_choice("--compute", w.compute, {"onednn", "cudnn", "replay"}));
  if (w.compute == "replay" && !w.precision.empty())
    throw UsageError("--precision: only with --compute onednn or cudnn; a profile has its own");
  if (w.compute != "onednn" || missing_for_onednn().empty()) return;
  throw UsageError(
      fmt::format("--compute onednn: {}; without it there is --compute replay --profile a100-pcie.resnet50.b1024",
                  missing_for_onednn()));
}

/// What layers compute in: the first where --precision is not given.
std::string judge_precision(const Words& w) {
  const std::vector<std::string> known =
      w.compute == "cudnn" ? std::vector<std::string>{"bf16", "fp16"} : std::vector<std::string>{"fp32", "bf16"};
  return parse_choice("--precision", w.precision.empty() ? known.front() : w.precision, known);
}

/// What is for GPUs alone, and what is not for them.
void judge_gpu(const Words& w, DType wire) {
  if (w.compute != "cudnn") {
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
  const std::string word = parse_choice("--norm", w.norm.empty() ? "own" : w.norm, {"own", "cudnn", "fastest"});
  return word == "own" ? NormLibrary::own : word == "cudnn" ? NormLibrary::cudnn : NormLibrary::fastest;
}

ExchangeSettings judge_exchange(const Words& w) {
  const std::string wire = parse_choice("--wire", w.wire, {"fp32", "fp16", "bf16"});
  if (w.hierarchical && w.sharded) throw UsageError("--hierarchical: cannot be used together with --sharded");
  return {.wire = dtype_named(wire).value(),
          .fusion = {.first = parse_mebibytes("--first-bucket-mb", w.first_bucket),
                     .others = parse_mebibytes("--fusion-mb", w.fusion)},
          .hierarchical = w.hierarchical,
          .sharded = w.sharded};
}

TrainSettings judge_settings(Words w) {
  if (w.stop.run_budget == "auto") w.stop.run_budget = w.steps.empty() ? "300" : "0";
  TrainSettings s{.warmup = parse_count("--warmup", w.warmup, 1, 1'000'000), .stop = judge(w.stop)};
  if (!w.steps.empty()) s.steps = parse_count("--steps", w.steps, 1, 10'000'000);
  return s;
}

/// How groups lie over hosts: one word, or shapes that are trained beside one rank.
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
  curve.key = {.kind = "training", .collective = w.model, .backend = "mpi", .memory = "host"};
  curve.key.type = std::string(name(exchange.wire));
  curve.key.cadence = "streaming";
  if (w.compute == "cudnn") {
    curve.key.backend = "nccl";
    curve.key.memory = "device";
  }
  TrainingKey& t = curve.key.training.emplace();
  t.parallel = parse_choice("--parallel", w.parallel, {"data", "pipeline", "tensor"});
  t.compute = w.compute;
  t.computed_on = "cpu";
  if (t.compute != "replay") t.precision = judge_precision(w);
  if (t.precision == "fp32") t.precision.reset();  // what records without it mean
  t.batch = parse_count("--batch", w.batch, 1, 1 << 24);
  t.micro_batches = parse_count("--micro-batches", w.micro_batches, 1, 1 << 16);
  set_layout(curve, w);
  t.scaling = parse_choice("--scaling", w.scaling, {"weak", "strong"});
  if (t.parallel != "data") {
    t.scaling = "strong";
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
  if (w.compute != "replay")
    throw UsageError(
        fmt::format("--compute {}: nothing is computed in a simulation; replay is what it has", w.compute));
  if (w.sharded) throw UsageError("--sharded: it is not simulated");
  if (w.parallel != "data") throw UsageError(fmt::format("--parallel {}: a simulation has data", w.parallel));
}

TrainOptions judge(const Words& w) {
  const bool simulated = here::simulation() != nullptr;
  if (simulated) judge_simulation(w);
  ExchangeSettings exchange = judge_exchange(w);
  exchange.with_data = !simulated;
  judge_compute(w);
  judge_gpu(w, exchange.wire);
  const auto given = [](const std::string& text) { return text.empty() ? std::nullopt : std::optional(text); };
  TrainOptions o{.curve = judge_curve(w, exchange),
                 .settings = judge_settings(w),
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
                 .norm = judge_norm(w),
                 .graphs = !w.no_graph,
                 .share_gpu = w.share_gpu,
                 .explain = w.explain,
                 .write_profile = given(w.write_profile)};
  o.job = judge(w.job, o.settings.stop.run_budget_s);
  o.settings.with_data = exchange.with_data;
  if (o.schedule == nullptr)
    throw UsageError(
        fmt::format("--schedule: unknown '{}'; known: {}", w.schedule, names_of<pipeline::ScheduleKind>()));
  if (o.write_profile && (o.curve.scale.size() != 1 || o.curve.jobs > 1 || w.compute == "replay"))
    throw UsageError(
        "--write-profile: wants --compute onednn or cudnn, one job and one group size (--scale 1), whose step it is");
  TrainingKey& t = *o.curve.key.training;
  if (t.precision) o.precision = dtype_named(*t.precision).value();
  if (t.parallel == "pipeline") t.schedule = std::string(o.schedule->name);
  if (!w.tflops.empty()) o.tflops = parse_number("--tflops", w.tflops, 1e-6, 1e6, "a number from 0.000001 to 1000000");
  return o;
}

}  // namespace

std::variant<TrainOptions, Information> parse_train_options(const std::vector<std::string>& arguments) {
  CommandLine line{
      .name = "busbar-train",
      .about =
          "Trains a model on synthetic data on groups of ranks of an MPI job, measures how far it scales and writes a "
          "record of it.",
      .footer = footer};
  Words words = default_words();
  add_options(line, words);
  if (auto information = parse_command_line(line, arguments)) return *information;
  if (words.list) return Information{list_workloads()};
  return judge(words);
}

}  // namespace busbar
