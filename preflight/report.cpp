// SPDX-License-Identifier: Apache-2.0
#include "preflight/report.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>

#include <fmt/core.h>

#include "core/base/build_info.hpp"
#include "core/base/json.hpp"
#include "core/base/privacy.hpp"
#include "core/base/units.hpp"
#include "core/journal/alias_key.hpp"
#include "core/journal/journal.hpp"
#include "core/machine/host_name.hpp"

namespace busbar::preflight {
namespace {

using nlohmann::json;

constexpr int schema = 1;

json as_json(const CheckResult& f) {
  return {{"state", name(f.state)}, {"read", f.read}, {"hosts", f.hosts}, {"ranks", f.ranks}};
}

std::string text_of_head(const json& j) {
  std::vector<std::string> hosts = j.at("hosts");
  const auto number = hosts.size();
  return fmt::format("# busbar-preflight {} ({}), {}\n# {} on {}: {}; time limit per stage: {} s\n",
                     j.at("version").get<std::string>(), j.at("revision").get<std::string>(),
                     j.at("start_utc").get<std::string>(), plural(j.at("ranks").get<int>(), "rank"),
                     plural(number, "host"), list(hosts, 8), j.at("stage_limit_s").get<double>());
}

std::string text_of_check(const json& j) {
  const auto text = [&](const char* key) { return j.at(key).get<std::string>(); };
  std::string all;
  for (const json& f : j.at("findings"))
    all += fmt::format("{:8} {:19} {:15} {}\n", text("stage"), text("check"), f.at("state").get<std::string>(),
                       f.at("read").get<std::string>());
  const std::string state = text("state");
  if (state != "warning" && state != "failed") return all;
  for (const auto& [word, key] : {std::pair("expected:", "expected"), {"why:", "why"}, {"advice:", "advice"}})
    if (!text(key).empty()) all += fmt::format("         {:9} {}\n", word, text(key));
  return all;
}

std::string text_of_end(const json& j) {
  const int warnings = j.at("warnings");
  const std::string also = warnings > 0 ? fmt::format("; {}", plural(warnings, "warning")) : "";
  if (j.at("failed").is_null()) return fmt::format("# no stage failed{}\n", also);
  return fmt::format(
      "# stage {} failed: exit code {}{}{}\n", j.at("failed").get<std::string>(), j.at("exit_code").get<int>(), also,
      j.at("last") == "all" ? "" : fmt::format("; stages after {} were skipped", j.at("last").get<std::string>()));
}

}  // namespace

json head(int ranks, const std::vector<std::string>& hosts, double stage_limit_s) {
  return {{"record", "preflight"},  {"schema", schema}, {"version", version()}, {"revision", git_revision()},
          {"start_utc", utc_now()}, {"ranks", ranks},   {"hosts", hosts},       {"stage_limit_s", stage_limit_s}};
}

json begin(Stage stage) { return {{"record", "stage"}, {"stage", name(stage)}}; }

json outcome(const Check& check, const std::vector<CheckResult>& findings) {
  json all = json::array();
  for (const CheckResult& f : findings) all.push_back(as_json(f));
  return {{"record", "check"}, {"stage", name(check.stage)}, {"check", check.name}, {"state", name(worst(findings))},
          {"findings", all},   {"expected", check.expected}, {"why", check.why},    {"advice", check.advice}};
}

json outcome(Stage stage, std::string_view check, const CheckResult& finding, std::string_view advice) {
  return outcome({.name = check, .stage = stage, .about = {}, .expected = {}, .why = {}, .advice = advice, .find = {}},
                 {finding});
}

json end(std::optional<Stage> failed, Stage last, int failures, int warnings) {
  json j{{"record", "end"},    {"failed", nullptr},    {"exit_code", failed ? exit_code(*failed) : 0},
         {"last", name(last)}, {"failures", failures}, {"warnings", warnings}};
  if (failed) j["failed"] = name(*failed);
  return j;
}

std::string text_of(const json& record) {
  const auto& kind = record.at("record").get_ref<const std::string&>();
  if (kind == "preflight") return text_of_head(record);
  if (kind == "check") return text_of_check(record);
  if (kind == "end") return text_of_end(record);
  return {};
}

Report::Report(const PreflightOptions& options) : json_(options.json) {
  if (options.anonymise) {
    anonymiser_.emplace(read_or_make_alias_key(alias_key_file(), "busbar-preflight"));
    anonymiser_->learn(std::vector<std::string>{host_name()});
    anonymiser_->learn(options.hosts);
  }
  if (!options.out) return;
  path_ = *options.out;
  if (std::filesystem::exists(path_) && !options.overwrite)
    throw UsageError(fmt::format("--out: {} exists; name another file, or add --overwrite", path_));
  file_.emplace(path_, std::ios::trunc);
  if (!*file_) throw UsageError(fmt::format("--out: cannot write {}", path_));
}

void Report::remove_names(json& record) {
  remove_people(record, this_person());
  if (!anonymiser_) return;
  if (const auto hosts = record.find("hosts"); hosts != record.end())
    anonymiser_->learn(hosts->get<std::vector<std::string>>());
  static constexpr std::array<std::string_view, 4> own_words{"record", "stage", "check", "state"};
  for (auto& [key, value] : record.items())
    if (std::ranges::find(own_words, key) == own_words.end()) anonymiser_->change(value);
  if (record.at("record") == "preflight") record["anonymised"] = true;
}

void Report::write(const json& told) {
  json record = told;
  remove_names(record);
  const std::string line = record.dump() + "\n", text = json_ ? line : text_of(record);
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
  if (file_ && !(*file_ << line << std::flush)) throw Error(fmt::format("--out: writing to {} failed", path_));
}

}  // namespace busbar::preflight
