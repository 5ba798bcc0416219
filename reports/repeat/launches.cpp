// SPDX-License-Identifier: Apache-2.0
#include "reports/repeat/launches.hpp"

#include <algorithm>
#include <chrono>
#include <list>

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "core/base/json.hpp"
#include "core/base/parse_json.hpp"
#include "core/base/terminal_text.hpp"
#include "core/journal/journal.hpp"
#include "core/record/launch_record.hpp"
#include "core/record/parts.hpp"
#include "core/record/run.hpp"
#include "core/statistics/interval.hpp"
#include "reports/repeat/launch_budget.hpp"
#include "reports/repeat/measurements.hpp"
#include "reports/repeat/pooled_cases.hpp"
#include "reports/repeat/record_file.hpp"
#include "reports/repeat/table.hpp"
#include "reports/suite/child.hpp"
#include "reports/suite/placeholders.hpp"
#include "reports/suite/progress.hpp"
#include "reports/suite/runner.hpp"

namespace busbar::repeat {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using suite::seconds_since;

constexpr int least_launches = 3;   ///< per command, for an interval of use: from two it is too wide
constexpr int most_failures = 3;    ///< consecutive
constexpr double worthwhile = 0.9;  ///< least time for another launch, as a share of each command's last one
constexpr double over_s = 1;        ///< tolerance beyond the remaining time
constexpr double grace_s = 5;

/// The table: on a terminal, redrawn in place if it fits; otherwise printed once, at the end.
class Screen {
 public:
  Screen() : terminal_(::isatty(STDOUT_FILENO) == 1) {}

  void show(const std::string& text) {
    if (!terminal_) return;
    winsize window{};
    const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n'));
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) != 0 || lines + 2 > window.ws_row) return;
    if (shown_ > 0) fmt::print("\033[{}A\033[J", shown_);
    fmt::print("{}", text);
    std::fflush(stdout);
    shown_ = lines;
  }
  void finish(const std::string& text) {
    if (shown_ > 0) fmt::print("\033[{}A\033[J", shown_);
    fmt::print("{}", text);
    std::fflush(stdout);
  }

 private:
  bool terminal_;
  std::size_t shown_ = 0;
};

/// The last launch of a command.
struct Last {
  double wall_s = 0;              ///< 0: none yet
  std::optional<double> round_s;  ///< empty: unknown
};

/// Commands as records have them: without names of people and secrets.
std::vector<Words> as_recorded(const std::vector<Words>& commands) {
  std::vector<Words> all;
  for (const Words& typed : commands)
    all.push_back(parse_json(to_line(LaunchRecord{.argv = typed})).get<LaunchRecord>().argv);
  return all;
}

class Launches {
 public:
  explicit Launches(const Request& request)
      : request_(request),
        recorded_(as_recorded(request.commands)),
        file_(request.out, request.resume),
        counts_(request.commands.size()),
        failed_(request.commands.size()),
        last_(request.commands.size()) {
    if (request.resume) count_earlier_launches();
  }

  Exit run() {
    suite::Signals signals;
    while (const auto command = next()) {
      if (signals.interrupted()) interrupted_ = true;
      if (interrupted_) break;
      launch(*command, signals);
      screen_.show(text());
    }
    const auto commands = tallies();
    screen_.finish(text() + text_of_measurements(commands, request_.out) +
                   fmt::format("# record: {}\n", request_.out.string()));
    if (interrupted_) return Exit::interrupted;
    const bool all_well =
        std::ranges::all_of(commands, [](const Tally& t) { return t.failed == 0 && !t.good.empty(); });
    return all_well ? Exit::ok : Exit::failed;
  }

 private:
  /// Counts the launches in an existing record.
  void count_earlier_launches() {
    for (const LaunchRecord& launch : file_.launches()) {
      const auto command = static_cast<std::size_t>(launch.command);
      if (command < 1 || command > request_.commands.size() || launch.argv != recorded_[command - 1])
        throw UsageError(fmt::format("--resume: {} contains launches of another command: {}", request_.out.string(),
                                     suite::shell_line(launch.argv)));
      ++counts_[command - 1];
      ++failed_[command - 1];  // decremented below if the launch is valid
    }
    for (Run& run : read_journals(request_.out, Detail::without_samples)) {
      --failed_[static_cast<std::size_t>(run.launch->command) - 1];
      keep(std::move(run));
    }
  }

  [[nodiscard]] double left_s() const { return request_.within_s ? *request_.within_s - seconds_since(begin_) : 1e9; }

  /// Command of the next launch: the first of those with the fewest launches. Empty when done.
  [[nodiscard]] std::optional<std::size_t> next() const {
    const auto at = static_cast<std::size_t>(std::ranges::min_element(counts_) - counts_.begin());
    if (failures_ >= most_failures) return std::nullopt;
    if (request_.launches && counts_[at] >= *request_.launches) return std::nullopt;
    if (launched_ > 0 && left_s() < worthwhile * std::ranges::max(last_, {}, &Last::wall_s).wall_s) return std::nullopt;
    if (at == 0 && request_.width && narrow_enough()) return std::nullopt;
    return at;
  }

  [[nodiscard]] bool narrow_enough() const {
    return std::ranges::all_of(tallies(), [&](const Tally& t) {
      const auto its = widest(pool_cases(t.good));
      return t.good.size() >= least_launches && its && *its <= *request_.width;
    });
  }

  void launch(std::size_t command, suite::Signals& signals) {
    const Words& typed = request_.commands[command];
    LaunchRecord record{
        .command = static_cast<int>(command) + 1, .number = ++counts_[command], .argv = recorded_[command]};
    const fs::path own = file_.of_launch(), log = own.string() + ".log";
    std::error_code ignored;
    fs::remove(own, ignored);
    suite::Progress progress(fmt::format("launch {}", launched_ + 1));
    const double budget_s =
        launch_budget_s(request_, left_s(), {.round_s = longest_round_s(), .least_s = least_s_, .beyond_s = beyond_s_});
    std::string why;
    try {
      const suite::Ended ended =
          run_child(short_launch(typed, own, budget_s), log, {.time_s = left_s() + over_s, .grace_s = grace_s}, signals,
                    [&](double seconds) { progress.show(seconds, log); });
      record.ended = ended.why;
      record.exit_code = ended.exit_code;
      record.wall_s = ended.wall_s;
      interrupted_ = ended.why == LaunchEnd::interrupted;
      if (record.exit_code != 0) why = suite::telling_line_of(log, program_of(typed));
    } catch (const Error& e) {
      record.ended = LaunchEnd::not_started;
      record.exit_code = 127;
      why = e.what();
    }
    progress.clear();
    ++launched_;
    last_[command].wall_s = record.wall_s;
    beyond_s_ = std::max(0.0, record.wall_s - budget_s);
    auto left = read_launch(record);
    if (left) least_s_ = std::max(least_s_, least_budget_s(*left, budget_s));
    file_.append(record);
    count_launch(std::move(left), record, why);
    fs::remove(log, ignored);
  }

  /// Of the last launch of each command. Empty if a command has none or its time is unknown.
  [[nodiscard]] std::optional<double> longest_round_s() const {
    if (std::ranges::any_of(last_, [](const Last& last) { return !last.round_s; })) return std::nullopt;
    return std::ranges::max(last_, {}, &Last::round_s).round_s;
  }

  /// Keeps a valid run and returns true, else counts it as failed.
  bool keep(Run run) {
    const bool well = ended_well(run);
    last_[static_cast<std::size_t>(run.launch->command) - 1].round_s = round_s(run);
    if (well)
      runs_.push_back(std::move(run));
    else
      ++failed_[static_cast<std::size_t>(run.launch->command) - 1];
    return well;
  }

  /// Reads the record of a launch; empty if unreadable.
  [[nodiscard]] std::optional<Run> read_launch(const LaunchRecord& record) const {
    try {
      Run run = read_journal(file_.of_launch(), Detail::without_samples);
      run.launch = record;
      return run;
    } catch (const UsageError&) {
      return std::nullopt;
    }
  }

  void count_launch(std::optional<Run> left, const LaunchRecord& record, const std::string& why) {
    if (left && keep(*std::move(left))) {
      failures_ = 0;
      return;
    }
    if (!left) ++failed_[static_cast<std::size_t>(record.command) - 1];
    if (interrupted_) return;
    ++failures_;
    print_message("busbar repeat", fmt::format("launch {} of command {} failed: exit code {}{}", record.number,
                                               record.command, record.exit_code, why.empty() ? "" : ": " + why));
  }

  [[nodiscard]] std::vector<Tally> tallies() const {
    std::vector<Tally> all(counts_.size());
    for (std::size_t i = 0; i < all.size(); ++i)
      all[i] = {.command = suite::shell_line(recorded_[i]), .failed = failed_[i]};
    for (const Run& run : runs_) all[static_cast<std::size_t>(run.launch->command) - 1].good.push_back(&run);
    return all;
  }

  [[nodiscard]] std::string text() const {
    const auto commands = tallies();
    return table(commands) + "#\n" + foot(commands, seconds_since(begin_));
  }

  const Request& request_;
  const std::vector<Words> recorded_;
  RecordFile file_;
  std::vector<int> counts_, failed_;  ///< launches per command, and the invalid ones among them
  std::list<Run> runs_;               ///< valid launches; a list keeps pointers stable
  Screen screen_;
  Clock::time_point begin_ = Clock::now();
  std::vector<Last> last_;  ///< of each command
  double least_s_ = 0;      ///< LaunchTimes::least_s
  double beyond_s_ = 0;     ///< LaunchTimes::beyond_s
  int launched_ = 0, failures_ = 0;
  bool interrupted_ = false;
};

}  // namespace

Exit run_launches(const Request& request) { return Launches(request).run(); }

}  // namespace busbar::repeat
