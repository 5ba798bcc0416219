// SPDX-License-Identifier: Apache-2.0
#include "core/hmac.hpp"

#include "core/sha256.hpp"

namespace busbar {
namespace {

constexpr std::size_t block_bytes = 64;

std::string as_text(const std::array<std::uint8_t, 32>& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

std::string padded(const std::string& key, char with) {
  std::string block(block_bytes, with);
  for (std::size_t i = 0; i < key.size(); ++i) block[i] = static_cast<char>(block[i] ^ key[i]);
  return block;
}

}  // namespace

std::string hmac_sha256_hex(std::string_view key, std::string_view text) {
  const std::string short_key = key.size() > block_bytes ? as_text(sha256(key)) : std::string(key);
  const std::string inner = as_text(sha256(padded(short_key, '\x36').append(text)));
  return sha256_hex(padded(short_key, '\x5c') + inner);
}

}  // namespace busbar
