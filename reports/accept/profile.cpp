// SPDX-License-Identifier: Apache-2.0
#include "reports/accept/profile.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/error.hpp"
#include "core/base/fields.hpp"
#include "core/base/units.hpp"
#include "core/files/folders.hpp"
#include "core/files/own_place.hpp"
#include "core/record/case_record.hpp"
#include "reports/runs/json_file.hpp"

namespace busbar::accept {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using busbar::from_json, busbar::to_json;  // for structs with a fields() function

constexpr auto fields(const LearnedCase*) {
  return std::tuple(std::pair("id", &LearnedCase::id), std::pair("times_s", &LearnedCase::times_s),
                    std::pair("least_similarity", &LearnedCase::least_similarity),
                    std::pair("launches", &LearnedCase::launches));
}

namespace {

constexpr report::JsonFormat format{
    .name = "busbar acceptance profile", .what = "a profile", .writer = "busbar accept --learn"};

constexpr auto rule_keys = std::to_array<std::string_view>(
    {"name", "collective", "backend", "memory", "least_size", "most_size", "least_nodes", "most_nodes", "in_place",
     "least_busbw_GBps", "most_time_us", "least_share_of_ceiling", "least_share_of_others", "least_efficiency",
     "most_spread"});
constexpr auto profile_keys = std::to_array<std::string_view>(
    {"format", "version", "name", "sources", "least_grade", "checked", "rules", "learned"});

/// Throws Error naming a key that nothing reads: a misspelt limit must not pass everything.
void refuse_unknown(const Json& j, std::span<const std::string_view> known, const std::string& where) {
  for (const auto& [key, value] : j.items())
    if (std::ranges::find(known, key) == known.end())
      throw Error(fmt::format("{}: unknown key {}; known: {}", where, key, fmt::join(known, ", ")));
}

std::uint64_t size_of(const Json& j, const char* key, std::uint64_t standard) {
  if (!j.contains(key)) return standard;
  return j.at(key).is_string() ? parse_size(key, j.at(key).get<std::string>()) : j.at(key).get<std::uint64_t>();
}

Rule rule_of(const Json& j, const std::string& where) {
  report::require(j.is_object(), where + " is not an object");
  refuse_unknown(j, rule_keys, where);
  Rule rule;
  read(j, "name", rule.name);
  report::require(!rule.name.empty(), where + " has no name");
  read(j, "collective", rule.collective);
  read(j, "backend", rule.backend);
  read(j, "memory", rule.memory);
  rule.least_bytes = size_of(j, "least_size", rule.least_bytes);
  rule.most_bytes = size_of(j, "most_size", rule.most_bytes);
  read(j, "least_nodes", rule.least_nodes);
  read(j, "most_nodes", rule.most_nodes);
  read(j, "in_place", rule.in_place);
  read(j, "least_busbw_GBps", rule.least_busbw_GBps);
  read(j, "most_time_us", rule.most_time_us);
  read(j, "least_share_of_ceiling", rule.least_share_of_ceiling);
  read(j, "least_share_of_others", rule.least_share_of_others);
  read(j, "least_efficiency", rule.least_efficiency);
  read(j, "most_spread", rule.most_spread);
  const auto limits = {rule.least_busbw_GBps,      rule.most_time_us,     rule.least_share_of_ceiling,
                       rule.least_share_of_others, rule.least_efficiency, rule.most_spread};
  for (const auto& limit : limits)
    report::require(!limit || (std::isfinite(*limit) && *limit > 0), where + ": a limit is not a positive number");
  report::require(std::ranges::any_of(limits, [](const auto& limit) { return limit.has_value(); }),
                  where + " has no limit");
  return rule;
}

void read_learned(const Json& j, Profile& profile) {
  read(j, "learned", profile.learned);
  for (const LearnedCase& one : profile.learned) {
    report::require(!one.times_s.empty() && std::ranges::is_sorted(one.times_s) && one.times_s.front() > 0,
                    "times_s of a learned case are not ascending positive numbers");
    report::require(one.least_similarity > 0 && one.least_similarity <= 1, "least_similarity is not from 0 to 1");
  }
}

fs::path shipped_folder() { return data_folder() / "acceptance"; }

}  // namespace

bool Rule::matches(const CaseRecord& c) const {
  const auto is = [](const std::string& wanted, const std::string& value) { return wanted.empty() || wanted == value; };
  const int nodes = c.key.nodes.value_or(1);
  return is(collective, c.key.collective) && is(backend, c.key.backend) && is(memory, c.key.memory.value_or("")) &&
         c.key.bytes >= least_bytes && c.key.bytes <= most_bytes && nodes >= least_nodes && nodes <= most_nodes &&
         c.key.in_place.value_or(in_place) == in_place && c.key.training.has_value() == least_efficiency.has_value();
}

Profile parse_profile(std::string_view text, std::string_view file) {
  Profile profile;
  report::parse_json_file(text, file, format, [&profile](const Json& j) {
    refuse_unknown(j, profile_keys, "the profile");
    read(j, "name", profile.name);
    read(j, "sources", profile.sources);
    read(j, "checked", profile.checked);
    if (j.contains("least_grade")) {
      const auto grade = enum_named<Grade>(j.at("least_grade").get<std::string>());
      report::require(grade.has_value(), "least_grade is none of " + words_list<Grade>());
      profile.least_grade = *grade;
    }
    if (j.contains("rules"))
      for (std::size_t i = 0; i < j.at("rules").size(); ++i)
        profile.rules.push_back(rule_of(j.at("rules").at(i), fmt::format("rules[{}]", i)));
    read_learned(j, profile);
    report::require(!profile.rules.empty() || !profile.learned.empty(),
                    "the profile has neither rules nor learned cases");
  });
  return profile;
}

Profile read_profile(std::string_view flag, const std::string& file_or_name) {
  std::error_code ignored;
  const fs::path shipped = shipped_folder() / (file_or_name + ".json");
  const bool is_name = file_or_name.find('/') == std::string::npos && !fs::exists(file_or_name, ignored);
  if (is_name && !fs::exists(shipped, ignored))
    throw UsageError(fmt::format("{}: no file and no shipped profile {}; shipped: {}", flag, file_or_name,
                                 fmt::join(shipped_profiles(), ", ")));
  const fs::path path = is_name ? shipped : fs::path(file_or_name);
  return parse_profile(report::read_text(path), path.string());
}

std::vector<std::string> shipped_profiles() { return names_in(shipped_folder(), ".json"); }

/// Only learned profiles are written; rules are written by hand.
Json json_of(const Profile& profile) {
  return {{"format", format.name},
          {"version", format.version},
          {"name", profile.name},
          {"sources", profile.sources},
          {"least_grade", name(profile.least_grade)},
          {"checked", profile.checked},
          {"learned", profile.learned}};
}

}  // namespace busbar::accept
