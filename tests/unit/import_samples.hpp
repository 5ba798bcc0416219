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

#include "core/record/case_record.hpp"
#include "reports/import/importer.hpp"
#include "tests/unit/catch_error.hpp"

/// Logs are read from tests/import, relative to tests/, the folder in which ctest starts the tests.
namespace busbar::test {

inline std::string read_sample(const std::string& name) {
  std::ifstream in("import/" + name, std::ios::binary);
  EXPECT_TRUE(in) << "import/" << name << " is missing: run this in the folder tests/";
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Imports a log that must contain exactly one run.
inline ImportedRun import_one_run(const ImportRequest& request) {
  auto runs = import_log(request);
  EXPECT_EQ(runs.size(), 1U);
  return std::move(runs.front());
}

inline ImportedRun import_sample(const std::string& name, std::optional<int> ranks = {},
                                 std::optional<int> nodes = {}) {
  const std::string text = read_sample(name);
  return import_one_run({.text = text, .source = name, .ranks = ranks, .nodes = nodes});
}

/// The message with which the import of a log fails.
inline std::string catch_import_error(const ImportRequest& request) {
  return catch_error([&] { (void)import_log(request); });
}

/// The cases of the first run; none if the text is refused, as one that is cut off before its first row.
inline std::vector<CaseRecord> cases_if_any(const ImportRequest& request) {
  try {
    return import_log(request).front().cases;
  } catch (const UsageError&) {
    return {};
  }
}

/// Imports the first `from`, `from` + `step`, ... bytes of `text`, and checks every run that comes of it. A text that
/// is too short may be refused.
template <class Check>
void check_every_cut(std::string_view text, std::size_t from, std::size_t step, const std::string& source,
                     Check check) {
  for (std::size_t end = from; end < text.size(); end += step) {
    SCOPED_TRACE("cut after " + std::to_string(end) + " bytes");
    try {
      const auto runs = import_log({.text = text.substr(0, end), .source = source});
      check(runs.front());
    } catch (const UsageError&) {  // too short
    }
  }
}

/// Whether one of the notes or warnings contains these words.
inline bool mentions(const std::vector<std::string>& notes, std::string_view words) {
  return std::ranges::any_of(notes, [words](const std::string& n) { return n.find(words) != std::string::npos; });
}

/// `text` with the first `from` replaced; `text` must contain it.
inline std::string replace_first(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

/// The case of this size whose key as text starts with `series`.
inline const CaseRecord& find_case(const ImportedRun& run, std::string_view series, std::uint64_t bytes) {
  for (const CaseRecord& c : run.cases)
    if (c.key.bytes == bytes && series_name(c.key).starts_with(series)) return c;
  ADD_FAILURE() << "no case " << series << " of " << bytes << " bytes";
  static const CaseRecord none;
  return none;
}

}  // namespace busbar::test
