// SPDX-License-Identifier: Apache-2.0
#include "core/files/sha256.hpp"

#include <bit>

namespace busbar {
namespace {

/// Fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> round_constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

using State = std::array<std::uint32_t, 8>;

/// Message schedule: the 16 words of a block, expanded to 64.
std::array<std::uint32_t, 64> schedule(std::string_view block) {
  std::array<std::uint32_t, 64> w{};
  for (std::size_t i = 0; i < 64; ++i)
    w[i / 4] |= std::uint32_t{static_cast<std::uint8_t>(block[i])} << (24 - 8 * (i % 4));
  for (std::size_t i = 16; i < 64; ++i) {
    const std::uint32_t s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
    const std::uint32_t s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  return w;
}

void compress(State& state, std::string_view block) {
  const auto w = schedule(block);
  State s = state;
  for (std::size_t i = 0; i < 64; ++i) {
    const std::uint32_t e1 = std::rotr(s[4], 6) ^ std::rotr(s[4], 11) ^ std::rotr(s[4], 25);
    const std::uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
    const std::uint32_t t1 = s[7] + e1 + choice + round_constants[i] + w[i];
    const std::uint32_t e0 = std::rotr(s[0], 2) ^ std::rotr(s[0], 13) ^ std::rotr(s[0], 22);
    const std::uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
    s = {t1 + e0 + majority, s[0], s[1], s[2], s[3] + t1, s[4], s[5], s[6]};
  }
  for (std::size_t i = 0; i < 8; ++i) state[i] += s[i];
}

}  // namespace

std::string base64(std::string_view bytes) {
  static constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t word = 0;
    for (std::size_t j = 0; j < 3; ++j)
      word = word << 8 | (i + j < bytes.size() ? static_cast<std::uint8_t>(bytes[i + j]) : 0U);
    for (std::size_t j = 0; j < 4; ++j) out += i + j > bytes.size() ? '=' : digits[word >> (18 - 6 * j) & 63U];
  }
  return out;
}

std::array<std::uint8_t, 32> sha256(std::string_view bytes) {
  // first 32 bits of the fractional parts of the square roots of the first 8 primes
  State state{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::string padded(bytes);
  padded += '\x80';
  while (padded.size() % 64 != 56) padded += '\0';
  for (int shift = 56; shift >= 0; shift -= 8) padded += static_cast<char>(bytes.size() * 8 >> shift & 0xffU);
  for (std::size_t at = 0; at < padded.size(); at += 64) compress(state, std::string_view(padded).substr(at, 64));
  std::array<std::uint8_t, 32> digest{};
  for (std::size_t i = 0; i < 32; ++i)
    digest[i] = static_cast<std::uint8_t>(state[i / 4] >> (24 - 8 * (i % 4)) & 0xffU);
  return digest;
}

std::string sha256_hex(std::string_view bytes) {
  static constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (const std::uint8_t byte : sha256(bytes)) {
    out += digits[byte >> 4U];
    out += digits[byte & 0xfU];
  }
  return out;
}

std::string csp_hash(std::string_view bytes) {
  const auto digest = sha256(bytes);
  return "sha256-" + base64({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

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
