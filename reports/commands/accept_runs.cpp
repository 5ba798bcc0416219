// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/json.hpp"
#include "core/files/output_file.hpp"
#include "core/record/run.hpp"
#include "reports/accept/outputs.hpp"
#include "reports/commands/command.hpp"
#include "reports/drawing/page.hpp"
#include "reports/drawing/render.hpp"
#include "reports/runs/load.hpp"
#include "reports/text/text.hpp"

namespace busbar {
namespace {

struct AcceptOptions {
  std::vector<std::string> files;
  std::string profile, line_rate, junit, page, out;
  bool learn = false, list = false;
  std::string format = "text";
};

report::Document document_of(const std::vector<Run>& runs, const std::string& title, report::Chapter chapter) {
  return {.title = title, .summary = report::count_runs_and_cases(runs), .chapters = {std::move(chapter)}};
}

Exit learn(const AcceptOptions& o) {
  if (o.out.empty()) throw UsageError("--learn: name the profile to write with -o FILE");
  const auto runs = report::load(report::record_files(o.files), Detail::without_samples);
  const accept::Learning learning = accept::learn_profile(runs, o.out);
  if (learning.profile.learned.empty())
    throw Error("no case has 3 usable launches; give the records of a whole fleet, or of several launches");
  write_whole(o.out, accept::json_of(learning.profile).dump(1) + "\n", "-o");
  return print_document(document_of(runs, "busbar accept --learn", accept::learning_chapter(learning)), o.format);
}

Exit exit_of(accept::Outcome outcome) {
  if (outcome == accept::Outcome::pass) return Exit::ok;
  return outcome == accept::Outcome::fail ? Exit::failed : Exit::inconclusive;
}

Exit accept_or_learn(const AcceptOptions& o) {
  if (o.list) {
    fmt::print("{}\n", fmt::join(accept::shipped_profiles(), "\n"));
    return Exit::ok;
  }
  if (o.files.empty()) throw UsageError("name records, or folders of them");
  if (o.learn) return learn(o);
  if (o.profile.empty())
    throw UsageError(
        fmt::format("--profile: name a profile: a file, or one of {}", fmt::join(accept::shipped_profiles(), ", ")));
  const accept::Profile profile = accept::read_profile("--profile", o.profile);
  std::optional<expected::LineRate> line_rate;
  if (!o.line_rate.empty()) line_rate = expected::parse_line_rate(o.line_rate);
  const auto runs = report::load(report::record_files(o.files), Detail::without_samples);
  const accept::Acceptance acceptance = accept::accept_runs(profile, runs, accept::yardsticks_for(profile, line_rate));
  report::Document document =
      document_of(runs, "busbar accept: " + profile.name, accept::certificate(acceptance, profile, runs));
  accept::put_first(document.overview, acceptance);
  if (!o.junit.empty()) write_whole(o.junit, accept::junit(acceptance), "--junit");
  if (!o.page.empty()) write_whole(o.page, report::render_html(document, report::chart_bundle()), "--page");
  if (o.format == "json")
    print_json(accept::to_json(acceptance, profile));
  else
    print_document(document, o.format);
  return exit_of(acceptance.outcome());
}

}  // namespace

extern const Command accept_runs{
    .name = "accept",
    .about = "accept or reject a cluster by a profile",
    .heading = "Measure and compare",
    .attach = [](CommandLine& line) -> std::function<Exit()> {
      const auto o = std::make_shared<AcceptOptions>();
      Value records = records_value;
      records.required = false;
      line.add("FILE", &o->files, "records (JSON Lines) or folders of them", records);
      line.add("--profile", &o->profile, "limits: a file, or the name of a shipped profile (--list)",
               {.name = "PROFILE", .common = true});
      line.add("--line-rate", &o->line_rate, "network bandwidth per node, for shares of the ceiling: 8x400Gb/s",
               {.name = "RATE", .common = true});
      line.add("--learn", &o->learn, "learn a profile from the records of a trusted fleet, and write it to -o",
               {.common = true});
      line.add("-o", &o->out, "--learn: profile to write", common_value(file_value));
      line.add("--junit", &o->junit, "write JUnit XML to this file", common_value(file_value));
      line.add("--page", &o->page, "write the certificate as a page (HTML) to this file", common_value(file_value));
      line.add("--list", &o->list, "list the shipped profiles", {.common = true});
      add_format(line, o->format);
      line.notes = "Figures below the profile's grade, around a limit or without a ceiling neither pass nor fail.";
      line.exit_codes =
          "0 pass, or learned; 1 fail, or nothing to learn; 2 wrong use, or a file cannot be read; 4 a file cannot be "
          "written; 5 "
          "cannot tell.";
      line.examples = {"busbar accept results/ --profile h100-node --junit accept.xml",
                       "busbar accept --learn fleet/ -o ours.json", "busbar accept new-node/ --profile ours.json"};
      return [o] { return accept_or_learn(*o); };
    },
};

}  // namespace busbar
