// SPDX-License-Identifier: Apache-2.0
#include "bench/engine/runner.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <sstream>

#include <fmt/core.h>

#include "core/environment.hpp"
#include "core/statistics.hpp"
#include "core/units.hpp"

namespace busbar {
namespace {

using Clock = std::chrono::steady_clock;

World world_of(const std::vector<int>& hosts) {
  const std::set<int> nodes(hosts.begin(), hosts.end());
  World world{.ranks = static_cast<int>(hosts.size()), .nodes = static_cast<int>(nodes.size())};
  const auto on = [&](int node) { return std::ranges::count(hosts, node); };
  if (std::ranges::all_of(nodes, [&](int node) { return on(node) == on(hosts[0]); }))
    world.ranks_per_node = static_cast<int>(on(hosts[0]));
  return world;
}

/// A wrong element as text that survives a broadcast, one field a line.
std::string pack(const WrongElement& w) {
  return fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n", w.rank, w.index, w.call, w.phase, w.expected, w.found);
}
WrongElement unpack(const std::string& text) {
  std::istringstream in(text);
  WrongElement w;
  in >> w.rank >> w.index >> w.call;
  in.ignore();
  std::getline(in, w.phase);
  std::getline(in, w.expected);
  std::getline(in, w.found);
  return w;
}

}  // namespace

Runner::Runner(Group& group, Backend& backend, const BackendFactory& kind, const Settings& settings,
               std::vector<int> hosts, const std::atomic<bool>& interrupted)
    : group_(group),
      backend_(backend),
      kind_(kind),
      settings_(settings),
      hosts_(std::move(hosts)),
      world_(world_of(hosts_)),
      interrupted_(interrupted) {}

double Runner::since_start() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

bool Runner::interrupted() { return group_.broadcast(interrupted_ ? 1.0 : 0.0) > 0; }

const Pattern& Runner::pattern(const Case& spec) {
  const auto key = std::pair(spec.type, spec.op);
  return patterns_.try_emplace(key, spec.type, spec.op, group_.rank(), group_.size()).first->second;
}

CaseRecord Runner::run(const Case& spec, int index) {
  CaseRecord record{.index = index, .key = key_of(spec, world_, kind_.name, backend_.memory())};
  record.started_s = since_start();
  record.check.state = spec.bytes == 0 ? "none" : "off";
  record.count = spec.count;
  const Layout layout =
      spec.collective->layout({.count = spec.count, .rank = group_.rank(), .ranks = group_.size(), .root = spec.root});
  Prepared ready;
  Verdict verdict{Severity::skipped, spec.skip.value_or("")};
  if (!spec.skip) {
    verdict = agree(group_, attempt([&] { require_memory(layout, spec); }));
  }
  if (verdict.ok()) verdict = agree(group_, attempt([&] { ready = prepare(spec, layout); }));
  if (verdict.ok()) {
    if (spec.op) record.reduction = backend_.reduction(spec.type, *spec.op);
    conclude(record, spec, or_abort(group_, [&] { return sample(spec, ready, pattern(spec)); }));
  } else {
    record.status = verdict.severity == Severity::skipped ? Status::skipped : Status::failed;
    record.reason = verdict.reason;
  }
  record.wall_s = since_start() - *record.started_s;
  return record;
}

void Runner::require_memory(const Layout& layout, const Case& spec) {
  const std::size_t buffers = spec.in_place ? layout.in_place_total() : layout.send + layout.recv;
  const std::size_t library = std::max(layout.send, layout.recv);  // for its own temporary buffers
  const double mine = static_cast<double>(buffers + library) * static_cast<double>(size_of(spec.type));
  const auto all = group_.all_gather(mine);
  double here = 0;
  for (std::size_t r = 0; r < all.size(); ++r)
    if (hosts_[r] == hosts_[static_cast<std::size_t>(group_.rank())]) here += all[r];
  const auto available = available_memory();
  if (available && here > static_cast<double>(*available))
    throw Unsupported(
        fmt::format("needs {:.1f} GB on this host, buffers and the library's copies together; {:.1f} GB are free",
                    here * 1e-9, static_cast<double>(*available) * 1e-9));
}

Runner::Prepared Runner::prepare(const Case& spec, const Layout& layout) {
  const std::size_t width = size_of(spec.type);
  Prepared p;
  p.call = {.rank = group_.rank(),
            .ranks = group_.size(),
            .root = spec.root,
            .type = spec.type,
            .op = spec.op.value_or(Op::sum),
            .count = spec.count,
            .in_place = spec.in_place};
  if (spec.in_place) {
    p.recv = backend_.allocate(layout.in_place_total() * width);
    p.whole_recv = {p.recv.get(), layout.in_place_total() * width};
    p.input = p.whole_recv.subspan(layout.send_at * width, layout.send * width);
    p.call.recv = p.whole_recv.subspan(layout.recv_at * width, layout.recv * width);
  } else {
    p.send = backend_.allocate(layout.send * width);
    p.recv = backend_.allocate(layout.recv * width);
    p.whole_recv = p.call.recv = {p.recv.get(), layout.recv * width};
    p.input = {p.send.get(), layout.send * width};
  }
  p.call.send = p.input;
  p.result =
      spec.collective->result({.count = spec.count, .rank = group_.rank(), .ranks = group_.size(), .root = spec.root});
  backend_.prepare(p.call, spec.op.has_value());
  backend_.fill(p.input, pattern(spec).sent());
  return p;
}

void Runner::reset(const Prepared& p, const Pattern& data) {
  backend_.poison(p.whole_recv, p.call.type);
  if (p.call.in_place) backend_.fill(p.input, data.sent());
}

void Runner::verify(const Case& spec, const Prepared& p, const Pattern& data, Samples& samples, bool warming_up) {
  if (samples.wrong) return;  // the first one is enough
  const std::size_t width = size_of(spec.type);
  for (const Block& block : p.result) {
    const Periodic expected = data.expected(block);
    std::string found;
    const auto where = backend_.first_difference(p.call.recv.subspan(block.at * width, block.count * width), expected,
                                                 found, spec.type);
    if (!where) continue;
    const std::size_t index = block.from + *where;
    const auto value = block.source == Block::reduced
                           ? Pattern::result(spec.type, *spec.op, group_.size(), index)
                           : Pattern::input(spec.type, spec.op, group_.size(), block.source, index);
    samples.wrong = WrongElement{.rank = group_.rank(),
                                 .index = block.at + *where,
                                 .expected = std::to_string(value),
                                 .found = found,
                                 .call = samples.calls,
                                 .phase = warming_up ? "warm-up" : "timed"};
    return;
  }
}

void Runner::take(const Case& spec, const Prepared& p, const Pattern& data, Samples& samples, int n, bool warming_up) {
  const auto call = spec.collective->call;
  for (int i = 0; i < n; ++i) {
    if (settings_.check) reset(p, data);
    group_.barrier();
    (backend_.*call)(p.call);
    const double seconds = backend_.elapsed_s();
    if (!warming_up) samples.mine_s.push_back(seconds);
    if (settings_.check) verify(spec, p, data, samples, warming_up);
    ++samples.calls;
  }
}

Runner::Samples Runner::sample(const Case& spec, const Prepared& p, const Pattern& data) {
  Samples samples;
  samples.mine_s.reserve(static_cast<std::size_t>(settings_.stop.max_samples));
  reset(p, data);
  take(spec, p, data, samples, settings_.warmup, true);
  const double begin = since_start();
  while (true) {
    const int taken = static_cast<int>(samples.mine_s.size());
    const int wish = interrupted_ ? 0 : settings_.stop.next_batch(taken, since_start() - begin);
    const int batch = static_cast<int>(group_.broadcast(wish));
    if (batch == 0) return samples;
    take(spec, p, data, samples, batch, false);
  }
}

void Runner::judge(CaseRecord& record, const Samples& samples) {
  if (!settings_.check || record.key.bytes == 0) return;
  record.check = {.state = "passed", .calls_checked = samples.calls};
  const auto wrong = group_.all_gather(samples.wrong ? 1.0 : 0.0);
  for (std::size_t r = 0; r < wrong.size(); ++r)
    if (wrong[r] > 0) record.check.wrong_ranks.push_back(static_cast<int>(r));
  if (record.check.wrong_ranks.empty()) return;
  const WrongElement w =
      unpack(group_.broadcast(samples.wrong ? pack(*samples.wrong) : "", record.check.wrong_ranks[0]));
  record.check.state = "failed";
  record.check.first = w;
  record.status = Status::failed;
  record.reason = fmt::format(
      "wrong data: rank {}, element {}: expected {}, found {} ({} call {} of {}; {} of {} ranks saw any)", w.rank,
      w.index, w.expected, w.found, w.phase, w.call + 1, samples.calls, record.check.wrong_ranks.size(), group_.size());
}

void Runner::conclude(CaseRecord& record, const Case& spec, Samples samples) {
  record.warmup_iterations = settings_.warmup;
  judge(record, samples);
  if (samples.mine_s.empty()) {
    record.status = Status::skipped;
    record.reason = "interrupted before the first sample";
    return;
  }
  const Summary own = summarise(samples.mine_s);
  const auto own_of_all = group_.all_gather(std::array{own.min_s, own.median_s, own.max_s});
  for (std::size_t r = 0; r * 3 < own_of_all.size(); ++r)
    record.ranks.push_back({.rank = static_cast<int>(r),
                            .min_s = own_of_all[r * 3],
                            .median_s = own_of_all[r * 3 + 1],
                            .max_s = own_of_all[r * 3 + 2]});
  group_.max(samples.mine_s);  // from here on: the slowest rank of each iteration
  record.statistics = summarise(samples.mine_s);
  record.samples_taken = samples.mine_s.size();
  record.ended_by = interrupted_ ? "interrupted" : settings_.stop.ended_by(static_cast<int>(samples.mine_s.size()));
  set_bandwidth(record, record.statistics->median_s, spec.collective->bus_factor(group_.size()));
  samples.mine_s.resize(std::min(samples.mine_s.size(), settings_.keep));
  record.samples_s = std::move(samples.mine_s);
}

}  // namespace busbar
