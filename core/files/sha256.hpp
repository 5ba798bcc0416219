// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace busbar {

/// SHA-256 (FIPS 180-4).
[[nodiscard]] std::array<std::uint8_t, 32> sha256(std::string_view bytes);

/// SHA-256 as 64 hexadecimal digits, as sha256sum(1) prints it.
[[nodiscard]] std::string sha256_hex(std::string_view bytes);

/// HMAC-SHA256 (RFC 2104, with SHA-256 as in RFC 4231) of `text` as 64 hexadecimal digits.
[[nodiscard]] std::string hmac_sha256_hex(std::string_view key, std::string_view text);

/// RFC 4648, with padding.
[[nodiscard]] std::string base64(std::string_view bytes);

/// Hash source of a content security policy: "sha256-" and the digest in base64.
[[nodiscard]] std::string csp_hash(std::string_view bytes);

}  // namespace busbar
