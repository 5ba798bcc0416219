// SPDX-License-Identifier: Apache-2.0
#include "reports/figure/embed.hpp"

#include <cmath>
#include <cstdint>

#include <fmt/core.h>

#include "reports/text/escape.hpp"

namespace busbar::figure {
namespace {

std::string big_endian(std::uint32_t value) {
  std::string bytes;
  for (const unsigned shift : {24U, 16U, 8U, 0U}) bytes += static_cast<char>(value >> shift & 0xFFU);
  return bytes;
}

/// CRC-32 as in the PNG specification (ISO 3309), bit by bit: chunks are short.
std::uint32_t crc32(const std::string& bytes) {
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0U);
  }
  return ~crc;
}

std::string chunk(const std::string& type, const std::string& data) {
  return big_endian(static_cast<std::uint32_t>(data.size())) + type + data + big_endian(crc32(type + data));
}

/// International text, not compressed, without a language.
std::string text_chunk(const std::string& keyword, const std::string& text) {
  return text.empty() ? std::string() : chunk("iTXt", keyword + std::string(5, '\0') + text);
}

}  // namespace

std::string with_svg_title(std::string svg, const Provenance& from) {
  const std::size_t element = svg.find("<svg");
  const std::size_t end = element == std::string::npos ? element : svg.find('>', element);
  if (end == std::string::npos) return svg;
  std::string about = from.creator;
  for (const std::string& part : {from.subject, from.date})
    if (!part.empty()) about += "; " + part;
  return svg.insert(end + 1, fmt::format("\n<title>{}</title>\n<desc>{}</desc>", report::escape_html(from.title),
                                         report::escape_html(about)));
}

std::string with_png_texts(std::string png, double dpi, const Provenance& from) {
  constexpr std::size_t after_header = 8 + 12 + 13;  // signature; length, type and CRC of IHDR; its data
  const auto per_metre = static_cast<std::uint32_t>(std::lround(dpi / 0.0254));
  return png.insert(after_header, chunk("pHYs", big_endian(per_metre) + big_endian(per_metre) + '\1') +
                                      text_chunk("Title", from.title) + text_chunk("Description", from.subject) +
                                      text_chunk("Software", from.creator));
}

}  // namespace busbar::figure
