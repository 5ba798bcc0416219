// SPDX-License-Identifier: Apache-2.0
#include "reports/import/paste.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "reports/import/text_lines.hpp"

namespace busbar {
namespace {

using namespace std::string_view_literals;

using Lines = std::vector<std::string>;

Lines split(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string joined(const Lines& lines, bool ends_with_newline) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  if (!ends_with_newline && !text.empty()) text.pop_back();
  return text;
}

/// True if at least so many lines are not blank, and all of them satisfy the condition.
template <class Condition>
bool all_lines(const Lines& lines, int fewest, Condition condition) {
  int n = 0;
  for (const std::string& line : lines) {
    if (trimmed(line).empty()) continue;
    if (!condition(line)) return false;
    ++n;
  }
  return n >= fewest;
}

// Quotation marks

/// Removes the mark at the start of a line and a blank after it. False if there is none.
bool drop_mark(std::string& line, char mark) {
  const std::size_t at = line.find_first_not_of(' ');
  if (at == std::string::npos || at > 3 || line[at] != mark) return false;
  line.erase(0, at + (line.substr(at + 1, 1) == " " ? 2 : 1));
  return true;
}

/// Removes ">" before every line, once or several times. No benchmark prints one at the start of a line.
bool drop_quotes(Lines& lines) {
  if (!all_lines(lines, 1, [](std::string line) { return drop_mark(line, '>'); })) return false;
  for (std::string& line : lines)
    while (drop_mark(line, '>')) {
    }
  return true;
}

/// Removes "|" before every line; a table has one at the end of a line, too.
bool drop_bars(Lines& lines) {
  const auto is_marked = [](std::string line) { return drop_mark(line, '|') && !trimmed(line).ends_with('|'); };
  if (!all_lines(lines, 3, is_marked)) return false;
  for (std::string& line : lines) drop_mark(line, '|');
  return true;
}

/// Removes four blanks or a tab before every line.
bool drop_indent(Lines& lines) {
  constexpr auto blanks = "    "sv;
  const auto indented = [&](const std::string& line) { return line.starts_with(blanks) || line.starts_with('\t'); };
  if (!all_lines(lines, 3, indented)) return false;
  for (std::string& line : lines) line.erase(0, line.starts_with('\t') ? 1 : std::min(line.size(), blanks.size()));
  return true;
}

/// Blanks the lines of code fences. JSON must begin a file, so that text outside of the fences goes as well.
bool drop_fences(Lines& lines) {
  const auto is_fence = [](const std::string& line) {
    return trimmed(line).starts_with("```") || trimmed(line).starts_with("~~~");
  };
  const auto first = std::ranges::find_if(lines, is_fence);
  if (first == lines.end()) return false;
  const auto held =
      std::find_if(first + 1, lines.end(), [](const std::string& line) { return !trimmed(line).empty(); });
  const bool json = held != lines.end() && (trimmed(*held).starts_with('{') || trimmed(*held).starts_with('['));
  bool inside = false;
  for (std::string& line : lines) {
    const bool fence = is_fence(line);
    inside = inside != fence;
    if (fence || (json && !inside)) line.clear();
  }
  return true;
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
bool has_lost_marks(const Lines& lines, std::span<const Comment> comments) {
  int lost = 0;
  bool named = false;
  for (const std::string& line : lines) {
    const std::string_view text = trimmed(line);
    if (const Comment* comment = comment_of(text, comments)) {
      ++lost;
      named = named || comment->names_tool;
    } else if (text.starts_with('#')) {
      const Comment* whole = comment_of(trimmed(text.substr(1)), comments);
      if (whole != nullptr && !whole->joined) return false;
    }
  }
  return named && lost > 1;
}

bool restore_comments(Lines& lines, std::span<const Comment> comments) {
  if (!has_lost_marks(lines, comments)) return false;
  bool command = false;  // IMB's command line follows
  for (std::string& line : lines) {
    const std::string_view text = trimmed(line);
    const Comment* comment = comment_of(text, comments);
    if (comment != nullptr && comment->joined) {
      line.insert(line.find_first_not_of(" \t"), 1, '#');
    } else if (comment != nullptr || (command && !text.empty())) {
      line.insert(0, line.front() == ' ' ? "#" : "# ");
    }
    command = comment != nullptr ? comment->start.starts_with("Calling sequence") : command && text.empty();
  }
  return true;
}

}  // namespace

std::optional<std::string> restore_paste(std::string_view text) {
  Lines lines = split(text);
  bool changed = drop_quotes(lines);
  changed = drop_bars(lines) || changed;
  changed = drop_fences(lines) || changed;
  changed = drop_indent(lines) || changed;
  for (const std::span<const Comment> comments :
       {std::span<const Comment>(nccl_comments), std::span<const Comment>(osu_comments),
        std::span<const Comment>(imb_comments)})
    changed = restore_comments(lines, comments) || changed;
  if (!changed) return std::nullopt;
  return joined(lines, text.ends_with('\n'));
}

}  // namespace busbar
