// SPDX-License-Identifier: Apache-2.0
#include "core/record/case_key.hpp"

#include <fmt/core.h>

namespace busbar {
namespace {

std::string or_unknown(const std::optional<std::string>& text) { return text.value_or("?"); }
std::string or_unknown(const std::optional<int>& number) { return number ? std::to_string(*number) : "?"; }

}  // namespace

std::string series_name(const CaseKey& k) {  // by appending: reports name every case several times
  std::string s;
  s.reserve(128);
  s += k.kind == CaseKind::collective ? k.collective : text_of(k.kind) + ":" + k.collective;
  const auto add = [&s](std::string_view before, std::string_view value) { s.append(before).append(value); };
  add("/", k.backend);
  add("/", or_unknown(k.memory));
  if (k.type) add("/", *k.type);
  if (k.op) add("/", *k.op);
  if (k.root) add("/root:", std::to_string(*k.root));
  if (k.in_place) s += *k.in_place ? "/in_place" : "/out_of_place";
  add("/ranks:", std::to_string(k.ranks));
  add("/nodes:", or_unknown(k.nodes));
  if (k.nodes && *k.nodes > 1) add("/ranks_per_node:", or_unknown(k.ranks_per_node));
  add("/", or_unknown(k.cadence));
  if (k.algorithm) add("/algorithm:", *k.algorithm);
  if (k.group && *k.group != "world") add("/group:", *k.group);
  if (k.counts) add("/counts:", *k.counts);
  if (k.window) add("/window:", std::to_string(*k.window));
  if (k.form) add("/form:", *k.form);
  if (k.progress) add("/progress:", *k.progress);
  if (k.work) add("/work:", std::to_string(*k.work));
  if (k.training) add("/", to_string(*k.training));
  return s;
}

std::string to_string(const CaseKey& k) { return fmt::format("{}/bytes:{}", series_name(k), k.bytes); }

CaseKey without_scale(CaseKey k) {
  k.bytes = 0;
  k.ranks = 0;
  k.nodes.reset();
  k.ranks_per_node.reset();
  return k;
}

}  // namespace busbar
