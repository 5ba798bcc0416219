// SPDX-License-Identifier: Apache-2.0
#include "faults.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <sstream>
#include <stdexcept>

#include <stdlib.h>

namespace fake_gpu {
namespace {

constexpr std::array kinds = {"async_error",    "wrong_result", "nothing",     "out_of_memory", "hang",
                              "launch_failure", "init_error",   "event_scale", "no_capture"};

void set(Fault& fault, const std::string& key, const std::string& value) {
  if (key == "kind") {
    fault.kind = value;
  } else if (key == "error" && (value == "remote" || value == "system")) {
    fault.error = value;
  } else if (key == "rank") {
    fault.rank = std::stoi(value);
  } else if (key == "call") {
    fault.call = std::stoull(value);
  } else if (key == "bytes") {
    fault.bytes = std::stoull(value);
  } else if (key == "scale") {
    fault.scale = std::stod(value);
  } else if (key == "event_scale") {
    fault.kind = key;
    fault.scale = std::stod(value);
  } else {
    throw std::invalid_argument("FAKE_GPU_FAULT: " + key + "=" + value + " is not known");
  }
}

Fault parse_fault(const std::string& text) {
  Fault fault;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const auto equals = word.find('=');
    if (equals == std::string::npos) throw std::invalid_argument("FAKE_GPU_FAULT: key=value wanted, not " + word);
    set(fault, word.substr(0, equals), word.substr(equals + 1));
  }
  if (std::ranges::find(kinds, fault.kind) == kinds.end())
    throw std::invalid_argument("FAKE_GPU_FAULT: kind '" + fault.kind + "' is not known");
  return fault;
}

std::vector<Fault> faults_of_this_rank() {
  const char* text = getenv("FAKE_GPU_FAULT");
  const char* rank = getenv("OMPI_COMM_WORLD_RANK");
  std::vector<Fault> mine;
  for (auto& fault : parse_faults(text == nullptr ? "" : text))
    if (!fault.rank || *fault.rank == (rank == nullptr ? 0 : atoi(rank))) mine.push_back(std::move(fault));
  return mine;
}

}  // namespace

std::vector<Fault> parse_faults(const std::string& text) {
  std::vector<Fault> faults;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ';');)
    if (part.find_first_not_of(' ') != std::string::npos) faults.push_back(parse_fault(part));
  return faults;
}

const Fault* fault(const char* kind) {
  static const auto* const faults = [] {
    try {
      return new std::vector<Fault>(faults_of_this_rank());
    } catch (const std::exception& error) {
      std::fprintf(stderr, "fake GPU: %s\n", error.what());
      _Exit(2);
    }
  }();
  const auto found = std::ranges::find(*faults, kind, &Fault::kind);
  return found == faults->end() ? nullptr : &*found;
}

std::uint64_t setting(const char* name, std::uint64_t otherwise) {
  const char* text = getenv(name);
  if (text == nullptr) return otherwise;
  char* end = nullptr;
  const auto value = strtoull(text, &end, 10);
  return end == text || *end != '\0' ? otherwise : value;
}

}  // namespace fake_gpu
