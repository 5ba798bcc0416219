// SPDX-License-Identifier: Apache-2.0
#include "core/nccl/choice.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "core/nccl/choice_listener.hpp"

namespace busbar::nccl_choice {
namespace {

constexpr const char* variable = "NCCL_PROFILER_PLUGIN";
constexpr std::size_t longest_path = 254;  ///< NCCL truncates at MAX_STR_LEN, src/plugin/plugin_open.cc
constexpr int collectives_only = 1 << 1;   ///< ncclProfileColl, the same in all versions of the interface
constexpr std::size_t longest_name = 32;

/// "COLLNET_DIRECT" as "collnet_direct". Empty if NCCL gives no name, "Unknown", or invalid characters.
std::optional<std::string> lower_name(const char* text) {
  if (text == nullptr) return std::nullopt;
  std::string name(text, strnlen(text, longest_name + 1));
  if (name.empty() || name.size() > longest_name) return std::nullopt;
  for (char& c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != '_') return std::nullopt;
  }
  if (name == "unknown") return std::nullopt;
  return name;
}

std::string as_given(const char* text) { return text == nullptr ? "" : std::string(text, strnlen(text, longest_name)); }

}  // namespace

std::optional<std::string> offer() {
  const std::string path = plugin_path();
  const char* set = std::getenv(variable);
  if (set != nullptr && path == set) return std::nullopt;
  if (set != nullptr)
    return fmt::format("NCCL's algorithms are unknown: {} is set, and that plug-in gets them", variable);
  if (path.empty() || path.size() > longest_path)
    return fmt::format("NCCL's algorithms are unknown: the path of busbar's NCCL module is {}",
                       path.empty() ? "not known" : fmt::format("longer than {} characters", longest_path));
  setenv(variable, path.c_str(), 1);
  return std::nullopt;
}

void arm() { listener().arm(); }

std::optional<NcclChoice> take_choice() { return listener().take_choice(); }

void Listener::opened(int* mask) {
  const std::lock_guard lock(mutex_);
  ++communicators_;
  mask_ = mask;
  set_mask();
}

void Listener::closed() {
  const std::lock_guard lock(mutex_);
  if (communicators_ > 0 && --communicators_ == 0) mask_ = nullptr;
}

void Listener::arm() {
  const std::lock_guard lock(mutex_);
  heard_.reset();
  differ_ = false;
  armed_ = true;
  set_mask();
}

std::optional<NcclChoice> Listener::take_choice() {
  const std::lock_guard lock(mutex_);
  armed_ = false;
  set_mask();
  auto heard = std::exchange(heard_, std::nullopt);
  return differ_ ? std::nullopt : heard;
}

void Listener::hear(const char* function, const char* algorithm, const char* protocol, int channels) {
  auto name = lower_name(algorithm), how = lower_name(protocol);
  const std::lock_guard lock(mutex_);
  if (!armed_) return;
  NcclChoice choice{.function = as_given(function)};
  if (name && how) {
    choice.algorithm = *std::move(name);
    choice.protocol = *std::move(how);
    if (channels > 0) choice.channels = channels;
  } else {
    differ_ = true;  // one unknown call makes the result unknown
  }
  if (heard_ && *heard_ != choice) differ_ = true;
  heard_ = std::move(choice);
}

void Listener::set_mask() const {
  if (mask_ != nullptr) std::atomic_ref(*mask_).store(armed_ ? collectives_only : 0, std::memory_order_relaxed);
}

Listener& listener() {
  static Listener one;
  return one;
}

}  // namespace busbar::nccl_choice
