// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <random>
#include <string>
#include <vector>

namespace busbar::fuzz {

/// Puts something deep, wide or long, of up to 32,768 parts, in place of a value behind a colon, or anywhere where
/// there is no colon.
void put_structure(std::string& text, std::mt19937_64& random);

/// Makes odd inputs from good ones, the same from the same seed of the generator on every machine.
class Mutator {
 public:
  Mutator(std::vector<std::string> seeds, std::uint64_t seed) : seeds_(std::move(seeds)), random_(seed) {}

  /// One of the seeds, changed up to four times. At most 256 KiB.
  [[nodiscard]] std::string next();

 private:
  /// A number below n, which is not 0.
  std::size_t below(std::size_t n) { return random_() % n; }
  void flip(std::string&);    ///< a byte
  void cut(std::string&);     ///< a stretch, or the end
  void splice(std::string&);  ///< a stretch of another seed
  void replace_number(std::string&);
  void repeat_line(std::string&);

  std::vector<std::string> seeds_;
  std::mt19937_64 random_;
};

}  // namespace busbar::fuzz
