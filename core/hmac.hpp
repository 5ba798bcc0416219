// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace busbar {

/// HMAC-SHA256 (RFC 2104, with SHA-256 as in RFC 4231) of `text` as 64 hexadecimal digits.
[[nodiscard]] std::string hmac_sha256_hex(std::string_view key, std::string_view text);

}  // namespace busbar
