// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <string>

#include <fmt/core.h>

#include "core/base/json.hpp"
#include "core/base/words.hpp"
#include "reports/commands/command.hpp"
#include "reports/text/glossary.hpp"

namespace busbar {
namespace {

struct GlossaryOptions {
  std::string term;
  std::string format = "text";
};

/// The terms whose names contain `part`, in alphabetical order.
report::Chapter chapter_of(std::string title, std::span<const report::Term> terms, const std::string& part) {
  report::Table table{.columns = {{"term"}, {"meaning"}}};
  for (const report::Term& term : terms)
    if (lower_case(term.name).find(lower_case(part)) != std::string::npos)
      table.rows.push_back({std::string(term.name), std::string(term.meaning)});
  std::ranges::sort(table.rows, {}, [](const auto& row) { return lower_case(row[0]); });
  return {.name = lower_case(title), .title = std::move(title), .blocks = {std::move(table)}};
}

const report::Table& table_of(const report::Chapter& chapter) {
  return std::get<report::Table>(chapter.blocks.front());
}

report::Document glossary(const std::string& part) {
  report::Document document{.title = "Glossary",
                            .summary = "The terms of tables, reports and documentation",
                            .chapters = {chapter_of("Measuring", report::terms_of_measuring(), part),
                                         chapter_of("Training", report::terms_of_training(), part),
                                         chapter_of("Comparing and deciding", report::terms_of_deciding(), part)}};
  std::erase_if(document.chapters, [](const report::Chapter& chapter) { return table_of(chapter).rows.empty(); });
  if (document.chapters.empty())
    throw UsageError(fmt::format("TERM: no term contains '{}'; busbar glossary prints all", part));
  return document;
}

Exit print_glossary_as_json(const report::Document& document) {
  nlohmann::json all = nlohmann::json::array();
  for (const report::Chapter& chapter : document.chapters)
    for (const auto& row : table_of(chapter).rows) all.push_back({{"term", row[0]}, {"meaning", row[1]}});
  return print_json(all);
}

}  // namespace

extern const Command print_glossary{
    .name = "glossary",
    .about = "explain the terms of tables, reports and documentation",
    .heading = "Read records",
    .attach = [](CommandLine& line) -> std::function<Exit()> {
      const auto options = std::make_shared<GlossaryOptions>();
      line.add("TERM", &options->term, "a term or a part of it [all terms]");
      add_format(line, options->format);
      line.examples = {"busbar glossary", "busbar glossary busbw"};
      return [options] {
        const report::Document document = glossary(options->term);
        return options->format == "json" ? print_glossary_as_json(document) : print_document(document, options->format);
      };
    },
};

}  // namespace busbar
