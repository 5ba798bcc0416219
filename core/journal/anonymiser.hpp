// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/record/fwd.hpp"

namespace busbar {

enum class Privacy;
struct Part;
struct ValueType;

/// Puts aliases in the place of what names machines: docs/privacy.md. An alias is a kind and ten hexadecimal digits
/// (40 bits: among 10,000 names two are the same once in 20,000 times) of HMAC-SHA256 of the name under a key, such as
/// host-3f2a91c07b: the same in all records made with one key, and not to be found by trying names without it.
class Anonymiser {
 public:
  explicit Anonymiser(std::string key) : key_(std::move(key)) {}

  /// The hosts of a run. To be told before anything of that run is changed.
  void learn(const RunRecord& run);
  void learn(const std::vector<std::string>& hosts);

  /// A text with aliases: for hosts wherever they stand between other letters and digits, with or without a domain, in
  /// any case; for everything that identifier_at() finds.
  [[nodiscard]] std::string text(std::string_view) const;
  /// All texts of a value, but not its keys.
  void change(nlohmann::json& value) const;

  /// Records with aliases, where their tables say that a key may name a machine (Privacy, core/record/field.hpp); the
  /// run says so in `anonymised` and in its notes. One that is anonymised already stays.
  [[nodiscard]] RunRecord operator()(const RunRecord& run) const;
  [[nodiscard]] CaseRecord operator()(const CaseRecord& record) const;
  [[nodiscard]] EndRecord operator()(const EndRecord& end) const;

 private:
  [[nodiscard]] std::string alias(std::string_view kind, std::string_view name) const;
  [[nodiscard]] std::size_t host_at(std::string_view text, std::size_t at, std::string& alias) const;
  [[nodiscard]] std::string replaced(std::string_view text, bool hosts_only) const;
  [[nodiscard]] std::string variable(const std::string& name, const std::string& value) const;
  void change(nlohmann::json& value, Privacy privacy) const;
  void change(nlohmann::json& value, const ValueType& type, Privacy privacy) const;
  /// `around`: of fields that do not say themselves.
  void change(nlohmann::json& object, const Part& part, Privacy around) const;
  void change_labels(nlohmann::json& labels) const;
  void change_variables(nlohmann::json& variables) const;
  template <class Record>
  [[nodiscard]] Record changed(const Record& record) const;

  std::string key_;
  std::unordered_map<std::string, std::string> hosts_;  ///< aliases by name in small letters, also without domain
};

}  // namespace busbar
