// SPDX-License-Identifier: Apache-2.0
#include "reports/import/path_labels.hpp"

#include <algorithm>
#include <regex>

#include <fmt/core.h>

#include "core/base/error.hpp"

namespace busbar {
namespace {

constexpr std::size_t longest = 1000;  // std::regex recurses over pattern and text

std::string escaped(std::string_view literal) {
  std::string out;
  for (const char c : literal) {
    if (std::string_view(R"(\^$.|?*+()[]{})").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

PathPattern::PathPattern(std::string_view flag, std::string_view pattern) {
  const auto fail = [flag, whole = pattern](std::string_view why) {
    throw UsageError(
        fmt::format("{}: '{}' {}; it is like '{{system}}-n2/{{}}.setting{{setting}}.log'", flag, whole, why));
  };
  if (pattern.size() > longest)
    throw UsageError(fmt::format("{}: a pattern of {} characters; at most {} are read", flag, pattern.size(), longest));
  bool after_placeholder = false;
  while (!pattern.empty()) {
    const std::size_t open = pattern.find_first_of("{}");
    const std::string_view literal = pattern.substr(0, open);
    if (literal.empty() && after_placeholder) fail("has two placeholders side by side");
    expression_ += escaped(literal);
    if (open == std::string_view::npos) break;
    const std::size_t close = pattern.find('}', open);
    if (pattern[open] == '}' || close == std::string_view::npos) fail("has a brace without its other one");
    const std::string name(pattern.substr(open + 1, close - open - 1));
    if (!name.empty() && std::ranges::find(names_, name) != names_.end()) fail("names a label twice");
    names_.push_back(name);
    expression_ += "([^/]+?)";
    after_placeholder = true;
    pattern.remove_prefix(close + 1);
  }
  if (std::ranges::all_of(names_, &std::string::empty)) fail("names no label");
}

std::optional<std::map<std::string, std::string>> PathPattern::labels(const std::string& path) const {
  std::smatch found;
  const std::string end = path.size() > longest ? path.substr(path.size() - longest) : path;
  if (!std::regex_search(end, found, std::regex("(?:^|/)" + expression_ + "$"))) return std::nullopt;
  std::map<std::string, std::string> all;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (!names_[i].empty()) all[names_[i]] = found[i + 1].str();
  }
  return all;
}

}  // namespace busbar
