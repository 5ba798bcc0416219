// SPDX-License-Identifier: Apache-2.0
#include "bench/engine/checker.hpp"

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>

#include <fmt/core.h>

namespace busbar {
namespace {

constexpr std::size_t sampled_every_bytes = 4096;

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

/// Distance between poisoned elements, in elements.
std::size_t Checker::stride(const Prepared& p) const {
  const std::size_t width = size_of(spec_.type);
  return std::max<std::size_t>(1, std::min(sampled_every_bytes, p.whole_recv.size()) / width);
}

void Checker::prepare(const Prepared& p) {
  memory_.poison(p.whole_recv, spec_.type, 1, 0);
  memory_.fill(p.input, data_.sent());
  prepared_ = poisoned_ = true;
}

void Checker::reset(const Prepared& p) {
  if (std::exchange(prepared_, false)) return;
  poisoned_ = false;
  memory_.poison(p.whole_recv, spec_.type, stride(p), calls_ % stride(p));
  if (p.call.in_place) memory_.fill(p.input, data_.sent());
}

void Checker::verify(const Prepared& p, bool warming_up, Extent extent) {
  const bool small = extent == Extent::sampled && p.whole_recv.size() <= sampled_every_bytes;
  const bool all = extent == Extent::whole || poisoned_ || small;
  const std::size_t every = all ? 1 : stride(p), from = all ? 0 : calls_ % every;
  ++calls_;
  if (wrong_) return;  // the first wrong element is enough
  double elements = 0;
  for (const Block& block : p.result) elements += static_cast<double>(block.count);
  elements_ += elements;
  if (!all && extent == Extent::nothing) return;
  ++compared_;
  if (all) ++whole_;
  elements_compared_ += all ? elements : elements / static_cast<double>(every);
  const std::size_t width = size_of(spec_.type);
  // Positions count from the start of the poisoned range; in place, the result may begin later.
  const auto begin = static_cast<std::size_t>(p.call.recv.data() - p.whole_recv.data()) / width;
  for (const Block& block : p.result) {
    const std::size_t skip = (from + every - (begin + block.at) % every) % every;
    if (skip >= block.count) continue;
    Block rest = block;
    rest.at += skip;
    rest.from += skip;
    rest.count -= skip;
    if (find_wrong(p, rest, every, warming_up)) return;
  }
}

bool Checker::find_wrong(const Prepared& p, const Block& block, std::size_t every, bool warming_up) {
  const std::size_t width = size_of(spec_.type);
  std::string found;
  const auto where = memory_.first_difference(p.call.recv.subspan(block.at * width, block.count * width),
                                              data_.expected(block), found, spec_.type, every);
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
