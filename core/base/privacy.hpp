// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

/// Keeps names of people and secrets out of records; see docs/privacy.md.
namespace busbar {

/// The user, as far as paths reveal who it is.
struct Person {
  std::vector<std::string> homes;  ///< home folders, absolute, without a trailing slash
  std::vector<std::string> names;  ///< user names
};

/// The user of this process: HOME, USER, LOGNAME and the password database, read once at the first call.
[[nodiscard]] const Person& this_person();

/// `text` without the names of people in its paths. A home folder (the person's, or anybody's /home/NAME or
/// /Users/NAME) becomes "~". NAME below another folder called home (/nfs/home/NAME), and the person's name as a path
/// component or before an @, become "user". Nothing else changes: not a word that equals the name, nor the name "root".
/// Idempotent.
[[nodiscard]] std::string without_people(std::string_view text, const Person& person);

/// True if the value of the variable, option or field `name` may be a secret: the name contains PASS, TOKEN, AUTH, ...
[[nodiscard]] bool speaks_of_secret(std::string_view name);

/// `text` with secrets replaced by "[removed]": the user part of a URL, the word after "Bearer", "Authorization: Basic"
/// or "Authorization: Digest", and the value in NAME=VALUE or NAME: VALUE if speaks_of_secret(NAME). Idempotent.
[[nodiscard]] std::string without_secrets(std::string_view text);

/// `text` with long random words replaced by "[removed]". For texts of the user only: elsewhere it would remove
/// checksums.
[[nodiscard]] std::string without_random_words(std::string_view text);

/// False if without_people() and without_secrets() leave a text as it is. True for few texts of a record.
[[nodiscard]] bool may_name_people(std::string_view text);

/// True for members of an object that remove_people() leaves: `labels`, which the user chose, and `id` and `key`, whose
/// slashes are not paths.
[[nodiscard]] bool is_users_own(std::string_view key);

/// True for members whose words the user wrote on a command line: `argv` and `environment`.
[[nodiscard]] bool is_users_command(std::string_view key);

/// Applies without_people() to every string and key of `value`, e.g. a record, and without_secrets() to every string;
/// without_random_words() also to those of a user's command, where the word after an option such as --password goes as
/// well. Leaves members that are the user's own.
void remove_people(nlohmann::json& value, const Person& person);

}  // namespace busbar
