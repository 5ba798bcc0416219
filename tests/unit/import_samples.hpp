// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "core/record/case_record.hpp"
#include "reports/import/importer.hpp"

/// Logs are read from tests/import, relative to the folder that ctest starts tests in (tests/).
namespace busbar::test {

inline std::string sample(const std::string& name) {
  std::ifstream in("import/" + name, std::ios::binary);
  EXPECT_TRUE(in) << "import/" << name << " is not there: run this in the folder tests/";
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The one run of a log.
inline ImportedRun import_one(const ImportRequest& request) {
  auto runs = import_log(request);
  EXPECT_EQ(runs.size(), 1U);
  return std::move(runs.front());
}

inline ImportedRun import_sample(const std::string& name, std::optional<int> ranks = {},
                                 std::optional<int> nodes = {}) {
  const std::string text = sample(name);
  return import_one({.text = text, .source = name, .ranks = ranks, .nodes = nodes});
}

/// What a log is refused with.
inline std::string reason_for(const ImportRequest& request) {
  try {
    (void)import_log(request);
  } catch (const UsageError& e) {
    return e.what();
  }
  return "read without complaint";
}

inline bool holds(const std::vector<std::string>& notes, std::string_view words) {
  return std::ranges::any_of(notes, [words](const std::string& n) { return n.find(words) != std::string::npos; });
}

/// `text` with the first `from` replaced, which must be there.
inline std::string with(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

/// The case whose key as text starts with `series` and that has so many bytes.
inline const CaseRecord& find_case(const ImportedRun& run, std::string_view series, std::uint64_t bytes) {
  for (const CaseRecord& c : run.cases)
    if (c.key.bytes == bytes && series_name(c.key).starts_with(series)) return c;
  ADD_FAILURE() << "no case " << series << " of " << bytes << " bytes";
  static const CaseRecord none;
  return none;
}

}  // namespace busbar::test
