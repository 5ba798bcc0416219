// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/units.hpp"
#include "core/base/words.hpp"
#include "core/files/kernel_files.hpp"
#include "core/job/layout.hpp"
#include "core/job/split.hpp"
#include "reports/expected/line_rate.hpp"
#include "reports/import/case_key_text.hpp"
#include "reports/import/path_labels.hpp"
#include "reports/suite/placeholders.hpp"
#include "tests/fuzz/require.hpp"

/// Reads any bytes as each kind of value on a command line: sizes, numbers, times, rates, layouts, labels, patterns of
/// paths (the first line is the pattern, the rest a path), quoted words.
namespace busbar::fuzz {
namespace {

void as_numbers(const std::string& text) {
  may_refuse([&] {
    const std::uint64_t bytes = parse_size("-b", text);
    require(bytes <= std::uint64_t{1} << 62U && !format_size(bytes).empty(), "a size out of bounds");
  });
  may_refuse([&] { require(std::abs(parse_number("-x", text, -5, 1e9, "x")) <= 1e9, "a number out of bounds"); });
  may_refuse([&] {
    const int count = parse_count("-n", text, 1, 1 << 30);
    require(count >= 1 && count <= 1 << 30, "a count out of bounds");
  });
  may_refuse([&] { require(parse_seconds("--timeout", text) <= 1e6, "seconds out of bounds"); });
  may_refuse([&] {
    const double s = parse_duration("--latency", text);
    require(s >= 0 && s < 1000 && !format_duration(s).empty(), "a duration out of bounds");
  });
  may_refuse([&] { require(parse_layout("--layout", text).nodes >= 1, "a layout of no node"); });
  may_refuse([&] {
    const Split split = parse_split("--split", text);
    require(to_string(parse_split("--split", to_string(split))) == to_string(split), "another split: " + text);
    for (const auto& group : groups_of(split, 12)) require(group.size() <= 12, "a group larger than the job");
  });
  may_refuse([&] { require(std::isfinite(parse_percent("--margin", text, 0, 100)), "a percentage of infinity"); });
  may_refuse([&] { require(expected::parse_line_rate(text).GBps > 0, "a rate of nothing"); });
  may_refuse([&] { require(std::isfinite(expected::parse_rate("--bandwidth", text)), "a rate of infinity"); });
  require(facts::count_of(text).value_or(1) >= 1, "a list of no CPU");
}

void as_words(const std::string& text) {
  may_refuse([&] { (void)parse_labels({text}); });
  may_refuse([&] {
    const auto words = suite::split_words(text, "--launcher");
    const std::string line = suite::shell_line(words);
    if (line.find('\\') == std::string::npos) require(suite::split_words(line, "") == words, "quoting: " + line);
  });
  may_refuse([&] { suite::check_placeholders(text, {{"a", "b"}}, "input"); });
  may_refuse([&] { (void)suite::filled(text, {{"a", "b"}, {"nodes", "2"}}, "input"); });
  may_refuse([&] {
    const auto end = std::min(text.find('\n'), text.size());
    const PathPattern pattern("--labels-from", text.substr(0, end));
    if (const auto labels = pattern.labels(text.substr(std::min(end + 1, text.size()))))
      for (const auto& [key, value] : *labels) require(value.find('/') == std::string::npos, key + " is a path");
  });
  may_refuse([&] {
    const auto end = std::min(text.find('\n'), text.size());
    ImportRequest request{.source = text.substr(std::min(end + 1, text.size()))};
    (void)StatedInPath("--from-path", text.substr(0, end), {}).add_to(request);
    require(request.ranks.value_or(1) > 0 && request.nodes.value_or(1) > 0, "a number out of bounds");
  });
  if (const auto key = parse_case_key(text)) require(parse_case_key(to_string(*key)) == key, "another key: " + text);
}

/// As a host's name or a label on its way to a terminal.
void as_shown(const std::string& text) {
  const std::string once = printable(text);
  require_shown(once);
  require(once.find('\n') == std::string::npos && printable(once) == once, "printable twice is not printable once");
  require_shown(printable_lines(text));
  require_shown(message_line(text));
}

}  // namespace

void check_input(std::string_view bytes) {
  const std::string text(bytes);
  as_numbers(text);
  as_words(text);
  as_shown(text);
}

}  // namespace busbar::fuzz
