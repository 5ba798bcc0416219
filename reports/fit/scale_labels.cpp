// SPDX-License-Identifier: Apache-2.0
#include "reports/fit/scale_labels.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include <fmt/core.h>

#include "reports/text/text.hpp"

namespace busbar::fit {
namespace {

bool is_figure(char c) { return c >= '0' && c <= '9'; }

/// The whole numbers in a text: 2 and 16 of "n2r16". A number of more digits than an int has counts as -1.
std::vector<int> numbers_in(std::string_view text) {
  std::vector<int> all;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!is_figure(text[i])) continue;
    std::size_t end = i;
    while (end < text.size() && is_figure(text[end])) ++end;
    int number = -1;
    if (std::from_chars(text.data() + i, text.data() + end, number).ec != std::errc{}) number = -1;
    all.push_back(number);
    i = end;
  }
  return all;
}

/// A text with "#" in place of each number: "job-#" for "job-17".
std::string shape_of(std::string_view text) {
  std::string shape;
  for (const char c : text)
    if (!is_figure(c) || shape.empty() || shape.back() != '#') shape += is_figure(c) ? '#' : c;
  return shape;
}

template <class Values>
bool all_name(const Values& values, int Scale::* count) {
  return std::ranges::all_of(values, [count](const auto& one) {
    const auto numbers = numbers_in(one.first);
    return std::ranges::all_of(one.second,
                               [&](const Scale& s) { return std::ranges::find(numbers, s.*count) != numbers.end(); });
  });
}

/// True for values that differ in whole numbers only, as ids of jobs and numbers of runs do, and not in versions.
template <class Values>
bool are_ids(const Values& values) {
  const std::string shape = shape_of(values.begin()->first);
  return shape.find('#') != std::string::npos && shape.find("#.#") == std::string::npos &&
         std::ranges::all_of(values, [&shape](const auto& one) { return shape_of(one.first) == shape; });
}

/// Why a label groups no scales, by its values and their scales; empty if it may name something else, like a system.
template <class Values>
std::string reason_of(const Values& values) {
  if (all_name(values, &Scale::nodes)) return "follows the number of nodes";
  if (all_name(values, &Scale::ranks)) return "follows the number of ranks";
  return are_ids(values) ? "has other values at each scale" : "";
}

}  // namespace

void ScaleLabels::add(const std::map<std::string, std::string>& labels, const Scale& scale) {
  for (const auto& [name, value] : labels) {
    const bool is_new = !labels_.contains(name);
    labels_[name][value].insert(scale);
    if (is_new) without_[name] = scales_;
  }
  for (const auto& [name, values] : labels_)
    if (!labels.contains(name)) without_[name].insert(scale);
  scales_.insert(scale);
}

bool ScaleLabels::differs_at_each_scale(const Values& values) const {
  return scales_.size() > 1 && values.size() > 1 &&
         std::ranges::all_of(values, [](const auto& one) { return one.second.size() == 1; });
}

std::map<std::string, std::string> ScaleLabels::to_pool() const {
  std::map<std::string, std::string> pooled;
  for (const auto& [name, values] : labels_) {
    if (!without_.at(name).empty() || !differs_at_each_scale(values)) continue;
    const std::string shown = report::shortened(name, 60);
    if (const std::string why = reason_of(values); !why.empty())
      pooled[name] = fmt::format("label '{}' {}: pooled over it; --by {} keeps them apart", shown, why, shown);
  }
  return pooled;
}

std::vector<std::string> ScaleLabels::remarks() const {
  std::vector<std::string> all;
  for (const auto& [name, values] : labels_) {
    if (!without_.at(name).empty() || !differs_at_each_scale(values) || !reason_of(values).empty()) continue;
    const std::string shown = report::shortened(name, 60);
    all.push_back(
        fmt::format("label '{}' has other values at each scale, so that each fit has one scale; --pool {} "
                    "fits all of them together",
                    shown, shown));
  }
  return all;
}

}  // namespace busbar::fit
