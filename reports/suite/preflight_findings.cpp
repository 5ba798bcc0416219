// SPDX-License-Identifier: Apache-2.0
#include "reports/suite/preflight_findings.hpp"

#include <fstream>

#include "core/base/json.hpp"

namespace busbar::suite {
namespace {

void add_check(const nlohmann::json& check, std::vector<PreflightFinding>& all) {
  for (const nlohmann::json& one : check.at("findings")) {
    const std::string state = one.at("state");
    if (state != "warning" && state != "failed") continue;
    all.push_back({.stage = check.at("stage"),
                   .check = check.at("check"),
                   .failed = state == "failed",
                   .read = one.at("read"),
                   .hosts = one.at("hosts"),
                   .advice = check.at("advice")});
  }
}

}  // namespace

std::vector<PreflightFinding> read_preflight_findings(const std::filesystem::path& file) {
  std::vector<PreflightFinding> all;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    try {
      const nlohmann::json record = parse_json(line);
      if (record.is_object() && record.value("record", "") == "check") add_check(record, all);
    } catch (const nlohmann::json::exception&) {
      continue;  // another program's line
    }
  }
  return all;
}

}  // namespace busbar::suite
