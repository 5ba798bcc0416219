// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "bench/replay/read_trace.hpp"
#include "bench/replay/replayer.hpp"
#include "bench/replay/schedule.hpp"
#include "core/base/json.hpp"

namespace busbar::replay {
namespace {

/// This rank's share of the files, as JSON.
std::string read_share(const std::vector<std::string>& files, const Group& job) {
  nlohmann::json share = nlohmann::json::array();
  for (auto i = static_cast<std::size_t>(job.rank()); i < files.size(); i += static_cast<std::size_t>(job.size()))
    share.push_back({i, read_trace(files[i])});
  return share.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::vector<std::string> files_of(Group& job, const std::vector<std::string>& words) {
  std::string text;
  on_rank_0(job, [&] {
    nlohmann::json names = nlohmann::json::array();
    for (const auto& file : list_traces(words)) names.push_back(file.string());
    text = names.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  });
  return nlohmann::json::parse(job.broadcast(std::move(text), 0)).get<std::vector<std::string>>();
}

}  // namespace

Schedule read_schedule(Group& job, const ReplayOptions& options, bool in_place, Op op) {
  const std::vector<std::string> files = files_of(job, options.files);
  std::string mine;
  if (files.size() == 1)  // read by rank 0 alone, whose message names no rank
    on_rank_0(job, [&] { mine = read_share(files, job); });
  else if (const Verdict read = agree(job, attempt([&] { mine = read_share(files, job); })); !read.ok())
    throw UsageError(read.reason);
  std::vector<Trace> traces(files.size());
  for (const std::string& text : job.all_gather(mine.empty() ? "[]" : mine))
    for (const auto& one : nlohmann::json::parse(text)) traces.at(one.at(0)) = one.at(1).get<Trace>();
  return make_schedule(traces, job.size(),
                       {.rescale = options.rescale, .gaps = options.gaps, .in_place = in_place, .op = op});
}

}  // namespace busbar::replay
