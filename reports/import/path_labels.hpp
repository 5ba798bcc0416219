// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace busbar {

/// Extracts labels from file and folder names: "{system}-n2/{}.setting{setting}.log".
class PathPattern {
 public:
  /// {name} matches one or more characters except "/", as few as possible, and yields a label; {} matches without one.
  /// Throws UsageError, naming `flag`, for unmatched braces, adjacent placeholders, a repeated name, or no label.
  PathPattern(std::string_view flag, std::string_view pattern);

  /// Labels of a path whose end matches the pattern, starting at a path component; empty if there is no match.
  [[nodiscard]] std::optional<std::map<std::string, std::string>> labels(const std::string& path) const;

 private:
  std::string expression_;
  std::vector<std::string> names_;  ///< of the placeholders, in order; empty: no label
};

}  // namespace busbar
