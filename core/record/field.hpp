// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/base/json.hpp"
#include "core/record/parts.hpp"

/// What is known of a record's keys, told once: core/record/fields/ has a table of Fields for each struct of a record.
/// Reading and writing JSON go by it (core/record/parts.hpp), and so do the schema, the tables of the documentation,
/// the Python types, the columns of CSV, what `busbar compare` refuses, and the anonymiser. For .cpp files only.
namespace busbar {

enum class Kind { text, boolean, integer, number, list, map, part };

/// What a value is in JSON, by the type of the member that holds it.
struct ValueType {
  Kind kind;
  bool nullable = false;                      ///< a std::optional: null is empty
  const ValueType* element = nullptr;         ///< of a list, or of a map, whose keys are texts
  const Part& (*part)() = nullptr;            ///< of a struct with a table of its own
  std::span<const std::string_view> words{};  ///< of an enum: all that it can be
};

/// What the anonymiser does with the texts in a value. One that is not told is that of the struct around it.
enum class Privacy {
  inherited,
  names,      ///< may name a machine: hosts, addresses, UUIDs become aliases
  versions,   ///< only hosts do: 9.1.0.70 is no address there
  own_words,  ///< busbar's vocabulary: stays
  variables,  ///< names and values of environment variables
  labels,     ///< the user's own: keys change as well
};

/// A column of CSV. Of a list it has the length, of a map its pairs.
struct Column {
  int place = 0;  ///< from 1; 0: none. Spreadsheets go by it: a new column has the next number
  std::string_view name;
  std::string_view member;  ///< of a struct with a table of its own: which of its keys; empty: the value itself
};

/// A key of Method in which two runs must not differ. `busbar compare` refuses them by its name.
struct Compared {
  std::string_view name;     ///< empty: they may
  std::string_view absent;   ///< what null means; empty: not known
  std::string_view present;  ///< said for any value; empty: the value itself
};

/// What a text has to look like.
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
/// nvidia-smi's words for what lies between two devices.
inline constexpr Form link_form{.pattern = "^(X|NV[0-9]+|PSB|PIX|PXB|PHB|NODE|SYS)$", .example = "NV18"};
/// Environment variables that may stand in a record.
inline constexpr Form variable_form{
    .pattern = "^(NCCL_|OMPI_MCA_|MPICH_|MPIR_CVAR_|I_MPI_|UCX_|FI_|SLURM_)|^CUDA_VISIBLE_DEVICES$",
    .example = "NCCL_DEBUG"};

struct Field {
  std::string_view key;  ///< its unit stands in it: time_s
  std::string_view meaning;
  ValueType type{};
  void (*write)(nlohmann::json& value, const void* owner) = nullptr;
  void (*read)(const nlohmann::json& value, void* owner) = nullptr;  ///< null: follows from others, is not read

  /// Of a number, or of each in a list or map.
  double least = 0, most = std::numeric_limits<double>::infinity();
  bool least_excluded = false, most_excluded = false;
  std::string_view words;      ///< that a text may be, "|" between them, others come with later versions; empty: any
  std::string_view literal;    ///< the only value
  const Form* form = nullptr;  ///< of a text; null: any
  const Form* keys_form = nullptr;  ///< of the keys of a map
  std::size_t longest = 0;          ///< text; 0: any
  bool filled = false;              ///< neither an empty text nor an empty list
  bool needed = false;              ///< a record without it is damaged
  bool added_later = false;         ///< records of earlier versions do not have it
  Privacy privacy = Privacy::inherited;
  std::array<Column, 3> columns{};
  Compared compared_as;

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

 private:
  template <class Change>
  [[nodiscard]] constexpr Field with(Change change) const {
    Field changed = *this;
    change(changed);
    return changed;
  }
};

struct Part {
  std::string_view name;  ///< of its definition in the schema
  std::string_view meaning;
  std::span<const Field> fields;
  void (*after_reading)(void* owner) = nullptr;  ///< makes whole what was read; throws Error for what makes no sense
};

namespace detail {

template <class T>
struct TypeOf;

template <class T>
inline constexpr ValueType type_of = TypeOf<T>::value;

template <>
struct TypeOf<std::string> {
  static constexpr ValueType value{.kind = Kind::text};
};
template <HasWords T>
struct TypeOf<T> {
  static constexpr auto words = words_of(T{});
  static constexpr ValueType value{.kind = Kind::text, .words = words};
};
template <>
struct TypeOf<bool> {
  static constexpr ValueType value{.kind = Kind::boolean};
};
template <std::integral T>
struct TypeOf<T> {
  static constexpr ValueType value{.kind = Kind::integer};
};
template <>
struct TypeOf<double> {
  static constexpr ValueType value{.kind = Kind::number};
};
template <class T>
struct TypeOf<std::vector<T>> {
  static constexpr ValueType value{.kind = Kind::list, .element = &type_of<T>};
};
template <class T>
struct TypeOf<std::map<std::string, T>> {
  static constexpr ValueType value{.kind = Kind::map, .element = &type_of<T>};
};
template <HasPart T>
struct TypeOf<T> {
  static constexpr ValueType value{.kind = Kind::part,
                                   .part = []() -> const Part& { return part_of(static_cast<const T*>(nullptr)); }};
};
template <class T>
struct TypeOf<std::optional<T>> {
  static constexpr ValueType value = [] {
    ValueType of = type_of<T>;
    of.nullable = true;
    return of;
  }();
};

template <class Owner, class Value>
Owner owner_of(Value Owner::*);
template <class Owner, class Value>
Value value_of(Value Owner::*);

}  // namespace detail

/// A member and its key.
template <auto Member>
constexpr Field field(std::string_view key, std::string_view meaning) {
  using Owner = decltype(detail::owner_of(Member));
  using Value = decltype(detail::value_of(Member));
  return {.key = key,
          .meaning = meaning,
          .type = detail::type_of<Value>,
          .write = [](nlohmann::json& value, const void* owner) { value = static_cast<const Owner*>(owner)->*Member; },
          .read = [](const nlohmann::json& value, void* owner) { value.get_to(static_cast<Owner*>(owner)->*Member); }};
}

/// The words that a text may be, of an enum or as the field says; empty: any.
[[nodiscard]] std::vector<std::string> words_of(const Field& field);

/// What follows from other members by `Of(owner)`: written, and not read.
template <class Owner, auto Of>
constexpr Field derived(std::string_view key, std::string_view meaning) {
  using Value = std::remove_cvref_t<std::invoke_result_t<decltype(Of), const Owner&>>;
  return {.key = key,
          .meaning = meaning,
          .type = detail::type_of<Value>,
          .write = [](nlohmann::json& value, const void* owner) {
            value = std::invoke(Of, *static_cast<const Owner*>(owner));
          }};
}

/// A text that is always the same.
constexpr Field constant(std::string_view key, std::string_view text, std::string_view meaning) {
  Field f{.key = key, .meaning = meaning, .type = {.kind = Kind::text}};
  f.literal = text;
  return f;
}

}  // namespace busbar
