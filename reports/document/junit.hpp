// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace busbar::report {

/// JUnit XML, as read by Jenkins, GitLab and GitHub reporters. Suites and test cases keep the order in which they were
/// added.
class Junit {
 public:
  enum class Result { passed, failed, skipped };

  /// `text` is the message of a failed or skipped case, and the output of a passed one. All texts are escaped.
  void add_case(const std::string& suite, const std::string& name, Result, const std::string& text, double wall_s);
  [[nodiscard]] std::string text(const std::string& title) const;

 private:
  struct Suite {
    std::size_t tests = 0, failures = 0, skipped = 0;
    double wall_s = 0;
    std::string cases;
  };
  std::vector<std::string> order_;
  std::map<std::string, Suite> suites_;
};

}  // namespace busbar::report
