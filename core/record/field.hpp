// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/parts.hpp"

/// The keys of a record, in one place: core/record/fields/ has a table of Fields for each struct of a record. These
/// define JSON input and output (core/record/parts.hpp), the schema, the tables in the documentation, the Python types,
/// the columns of CSV, what `busbar compare` refuses, and the anonymiser. For .cpp files only.
namespace busbar {

enum class Kind { text, boolean, integer, number, list, map, part };

/// JSON type of a value, derived from the type of its member.
struct ValueType {
  Kind kind;
  bool nullable = false;                      ///< a std::optional: empty is null
  const ValueType* element = nullptr;         ///< of a list, or of a map with text keys
  const Part& (*part)() = nullptr;            ///< of a struct with its own table
  std::span<const std::string_view> words{};  ///< all values of an enum
};

/// What the anonymiser does with the texts in a value. By default as for the enclosing struct.
enum class Privacy {
  inherited,
  names,      ///< may identify a machine: hosts, addresses, UUIDs become aliases
  versions,   ///< may contain host names only: 9.1.0.70 is not an address here
  own_words,  ///< busbar's vocabulary: unchanged
  variables,  ///< names and values of environment variables
  labels,     ///< the user's own: keys change too
};

/// A CSV column. A list is written as its length, a map as its pairs.
struct Column {
  int place = 0;  ///< from 1; 0: none. Spreadsheets rely on it: a new column gets the next number
  std::string_view name;
  std::string_view member;  ///< of a struct with its own table: the key to write; empty: the value itself
};

/// A key of Method that must be equal in two runs. `busbar compare` refuses others and names the key.
struct Compared {
  std::string_view name;     ///< empty if it may differ
  std::string_view absent;   ///< meaning of null; empty: unknown
  std::string_view present;  ///< text for any value; empty: the value itself
};

/// Format of a text.
struct Form {
  std::string_view pattern;  ///< ECMA 262
  std::string_view example;
};
inline constexpr Form word_form{.pattern = "^[A-Za-z0-9_.:+-]+$", .example = "fp32"};
inline constexpr Form line_form{.pattern = "^[^\\u0000-\\u001f]+$", .example = "allreduce"};
inline constexpr Form utc_form{.pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$",
                               .example = "2026-01-31T12:00:00Z"};
inline constexpr Form cpus_form{.pattern = "^([0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)*)?$", .example = "0-3,8"};
inline constexpr Form sha256_form{.pattern = "^[0-9a-f]{64}$",
                                  .example = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"};
/// Words of nvidia-smi for the link between two devices.
inline constexpr Form link_form{.pattern = "^(X|NV[0-9]+|PSB|PIX|PXB|PHB|NODE|SYS)$", .example = "NV18"};
/// Environment variables that a record may contain.
inline constexpr Form variable_form{
    .pattern = "^(NCCL_|OMPI_MCA_|MPICH_|MPIR_CVAR_|I_MPI_|UCX_|FI_|SLURM_)|^CUDA_VISIBLE_DEVICES$",
    .example = "NCCL_DEBUG"};

struct Field {
  std::string_view key;  ///< includes the unit: time_s
  std::string_view meaning;
  ValueType type{};
  void (*write)(nlohmann::json& value, const void* owner) = nullptr;
  void (*append)(JsonText& text, const void* owner) = nullptr;       ///< as write, but to text
  void (*read)(const nlohmann::json& value, void* owner) = nullptr;  ///< null: derived from others, not read

  /// Bounds of a number, or of each in a list or map.
  double least = 0, most = std::numeric_limits<double>::infinity();
  bool least_excluded = false, most_excluded = false;
  std::string_view words;           ///< allowed texts, separated by "|"; later versions may add others; empty: any
  std::string_view literal;         ///< the only allowed value
  const Form* form = nullptr;       ///< of a text; null: any
  const Form* keys_form = nullptr;  ///< of the keys of a map
  std::size_t longest = 0;          ///< of a text; 0: unlimited
  bool filled = false;              ///< an empty text or list is invalid
  bool needed = false;              ///< a record without it is damaged
  bool added_later = false;         ///< missing in records of earlier versions
  Privacy privacy = Privacy::inherited;
  std::array<Column, 3> columns{};
  Compared compared_as;

 private:
  /// A copy that `change` has changed. Clang evaluates it at compile time only if its definition precedes its calls.
  template <class Change>
  [[nodiscard]] constexpr Field with(Change change) const {
    Field changed = *this;
    change(changed);
    return changed;
  }

 public:
  [[nodiscard]] constexpr Field at_least(double v) const {
    return with([&](Field& f) { f.least = v; });
  }
  [[nodiscard]] constexpr Field above(double v) const {
    return with([&](Field& f) { f.least = v, f.least_excluded = true; });
  }
  [[nodiscard]] constexpr Field at_most(double v) const {
    return with([&](Field& f) { f.most = v; });
  }
  [[nodiscard]] constexpr Field below(double v) const {
    return with([&](Field& f) { f.most = v, f.most_excluded = true; });
  }
  [[nodiscard]] constexpr Field exactly(double v) const { return at_least(v).at_most(v); }
  [[nodiscard]] constexpr Field of_any_sign() const { return at_least(-std::numeric_limits<double>::infinity()); }
  [[nodiscard]] constexpr Field one_of(std::string_view v) const {
    return with([&](Field& f) { f.words = v; });
  }
  [[nodiscard]] constexpr Field like(const Form& v) const {
    return with([&](Field& f) { f.form = &v; });
  }
  [[nodiscard]] constexpr Field keys_like(const Form& v) const {
    return with([&](Field& f) { f.keys_form = &v; });
  }
  [[nodiscard]] constexpr Field no_longer_than(std::size_t v) const {
    return with([&](Field& f) { f.longest = v; });
  }
  [[nodiscard]] constexpr Field not_empty() const {
    return with([](Field& f) { f.filled = true; });
  }
  [[nodiscard]] constexpr Field must_be_there() const {
    return with([](Field& f) { f.needed = true; });
  }
  [[nodiscard]] constexpr Field later() const {
    return with([](Field& f) { f.added_later = true; });
  }
  [[nodiscard]] constexpr Field holds(Privacy v) const {
    return with([&](Field& f) { f.privacy = v; });
  }
  [[nodiscard]] constexpr Field column(int place, std::string_view name, std::string_view member = "") const {
    return with([&](Field& f) { *std::ranges::find(f.columns, 0, &Column::place) = {place, name, member}; });
  }
  [[nodiscard]] constexpr Field column(int place) const { return column(place, key); }
  [[nodiscard]] constexpr Field compared(std::string_view name, std::string_view absent = "",
                                         std::string_view present = "") const {
    return with([&](Field& f) { f.compared_as = {name, absent, present}; });
  }
  [[nodiscard]] constexpr Field compared() const { return compared(key); }
};

struct Part {
  std::string_view name;  ///< of its definition in the schema
  std::string_view meaning;
  std::span<const Field> fields;
  void (*after_reading)(void* owner) = nullptr;  ///< completes what was read; throws Error if it is invalid
};

/// Tables of some structs and of all structs in them, each once.
[[nodiscard]] std::vector<const Part*> with_parts(const std::vector<const Part*>& some);

/// Words that a text may be, from its enum or its field; empty: any.
[[nodiscard]] std::vector<std::string> words_of(const Field& field);

}  // namespace busbar
