// SPDX-License-Identifier: Apache-2.0
#include "core/privacy.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>

#include <pwd.h>
#include <unistd.h>

#include "core/json.hpp"

namespace busbar {
namespace {

constexpr std::string_view stand_in = "user";
constexpr std::string_view marks = "/@~";  ///< without one of these in it a text names nobody

/// What ends a path inside of a text. Of what a path may hold these are rare, and common around paths.
bool ends_path(char c) {
  return static_cast<unsigned char>(c) <= ' ' || std::string_view("\"'`()[]{}<>|;,=&:").find(c) != std::string::npos;
}

bool is_home_of_homes(std::string_view component) { return component == "home" || component == "Users"; }

bool can_be_name(std::string_view component) {
  return component.find_first_not_of('.') != std::string_view::npos && component != stand_in;
}

bool is_name_of(const Person& person, std::string_view component) {
  return component != "root" && std::ranges::find(person.names, component) != person.names.end();
}

/// A path in a text: "/a/b", "a/b", "~/a", also behind an option as in "-I/a/b".
class PathWords {
 public:
  PathWords(std::string_view path, const Person& person) : person_(person), rest_(path) {
    take_home();
    rooted_ = !out_.empty() || rest_.starts_with('/');
    while (!rest_.empty()) take_component();
  }
  [[nodiscard]] std::string text() && { return std::move(out_); }

 private:
  std::string_view component() const { return rest_.substr(0, rest_.find('/')); }
  std::size_t slashes() const { return std::min(rest_.find_first_not_of('/'), rest_.size()); }
  void keep(std::size_t length) {
    out_ += rest_.substr(0, length);
    rest_.remove_prefix(length);
  }

  /// A dot at the end of a path ends a sentence.
  static std::string_view without_dots(std::string_view name) { return name.substr(0, name.find_last_not_of('.') + 1); }

  /// The home folder that the path may begin with.
  void take_home() {
    if (rest_.starts_with('-')) keep(std::min(rest_.find('/'), rest_.size()));
    if (rest_.starts_with('~') && is_home_of_someone()) {
      out_ += '~';
      rest_.remove_prefix(component().size());
      return;
    }
    if (!rest_.starts_with('/')) return;
    const std::size_t first = slashes();
    std::string_view after = rest_.substr(first);
    const std::string_view folder = after.substr(0, after.find('/'));
    if (!is_home_of_homes(folder) || folder.size() == after.size()) return;
    after.remove_prefix(folder.size());
    after.remove_prefix(std::min(after.find_first_not_of('/'), after.size()));
    const std::string_view name = without_dots(after.substr(0, after.find('/')));
    if (!can_be_name(name) && name != stand_in) return;
    out_ += "~";
    rest_ = after.substr(name.size());
  }

  /// "~alice", "~bob/x"; not "~3/4".
  [[nodiscard]] bool is_home_of_someone() const {
    const std::string_view name = component().substr(1);
    const bool is_word = !name.empty() && (std::isalpha(static_cast<unsigned char>(name[0])) != 0 || name[0] == '_');
    return is_name_of(person_, name) || (is_word && name.size() + 1 < rest_.size());
  }

  void take_component() {
    keep(slashes());
    const std::string_view whole = component(), name = without_dots(whole);
    const bool is_whole = out_.empty() && whole.size() == rest_.size();
    const bool is_unit = !rooted_ && name.size() < 3;  // "GB/s", where the user is called s
    if (!is_whole && !is_unit && (is_name_of(person_, name) || (below_home_ && can_be_name(name)))) {
      out_ += stand_in;
      out_ += whole.substr(name.size());
    } else {
      out_ += whole;
    }
    below_home_ = is_home_of_homes(whole) && whole.size() < out_.size();
    rest_.remove_prefix(whole.size());
  }

  const Person& person_;
  std::string_view rest_;
  std::string out_;
  bool rooted_ = false, below_home_ = false;
};

/// The homes that `text` names from beginning to end of a path, each "~". They may hold what else ends a path.
std::string without_homes(std::string_view text, const Person& person) {
  std::string out;
  while (!text.empty()) {
    const bool begins = out.empty() || ends_path(out.back());
    const auto here = [&](const std::string& home) {
      const std::string_view behind = text.substr(std::min(home.size(), text.size()));
      return text.starts_with(home) && (behind.empty() || behind[0] == '/' || behind[0] == '.' || ends_path(behind[0]));
    };
    const auto home = begins ? std::ranges::find_if(person.homes, here) : person.homes.end();
    const bool dotted = home != person.homes.end() && text.substr(home->size()).starts_with('.') &&
                        text.size() > home->size() + 1 && !ends_path(text[home->size() + 1]);  // "/root.old"
    if (home != person.homes.end() && !dotted) {
      out += '~';
      text.remove_prefix(home->size());
    } else {
      out += text[0];
      text.remove_prefix(1);
    }
  }
  return out;
}

void add_home(Person& person, const char* home) {
  std::string folder = home == nullptr ? "" : home;
  while (folder.ends_with('/')) folder.pop_back();
  if (folder.starts_with('/') && std::ranges::find(person.homes, folder) == person.homes.end())
    person.homes.push_back(folder);
}

void add_name(Person& person, const char* name) {
  if (name != nullptr && *name != '\0' && std::ranges::find(person.names, name) == person.names.end())
    person.names.emplace_back(name);
}

Person find_person() {
  Person person;
  add_home(person, std::getenv("HOME"));
  for (const char* variable : {"USER", "LOGNAME"}) add_name(person, std::getenv(variable));
  passwd entry{}, *found = nullptr;
  std::array<char, 16384> texts{};
  if (::getpwuid_r(::geteuid(), &entry, texts.data(), texts.size(), &found) == 0 && found != nullptr) {
    add_home(person, found->pw_dir);
    add_name(person, found->pw_name);
  }
  std::ranges::sort(person.homes, std::ranges::greater{}, &std::string::size);  // the longest that fits
  return person;
}

}  // namespace

const Person& this_person() {
  static const Person person = find_person();
  return person;
}

std::string without_people(std::string_view text, const Person& person) {
  if (text.find_first_of(marks) == std::string_view::npos) return std::string(text);
  const std::string homeless = without_homes(text, person);
  std::string out;
  for (std::string_view rest = homeless; !rest.empty();) {
    const auto end = static_cast<std::size_t>(std::ranges::find_if(rest, ends_path) - rest.begin());
    const std::string_view word = rest.substr(0, end);
    const auto at = word.find('@');
    const bool has_login = at != std::string_view::npos && is_name_of(person, word.substr(0, at));  // alice@node0
    if (has_login) out += stand_in;
    out += PathWords(has_login ? word.substr(at) : word, person).text();
    out += rest.substr(end, 1);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return out;
}

void remove_people(nlohmann::json& value, const Person& person) {
  if (value.is_string()) {
    auto& text = value.get_ref<std::string&>();
    if (text.find_first_of(marks) != std::string::npos) text = without_people(text, person);
  } else if (value.is_array()) {
    if (!value.empty() && value.front().is_number()) return;  // samples: many
    for (auto& element : value) remove_people(element, person);
  } else if (value.is_object()) {
    std::vector<std::string> paths;  // among the keys
    for (auto& [key, member] : value.items()) {
      if (key != "labels" && key != "id" && key != "key") remove_people(member, person);
      if (key.find_first_of(marks) != std::string::npos) paths.push_back(key);
    }
    for (const std::string& key : paths) {
      auto member = std::move(value[key]);
      value.erase(key);
      value[without_people(key, person)] = std::move(member);
    }
  }
}

}  // namespace busbar
