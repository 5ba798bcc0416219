// SPDX-License-Identifier: Apache-2.0
#include "core/files/kernel_files.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>

namespace busbar::facts {

namespace fs = std::filesystem;

std::optional<std::string> read_text(const Path& path) {
  std::error_code problem;
  if (!fs::is_regular_file(path, problem)) return std::nullopt;  // opening a pipe would block
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  // Files in /proc and /sys report a size of 0 or one page, so read until the end.
  static constexpr std::size_t longest = std::size_t{4} << 20;
  static constexpr std::size_t step = std::size_t{64} << 10;
  std::string all;
  while (all.size() < longest && in) {
    const std::size_t before = all.size();
    all.resize(before + step);
    in.read(all.data() + before, static_cast<std::streamsize>(step));
    all.resize(before + static_cast<std::size_t>(in.gcount()));
  }
  if (in.bad()) return std::nullopt;  // e.g. EINVAL: the speed of a link that is down
  return all;
}

std::optional<std::string> line(const Path& path) {
  const auto all = read_text(path);
  if (!all) return std::nullopt;
  return clean(std::string_view(*all).substr(0, all->find('\n')));
}

std::optional<std::int64_t> number(const Path& path) {
  const auto first = line(path);
  return first ? to_number(*first) : std::nullopt;
}

std::string field_of_process(int pid, std::size_t number) {
  constexpr std::size_t first = 3;  // first field after the name, which may contain any character
  const auto stat = read_text("/proc/" + std::to_string(pid) + "/stat").value_or("");
  const auto end_of_name = stat.rfind(") ");
  if (end_of_name == std::string::npos) return "";
  const auto fields = split(std::string_view(stat).substr(end_of_name + 2), ' ');
  return number >= first && number - first < fields.size() ? std::string(fields[number - first]) : "";
}

std::vector<std::string> entries(const Path& folder) {
  std::vector<std::string> names;
  std::error_code problem;
  for (auto it = fs::directory_iterator(folder, problem); !problem && it != fs::directory_iterator();
       it.increment(problem))
    names.push_back(it->path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::optional<std::string> link_name(const Path& path) {
  std::error_code problem;
  const Path target = fs::read_symlink(path, problem);
  if (problem) return std::nullopt;
  return clean(target.filename().string());
}

bool is_there(const Path& path) {
  std::error_code problem;
  return fs::exists(fs::symlink_status(path, problem));
}

std::string_view trimmed(std::string_view text) {
  static constexpr std::string_view blanks = " \t\r\n";
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::optional<std::string> clean(std::string_view text) {
  static constexpr std::size_t longest = 256;
  const std::string_view fact = trimmed(text);
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
  if (fact.empty() || fact.size() > longest || std::any_of(fact.begin(), fact.end(), is_control)) return std::nullopt;
  std::string ascii(fact);
  std::replace_if(ascii.begin(), ascii.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; }, '?');
  return ascii;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const auto end = std::min(text.find(separator), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::optional<std::string_view> value_of(std::string_view text, std::string_view key, char separator) {
  for (const std::string_view row : split(text, '\n')) {
    if (!row.starts_with(key)) continue;
    const std::string_view rest = trimmed(row.substr(key.size()));
    if (rest.starts_with(separator)) return trimmed(rest.substr(1));
  }
  return std::nullopt;
}

std::optional<std::vector<int>> numbers_of(std::string_view cpu_list) {
  static constexpr std::int64_t most = 1 << 20;
  std::vector<int> all;
  for (const std::string_view range : split(trimmed(cpu_list), ',')) {
    const auto dash = range.find('-');
    const auto first = to_number(range.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : to_number(range.substr(dash + 1));
    if (!first || !last || *first < 0 || *last < *first || *last >= most) return std::nullopt;
    for (auto number = *first; number <= *last; ++number) all.push_back(static_cast<int>(number));
  }
  return all.empty() ? std::nullopt : std::optional(all);
}

std::optional<int> count_of(std::string_view cpu_list) {
  const auto numbers = numbers_of(cpu_list);
  return numbers ? std::optional(static_cast<int>(numbers->size())) : std::nullopt;
}

std::optional<std::int64_t> to_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace busbar::facts
