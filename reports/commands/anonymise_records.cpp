// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "core/base/terminal_text.hpp"
#include "core/base/units.hpp"
#include "core/journal/alias_key.hpp"
#include "core/journal/anonymiser.hpp"
#include "core/journal/journal.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/run_record.hpp"
#include "reports/commands/command.hpp"
#include "reports/runs/load.hpp"

namespace busbar {
namespace {

namespace fs = std::filesystem;

struct AnonymiseOptions {
  std::vector<std::string> records;
  std::string out;
  bool overwrite = false;
};

/// An input record and its output path.
struct Copy {
  fs::path from, to;
};

struct NamedHead {
  fs::path file;
  RunRecord head;
};

std::vector<NamedHead> read_heads(const AnonymiseOptions& o) {
  std::vector<NamedHead> heads;
  for (const fs::path& file : report::record_files(o.records))
    heads.push_back({file, read_journal(file, Detail::figures).head});
  return heads;
}

/// Plans one copy per record, with host names removed from its file name. Throws UsageError before anything is written
/// if a copy would replace an input or another copy.
std::vector<Copy> plan_copies(const AnonymiseOptions& o, const std::vector<NamedHead>& records,
                              const std::string& key) {
  std::vector<Copy> jobs;
  std::error_code ignored;
  for (const auto& [from, head] : records) {
    Anonymiser anonymiser(key);
    anonymiser.learn(head);
    const Copy job{from, fs::path(o.out) / (anonymiser.without_names(from.stem().string()) + ".jsonl")};
    if (const auto same = std::ranges::find(jobs, job.to, &Copy::to); same != jobs.end())
      throw UsageError(
          fmt::format("--out: {} and {} would both become {}; give them one after the other, with folders "
                      "of their own",
                      same->from.string(), from.string(), job.to.string()));
    jobs.push_back(job);
  }
  for (const Copy& job : jobs) {
    if (std::ranges::any_of(jobs, [&](const Copy& j) { return fs::equivalent(j.from, job.to, ignored); }))
      throw UsageError(fmt::format("--out: {} is one of the records themselves; name another folder", job.to.string()));
    if (!o.overwrite && fs::exists(job.to, ignored))
      throw UsageError(fmt::format("--out: {} exists; name another folder, or add --overwrite", job.to.string()));
  }
  return jobs;
}

void write_copy(const Run& run, const Copy& job, const Anonymiser* anonymiser, bool overwrite) {
  const auto changed = [&](const auto& record) { return anonymiser == nullptr ? record : (*anonymiser)(record); };
  JournalWriter out(job.to, overwrite);
  out.write(changed(run.head));
  for (const CaseRecord& record : run.cases) out.write(changed(record));
  if (run.end) out.write(changed(*run.end));
}

void anonymise_one(const Copy& job, const std::string& key, bool overwrite) {
  const Run run = read_journal(job.from);
  Anonymiser anonymiser(key);
  anonymiser.learn(run.head);
  write_copy(run, job, run.head.anonymised ? nullptr : &anonymiser, overwrite);
  fmt::print("{}: {} on {}{}\n", job.to.string(), plural(run.cases.size(), "case"),
             plural(run.head.hosts.size(), "host"), run.head.anonymised ? "; it was anonymised already" : "");
  for (const std::string& note : run.notes) print_message("busbar", fmt::format("{}: {}", job.from.string(), note));
}

Exit anonymise(const AnonymiseOptions& o) {
  const std::vector<NamedHead> records = read_heads(o);  // before a key is created, since this may reject records
  const std::string key = read_or_make_alias_key(alias_key_file(), "busbar");
  for (const Copy& job : plan_copies(o, records, key)) anonymise_one(job, key, o.overwrite);
  return Exit::ok;
}

}  // namespace

extern const Command anonymise_records{
    .name = "anonymise",
    .about = "copy records with aliases for hosts, addresses, UUIDs",
    .heading = "Convert",
    .attach = [](CommandLine& line) -> std::function<Exit()> {
      const auto o = std::make_shared<AnonymiseOptions>();
      line.add("RECORD", &o->records, "records (JSON Lines), or folders of them", records_value);
      line.add("-o,--out", &o->out, "folder for the copies",
               {.name = "FOLDER", .completes = Completes::folders, .required = true});
      line.add("--overwrite", &o->overwrite, "replace copies that exist");
      line.notes =
          "A name has the same alias in every record. The key is ~/.config/busbar/anonymise.key, created if missing; "
          "BUSBAR_ANONYMISE_KEY=FILE names another. docs/privacy.md lists what is replaced and what is not.";
      line.examples = {"busbar anonymise results/*.jsonl --out shared"};
      return [o] { return anonymise(*o); };
    },
};

}  // namespace busbar
