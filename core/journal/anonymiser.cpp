// SPDX-License-Identifier: Apache-2.0
#include "core/journal/anonymiser.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <utility>

#include <fmt/core.h>

#include "core/base/identifiers.hpp"
#include "core/base/json.hpp"
#include "core/base/words.hpp"
#include "core/environment/environment.hpp"
#include "core/files/sha256.hpp"
#include "core/record/case_record.hpp"
#include "core/record/end_record.hpp"
#include "core/record/field.hpp"
#include "core/record/rank_place.hpp"
#include "core/record/run_record.hpp"

namespace busbar {
namespace {

constexpr auto note =
    "anonymised: hosts, addresses, UUIDs and GUIDs are aliases, the same in all records made with one key";

bool is_alphanumeric(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }
bool is_of_host_name(char c) { return is_alphanumeric(c) || c == '-' || c == '_' || c == '.'; }
bool has_letter(std::string_view text) {
  return std::ranges::any_of(text, [](unsigned char c) { return std::isalpha(c) != 0; });
}

/// The host name without its domain. "10.0.0.1" has none.
std::string short_name(const std::string& host) {
  const std::string first = host.substr(0, host.find('.'));
  return has_letter(first) ? first : host;
}

/// True if a one-letter word here is certainly a name: "a:8,b:8", but not "a test".
bool stands_alone(std::string_view text, std::size_t at, std::size_t length) {
  const auto is_blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  return (at == 0 || !is_blank(text[at - 1])) && (at + length == text.size() || !is_blank(text[at + length]));
}

/// Length of a domain at the start of `text`, e.g. ".cluster.example", up to its last part with a letter.
std::size_t domain_length(std::string_view text) {
  std::size_t length = 0;
  while (text.substr(length).starts_with('.')) {
    std::size_t end = length + 1;
    while (end < text.size() && (is_alphanumeric(text[end]) || text[end] == '-')) ++end;
    if (!has_letter(text.substr(length, end - length))) break;
    length = end;
  }
  return length;
}

/// Variables whose value is a host, an address or a list of them, in any format.
bool speaks_of_hosts(const std::string& variable) {
  static constexpr std::array<std::string_view, 6> words{"HOST", "COMM_ID", "NODELIST", "_URI", "ADDR", "SERVER"};
  std::string upper(variable);
  std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return std::ranges::any_of(words, [&](std::string_view word) { return upper.find(word) != std::string::npos; });
}

bool is_number_or_switch(std::string_view value) {
  static constexpr std::array<std::string_view, 9> switches{"y",   "n",    "yes",   "no",  "on",
                                                            "off", "true", "false", "auto"};
  return !has_letter(value) || std::ranges::find(switches, lower_case(value)) != switches.end();
}

}  // namespace

std::string Anonymiser::alias(std::string_view kind, std::string_view name) const {
  return fmt::format("{}-{}", kind, hmac_sha256_hex(key_, lower_case(name)).substr(0, 10));
}

void Anonymiser::learn(const std::vector<std::string>& hosts) {
  std::map<std::string, std::set<std::string>> with_domains;  // by first part
  for (const std::string& host : hosts)
    if (!host.empty() && host != "localhost") with_domains[short_name(lower_case(host))].insert(lower_case(host));
  for (const auto& [first, names] : with_domains) {
    const bool told_apart = names.size() == 1 || (names.size() == 2 && names.contains(first));
    hosts_.emplace(first, alias("host", first));
    for (const std::string& name : names) hosts_.emplace(name, alias("host", told_apart ? first : name));
  }
}

void Anonymiser::learn(const RunRecord& run) {
  std::vector<std::string> hosts;
  for (const Host& host : run.hosts) hosts.push_back(host.name);
  for (const RankPlace& place : run.placement) hosts.push_back(place.host);
  std::ranges::sort(hosts);
  const auto doubles = std::ranges::unique(hosts);
  hosts.erase(doubles.begin(), doubles.end());
  learn(hosts);
}

/// Length of the host name at `at`, 0 if there is none. The longest known name wins.
std::size_t Anonymiser::host_at(std::string_view text, std::size_t at, std::string& alias) const {
  if (at > 0 && is_alphanumeric(text[at - 1])) return 0;
  std::size_t end = at;
  while (end < text.size() && is_of_host_name(text[end])) ++end;
  for (std::string word = lower_case(text.substr(at, end - at)); !word.empty(); word.pop_back()) {
    const std::size_t behind = at + word.size();
    if (behind < text.size() && is_alphanumeric(text[behind])) continue;
    const auto known = hosts_.find(word);
    if (known == hosts_.end() || !has_letter(word)) continue;
    if (word.size() == 1 && !stands_alone(text, at, 1)) return 0;
    alias = known->second;
    return word.size() + domain_length(text.substr(behind));
  }
  return 0;
}

std::string Anonymiser::replaced(std::string_view text, bool hosts_only) const {
  if (const auto known = hosts_.find(lower_case(text)); known != hosts_.end()) return known->second;
  std::string out, host;
  for (std::size_t at = 0; at < text.size();) {
    const auto found = hosts_only ? std::nullopt : identifier_at(text, at);
    if (found) {
      out += alias(found->kind, text.substr(at, found->length));
      at += found->length;
    } else if (const std::size_t length = host_at(text, at, host); length > 0) {
      out += host;
      at += length;
    } else {
      out += text[at++];
    }
  }
  return out;
}

std::string Anonymiser::without_names(std::string_view text) const { return replaced(text, false); }

std::string Anonymiser::variable(const std::string& name, const std::string& value) const {
  std::string changed = without_names(value);
  if (changed != value || !speaks_of_hosts(name) || is_number_or_switch(value)) return changed;
  return alias("hosts", value);
}

/// Changes all texts of a value without a table.
void Anonymiser::change(nlohmann::json& value, Privacy privacy) const {
  if (value.is_string()) {
    auto& text = value.get_ref<std::string&>();
    text = replaced(text, privacy == Privacy::versions);
  } else if (value.is_structured()) {
    for (auto& member : value) change(member, privacy);
  }
}

void Anonymiser::change_variables(nlohmann::json& variables) const {
  for (auto& [name, text] : variables.items()) text = variable(name, text.get<std::string>());
}

void Anonymiser::change(nlohmann::json& object, const Part& part, Privacy around) const {
  for (const Field& field : part.fields)
    change(object[std::string(field.key)], field.type, field.privacy == Privacy::inherited ? around : field.privacy);
}

void Anonymiser::change(nlohmann::json& value, const ValueType& type, Privacy privacy) const {
  if (value.is_null() || !type.words.empty()) return;  // an enum contains busbar's words
  if (type.kind == Kind::part) return change(value, type.part(), privacy);
  if (type.element != nullptr && type.element->part != nullptr) {
    for (auto& element : value) change(element, *type.element, privacy);
    return;
  }
  switch (privacy) {
    case Privacy::own_words:
      return;
    case Privacy::labels:
      return change_labels(value);
    case Privacy::variables:
      return change_variables(value);
    case Privacy::inherited:
    case Privacy::names:
    case Privacy::versions:
      return change(value, privacy);
  }
}

void Anonymiser::change_labels(nlohmann::json& labels) const {
  auto changed = nlohmann::json::object();
  for (auto& [key, value] : labels.items()) changed[without_names(key)] = without_names(value.get<std::string>());
  labels = std::move(changed);
}

void Anonymiser::change(nlohmann::json& value) const { change(value, Privacy::names); }

/// A record with aliases in all keys that may identify a machine, according to its table.
template <class Record>
Record Anonymiser::changed(const Record& record) const {
  nlohmann::json j = record;
  change(j, part_of(&record), Privacy::names);
  return j.get<Record>();
}

RunRecord Anonymiser::operator()(const RunRecord& run) const {
  if (run.anonymised) return run;
  auto anonymous = changed(run);
  anonymous.anonymised = true;
  anonymous.notes.emplace_back(note);
  return anonymous;
}

CaseRecord Anonymiser::operator()(const CaseRecord& record) const {
  CaseRecord without_samples = record;
  without_samples.samples_s.clear();
  auto anonymous = changed(without_samples);
  anonymous.samples_s = record.samples_s;
  return anonymous;
}

EndRecord Anonymiser::operator()(const EndRecord& end) const { return changed(end); }

}  // namespace busbar
