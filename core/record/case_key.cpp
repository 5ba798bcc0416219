// SPDX-License-Identifier: Apache-2.0
#include "core/record/case_key.hpp"

#include <fmt/core.h>

namespace busbar {
namespace {

std::string or_unknown(const std::optional<std::string>& text) { return text.value_or("?"); }
std::string or_unknown(const std::optional<int>& number) { return number ? std::to_string(*number) : "?"; }

}  // namespace

std::string series_name(const CaseKey& k) {
  std::string s = k.kind == CaseKind::collective ? k.collective : text_of(k.kind) + ":" + k.collective;
  s += fmt::format("/{}/{}", k.backend, or_unknown(k.memory));
  if (k.type) s += "/" + *k.type;
  if (k.op) s += "/" + *k.op;
  if (k.root) s += fmt::format("/root:{}", *k.root);
  if (k.in_place) s += *k.in_place ? "/in_place" : "/out_of_place";
  s += fmt::format("/ranks:{}/nodes:{}", k.ranks, or_unknown(k.nodes));
  if (k.nodes && *k.nodes > 1) s += "/ranks_per_node:" + or_unknown(k.ranks_per_node);
  s += "/" + or_unknown(k.cadence);
  if (k.algorithm) s += "/algorithm:" + *k.algorithm;
  if (k.group && *k.group != "world") s += "/group:" + *k.group;
  if (k.training) s += "/" + to_string(*k.training);
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
