// SPDX-License-Identifier: Apache-2.0
#include "bench/engine/clock_sync.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace busbar {
namespace {

constexpr std::int64_t second_ns = 1'000'000'000, millisecond_ns = 1'000'000;

/// Ping-pongs per burst; fewer if they are slow and `burst_ns` is over, but at least `least_pings`.
constexpr int pings = 50, least_pings = 8;
constexpr std::int64_t burst_ns = 2 * millisecond_ns;

/// The rounds of HCA3 share `learning_ns`, at least `least_round_ns` each: the error of a drift falls with the time
/// span of its points. Each round yields `points` points: the fastest ping-pong of each equal part.
constexpr std::int64_t learning_ns = 400 * millisecond_ns, least_round_ns = 50 * millisecond_ns;
constexpr int points = 50, least_points = 8;

/// Two readings of one clock differ by at most the message time plus the rounding of two lines.
bool may_be_one_clock(double offset_ns, double uncertainty_ns) { return std::abs(offset_ns) <= uncertainty_ns + 2; }

std::size_t at(int rank) { return static_cast<std::size_t>(rank); }

}  // namespace

ClockSync::ClockSync(Group& group, std::vector<int> hosts, LocalClock now)
    : group_(group), hosts_(std::move(hosts)), now_(std::move(now)), models_(hosts_.size()) {
  for (const double s : group_.all_gather(static_cast<double>(now_() / second_ns)))
    bases_s_.push_back(static_cast<std::int64_t>(s));
  synchronise();
}

std::int64_t ClockSync::agree_on_start(Group& among, double in_s) const {
  const std::int64_t start_ns = to_global(now_()) + std::llround(in_s * 1e9);
  return base_ns(0) + std::llround(among.broadcast(static_cast<double>(start_ns - base_ns(0))));
}

bool ClockSync::check(double at_s) {
  const auto links = links_left();
  const auto left = to_rank_0(links);
  ClockCheck seen{.at_s = at_s};
  bool anew = false;
  for (std::size_t r = 0; r < left.size(); ++r) {
    seen.residual_s = std::max(seen.residual_s, std::abs(left[r].offset_ns) * 1e-9);
    seen.uncertainty_s = std::max(seen.uncertainty_s, left[r].uncertainty_ns * 1e-9);
    anew |=
        at(leader_of_[r]) == r ? has_grown(r, left[r]) : !may_be_one_clock(links[r].offset_ns, links[r].uncertainty_ns);
  }
  checks_.checks.push_back(seen);
  checks_.worst_residual_s = std::max(checks_.worst_residual_s.value_or(0), seen.residual_s);
  if (!anew) return false;
  ++checks_.resynchronised;
  synchronise();
  return true;
}

/// True if the residual is three times its value at the synchronisation, even after subtracting the slowdown of
/// ping-pongs since; or three times the current uncertainty, after a disturbed synchronisation.
bool ClockSync::has_grown(std::size_t rank, const Left& left) const {
  constexpr double floor_s = 1e-6, times = 3;
  const double residual_s = std::abs(left.offset_ns) * 1e-9, uncertainty_s = left.uncertainty_ns * 1e-9;
  const double slower_s = std::max(uncertainty_s - facts_.ranks[rank].uncertainty_s, 0.0);
  return residual_s > floor_s &&
         (residual_s - slower_s > std::max(times * facts_.residual_s, floor_s) || residual_s > times * uncertainty_s);
}

void ClockSync::synchronise() {
  const std::int64_t begin = now_();
  find_leaders();
  learn();
  share();
  if (leaders_.size() > 2) correct();
  const auto left = to_rank_0(links_left());
  describe(left, group_.broadcast(static_cast<double>(now_() - begin) * 1e-9));
}

/// The lowest rank of a host leads the ranks that read the same clock. Ranks share a clock if no message between them
/// seems to arrive before it was sent.
void ClockSync::find_leaders() {
  leader_of_.clear();
  for (const int host : hosts_)
    leader_of_.push_back(static_cast<int>(std::ranges::find(hosts_, host) - hosts_.begin()));
  bool alone = false;
  below_leaders(
      [&](int leader) {
        const OffsetPoint raw = burst(leader, base_ns(leader));
        alone = !may_be_one_clock(static_cast<double>(raw.offset_ns), static_cast<double>(raw.round_trip_ns) / 2);
      },
      [&](int peer) { answer(peer, base_ns(group_.rank()), {}); });
  const auto all_alone = group_.all_gather(alone ? 1.0 : 0.0);
  leaders_.clear();
  for (int r = 0; r < group_.size(); ++r) {
    if (all_alone[at(r)] > 0) leader_of_[at(r)] = r;
    if (leader_of_[at(r)] == r) leaders_.push_back(r);
  }
}

void ClockSync::learn() {
  const auto rounds = static_cast<std::int64_t>(std::bit_width(leaders_.size() - 1));
  const std::int64_t round_ns = std::max(learning_ns / std::max<std::int64_t>(rounds, 1), least_round_ns);
  ClockModel& model = models_[at(group_.rank())];
  among_leaders(
      [&](int peer) {
        const ClockFit fit = fit_clock(series(peer, base_ns(0), round_ns));
        fit_ = fit_ ? with_longer_base(fit, *fit_) : fit;
        model = fit_->model;
      },
      [&](int peer) { answer(peer, base_ns(0), model); });
}

/// Every rank gets all lines and uses its leader's. Seconds are sent separately: a double cannot hold uptime in ns.
void ClockSync::share() {
  const ClockModel& m = mine();
  const std::array<std::int64_t, 4> parts{m.reference_ns / second_ns, m.reference_ns % second_ns,
                                          m.offset_ns / second_ns, m.offset_ns % second_ns};
  std::array<double, 5> sent{};
  std::ranges::transform(parts, sent.begin(), [](std::int64_t part) { return static_cast<double>(part); });
  sent.back() = m.drift;
  const auto all = group_.all_gather(sent);
  for (std::size_t r = 0; r < models_.size(); ++r) {
    const double* got = &all[at(leader_of_[r]) * sent.size()];
    const auto whole = [got](std::size_t i) {
      return static_cast<std::int64_t>(got[i]) * second_ns + static_cast<std::int64_t>(got[i + 1]);
    };
    models_[r] = {.reference_ns = whole(0), .offset_ns = whole(2), .drift = got[4]};
  }
}

/// In a tree of several rounds, the first lines are some tenths of a second old when the last are known. All lines are
/// shifted by the offsets that ping-pongs now measure (ReproMPI: "recompute intercept").
void ClockSync::correct() {
  const auto left = to_rank_0(links_left());
  for (std::size_t r = 0; r < models_.size(); ++r)
    models_[r].offset_ns += std::llround(left[at(leader_of_[r])].offset_ns);
}

/// For each rank: its parent's global time minus its own.
std::vector<ClockSync::Left> ClockSync::links_left() {
  Left own;
  const auto ask = [&](int peer) {
    const OffsetPoint p = burst(peer, base_ns(0));
    own = {.offset_ns = static_cast<double>(p.local_ns + p.offset_ns - to_global(p.local_ns)),
           .uncertainty_ns = static_cast<double>(p.round_trip_ns) / 2};
  };
  const auto reply = [&](int peer) { answer(peer, base_ns(0), mine()); };
  among_leaders(ask, reply);
  below_leaders(ask, reply);
  const auto all = group_.all_gather(std::array{own.offset_ns, own.uncertainty_ns});
  std::vector<Left> links;
  for (std::size_t i = 0; i < all.size(); i += 2) links.push_back({.offset_ns = all[i], .uncertainty_ns = all[i + 1]});
  return links;
}

/// For each rank, sums the links up to rank 0: signed offsets, and uncertainties.
std::vector<ClockSync::Left> ClockSync::to_rank_0(std::vector<Left> links) const {
  const auto add_parent = [&](int rank) {
    const Left above = links[at(parent(rank))];
    links[at(rank)].offset_ns += above.offset_ns;
    links[at(rank)].uncertainty_ns += above.uncertainty_ns;
  };
  for (const int leader : leaders_)  // in order: parents before children
    if (leader != 0) add_parent(leader);
  for (int r = 0; r < group_.size(); ++r)
    if (leader_of_[at(r)] != r) add_parent(r);
  return links;
}

void ClockSync::describe(const std::vector<Left>& left, double took_s) {
  facts_ = {.method = leaders_.size() > 1 ? "HCA3" : "shared clock", .took_s = took_s};
  for (int r = 0; r < group_.size(); ++r) {
    const RankClock clock{.rank = r,
                          .offset_s = static_cast<double>(models_[at(r)].offset_ns) * 1e-9,
                          .drift_ppm = models_[at(r)].drift * 1e6,
                          .residual_s = std::abs(left[at(r)].offset_ns) * 1e-9,
                          .uncertainty_s = left[at(r)].uncertainty_ns * 1e-9};
    facts_.residual_s = std::max(facts_.residual_s, clock.residual_s);
    facts_.uncertainty_s = std::max(facts_.uncertainty_s, clock.uncertainty_s);
    facts_.ranks.push_back(clock);
  }
}

// The tree: leader i's parent is leader (i without its lowest set bit); the parent of other ranks is their leader.

int ClockSync::parent(int rank) const {
  if (leader_of_[at(rank)] != rank) return leader_of_[at(rank)];
  const auto i = static_cast<std::size_t>(std::ranges::lower_bound(leaders_, rank) - leaders_.begin());
  return leaders_[i & (i - 1)];
}

/// In ceil(log2(leaders)) rounds from rank 0 outwards: `ask` runs on a link's lower end and `answer` on its upper end.
void ClockSync::among_leaders(const WithPeer& ask, const WithPeer& answer) const {
  if (leader_of_[at(group_.rank())] != group_.rank()) return;
  const auto me = static_cast<std::size_t>(std::ranges::lower_bound(leaders_, group_.rank()) - leaders_.begin());
  for (std::size_t step = std::bit_ceil(leaders_.size()) / 2; step > 0; step /= 2) {
    if (me % (2 * step) == step) ask(leaders_[me - step]);
    if (me % (2 * step) == 0 && me + step < leaders_.size()) answer(leaders_[me + step]);
  }
}

/// Each rank asks its leader, which answers them one by one.
void ClockSync::below_leaders(const WithPeer& ask, const WithPeer& answer) const {
  const int me = group_.rank();
  if (leader_of_[at(me)] != me) return ask(leader_of_[at(me)]);
  for (int r = 0; r < group_.size(); ++r)
    if (r != me && leader_of_[at(r)] == me) answer(r);
}

// Ping-pongs: the asking rank sends 1 ("more") or 0 ("last"); the other rank replies with its time.

OffsetPoint ClockSync::ping(int peer, std::int64_t base_ns, bool last) {
  const std::int64_t begin = now_();
  group_.send(peer, last ? 0 : 1);
  const double reply = group_.receive(peer);
  const std::int64_t round_trip = now_() - begin, middle = begin + round_trip / 2;
  return {.local_ns = middle, .offset_ns = base_ns + std::llround(reply) - middle, .round_trip_ns = round_trip};
}

void ClockSync::answer(int peer, std::int64_t base_ns, const ClockModel& model) {
  for (bool more = true; more;) {
    more = group_.receive(peer) > 0;
    group_.send(peer, static_cast<double>(model.to_global(now_()) - base_ns));
  }
}

/// The fastest ping-pong of a burst. The first one waits until the other rank answers.
OffsetPoint ClockSync::burst(int peer, std::int64_t base_ns) {
  OffsetPoint best = ping(peer, base_ns, false);
  const std::int64_t end = now_() + burst_ns;
  for (int n = 1; n < pings; ++n) {
    const bool last = n + 1 == pings || (n + 1 >= least_pings && now_() >= end);
    const OffsetPoint p = ping(peer, base_ns, last);
    if (p.round_trip_ns < best.round_trip_ns) best = p;
    if (last) break;
  }
  return best;
}

/// Ping-pongs for `length_ns`; returns the fastest of each of `points` equal parts.
std::vector<OffsetPoint> ClockSync::series(int peer, std::int64_t base_ns, std::int64_t length_ns) {
  std::vector<OffsetPoint> found;
  (void)ping(peer, base_ns, false);  // waits until the other rank answers
  const std::int64_t end = now_() + length_ns;
  for (bool last = false; !last;) {
    const std::int64_t part_end = now_() + length_ns / points;
    OffsetPoint best{.round_trip_ns = std::numeric_limits<std::int64_t>::max()};
    do {
      last = now_() >= end && found.size() + 1 >= least_points;
      const OffsetPoint p = ping(peer, base_ns, last);
      if (p.round_trip_ns < best.round_trip_ns) best = p;
    } while (!last && now_() < part_end);
    found.push_back(best);
  }
  return found;
}

}  // namespace busbar
