// SPDX-License-Identifier: Apache-2.0
#include "core/job/watch.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "core/base/json.hpp"
#include "core/base/terminal_text.hpp"
#include "core/job/program.hpp"
#include "core/journal/alias_key.hpp"
#include "core/journal/journal.hpp"
#include "core/machine/host_name.hpp"
#include "core/machine/local_clock.hpp"
#include "core/record/case_record.hpp"
#include "core/record/parts.hpp"
#include "core/record/run_record.hpp"

namespace busbar {

std::optional<Anonymiser> make_anonymiser(Group& group, const JobOptions& options, std::string_view program) {
  if (!options.anonymise) return std::nullopt;
  std::string key;
  on_rank_0(group, [&] { key = read_or_make_alias_key(alias_key_file(), program); });
  return Anonymiser(group.broadcast(key, 0));
}

Watch::Watch(Group& group, Guard& guard, const JobOptions& options, std::string program, const std::string& what,
             const std::string& id, std::optional<Anonymiser> anonymiser, VerdictOf verdict)
    : group_(group),
      guard_(guard),
      options_(options),
      program_(std::move(program)),
      anonymiser_(std::move(anonymiser)),
      begin_ns_(steady_ns()) {
  guard_.progress().step("start-up: the record is made");
  on_rank_0(group_, [&] {
    recorder_.emplace(options_, what, id, group_.size(), verdict);
    recorder_->console().progress("starting: reading the machine, measuring OS noise");
  });
}

/// Runs on rank 0 only. Other ranks wait meanwhile, and a file system may hang: the phase shows it.
void Watch::write(const std::function<void()>& step) {
  if (!recorder_) return;
  const Position before = progress().position();
  progress().at(Phase::writing);
  step();
  progress().at(before.phase, before.call, before.checking);
}

std::optional<int> Watch::begin(const RunRecord& run, const std::vector<int>& hosts, const PlannedCases& planned) {
  if (anonymiser_) anonymiser_->learn(run);
  if (options_.resume) keep_resumed(run, planned);
  if (nothing_missing_) {
    if (recorder_) recorder_->console().note(fmt::format("{}: nothing is missing", *options_.resume));
    return conclude({.cases = counted_}, false, 0).exit_code;
  }
  if (options_.telemetry_prometheus) prometheus_.emplace(group_, *options_.telemetry_prometheus, hosts);
  write([&] { recorder_->begin(anonymiser_ ? (*anonymiser_)(run) : run, kept_); });
  if (anonymiser_) guard_.name_host(anonymiser_->without_names(host_name()));
  if (recorder_) guard_.keep_record(recorder_->file());
  return std::nullopt;
}

/// Rank 0 reads the record and broadcasts the result.
void Watch::keep_resumed(const RunRecord& run, const PlannedCases& planned) {
  const std::string as_written = to_line(anonymiser_ ? (*anonymiser_)(run) : run);
  on_rank_0(group_, [&] { kept_ = recorder_->kept(nlohmann::json::parse(as_written).get<RunRecord>(), planned); });
  kept_ = kept_cases_of(group_.broadcast(to_string(kept_), 0));
  for (const auto& status : kept_)
    if (status) counted_.add(*status);
  const bool whole = recorder_ && recorder_->is_whole() && number_of(kept_) == kept_.size();
  nothing_missing_ = group_.broadcast(whole ? 1.0 : 0.0) > 0;
}

bool Watch::kept(int index) const {
  const auto i = static_cast<std::size_t>(index);
  return i < kept_.size() && kept_[i].has_value();
}

bool Watch::unwritable() { return group_.broadcast(recorder_ && recorder_->problem() ? 1.0 : 0.0) > 0; }

std::optional<double> Watch::usual_barrier_s() {
  const double known_s = group_.broadcast(recorder_ ? recorder_->usual_barrier_s().value_or(0) : 0.0);
  return known_s > 0 ? std::optional(known_s) : std::nullopt;
}

void Watch::visit(const std::string& what, const std::string& where, const std::string& how_far) {
  guard_.enter(what, where, "--timeout", options_.timeout_s);
  const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - began_;
  if (!recorder_) return;
  const std::string_view comma = how_far.empty() ? "" : ", ";
  const std::string limit = limit_s_ ? fmt::format(" of {:.0f}", *limit_s_) : "";
  recorder_->console().progress(
      fmt::format("[{}{}{}, {:.0f}{} s] {}", where, comma, how_far, waited.count(), limit, shown(what)));
}

void Watch::rest() { guard_.rest(); }

void Watch::add_case(const CaseRecord& record) {
  counted_.add(record.status);
  progress().count(counted_);
  if (!recorder_ && !prometheus_) return;
  if (anonymiser_)
    tell((*anonymiser_)(record));
  else
    tell(record);
}

void Watch::tell(const CaseRecord& record) {
  write([&] { recorder_->add_case(record); });
  if (prometheus_) prometheus_->add_case(record);
}

void Watch::keep(std::span<const CaseRecord> unfinished) {
  if (!recorder_) return;
  std::vector<CaseRecord> changed;
  if (anonymiser_) std::ranges::transform(unfinished, std::back_inserter(changed), *anonymiser_);
  write([&] { recorder_->keep(anonymiser_ ? changed : unfinished); });
}

void Watch::print_text(const std::string& lines) {
  if (recorder_) recorder_->console().print_text(shown(lines));
}

bool Watch::interrupted() const { return busbar::interrupted() || (recorder_ && recorder_->problem()); }

int Watch::finish(EndRecord end) {
  guard_.enter("end of the run", "", "--timeout", options_.timeout_s);
  const bool stopped = group_.any(busbar::interrupted());
  end.cases = counted_;
  const auto unguarded = group_.all_gather(std::string(guard_.protects() ? "" : "unguarded"));
  for (std::size_t rank = 0; rank < unguarded.size(); ++rank)
    if (!unguarded[rank].empty()) end.unguarded.push_back(static_cast<int>(rank));
  end = conclude(std::move(end), stopped, seconds_since(begin_ns_));
  write([&] { recorder_->finish(anonymiser_ ? (*anonymiser_)(end) : end); });
  progress().note_record_ended();
  if (recorder_ && recorder_->problem()) print_message(program_, *recorder_->problem());
  if (prometheus_ && prometheus_->problem()) print_message(program_, *prometheus_->problem());
  return unwritable() ? static_cast<int>(Exit::output) : *end.exit_code;
}

}  // namespace busbar
