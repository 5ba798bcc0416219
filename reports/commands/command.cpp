// SPDX-License-Identifier: Apache-2.0
#include "reports/commands/command.hpp"

#include <fmt/core.h>

#include "core/base/json.hpp"
#include "reports/drawing/render.hpp"
#include "reports/runs/collective_facts.hpp"

namespace busbar {
namespace {

std::vector<std::string> names_of_collectives() {
  std::vector<std::string> all;
  for (const CollectiveFacts& c : all_collective_facts())
    if (c.moves_data) all.emplace_back(c.name);
  return all;
}

}  // namespace

Exit print_document(const report::Document& document, std::string_view format) {
  fmt::print("{}",
             format == "md" ? report::render_markdown(document) : report::render_text(document, report::text_style()));
  return Exit::ok;
}

std::string json_text(const nlohmann::json& json) {
  return json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

Exit print_json(const nlohmann::json& json) {
  fmt::print("{}", json_text(json));
  return Exit::ok;
}

void add_library(CommandLine& line, std::string& library) {
  line.add(
      "--library", &library,
      "whose known choices and costs count: auto (of the library in the records), none, or one that records do not "
      "name: nccl-2.21, open-mpi-4.1",
      {.name = "LIBRARY", .choices = {"auto", "none"}});
}

void add_format(CommandLine& line, std::string& format) {
  line.add("--format", &format, "output format", {.name = "FORMAT", .choices = {"text", "md", "json"}, .strict = true});
}

Value collective_value(bool list) { return {.name = "COLLECTIVE", .choices = names_of_collectives(), .list = list}; }

}  // namespace busbar
