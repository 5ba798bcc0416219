// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "core/base/json.hpp"
#include "core/record/field.hpp"
#include "core/record/run_record.hpp"
#include "reports/compare/fields.hpp"
#include "reports/text/text.hpp"

namespace busbar::compare {
namespace {

std::string yes_or_no(bool yes) { return yes ? "yes" : "no"; }

/// "alignment_bytes 4096, send_offset_bytes 0".
std::string pairs(const nlohmann::json& object) {
  std::string all;
  for (const auto& [key, value] : object.items())
    all += fmt::format("{}{} {}", all.empty() ? "" : ", ", key, value.dump());
  return all;
}

std::string text(const nlohmann::json& value, const Compared& as) {
  if (value.is_null()) return std::string(as.absent);
  if (!as.present.empty()) return std::string(as.present);
  if (value.is_boolean()) return yes_or_no(value.get<bool>());
  if (value.is_object()) return pairs(value);
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::vector<MethodField> make_fields() {
  std::vector<MethodField> all;
  for (const Field& field : part_of(static_cast<const Method*>(nullptr)).fields) {
    if (field.compared_as.name.empty()) continue;
    all.push_back({field.compared_as.name, [&field](const RunRecord& run) {
                     nlohmann::json value;
                     field.write(value, &run.method);
                     return text(value, field.compared_as);
                   }});
  }
  all.push_back({"lab", [](const RunRecord& run) { return yes_or_no(report::is_lab(run)); }});
  all.push_back({"simulated", [](const RunRecord& run) { return yes_or_no(is_simulated(run)); }});
  return all;
}

}  // namespace

const std::vector<MethodField>& method_fields() {
  static const std::vector<MethodField> all = make_fields();
  return all;
}

}  // namespace busbar::compare
