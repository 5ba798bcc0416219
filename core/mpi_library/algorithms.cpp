// SPDX-License-Identifier: Apache-2.0
#include "core/mpi_library/algorithms.hpp"

#include <algorithm>
#include <limits>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/base/units.hpp"
#include "core/base/words.hpp"
#include "core/files/kernel_files.hpp"

namespace busbar {
namespace {

using Parameter = AlgorithmControl::Parameter;

std::string known_parameters(const AlgorithmControl& control) {
  std::string all;
  for (const Parameter& p : control.parameters) {
    const std::string one = fmt::format("{}={}", p.name, p.is_size ? "SIZE" : "N");
    if (all.find(one) == std::string::npos) all += (all.empty() ? "" : ", ") + one;
  }
  return all.empty() ? "none" : all;
}

/// As parse_size() reads it: "64K", "100".
std::string size_word(std::uint64_t bytes) {
  if (bytes > 0 && bytes % (1 << 20) == 0) return fmt::format("{}M", bytes >> 20);
  if (bytes > 0 && bytes % (1 << 10) == 0) return fmt::format("{}K", bytes >> 10);
  return std::to_string(bytes);
}

int parse_value(const Parameter& parameter, const std::string& text) {
  const std::string flag = fmt::format("--algorithm: {}", parameter.name);
  constexpr int most = std::numeric_limits<int>::max();
  if (!parameter.is_size) return parse_count(flag, text, 1, most);
  const std::uint64_t bytes = parse_size(flag, text);
  if (bytes > static_cast<std::uint64_t>(most)) throw UsageError(fmt::format("{}: '{}' is above 2G", flag, text));
  return static_cast<int>(bytes);
}

}  // namespace

const AlgorithmControl::AlgorithmCall* find_call(const AlgorithmControl& control, std::string_view call) {
  const auto row = std::ranges::find(control.calls, call, &AlgorithmControl::AlgorithmCall::call);
  return row == control.calls.end() ? nullptr : &*row;
}

const AlgorithmControl::Component* find_component(const AlgorithmControl& control, std::string_view call,
                                                  std::string_view name) {
  const auto row = std::ranges::find(control.components, name, &AlgorithmControl::Component::name);
  if (row == control.components.end() || std::ranges::find(row->calls, call) == row->calls.end()) return nullptr;
  return &*row;
}

std::string variable_of(std::string_view text, const AlgorithmControl::AlgorithmCall& call) {
  const auto at = text.find("{}");
  if (at == std::string_view::npos) return std::string(text);
  return fmt::format("{}{}{}", text.substr(0, at), call.name, text.substr(at + 2));
}

std::string WantedAlgorithm::text(const AlgorithmControl& control) const {
  std::string all = name;
  for (const auto& [parameter, value] : parameters) {
    const auto row = std::ranges::find(control.parameters, parameter, &Parameter::name);
    all += fmt::format("/{}={}", parameter,
                       row->is_size ? size_word(static_cast<std::uint64_t>(value)) : std::to_string(value));
  }
  return all;
}

WantedAlgorithm parse_algorithm(const AlgorithmControl& control, const MpiLibrary& library, std::string_view text) {
  const auto parts = facts::split(text, '/');
  WantedAlgorithm wanted{.name = parts.empty() ? std::string() : std::string(parts[0]), .parameters = {}};
  std::vector<std::pair<std::string, std::string>> given;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const auto equals = std::min(parts[i].find('='), parts[i].size());
    const std::string_view key = parts[i].substr(0, equals);
    if (equals == parts[i].size() ||
        std::ranges::find(control.parameters, key, &Parameter::name) == control.parameters.end())
      throw UsageError(fmt::format("--algorithm {}: '{}' is not a parameter of {}'s algorithms; they are: {}", text,
                                   parts[i], library.name, known_parameters(control)));
    given.emplace_back(key, parts[i].substr(equals + 1));
  }
  for (const Parameter& p : control.parameters) {
    const auto value = std::ranges::find(given, p.name, &std::pair<std::string, std::string>::first);
    const bool is_new = wanted.parameters.empty() || wanted.parameters.back().first != p.name;
    if (value != given.end() && is_new) wanted.parameters.emplace_back(p.name, parse_value(p, value->second));
  }
  return wanted;
}

std::vector<std::string> described_algorithms(std::string_view description) {
  std::vector<std::string> names;
  for (const std::string_view line : facts::split(description, '\n')) {
    const auto end = line.find_first_of(" \t");
    if (end == 0 || end == std::string_view::npos) continue;
    if (facts::trimmed(line.substr(end)).starts_with("- ")) names.emplace_back(line.substr(0, end));
  }
  return names;
}

}  // namespace busbar
