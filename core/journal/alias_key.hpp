// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

/// The secret from which aliases are made (core/journal/anonymiser.hpp), so that nobody else can try names against
/// them.
namespace busbar {

/// The file that BUSBAR_ANONYMISE_KEY names, else ${XDG_CONFIG_HOME:-~/.config}/busbar/anonymise.key. Throws UsageError
/// where there is neither of these nor a home folder.
[[nodiscard]] std::filesystem::path alias_key_file();

/// What stands in the file, without blanks at its end. A file that is not there is made, with its folder: 64 random
/// hexadecimal digits, readable by its owner alone, complete from the moment it has its name; of several processes that
/// make it at once, all read the same. Says so in a line on standard error that begins with `program`. Throws
/// UsageError that names the file where it can be neither read nor made, or holds less than 16 bytes.
[[nodiscard]] std::string read_or_make_alias_key(const std::filesystem::path& file, std::string_view program);

}  // namespace busbar
