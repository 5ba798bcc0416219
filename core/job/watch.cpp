// SPDX-License-Identifier: Apache-2.0
#include "core/job/watch.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "core/alias_key.hpp"
#include "core/job/program.hpp"
#include "core/local_clock.hpp"

namespace busbar {

std::optional<Anonymiser> make_anonymiser(Group& group, const JobOptions& options, std::string_view program) {
  if (!options.anonymise) return std::nullopt;
  std::string key;
  on_rank_0(group, [&] { key = read_or_make_alias_key(alias_key_file(), program); });
  return Anonymiser(group.broadcast(key, 0));
}

Watch::Watch(Group& group, const JobOptions& options, std::string program, const std::string& what,
             const std::string& id, std::optional<Anonymiser> anonymiser)
    : group_(group),
      options_(options),
      program_(std::move(program)),
      anonymiser_(std::move(anonymiser)),
      begin_ns_(steady_ns()),
      watchdog_(options.timeout_s) {
  on_rank_0(group_, [&] { recorder_.emplace(options_, what, id, group_.size()); });
}

void Watch::begin(const RunRecord& run, const std::vector<int>& hosts) {
  if (options_.telemetry_prometheus) prometheus_.emplace(group_, *options_.telemetry_prometheus, hosts);
  if (anonymiser_) anonymiser_->learn(run);
  if (recorder_) recorder_->begin(anonymiser_ ? (*anonymiser_)(run) : run);
}

bool Watch::unwritable() { return group_.broadcast(recorder_ && recorder_->problem() ? 1.0 : 0.0) > 0; }

void Watch::visit(const std::string& what, const std::string& where) {
  watchdog_.rearm(fmt::format("{}: rank {}: {} took longer than --timeout {} s; the job is ended", program_,
                              group_.rank(), what, options_.timeout_s));
  const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - began_;
  if (recorder_) recorder_->console().progress(fmt::format("[{}, {:.0f} s] {}", where, waited.count(), shown(what)));
}

void Watch::rest() { watchdog_.rest(); }

void Watch::take(const CaseRecord& record) {
  count(counted_, record.status);
  if (!recorder_ && !prometheus_) return;
  if (anonymiser_)
    tell((*anonymiser_)(record));
  else
    tell(record);
}

void Watch::tell(const CaseRecord& record) {
  if (recorder_) recorder_->take(record);
  if (prometheus_) prometheus_->take(record);
}

void Watch::keep(std::span<const CaseRecord> unfinished) {
  if (!recorder_) return;
  std::vector<CaseRecord> changed;
  if (anonymiser_) std::ranges::transform(unfinished, std::back_inserter(changed), *anonymiser_);
  recorder_->keep(anonymiser_ ? changed : unfinished);
}

void Watch::text(const std::string& lines) {
  if (recorder_) recorder_->console().text(shown(lines));
}

bool Watch::interrupted() const { return busbar::interrupted() || (recorder_ && recorder_->problem()); }

int Watch::finish(EndRecord end) {
  const bool stopped = group_.broadcast(busbar::interrupted() ? 1.0 : 0.0) > 0;
  end.ok = counted_.ok;
  end.skipped = counted_.skipped;
  end.failed = counted_.failed;
  end = conclude(std::move(end), stopped, seconds_since(begin_ns_));
  if (recorder_) recorder_->finish(anonymiser_ ? (*anonymiser_)(end) : end);
  if (recorder_ && recorder_->problem()) fmt::print(stderr, "{}: {}\n", program_, *recorder_->problem());
  if (prometheus_ && prometheus_->problem()) fmt::print(stderr, "{}: {}\n", program_, *prometheus_->problem());
  return unwritable() ? static_cast<int>(Exit::output) : *end.exit_code;
}

}  // namespace busbar
