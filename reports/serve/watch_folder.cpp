// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <mutex>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "core/base/json.hpp"
#include "core/record/run.hpp"
#include "reports/board/board.hpp"
#include "reports/board/records.hpp"
#include "reports/board/site.hpp"
#include "reports/serve/gate.hpp"
#include "reports/serve/watch_record.hpp"
#include "reports/suite/child.hpp"

namespace busbar::serve {
namespace {

namespace fs = std::filesystem;

constexpr double look_at_folder_every_s = 2;
constexpr std::size_t least_for_trend = 4;  ///< launches; as in the report's section "Over time"

/// The board of a folder and the pages behind it. Pages are drawn when they are asked for.
class FolderPages {
 public:
  explicit FolderPages(const fs::path& folder) : folder_(folder), records_(folder) { look(); }

  void look() {
    const std::lock_guard lock(mutex_);
    if (!records_.look() && version_ > 0) return;
    ++version_;
    runs_ = records_.runs();
    groups_ = board::make_groups(runs_);
    const board::Links links{.report = [](const Run& run) { return board::address_of_record(run.path); },
                             .trend = [](const board::Group& group) { return trend_address(group); }};
    board_ = board::board_page(folder_.string(), groups_, links, records_.problems(), std::to_string(version_), true);
  }

  [[nodiscard]] HttpResponse answer(const std::string& name) {
    const std::lock_guard lock(mutex_);
    try {
      if (name.empty()) return html(board::html_of(board_), board::policy_of(board_));
      if (name == "state")
        return page(nlohmann::json({{"version", std::to_string(version_)}}).dump(), "application/json",
                    "default-src 'none'");
      for (const fs::path& file : records_.files())
        if (board::address_of_record(file) == name) return html(board::report_page(file));
      for (const board::Group& group : groups_)
        if (trend_address(group) == name) return trend(group);
    } catch (const std::exception& e) {  // the file is gone, or is being replaced
      return refusal(500, std::string(e.what()) + "\n");
    }
    return not_found();
  }

 private:
  static std::string trend_address(const board::Group& group) {
    const bool drawn = group.launches.size() >= least_for_trend && !is_simulated(group.launches.front()->head);
    return drawn ? board::address_of_group(group) : "";
  }
  static HttpResponse html(std::string text, std::string policy = "") {
    return page(std::move(text), "text/html; charset=utf-8", std::move(policy));
  }
  static HttpResponse trend(const board::Group& group) {
    const auto text = board::trend_page(group);
    return text ? html(*text)
                : page("These launches lie within half a day: too short for a trend.\n", "text/plain; charset=utf-8");
  }

  const fs::path folder_;
  std::mutex mutex_;
  board::Records records_;
  std::vector<Run> runs_;
  std::vector<board::Group> groups_;
  board::Shell board_;
  int version_ = 0;
};

}  // namespace

Exit watch_folder(const WatchOptions& options) {
  suite::Signals signals;  // first: the server's threads have its mask
  FolderPages pages(options.path);
  const std::unique_ptr<HttpServer> server = make_http_server(options.port);
  const Gate gate(random_token(), server->port());
  server->start([&](const HttpRequest& request) { return gate.answer(request, pages); });
  fmt::print("{}\n", gate.address());
  std::fflush(stdout);
  while (signals.wait(look_at_folder_every_s) == 0) pages.look();
  return Exit::interrupted;
}

}  // namespace busbar::serve
