// SPDX-License-Identifier: Apache-2.0
#include "preflight/contact/limited_group.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/core.h>

namespace busbar::preflight {
namespace {

/// Concatenated texts, each preceded by its length, since they may contain any bytes.
std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += fmt::format("{}:", text.size()) + text;
  return all;
}

std::vector<std::string> parted(const std::string& all) {
  std::vector<std::string> texts;
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t colon = all.find(':', at), length = std::stoul(all.substr(at, colon - at));
    texts.push_back(all.substr(colon + 1, length));
    at = colon + 1 + length;
  }
  return texts;
}

/// Exchanges `mine` for equally many bytes of the other rank.
std::string swapped(Roll& roll, int other, const std::string& mine, double limit_s) {
  const auto theirs = roll.swap(other, std::as_bytes(std::span(mine)), limit_s);
  if (!theirs) throw Error(fmt::format("rank {} did not answer within {:.1f} s", other, limit_s));
  return {reinterpret_cast<const char*>(theirs->data()), theirs->size()};
}

std::vector<std::string> texts_of_two(Roll& roll, int other, const std::string& mine, double limit_s) {
  const std::size_t length = std::stoul(swapped(roll, other, fmt::format("{:012}", mine.size()), limit_s));
  std::string padded = mine;
  padded.resize(std::max(length, mine.size()));
  const std::string theirs = padded.empty() ? "" : swapped(roll, other, padded, limit_s).substr(0, length);
  return roll.rank() < other ? std::vector{mine, theirs} : std::vector{theirs, mine};
}

}  // namespace

LimitedGroup::LimitedGroup(Roll& roll)
    : roll_(roll), rank_(roll.rank()), size_(roll.size()), texts_([&roll](const std::string& mine) {
        const auto all = roll.gather(mine);
        return parted(roll.tell(joined(all)));
      }) {}

LimitedGroup::LimitedGroup(Roll& roll, int other, double limit_s)
    : roll_(roll),
      rank_(roll.rank() < other ? 0 : 1),
      size_(2),
      texts_([&roll, other, limit_s](const std::string& mine) { return texts_of_two(roll, other, mine, limit_s); }) {}

std::vector<double> LimitedGroup::all_gather(std::span<const double> mine) {
  std::string bytes(mine.size_bytes(), '\0');
  std::memcpy(bytes.data(), mine.data(), bytes.size());
  std::vector<double> all;
  for (const std::string& theirs : texts_(bytes)) {
    all.resize(all.size() + mine.size());
    std::memcpy(all.data() + all.size() - mine.size(), theirs.data(), bytes.size());
  }
  return all;
}

std::string LimitedGroup::broadcast(std::string text, int root) {
  return texts_(rank_ == root ? text : "")[static_cast<std::size_t>(root)];
}

void LimitedGroup::max(std::span<double> values) {
  const auto all = all_gather(std::span<const double>(values));
  for (std::size_t i = 0; i < all.size(); ++i) values[i % values.size()] = std::max(values[i % values.size()], all[i]);
}

void LimitedGroup::send(int /*to*/, double /*value*/) { throw Error("send() is not supported here"); }
double LimitedGroup::receive(int /*from*/) { throw Error("receive() is not supported here"); }

void LimitedGroup::do_abort(std::string_view why) noexcept {
  std::fprintf(stderr, "busbar-preflight: rank %d: %.*s\n", roll_.rank(), static_cast<int>(why.size()), why.data());
  roll_.end_job(static_cast<int>(Exit::aborted));
}

}  // namespace busbar::preflight
