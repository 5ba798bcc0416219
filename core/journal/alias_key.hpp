// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

/// The secret key of aliases (core/journal/anonymiser.hpp). Without it, nobody can find a name by trying candidates.
namespace busbar {

/// The file in BUSBAR_ANONYMISE_KEY, else ${XDG_CONFIG_HOME:-~/.config}/busbar/anonymise.key. Throws UsageError if
/// neither is set and there is no home folder.
[[nodiscard]] std::filesystem::path alias_key_file();

/// Reads the key, without trailing blanks. If the file does not exist, creates it and its folder: 64 random hexadecimal
/// digits, readable by the owner only, and a message from `program` on standard error. Creation is atomic: concurrent
/// processes read the same key. Throws UsageError that names the file if it cannot be read or created, or if the key
/// has fewer than 16 or more than 4096 bytes.
[[nodiscard]] std::string read_or_make_alias_key(const std::filesystem::path& file, std::string_view program);

}  // namespace busbar
