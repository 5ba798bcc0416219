// SPDX-License-Identifier: Apache-2.0
#include "reports/expected/known_results.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/enum_words.hpp"
#include "core/base/fields.hpp"
#include "core/files/own_place.hpp"
#include "reports/runs/json_file.hpp"

namespace busbar::expected {

using Json = nlohmann::json;
using busbar::from_json;  // for structs with a fields() function

constexpr auto fields(const KnownRow*) {
  return std::tuple(std::pair("collective", &KnownRow::collective), std::pair("bytes", &KnownRow::bytes),
                    std::pair("in_place", &KnownRow::in_place), std::pair("algbw_GBps", &KnownRow::algbw_GBps),
                    std::pair("busbw_GBps", &KnownRow::busbw_GBps), std::pair("time_us", &KnownRow::time_us),
                    std::pair("line", &KnownRow::line));
}

constexpr auto fields(const KnownRun*) {
  return std::tuple(std::pair("per_node", &KnownRun::per_node), std::pair("nodes", &KnownRun::nodes),
                    std::pair("ranks", &KnownRun::ranks), std::pair("inter_GBps", &KnownRun::inter_GBps));
}

namespace {

constexpr report::JsonFormat format{
    .name = "busbar known results", .what = "public results", .writer = "a contributor"};

/// A text that may be null.
std::string text_at(const Json& j, const char* key) {
  return j.contains(key) && !j.at(key).is_null() ? j.at(key).get<std::string>() : std::string();
}

KnownRow row_of(const Json& j) {
  KnownRow row = j.get<KnownRow>();
  row.type = text_at(j, "type");
  report::require(!row.collective.empty() && !row.line.empty(), "a row has no collective or no line");
  for (const auto& figure : {row.algbw_GBps, row.busbw_GBps, row.time_us})
    report::require(!figure || (std::isfinite(*figure) && *figure >= 0), "a figure is negative: " + row.line);
  return row;
}

KnownRun run_of(const Json& j) {
  KnownRun run = j.get<KnownRun>();
  run.platform = text_at(j, "platform");
  run.device = text_at(j, "device");
  run.intra = text_at(j, "intra");
  run.inter = text_at(j, "inter");
  run.library = text_at(j, "library");
  run.tool = text_at(j, "tool");
  const auto state = enum_named<KnownState>(text_at(j, "state"));
  report::require(state.has_value(), "a result's state is none of " + words_list<KnownState>());
  run.state = *state;
  for (const Json& row : j.at("rows")) run.rows.push_back(row_of(row));
  return run;
}

}  // namespace

KnownSource parse_known_results(std::string_view text, std::string_view file) {
  KnownSource source;
  report::parse_json_file(text, file, format, [&](const Json& j) {
    source.title = text_at(j, "title");
    source.url = text_at(j, "url");
    source.date = text_at(j, "date");
    for (const Json& run : j.at("results")) source.results.push_back(run_of(run));
  });
  return source;
}

std::vector<KnownSource> read_known_results(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<KnownSource> all;
  for (const auto& file : files) all.push_back(parse_known_results(report::read_text(file), file.string()));
  return all;
}

std::vector<KnownSource> installed_known_results() { return read_known_results(data_folder() / "known"); }

}  // namespace busbar::expected
