// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace busbar {

/// A rule that divides the ranks of a job into groups: ranks of one colour form a group.
struct Split {
  enum class Rule {
    modulo,       ///< colour: rank % value
    quotient,     ///< rank / value
    bitwise_and,  ///< rank & value
    bitwise_or,   ///< rank | value
    lists,        ///< the ranks of each group
  };
  Rule rule = Rule::modulo;
  int value = 1;
  std::vector<std::vector<int>> lists;  ///< ascending, ordered by first rank; only for Rule::lists
};

/// Canonical text, for CaseKey::group: "rank % 8", "rank / 8", "rank & 5", "rank | 5", "ranks 0-3;4-7". A mask of the
/// lowest bits forms the groups of a power of two, and has its text: rank & 7 is "rank % 8", rank | 7 is "rank / 8".
[[nodiscard]] std::string to_string(const Split&);

/// Parses "rank % 8" and "ranks 0-3;4-7", or the same without "rank" or "ranks", and nccl-tests' words for
/// NCCL_TESTS_SPLIT: MOD 8, DIV 8, AND 0x7, OR 0b111, in any case. A value is decimal, 0x hexadecimal, 0b binary, or
/// octal after a 0, as nccl-tests reads it; unlike there, nothing may follow it. Throws UsageError that names `flag`,
/// the text and the forms.
[[nodiscard]] Split parse_split(std::string_view flag, const std::string& text);

/// The groups, ordered by first rank; ranks ascending. Ranks that lists omit are in no group. Throws UsageError (naming
/// --split) if a listed rank is not below `ranks`, or if groups differ in size, because they share cases.
[[nodiscard]] std::vector<std::vector<int>> groups_of(const Split&, int ranks);

}  // namespace busbar
