// SPDX-License-Identifier: Apache-2.0
#include "reports/import/training/training_lines.hpp"

#include <algorithm>
#include <climits>
#include <cmath>
#include <utility>

namespace busbar {
namespace {

constexpr std::string_view step_words = "images/sec:", total_words = "total images/sec:",
                           iteration_words = "img/sec per ", mean_words = "Img/sec per ",
                           sum_words = "Total img/sec on ";

/// Parses a finite rate above 0.
std::optional<Rounded> rate(std::string_view text) {
  const auto value = rounded(text);
  return value && value->value > 0 ? value : std::nullopt;
}

/// Parses "32", and "1024.0" of old releases.
std::optional<int> count(std::string_view text) {
  const auto value = rounded(text);
  const bool whole = value && value->value >= 1 && value->value <= INT_MAX && std::floor(value->value) == value->value;
  return whole ? std::optional(static_cast<int>(value->value)) : std::nullopt;
}

int occurrences(std::string_view text, std::string_view what) {
  int n = 0;
  for (std::size_t at = text.find(what); at != std::string_view::npos; at = text.find(what, at + what.size())) ++n;
  return n;
}

template <class T, class U>
void keep_first(std::optional<T>& known, const U& told) {
  if (!known) known = told;
}

/// For a line that only Horovod's and BytePS's benchmarks print.
void tell_program(LoggedTraining& t) {
  if (t.program != TrainingProgram::byteps) t.program = TrainingProgram::horovod;
}

// Lines of rates

/// True if "+/- 1.1 (jitter = 2.3)" follows a rate: else the line is cut or mixed with another.
bool has_spread(const std::vector<Word>& after) {
  return after.size() >= 6 && after[1].text == "+/-" && rounded(after[2].text) && after[3].text == "(jitter" &&
         after[4].text == "=" && after[5].text.ends_with(')') &&
         rounded(after[5].text.substr(0, after[5].text.size() - 1));
}

/// Parses "10\timages/sec: 350.2 +/- 1.1 (jitter = 2.3)\t7.8"
bool read_step_rate(LoggedTraining& t, std::string_view line) {
  const auto step = count(last_word(before(line, step_words)));
  const auto value = rate(first_word(behind(line, step_words)));
  const bool whole = has_spread(words(behind(line, step_words)));
  if (!step || !value || !whole) return false;
  const auto loss = rounded(first_word(behind(line, ")")));
  t.steps.push_back(
      {.step = *step, .samples_per_s = value->value, .loss = loss ? std::optional(loss->value) : std::nullopt});
  return true;
}

/// Parses "total images/sec: 2757.21"; fewer digits mean a truncated line.
bool read_total_rate(LoggedTraining& t, std::string_view text) {
  const auto value = rate(first_word(text));
  const bool whole = value && value->half_unit < 0.01;
  if (whole) t.totals.push_back(*value);
  return whole;
}

/// Parses "Total img/sec on 4 GPU(s): 1380.4 +-12.8"
bool read_sum_of_rates(LoggedTraining& t, std::string_view line) {
  const std::string_view text = behind(line, sum_words);
  const auto n = count(first_word(text));
  const auto value = rate(first_word(behind(text, ":")));
  if (!n || !value || !holds(text, "+-") || t.processors.value_or(*n) != *n) return false;
  keep_first(t.processors, *n);
  t.totals.push_back(*value);
  return true;
}

bool read_rate(LoggedTraining& t, const LogLine& line) {
  const bool of_tf = holds(line.text, step_words);
  const bool other = of_tf ? !t.iterations.empty() || t.per_rank : !t.steps.empty() || t.global_batch;
  if (other) return false;  // of another program, whose beginning is lost
  if (holds(line.text, total_words)) return read_total_rate(t, behind(line.text, total_words));
  if (of_tf) return read_step_rate(t, line.text);
  tell_program(t);
  if (holds(line.text, sum_words)) return read_sum_of_rates(t, line.text);
  if (holds(line.text, mean_words)) {
    if (!holds(line.text, "+-")) return false;
    t.per_rank = rate(first_word(behind(behind(line.text, mean_words), ":")));
    return t.per_rank.has_value();
  }
  const auto value = rate(last_word(before(line.text, iteration_words)));
  if (value) t.iterations.push_back(*value);
  return value.has_value();
}

// Lines of the header

void read_devices(LoggedTraining& t, std::string_view list) {
  const int gpus = occurrences(list, "gpu:") + occurrences(list, "GPU:"), cpus = occurrences(list, "cpu:");
  if (gpus + cpus == 0) return;
  keep_first(t.devices, gpus > 0 ? gpus : cpus);
  keep_first(t.device, gpus > 0 ? "gpu" : "cpu");
  t.of_workers = holds(list, "/job:");
}

/// Parses "Batch size:  64 global", then "32 per device" on the next line; or "Batch size: 32" per rank. Nothing else:
/// of a line that is cut off it is not known which of them it is.
void read_batch(LoggedTraining& t, std::string_view text) {
  const auto value = count(first_word(text));
  if (!value) return;
  const std::size_t all = words(text).size();
  if (all == 2 && text.ends_with(" global"))
    keep_first(t.global_batch, *value);
  else if ((all == 3 && text.ends_with(" per device")) || all == 1)
    keep_first(t.batch, *value);
}

/// Parses "... -> physical GPU (device: 0, name: Tesla V100-SXM2-16GB, pci bus id: 0000:06:00.0, compute ...)".
void read_gpu(LoggedTraining& t, std::string_view line) {
  constexpr std::size_t most = 64;
  const std::string_view gpu = behind(line, "physical GPU (");
  const std::string name = quotable(before(behind(gpu, "name: "), ","));
  const std::string bus = quotable(before(behind(gpu, "pci bus id: "), ","));
  if (name.empty() || t.gpus.size() == most) return;
  const auto known = [&](const Gpu& g) { return g.name == name && g.bus == bus; };
  if (std::ranges::none_of(t.gpus, known)) t.gpus.push_back({.name = name, .bus = bus});
}

void read_training_fact(LoggedTraining& t, std::string_view line) {
  const std::string_view said = trimmed(line);
  const std::string_view value = trimmed(behind(said, ":"));
  if (said.ends_with(" per device")) read_batch(t, said);
  if (holds(said, "physical GPU (")) read_gpu(t, said);
  if (value.empty()) return;
  const std::string word = quotable(first_word(value));
  if (said.starts_with("Model:") && (words(value).size() > 1 || holds(value, ":")))
    ++t.torn;  // of two lines
  else if (said.starts_with("Model:"))
    keep_first(t.model, word);
  if (said.starts_with("Mode:")) keep_first(t.mode, quotable(value));
  if (said.starts_with("TensorFlow:")) keep_first(t.tensorflow, word);
  if (said.starts_with("Variables:")) keep_first(t.variables, word);
  if (said.starts_with("AllReduce:")) keep_first(t.all_reduce, word);
  if (said.starts_with("Batch size:")) read_batch(t, value);
  if (said.starts_with("Num batches:")) keep_first(t.batches, count(word));
  if (said.starts_with("Devices:")) read_devices(t, value);
  for (const std::string_view kind : {"GPU", "CPU"}) {
    if (!said.starts_with("Number of " + std::string(kind) + "s:")) continue;
    tell_program(t);
    keep_first(t.processors, count(word));
    keep_first(t.device, kind == "GPU" ? "gpu" : "cpu");
  }
}

/// True for a line that BytePS's launcher prints, or of a command that starts it or its benchmark.
bool is_of_byteps(std::string_view line) {
  if (trimmed(line).starts_with("BytePS launch")) return true;
  return std::ranges::any_of(words(line.substr(0, 4096)), [](const Word& w) {
    const std::string_view name = base_name(w.text);
    return name == "bpslaunch" ||
           (name.ends_with(".py") && (holds(name, "byteps") || holds(w.text, "byteps/example/")));
  });
}

/// The command's words, from the benchmark script on.
std::vector<std::string> command_of(std::string_view line) {
  std::vector<std::string> argv;
  for (const Word& word : words(line)) {
    if (argv.empty() && !is_training_script(word.text)) continue;
    if (word.text.find_first_of("|<>&;`'\"") != std::string_view::npos) break;  // shell syntax, not an argument
    argv.emplace_back(word.text);
  }
  return argv.size() > 1 && argv[1].starts_with("--") ? argv : std::vector<std::string>{};
}

/// True if the benchmark printed its result.
bool is_over(const LoggedTraining& t) { return !t.totals.empty() || t.per_rank; }

/// True if a line starts a different benchmark than `t`.
bool begins_another(const LoggedTraining& t, std::string_view line) {
  const bool begins = line.starts_with("TensorFlow:") || line.starts_with("Model:");
  return begins && (is_over(t) || !t.steps.empty() || !t.iterations.empty());
}

/// Assigns each line to its benchmark.
class TrainingReader {
 public:
  std::vector<LoggedTraining> read(std::string_view text) {
    LogLines lines(text);
    while (const auto line = lines.next()) {
      if (begins_another(all_.back(), trimmed(line->text))) {
        if (all_.size() == most_trainings) break;
        all_.emplace_back();
      }
      read_line(*line);
    }
    return std::move(all_);
  }

 private:
  void read_line(const LogLine& line) {
    LoggedTraining& t = all_.back();
    read_start(line.text);
    const bool of_rate = holds(line.text, step_words) || holds(line.text, iteration_words) ||
                         holds(line.text, mean_words) || holds(line.text, sum_words);
    if (of_rate && t.line == 0) t.line = line.number;
    if (of_rate)
      t.torn += read_rate(t, line) ? 0 : 1;
    else
      read_training_fact(t, line.text);
    if (t.line == 0 && t.model) t.line = line.number;
    if ((t.model || of_rate) && !is_over(t)) set_start(t);
  }

  /// Lines about the start of a benchmark, which precede its own.
  void read_start(std::string_view line) {
    if (auto argv = command_of(line); !argv.empty()) command_ = std::move(argv);
    if (is_of_byteps(line)) byteps_ = true;
  }

  /// Gives a benchmark what was read about its start.
  void set_start(LoggedTraining& t) {
    if (t.argv.empty()) t.argv = std::exchange(command_, {});
    if (std::exchange(byteps_, false)) t.program = TrainingProgram::byteps;
  }

  std::vector<LoggedTraining> all_ = std::vector<LoggedTraining>(1);
  std::vector<std::string> command_;  ///< of the next benchmark
  bool byteps_ = false;               ///< BytePS starts it
};

}  // namespace

bool is_training_script(std::string_view word) {
  const auto ends = [word](std::string_view end) { return word.ends_with(end); };
  return ends("tf_cnn_benchmarks.py") || ends("synthetic_benchmark.py") || ends("_byteps.py");
}

bool is_training_line(const LogLine& line) {
  LoggedTraining scratch;
  const bool of_iteration = trimmed(line.text).starts_with("Iter #") && holds(line.text, iteration_words);
  const bool of_rate = holds(line.text, step_words) || holds(line.text, sum_words) || of_iteration;
  return of_rate && read_rate(scratch, line);
}

std::vector<LoggedTraining> read_trainings(std::string_view text) { return TrainingReader{}.read(text); }

}  // namespace busbar
