// SPDX-License-Identifier: Apache-2.0
#include "bench/engine/checker.hpp"

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>

#include <fmt/core.h>

namespace busbar {
namespace {

constexpr std::size_t sampled_every_bytes = SmallResult::most_bytes;

/// A wrong element as text for a broadcast, one field per line.
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

void Checker::prepare(const Prepared& p) {
  memory_.poison(p.whole_recv, spec_.type, 1, 0);
  memory_.fill(p.input, data_.sent());
  prepared_ = poisoned_ = true;
  stride_ = std::max<std::size_t>(1, std::min(sampled_every_bytes, p.whole_recv.size()) / size_of(spec_.type));
  sampled_ %= stride_;
  small_ = {};
  expected_.clear();
  elements_of_call_ = 0;
}

void Checker::reset(const Prepared& p) {
  if (std::exchange(prepared_, false)) return;
  poisoned_ = false;
  if (small_) return small_.poison(sampled_);
  memory_.poison(p.whole_recv, spec_.type, stride_, sampled_);
  if (p.call.in_place) memory_.fill(p.input, data_.sent());
}

void Checker::expect(const Prepared& p) {
  for (const Block& block : p.result) {
    expected_.push_back(data_.expected(block));
    elements_of_call_ += static_cast<double>(block.count);
  }
  small_ = SmallResult::of(p, expected_, memory_);
}

void Checker::verify(const Prepared& p, bool warming_up, Extent extent) {
  if (expected_.size() != p.result.size()) expect(p);
  const bool small = extent == Extent::sampled && p.whole_recv.size() <= sampled_every_bytes;
  const bool all = extent == Extent::whole || poisoned_ || small;
  const std::size_t from = sampled_;
  ++calls_;
  sampled_ = from + 1 == stride_ ? 0 : from + 1;
  if (wrong_) return;  // the first wrong element is enough
  elements_ += elements_of_call_;
  if (!all && extent == Extent::nothing) return;
  ++compared_;
  elements_compared_ += all ? elements_of_call_ : elements_of_call_ / static_cast<double>(stride_);
  if (!all) return verify_sampled(p, from, warming_up);
  ++whole_;
  if (small_ && small_.right()) return;
  for (std::size_t i = 0; i < p.result.size(); ++i)
    if (find_wrong(p, p.result[i], expected_[i], 1, warming_up)) return;
}

void Checker::verify_sampled(const Prepared& p, std::size_t from, bool warming_up) {
  // Positions count from the start of the poisoned range; in place, the result may begin later.
  const auto begin = static_cast<std::size_t>(p.call.recv.data() - p.whole_recv.data()) / size_of(spec_.type);
  for (const Block& block : p.result) {
    const std::size_t skip = (from + stride_ - (begin + block.at) % stride_) % stride_;
    if (skip >= block.count) continue;
    Block rest = block;
    rest.at += skip;
    rest.from += skip;
    rest.count -= skip;
    if (find_wrong(p, rest, data_.expected(rest), stride_, warming_up)) return;
  }
}

bool Checker::find_wrong(const Prepared& p, const Block& block, const Periodic& expected, std::size_t every,
                         bool warming_up) {
  const std::size_t width = size_of(spec_.type);
  std::string found;
  const auto where = memory_.first_difference(p.call.recv.subspan(block.at * width, block.count * width), expected,
                                              found, spec_.type, every);
  if (!where) return false;
  const std::size_t index = block.from + *where;
  wrong_ = WrongElement{.rank = p.call.rank,
                        .index = block.at + *where,
                        .expected = std::to_string(data_.expected_value(block, index)),
                        .found = found,
                        .call = calls_ - 1,
                        .phase = warming_up ? "warm-up" : "timed"};
  return true;
}

Check Checker::agree_on_check(Group& group) const {
  Check check{.state = CheckState::passed, .calls_made = calls_, .calls_checked = compared_, .calls_whole = whole_};
  constexpr std::size_t each = 3;
  const auto all = group.all_gather(std::array{wrong_ ? 1.0 : 0.0, elements_, elements_compared_});
  double elements = 0, compared = 0;
  for (std::size_t r = 0; r < all.size() / each; ++r) {
    if (all[each * r] > 0) check.wrong_ranks.push_back(static_cast<int>(r));
    elements += all[each * r + 1];
    compared += all[each * r + 2];
  }
  if (elements > 0) check.element_share = compared / elements;
  if (check.wrong_ranks.empty()) return check;
  check.state = CheckState::failed;
  check.first = unpack(group.broadcast(wrong_ ? pack(*wrong_) : "", check.wrong_ranks[0]));
  return check;
}

std::string describe(const Check& check, int ranks) {
  const WrongElement& w = *check.first;
  return fmt::format(
      "wrong data: rank {}, element {}: expected {}, found {} ({} call {} of {}; {} of {} ranks saw any)", w.rank,
      w.index, w.expected, w.found, w.phase, w.call + 1, *check.calls_made, check.wrong_ranks.size(), ranks);
}

}  // namespace busbar
