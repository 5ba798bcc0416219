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

/// Replaces names of machines by aliases (docs/privacy.md). An alias is a kind and the first ten hexadecimal digits of
/// HMAC-SHA256 of the name, e.g. host-3f2a91c07b (40 bits: 10,000 names collide with a probability of 1 in 20,000). It
/// is the same in all records made with one key, and without the key cannot be reversed by trying names.
class Anonymiser {
 public:
  explicit Anonymiser(std::string key) : key_(std::move(key)) {}

  /// Registers the hosts of a run. Call it before changing any data of that run.
  void learn(const RunRecord& run);
  void learn(const std::vector<std::string>& hosts);

  /// Replaces host names, with or without a domain and in any case, if no letter or digit adjoins them, and everything
  /// that identifier_at() finds.
  [[nodiscard]] std::string without_names(std::string_view) const;
  /// Changes all texts of a value, but not its keys.
  void change(nlohmann::json& value) const;

  /// Records with aliases in all keys that may identify a machine (Privacy, core/record/field.hpp). The run's
  /// `anonymised` and notes say so. An anonymised run is returned unchanged.
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
  /// `around`: the privacy of fields that inherit it.
  void change(nlohmann::json& object, const Part& part, Privacy around) const;
  void change_labels(nlohmann::json& labels) const;
  void change_variables(nlohmann::json& variables) const;
  template <class Record>
  [[nodiscard]] Record changed(const Record& record) const;

  std::string key_;
  std::unordered_map<std::string, std::string> hosts_;  ///< aliases by name in lower case, with and without domain
};

}  // namespace busbar
