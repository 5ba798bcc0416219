// SPDX-License-Identifier: Apache-2.0
#include "reports/import/paste.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "reports/import/text_lines.hpp"

namespace busbar {
namespace {

using namespace std::string_view_literals;

/// Lines of a text, without their ends.
template <class Use>
void for_each_line(std::string_view text, Use use) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    use(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// The text with each line changed.
template <class Change>
std::string change_lines(std::string_view text, Change change) {
  std::string all;
  all.reserve(text.size());
  for_each_line(text, [&](std::string_view line) {
    all += change(line);
    all += '\n';
  });
  if (!text.ends_with('\n') && !all.empty()) all.pop_back();
  return all;
}

/// True if at least three lines are not blank, and all of them satisfy the condition.
template <class Condition>
bool all_lines(std::string_view text, Condition condition) {
  constexpr int fewest = 3;
  int n = 0;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (trimmed(line).empty()) continue;
    if (!condition(line)) return false;
    ++n;
  }
  return n >= fewest;
}

// Quotation marks

/// The line without the mark at its start and a blank after it; empty if there is none.
std::optional<std::string_view> without_mark(std::string_view line, char mark) {
  const std::size_t at = line.find_first_not_of(' ');
  if (at == std::string_view::npos || at > 3 || line[at] != mark) return std::nullopt;
  return line.substr(at + (line.substr(at + 1, 1) == " " ? 2 : 1));
}

/// True if all lines are quoted, or most are: a mail has lines of its own above and below a quotation.
bool is_quotation(std::string_view text) {
  std::size_t quoted = 0, others = 0;
  for_each_line(text, [&](std::string_view line) {
    if (!trimmed(line).empty()) ++(without_mark(line, '>') ? quoted : others);
  });
  return quoted > 0 && 2 * others <= quoted;
}

/// Removes ">" before lines, once or several times. No benchmark prints one at the start of a line.
std::optional<std::string> without_quotes(std::string_view text) {
  if (!is_quotation(text)) return std::nullopt;
  return change_lines(text, [](std::string_view line) {
    while (const auto rest = without_mark(line, '>')) line = *rest;
    return line;
  });
}

/// Removes "|" before every line; a table has one at the end of a line, too.
std::optional<std::string> without_bars(std::string_view text) {
  const auto is_marked = [](std::string_view line) {
    const auto rest = without_mark(line, '|');
    return rest && !trimmed(*rest).ends_with('|');
  };
  if (!all_lines(text, is_marked)) return std::nullopt;
  return change_lines(text, [](std::string_view line) { return without_mark(line, '|').value_or(line); });
}

/// Removes four blanks or a tab before every line.
std::optional<std::string> without_indent(std::string_view text) {
  constexpr auto blanks = "    "sv;
  const auto indented = [&](std::string_view line) { return line.starts_with(blanks) || line.starts_with('\t'); };
  if (!all_lines(text, indented)) return std::nullopt;
  return change_lines(text, [&](std::string_view line) {
    return line.substr(line.starts_with('\t') ? 1 : std::min(line.size(), blanks.size()));
  });
}

bool is_fence(std::string_view line) {
  line = trimmed(line);
  return line.starts_with("```") || line.starts_with("~~~");
}

/// Blanks the lines of code fences. JSON must begin a file, so that text outside of the fences goes as well.
std::optional<std::string> without_fences(std::string_view text) {
  bool fenced = false;
  char first = 0;  // inside
  for_each_line(text, [&](std::string_view line) {
    if (fenced && first == 0 && !trimmed(line).empty()) first = trimmed(line).front();
    fenced = fenced || is_fence(line);
  });
  if (!fenced) return std::nullopt;
  const bool json = first == '{' || first == '[';
  bool inside = false;
  return change_lines(text, [&](std::string_view line) {
    const bool fence = is_fence(line);
    inside = inside != fence;
    return fence || (json && !inside) ? std::string_view{} : line;
  });
}

// Comment lines

/// A comment line of a benchmark without its "#": how it starts, and what else it has.
struct Comment {
  std::string_view start, part = {};
  bool joined = false;      ///< "#" is part of the first word
  bool names_tool = false;  ///< only this tool prints such a line
};

constexpr std::array nccl_comments{
    Comment{.start = "nThread ", .part = " nGpus ", .names_tool = true},
    Comment{.start = "size", .part = "algbw", .names_tool = true},
    Comment{.start = "bytes", .part = "algbw", .names_tool = true},
    Comment{.start = "Rank ", .part = " Pid "},
    Comment{.start = "Using devices"},
    Comment{.start = "out-of-place"},
    Comment{.start = "in-place"},
    Comment{.start = "(B)"},
    Comment{.start = "Out of bounds values"},
    Comment{.start = "Avg bus bandwidth"},
    Comment{.start = "nccl-tests version "},
    Comment{.start = "Collective test "},
    Comment{.start = "Blocking Enabled"},
};
constexpr std::array osu_comments{
    Comment{.start = "OSU ", .part = " Test", .names_tool = true},
    Comment{.start = "Datatype: MPI_"},
    Comment{.start = "[ pairs: "},
    Comment{.start = "Send Buffer on"},
    Comment{.start = "Size ", .part = "(us)"},
    Comment{.start = "Size ", .part = "MB/s"},
    Comment{.start = "Avg Latency(us)"},
    Comment{.start = "Overall(us)"},
};
constexpr std::array imb_comments{
    Comment{.start = "bytes ", .part = "#repetitions", .joined = true, .names_tool = true},
    Comment{.start = "repetitions ", .part = "[usec]", .joined = true, .names_tool = true},
    Comment{.start = "Intel", .part = "MPI Benchmark"},
    Comment{.start = "Benchmarking "},
    Comment{.start = "#processes = ", .names_tool = true},
    Comment{.start = "( ", .part = " additional process"},
    Comment{.start = "( ", .part = " groups of ", .names_tool = true},
    Comment{.start = "MODE: "},
    Comment{.start = "All processes entering MPI_Finalize"},
    Comment{.start = "Calling sequence was:"},
};

const Comment* comment_of(std::string_view line, std::span<const Comment> comments) {
  const auto fits = [line](const Comment& c) { return line.starts_with(c.start) && line.find(c.part) != line.npos; };
  const auto row = std::ranges::find_if(comments, fits);
  return row == comments.end() ? nullptr : &*row;
}

/// True if two lines or more lost their "#", one of which only this tool prints, and no line still has it.
bool has_lost_marks(std::string_view text, std::span<const Comment> comments) {
  int lost = 0;
  bool named = false, kept = false;
  for_each_line(text, [&](std::string_view line) {
    line = trimmed(line);
    if (const Comment* comment = comment_of(line, comments)) {
      ++lost;
      named = named || comment->names_tool;
    } else if (line.starts_with('#')) {
      const Comment* whole = comment_of(trimmed(line.substr(1)), comments);
      kept = kept || (whole != nullptr && !whole->joined);
    }
  });
  return named && lost > 1 && !kept;
}

/// Puts "#" before the comment lines of one tool.
std::optional<std::string> with_comments(std::string_view text, std::span<const Comment> comments) {
  if (!has_lost_marks(text, comments)) return std::nullopt;
  bool command = false;  // IMB's command line follows
  return change_lines(text, [&](std::string_view line) {
    const std::string_view said = trimmed(line);
    const Comment* comment = comment_of(said, comments);
    const bool lost = comment != nullptr || (command && !said.empty());
    command = comment != nullptr ? comment->start.starts_with("Calling sequence") : command && said.empty();
    if (!lost) return std::string(line);
    if (comment != nullptr && comment->joined) return std::string(line).insert(line.find(said), 1, '#');
    return (line.starts_with(' ') ? "#" : "# ") + std::string(line);
  });
}

}  // namespace

std::optional<std::string> restore_paste(std::string_view text) {
  std::optional<std::string> restored;
  const auto keep = [&](std::optional<std::string> changed) {
    if (changed) restored = std::move(changed);
    return std::string_view(restored ? *restored : text);
  };
  std::string_view now = keep(without_quotes(text));
  now = keep(without_bars(now));
  now = keep(without_fences(now));
  now = keep(without_indent(now));
  now = keep(with_comments(now, nccl_comments));
  now = keep(with_comments(now, osu_comments));
  keep(with_comments(now, imb_comments));
  return restored;
}

}  // namespace busbar
