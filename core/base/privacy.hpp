// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

/// Keeps people out of what is recorded: docs/privacy.md.
namespace busbar {

/// Who runs this, as far as paths tell it.
struct Person {
  std::vector<std::string> homes;  ///< home folders, absolute and without a slash at the end
  std::vector<std::string> names;  ///< of the user
};

/// Of this process: HOME, USER, LOGNAME and the user's entry in the password database, as they were at the first call.
[[nodiscard]] const Person& this_person();

/// `text` without the names of people in its paths: a home folder (the person's, /home/NAME and /Users/NAME of anybody)
/// becomes "~", NAME below another folder called home (/nfs/home/NAME) and the person's name as a part of a path become
/// "user", as does that name before an @. Nothing else changes: not a word that is equal to the name, and not the name
/// root, which is nobody's. The result is its own result.
[[nodiscard]] std::string without_people(std::string_view text, const Person& person);

/// True for the name of a variable, an option or a field whose value may be a secret: a part of it is PASS, TOKEN,
/// AUTH, ...
[[nodiscard]] bool speaks_of_secret(std::string_view name);

/// `text` with "[removed]" in the place of what only its owner may know: the user's part of a URL, what follows
/// "Bearer" or "Authorization: Basic", and values in NAME=VALUE and NAME: VALUE whose name speaks of a secret. The
/// result is its own result.
[[nodiscard]] std::string without_secrets(std::string_view text);

/// The same, and words that are long and random: for what a user set, in which no checksum or id has a place.
[[nodiscard]] std::string without_random_words(std::string_view text);

/// The same for every string and key in a record or another value, without people and without secrets. What the user
/// calls a run (`labels`) stays, and so do `id` and `key`, whose slashes make no path.
void remove_people(nlohmann::json& value, const Person& person);

}  // namespace busbar
