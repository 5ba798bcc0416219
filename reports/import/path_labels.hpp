// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace busbar {

/// Labels that stand in the names of files and folders: "{system}-n2/{}.setting{setting}.log".
class PathPattern {
 public:
  /// {name} stands for one or more characters that are no "/", as few as the rest allows, and gives a label; {} is left
  /// out. Throws UsageError, naming `flag`, for braces that do not match, two placeholders without anything between
  /// them, a name twice, or no placeholder.
  PathPattern(std::string_view flag, std::string_view pattern);

  /// The labels of a path whose end is as the pattern says, from the start of a name on; nothing for another.
  [[nodiscard]] std::optional<std::map<std::string, std::string>> labels(const std::string& path) const;

 private:
  std::string expression_;
  std::vector<std::string> names_;  ///< of the placeholders, in order; empty: left out
};

}  // namespace busbar
