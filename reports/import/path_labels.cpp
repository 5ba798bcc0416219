// SPDX-License-Identifier: Apache-2.0
#include "reports/import/path_labels.hpp"

#include <algorithm>
#include <filesystem>
#include <regex>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/base/units.hpp"
#include "reports/import/collective_names.hpp"
#include "reports/import/text_lines.hpp"

namespace busbar {
namespace {

constexpr std::size_t longest = 1000;  // std::regex recurses over pattern and text

std::optional<std::uint64_t> size_of(const std::string& flag, const std::string& text) {
  try {
    return parse_size(flag, text);
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

std::string escaped(std::string_view literal) {
  std::string out;
  for (const char c : literal) {
    if (std::string_view(R"(\^$.|?*+()[]{})").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

PathPattern::PathPattern(std::string_view flag, std::string_view pattern, std::string_view what,
                         std::string_view example) {
  const auto fail = [flag, example, whole = pattern](const std::string& why) {
    throw UsageError(fmt::format("{}: '{}' {}; it is like '{}'", flag, whole, why, example));
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
    if (!name.empty() && std::ranges::find(names_, name) != names_.end()) fail(fmt::format("names a {} twice", what));
    names_.push_back(name);
    expression_ += "([^/]+?)";
    after_placeholder = true;
    pattern.remove_prefix(close + 1);
  }
  if (std::ranges::all_of(names_, &std::string::empty)) fail(fmt::format("names no {}", what));
}

std::optional<std::map<std::string, std::string>> PathPattern::labels(const std::string& path) const {
  const std::filesystem::path whole(path.size() > longest ? path.substr(path.size() - longest) : path);
  std::vector<std::string> candidates{whole.string(), (whole.parent_path() / whole.stem()).string()};
  for (auto folder = whole.parent_path(); folder.has_relative_path(); folder = folder.parent_path())
    candidates.push_back(folder.string());
  const std::regex expression("(?:^|/)" + expression_ + "$");
  for (const std::string& candidate : candidates) {
    std::smatch found;
    if (!std::regex_search(candidate, found, expression)) continue;
    std::map<std::string, std::string> all;
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (!names_[i].empty()) all[names_[i]] = found[i + 1].str();
    return all;
  }
  return std::nullopt;
}

StatedInPath::StatedInPath(std::string_view flag, std::string_view pattern, const ImportRequest& stated)
    : flag_(flag), pattern_(flag, pattern, "number", "{nodes}n{ranks}r/{}.log") {
  const std::map<std::string_view, bool> already{{"", false},
                                                 {"ranks", stated.ranks.has_value()},
                                                 {"nodes", stated.nodes.has_value()},
                                                 {"bytes", stated.bytes.has_value()},
                                                 {"collective", stated.collective.has_value()}};
  for (const std::string& name : pattern_.names()) {
    const auto known = already.find(name);
    if (known == already.end())
      throw UsageError(fmt::format(
          "{}: unknown '{{{}}}'; known: {{ranks}}, {{nodes}}, {{bytes}}, {{collective}}, and {{}} for any text; labels "
          "come from --labels-from",
          flag, name));
    if (known->second) throw UsageError(fmt::format("{}: {{{}}} and --{} say the same; give one", flag, name, name));
  }
}

bool StatedInPath::add_to(ImportRequest& request) const {
  const auto found = pattern_.labels(request.source);
  if (!found) return false;
  for (const auto& [name, value] : *found) {
    const auto require = [&, &what = name, &text = value](bool valid, std::string_view wanted) {
      if (!valid)
        throw UsageError(fmt::format("{}: {}: '{}' for {{{}}} is no {}", flag_, request.source, text, what, wanted));
    };
    if (name == "collective") {
      request.collective = collective_named(value);
      require(request.collective.has_value(), "collective; known: " + collective_names());
    } else if (name == "bytes") {
      request.bytes = size_of(flag_, value);
      require(request.bytes.has_value(), "size, like 64M");
    } else {
      const auto count = small_integer(value);
      require(count && *count >= 1 && *count <= most_stated_ranks, "number from 1 to 16777216");
      (name == "ranks" ? request.ranks : request.nodes) = count;
    }
  }
  return true;
}

}  // namespace busbar
