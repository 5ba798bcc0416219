// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/import/importer.hpp"

namespace busbar {

/// Extracts labels from file and folder names: "{system}-n2/{}.setting{setting}.log".
class PathPattern {
 public:
  /// {name} matches one or more characters except "/", as few as possible, and yields a label; {} matches without one.
  /// Throws UsageError, naming `flag` and `example`, for unmatched braces, two names side by side, a repeated name, or
  /// no `what`.
  PathPattern(std::string_view flag, std::string_view pattern, std::string_view what = "label",
              std::string_view example = "{system}-n2/{}.setting{setting}.log");

  /// Names in braces, in order; an empty one for {}.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

  /// Labels of a path whose end matches the pattern, starting at a path component: the path, then the path without its
  /// suffix, then its folders, the nearest first. Empty if there is no match.
  [[nodiscard]] std::optional<std::map<std::string, std::string>> labels(const std::string& path) const;

 private:
  std::string expression_;
  std::vector<std::string> names_;
};

/// Extracts what the user states of a log from its path: "{nodes}n{ranks}r/{collective}.{bytes}.log".
class StatedInPath {
 public:
  /// Throws UsageError, naming `flag`, for a pattern that PathPattern refuses and for other names than these four, and
  /// for one that `stated` has a value for already.
  StatedInPath(std::string_view flag, std::string_view pattern, const ImportRequest& stated);

  /// Sets the values in the path of the log; false if the path does not match. Throws UsageError, naming the flag, the
  /// path and the value, for one that is no number, size or collective.
  [[nodiscard]] bool add_to(ImportRequest&) const;

 private:
  std::string flag_;
  PathPattern pattern_;
};

}  // namespace busbar
