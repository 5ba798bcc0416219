// SPDX-License-Identifier: Apache-2.0
#include "core/base/privacy.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>

#include <fmt/core.h>
#include <pwd.h>
#include <unistd.h>

#include "core/base/json.hpp"

namespace busbar {
namespace {

constexpr std::string_view stand_in = "user";
/// A text without any of these characters names nobody.
bool may_name_somebody(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return c == '/' || c == '@' || c == '~'; });
}

/// Characters that end a path inside a text: rare in paths, common around them.
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

/// A path in a text: "/a/b", "a/b", "~/a"; may follow an option, as in "-I/a/b".
class PathWords {
 public:
  PathWords(std::string_view path, const Person& person) : person_(person), rest_(path) {
    read_home();
    rooted_ = !out_.empty() || rest_.starts_with('/');
    while (!rest_.empty()) read_component();
  }
  [[nodiscard]] std::string text() && { return std::move(out_); }

 private:
  std::string_view component() const { return rest_.substr(0, rest_.find('/')); }
  std::size_t slashes() const { return std::min(rest_.find_first_not_of('/'), rest_.size()); }
  void keep(std::size_t length) {
    out_ += rest_.substr(0, length);
    rest_.remove_prefix(length);
  }

  /// A trailing dot ends a sentence, not a path.
  static std::string_view without_dots(std::string_view name) { return name.substr(0, name.find_last_not_of('.') + 1); }

  /// Replaces a leading home folder with "~".
  void read_home() {
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

  /// True for "~alice" and "~bob/x"; false for "~3/4".
  [[nodiscard]] bool is_home_of_someone() const {
    const std::string_view name = component().substr(1);
    const bool is_word = !name.empty() && (std::isalpha(static_cast<unsigned char>(name[0])) != 0 || name[0] == '_');
    return is_name_of(person_, name) || (is_word && name.size() + 1 < rest_.size());
  }

  void read_component() {
    keep(slashes());
    const std::string_view whole = component(), name = without_dots(whole);
    const bool is_whole = out_.empty() && whole.size() == rest_.size();
    const bool is_unit = !rooted_ && name.size() < 3;  // "GB/s", even if the user's name is "s"
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

/// Replaces each home folder of `person` in `text` with "~". Home folders may contain characters that end a path.
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
  std::ranges::sort(person.homes, std::ranges::greater{}, &std::string::size);  // prefer the longest match
  return person;
}

}  // namespace

const Person& this_person() {
  static const Person person = find_person();
  return person;
}

std::string without_people(std::string_view text, const Person& person) {
  if (!may_name_somebody(text)) return std::string(text);
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

namespace {

constexpr std::string_view removed = "[removed]";

char upper(char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-'; }
bool ends_value(char c) {
  return static_cast<unsigned char>(c) <= ' ' || std::string_view("\"'`,;&").find(c) != std::string::npos;
}

/// End of the word that begins at `begin`.
std::size_t end_of_word(std::string_view text, std::size_t begin, bool (*ends)(char)) {
  while (begin < text.size() && !ends(text[begin])) ++begin;
  return begin;
}

bool follows(std::string_view text, std::size_t at, std::string_view word) {
  return at + word.size() <= text.size() && std::ranges::equal(text.substr(at, word.size()), word, {}, upper, upper);
}

/// The user part of a URL whose "://" is at `at`: the text up to "@". Empty if there is none.
std::string_view user_part(std::string_view text, std::size_t at) {
  const std::size_t begin = at + 3;
  const std::size_t end =
      end_of_word(text, begin, [](char c) { return ends_value(c) || c == '/' || c == '?' || c == '#'; });
  const std::size_t sign = text.substr(0, end).rfind('@');
  return sign == std::string_view::npos || sign < begin ? std::string_view{} : text.substr(begin, sign - begin);
}

/// Length of "Bearer ", "Authorization: Basic " or "Authorization: Digest " at `at`; 0 if none is there.
std::size_t scheme_of_authorization(std::string_view text, std::size_t at) {
  for (const std::string_view scheme : {"Bearer ", "Authorization: Basic ", "Authorization: Digest "})
    if (follows(text, at, scheme)) return scheme.size();
  return 0;
}

/// Counts and sizes are no secrets: "tokens: 512".
bool is_number(std::string_view value) { return value.find_first_not_of("0123456789.") == std::string_view::npos; }

/// Length of NAME= or NAME: if a word begins at `at` and speaks_of_secret(NAME); otherwise 0.
std::size_t name_of_secret(std::string_view text, std::size_t at) {
  if (at > 0 && is_name(text[at - 1])) return 0;
  const std::size_t end = end_of_word(text, at, [](char c) { return !is_name(c); });
  if (end == at || end == text.size() || (text[end] != '=' && text[end] != ':')) return 0;
  if (!speaks_of_secret(text.substr(at, end - at))) return 0;
  const bool spaced = text[end] == ':' && end + 1 < text.size() && text[end + 1] == ' ';
  return end + 1 - at + (spaced ? 1 : 0);
}

/// True for a generated key: 20 characters or more, with one change between digits, upper and lower case per 3
/// characters.
bool is_random(std::string_view word) {
  constexpr std::size_t least = 20;
  if (word.size() < least) return false;
  const auto kind = [](char c) { return is_digit(c) ? 0 : std::isupper(static_cast<unsigned char>(c)) != 0 ? 1 : 2; };
  std::size_t changes = 0;
  for (std::size_t i = 1; i < word.size(); ++i) changes += static_cast<std::size_t>(kind(word[i]) != kind(word[i - 1]));
  return 3 * changes >= word.size();
}

bool ends_random(char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '+' && c != '='; }

void remove_all(nlohmann::json& value, const Person& person, bool of_user);

/// False for most texts of a record, at a glance.
bool may_hold_secret(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at)
    if (text[at] == '=' || text[at] == ':' || (upper(text[at]) == 'B' && scheme_of_authorization(text, at) > 0))
      return true;
  return false;
}

void remove_from_text(std::string& text, const Person& person, bool of_user) {
  if (may_name_somebody(text)) text = without_people(text, person);
  if (may_hold_secret(text)) text = without_secrets(text);
  if (of_user) text = without_random_words(text);
}

void remove_from_list(nlohmann::json& list, const Person& person, bool of_user) {
  if (!list.empty() && list.front().is_number()) return;  // samples: skip, there are many
  bool secret = false;                                    // the last word was an option such as "--password"
  for (auto& element : list) {
    const bool is_value = secret && element.is_string() && !element.get_ref<const std::string&>().starts_with('-');
    secret = of_user && element.is_string() && element.get_ref<const std::string&>().find('=') == std::string::npos &&
             speaks_of_secret(element.get_ref<const std::string&>());
    if (is_value)
      element = removed;
    else
      remove_all(element, person, of_user);
  }
}

void remove_from_object(nlohmann::json& object, const Person& person, bool of_user) {
  std::vector<std::string> paths;  // keys that may contain paths
  for (auto& [key, member] : object.get_ref<nlohmann::json::object_t&>()) {
    const bool holds_text = member.is_string() || member.is_structured();
    if (holds_text && !is_users_own(key)) remove_all(member, person, of_user || is_users_command(key));
    if (may_name_somebody(key)) paths.push_back(key);
  }
  for (const std::string& key : paths) {
    auto member = std::move(object[key]);
    object.erase(key);
    object[without_people(key, person)] = std::move(member);
  }
}

/// Recursion is bounded: by parse_json() for parsed values, by the format for our own records.
void remove_all(nlohmann::json& value, const Person& person, bool of_user) {
  if (value.is_string())
    remove_from_text(value.get_ref<std::string&>(), person, of_user);
  else if (value.is_array())
    remove_from_list(value, person, of_user);
  else if (value.is_object())
    remove_from_object(value, person, of_user);
}

}  // namespace

bool speaks_of_secret(std::string_view name) {
  static constexpr std::array inside{"SECRET", "PASSWORD",   "PASSWD", "PASSPHRASE",
                                     "TOKEN",  "CREDENTIAL", "COOKIE", "_KEY"};
  static constexpr std::array parts{"_PASS_", "_PWD_",           "_CRED_", "_CREDS_",
                                    "_AUTH_", "_AUTHORIZATION_", "_PSK_",  "_LOGIN_"};
  std::string word = "_";
  for (const char c : name) word += c == '-' ? '_' : upper(c);
  word += '_';
  const auto is_inside = [&](std::string_view part) { return word.find(part) != std::string::npos; };
  return std::ranges::any_of(inside, is_inside) || std::ranges::any_of(parts, is_inside);
}

std::string without_secrets(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t kept = 0, end = 0;
    if (follows(text, at, "://")) {
      kept = 3;
      end = at + kept + user_part(text, at).size();
    } else if ((kept = scheme_of_authorization(text, at)) > 0 || (kept = name_of_secret(text, at)) > 0) {
      while (std::size_t more = scheme_of_authorization(text, at + kept)) kept += more;  // "auth: Bearer ..."
      end = end_of_word(text, at + kept, ends_value);
      if (is_number(text.substr(at + kept, end - at - kept))) end = 0;
    }
    if (end > at + kept) {
      out += text.substr(at, kept);
      out += removed;
      at = end;
    } else {
      out += text[at++];
    }
  }
  return out;
}

std::string without_random_words(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = end_of_word(text, at, ends_random);
    const std::string_view word = text.substr(at, end - at);
    out += is_random(word) ? removed : word;
    out += text.substr(end, 1);
    at = end + 1;
  }
  return out;
}

bool may_name_people(std::string_view text) { return may_name_somebody(text) || may_hold_secret(text); }

bool is_users_command(std::string_view key) { return key == "environment" || key == "argv"; }

bool is_users_own(std::string_view key) { return key == "labels" || key == "id" || key == "key"; }

void remove_people(nlohmann::json& value, const Person& person) { remove_all(value, person, false); }

}  // namespace busbar
