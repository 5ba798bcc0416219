// SPDX-License-Identifier: Apache-2.0
#include "reports/serve/watch_record.hpp"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "core/base/json.hpp"
#include "core/files/file_lock.hpp"
#include "core/files/output_file.hpp"
#include "core/journal/journal.hpp"
#include "core/journal/unfinished.hpp"
#include "core/record/run.hpp"
#include "reports/board/shell.hpp"
#include "reports/drawing/page.hpp"
#include "reports/drawing/render.hpp"
#include "reports/runs/load.hpp"
#include "reports/sections/report_document.hpp"
#include "reports/serve/gate.hpp"
#include "reports/serve/live_state.hpp"
#include "reports/suite/child.hpp"

namespace busbar::serve {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using suite::seconds_since;

constexpr double look_every_s = 0.5;
constexpr double browser_s = 5;  ///< a page that asked within this time is open; it gets as long to show the report
constexpr const char* report_name = "report";

double now_since_1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

/// Whether a file changed: size and time of the record and of what is beside it.
using Stamp = std::vector<std::pair<std::uintmax_t, fs::file_time_type>>;

Stamp stamp_of(const fs::path& record) {
  Stamp stamp;
  for (const fs::path& file : {record, unfinished_beside(record)}) {
    std::error_code problem;
    const auto size = fs::file_size(file, problem);
    const auto time = fs::last_write_time(file, problem);
    stamp.emplace_back(problem ? 0 : size, problem ? fs::file_time_type{} : time);
  }
  return stamp;
}

/// The record as it is now. Reads it again only when it has changed, and never for more than a quarter of the time.
class RecordReader {
 public:
  explicit RecordReader(fs::path path) : path_(std::move(path)) {}

  /// Throws UsageError if nobody is writing the file and it is no record.
  void look() {
    writing_ = is_being_written(path_);
    const Stamp stamp = stamp_of(path_);
    if (stamp != stamp_) changed_ = Clock::now();
    if (stamp == stamp_ && !behind_) return;
    stamp_ = stamp;
    behind_ = seconds_since(read_) < 4 * took_s_;
    if (!behind_) read();
  }
  /// Of one run, or empty.
  [[nodiscard]] const std::vector<Run>& runs() const { return runs_; }
  [[nodiscard]] Phase phase() const {
    return behind_ ? Phase::running
                   : phase_of(runs_.empty() ? nullptr : &runs_.back(), writing_, seconds_since(changed_));
  }

 private:
  void read() {
    const auto begin = Clock::now();
    std::error_code problem;
    if (!fs::exists(path_, problem) || (fs::file_size(path_, problem) == 0 && !problem)) return;
    try {
      std::vector<Run> runs = read_journals(path_, Detail::without_samples);
      runs_.clear();
      if (!runs.empty()) runs_.push_back(std::move(runs.back()));
    } catch (const UsageError&) {
      if (!writing_) throw;  // else its first line is on its way
    }
    read_ = Clock::now();
    took_s_ = seconds_since(begin);
  }

  fs::path path_;
  Stamp stamp_;
  bool writing_ = false;
  bool behind_ = false;  ///< it has changed since it was read
  double took_s_ = 0;
  Clock::time_point changed_ = Clock::now(), read_;
  std::vector<Run> runs_;
};

/// The page has no figures: its script asks for TOKEN/state.
board::Shell live_page(const std::string& file) {
  return {.title = file + " (live)",
          .body =
              "<main>\n<noscript><p class=\"warning\">This page needs JavaScript. busbar show prints the record so "
              "far.</p></noscript>\n"
              "<p id=\"state\" class=\"state\" role=\"status\" aria-live=\"polite\">Asking busbar watch ...</p>\n"
              "<p id=\"verdict\"></p>\n"
              "<progress id=\"progress\" max=\"1\" aria-label=\"progress of the run\"></progress>\n"
              "<p id=\"time\" class=\"summary\"></p>\n"
              "<section id=\"alarms\" hidden>\n<h2>Alarms and remarks</h2>\n<ul class=\"alarms\"></ul>\n</section>\n"
              "<section>\n<h2>Cases</h2>\n<p class=\"summary\">+- %: half-width of the confidence interval of this "
              "launch, in per cent of the time. Bars in a chart: the same interval. Figures of cases that are being "
              "measured still move.</p>\n<div id=\"charts\"></div>\n<div id=\"tables\"></div>\n</section>\n</main>\n",
          .script = std::string(board::live_js()),
          .asks_server = true};
}

/// What the server's threads answer with.
class Pages {
 public:
  explicit Pages(const std::string& file) : shell_(live_page(file)) {}

  [[nodiscard]] HttpResponse answer(const std::string& name) {
    if (name.empty()) return page(html_of(shell_), "text/html; charset=utf-8", policy_of(shell_));
    const std::lock_guard lock(mutex_);
    if (name == "state") {
      asked_ = Clock::now();
      return page(state_, "application/json", "default-src 'none'");
    }
    if (name != report_name || report_.empty()) return not_found();
    shown_ = true;
    return page(report_, "text/html; charset=utf-8");
  }
  void show_state(std::string state) {
    const std::lock_guard lock(mutex_);
    state_ = std::move(state);
  }
  void show_report(std::string html) {
    const std::lock_guard lock(mutex_);
    report_ = std::move(html);
  }
  /// A page is open that has not shown the report yet.
  [[nodiscard]] bool has_reader() {
    const std::lock_guard lock(mutex_);
    return asked_ && seconds_since(*asked_) < browser_s && !shown_;
  }

 private:
  const board::Shell shell_;
  std::mutex mutex_;
  std::string state_, report_;
  std::optional<Clock::time_point> asked_;
  bool shown_ = false;
};

class Watcher {
 public:
  explicit Watcher(const WatchOptions& options)
      : options_(options),
        reader_(options.path),
        pages_(options.path.filename().string()),
        server_(make_http_server(options.port)),
        gate_(random_token(), server_->port()) {}

  Exit run() {
    reader_.look();  // wrong use is found before anything is printed
    show("");
    server_->start([this](const HttpRequest& request) { return gate_.answer(request, pages_); });
    fmt::print("{}\n", gate_.address());
    if (reader_.phase() == Phase::waiting) fmt::print("{}: not there yet; waiting for it\n", options_.path.string());
    std::fflush(stdout);
    while (reader_.phase() == Phase::waiting || reader_.phase() == Phase::running) {
      if (signals_.wait(look_every_s) > 0) return Exit::interrupted;
      reader_.look();
      show("");
    }
    return end();
  }

 private:
  void show(const std::string& report) {
    const std::vector<Run>& runs = reader_.runs();
    Sight sight{.file = options_.path.filename().string(), .runs = &runs, .phase = reader_.phase(), .report = report};
    if (!runs.empty()) {
      const Run& run = runs.back();
      const RunRecord& launch = run.resumed.empty() ? run.head : run.resumed.back();
      sight.elapsed_s =
          run.end && run.end->wall_s ? run.end->wall_s : seconds_since_start(launch.start_utc, now_since_1970());
      if (sight.phase == Phase::died) sight.elapsed_s.reset();
    }
    pages_.show_state(live_state(sight).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  }

  /// Writes the static page, and serves until open pages have shown it.
  Exit end() {
    const bool died = reader_.phase() == Phase::died;
    const std::vector<Run> runs = report::load({options_.path}, Detail::without_samples);
    const report::Document document = report::make_document("", runs);
    const std::string html = report::render_html(document, report::chart_bundle());
    write_whole(options_.out, html, "-o");
    fmt::print("{}: {}{}\n", options_.out.string(), document.summary,
               died ? "; the run died: its record has no end" : "");
    std::fflush(stdout);
    pages_.show_report(html);
    show(report_name);
    const auto since = Clock::now();
    while (options_.stay || (pages_.has_reader() && seconds_since(since) < browser_s))
      if (signals_.wait(look_every_s / 5) > 0) return Exit::interrupted;
    return died ? Exit::failed : Exit::ok;
  }

  const WatchOptions& options_;
  suite::Signals signals_;  // first: the server's threads have its mask
  RecordReader reader_;
  Pages pages_;
  std::unique_ptr<HttpServer> server_;
  Gate gate_;
};

}  // namespace

Exit watch_record(const WatchOptions& options) { return Watcher(options).run(); }

}  // namespace busbar::serve
