// SPDX-License-Identifier: Apache-2.0
#include "reports/commands/document_options.hpp"

#include <filesystem>
#include <memory>

#include <fmt/core.h>

#include "reports/commands/command.hpp"
#include "reports/expected/line_rate.hpp"
#include "reports/predict/prediction.hpp"

namespace busbar {

void add_document_options(CommandLine& line, DocumentChoices& choices) {
  line.add("--line-rate", &choices.line_rate,
           "network bandwidth per node, each way, over all of its NICs: 200Gb/s, 25GB/s, 8x200Gb/s",
           {.name = "RATE", .standard = "from the records"});
  line.add("--predict", &choices.predict, "draw this prediction (busbar predict -o) beside the measurements",
           file_value);
  line.add("--by", &choices.by, "compare the values of a label or field, as busbar compare --by",
           {.name = "FIELD", .common = true});
  line.add("--group-by", &choices.group_by, "draw one line for all launches with the same value of a label or field",
           {.name = "FIELD", .common = true});
  line.add("--across", &choices.across, "--by: fields of the method that can differ between the sides",
           {.name = "FIELD", .list = true});
  line.add("--color", &choices.color, "one colour per value of a label or field", {.name = "FIELD"});
  line.add("--facet", &choices.facet, "one chart per value of a label or field", {.name = "FIELD"});
  line.add("--fastest", &choices.fastest,
           "show the fastest value of a label, case by case, and how much each label matters", {.name = "LABEL"});
  line.add("--reference", &choices.reference, "--by: compare only with this side, size by size", {.name = "VALUE"});
  line.add("--pool", &choices.pool, "--by: labels that can differ within one side", {.name = "LABEL", .list = true});
}

report::DocumentOptions read_document_choices(const DocumentChoices& choices) {
  if (choices.by.empty() && !choices.reference.empty()) throw UsageError("--reference: only with --by");
  report::DocumentOptions asked{.by = choices.by,
                                .reference = choices.reference,
                                .pool = choices.pool,
                                .across = choices.across,
                                .group_by = choices.group_by,
                                .color = choices.color,
                                .facet = choices.facet,
                                .fastest = choices.fastest};
  if (!choices.predict.empty())
    asked.prediction = std::make_shared<predict::Prediction>(predict::read_prediction(choices.predict));
  if (!choices.line_rate.empty()) asked.line_rate = expected::parse_line_rate(choices.line_rate);
  return asked;
}

void refuse_to_overwrite_input(const std::vector<std::string>& files, const DocumentChoices& choices,
                               const std::string& out) {
  auto inputs = files;
  if (!choices.predict.empty()) inputs.push_back(choices.predict);
  for (const auto& file : inputs) {
    std::error_code problem;
    if (std::filesystem::equivalent(file, out, problem))
      throw UsageError(fmt::format("-o: {} is one of the files to read", out));
  }
}

}  // namespace busbar
