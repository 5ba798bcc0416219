// SPDX-License-Identifier: Apache-2.0
#include "core/case_key.hpp"

#include <fmt/core.h>

#include "core/json.hpp"

namespace busbar {
namespace {

std::string or_unknown(const std::optional<std::string>& text) { return text.value_or("?"); }
std::string or_unknown(const std::optional<int>& number) { return number ? std::to_string(*number) : "?"; }

}  // namespace

std::string series_name(const CaseKey& k) {
  std::string s = k.kind == "collective" ? k.collective : k.kind + ":" + k.collective;
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

void to_json(nlohmann::json& j, const CaseKey& k) {
  j = {{"kind", k.kind},         {"collective", k.collective},
       {"backend", k.backend},   {"memory", k.memory},
       {"type", k.type},         {"op", k.op},
       {"root", k.root},         {"bytes", k.bytes},
       {"in_place", k.in_place}, {"ranks", k.ranks},
       {"nodes", k.nodes},       {"ranks_per_node", k.ranks_per_node},
       {"cadence", k.cadence},   {"algorithm", k.algorithm},
       {"group", k.group},       {"training", k.training}};
}

void from_json(const nlohmann::json& j, CaseKey& k) {
  read(j, "kind", k.kind);
  j.at("collective").get_to(k.collective);
  j.at("backend").get_to(k.backend);
  read(j, "memory", k.memory);
  read(j, "type", k.type);
  read(j, "op", k.op);
  read(j, "root", k.root);
  j.at("bytes").get_to(k.bytes);
  read(j, "in_place", k.in_place);
  j.at("ranks").get_to(k.ranks);
  read(j, "nodes", k.nodes);
  read(j, "ranks_per_node", k.ranks_per_node);
  read(j, "cadence", k.cadence);
  read(j, "algorithm", k.algorithm);
  read(j, "group", k.group);
  read(j, "training", k.training);
}

}  // namespace busbar
