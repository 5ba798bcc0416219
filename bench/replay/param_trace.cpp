// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <fmt/core.h>

#include "bench/replay/reading.hpp"

/// PARAM's comms traces (facebookresearch/param, et_replay and train/comms/pt): a list of entries. Sizes are numbers of
/// elements; the root is a rank of the job.
namespace busbar::replay {
namespace {

using nlohmann::json;

constexpr double ns = 1e-9, us = 1e-6;

/// The process group of an entry. PARAM numbers them; an "init" entry, or each entry, lists their ranks.
std::string group_of_entry(Trace& trace, const json& entry) {
  if (!entry.contains("pg_id") || entry["pg_id"].is_null()) {
    if (!entry.contains("global_ranks") || entry["global_ranks"].is_null()) return "";
    const auto ranks = ranks_of_group(entry["global_ranks"]);
    std::string name = "ranks";
    for (const int rank : ranks) name += fmt::format(" {}", rank);
    trace.groups.try_emplace(name, TracedGroup{.ranks = ranks, .size = static_cast<int>(ranks.size())});
    return name;
  }
  const std::string name = std::to_string(entry["pg_id"].get<int>());
  TracedGroup& group = trace.groups[name];
  if (entry.contains("global_ranks") && entry["global_ranks"].is_array() && !entry["global_ranks"].empty())
    group.ranks = ranks_of_group(entry["global_ranks"]);
  if (!group.ranks.empty())
    group.size = static_cast<int>(group.ranks.size());
  else if (entry.contains("world_size") && !entry["world_size"].is_null())
    group.size = number_of_ranks(entry["world_size"]);
  group.about = text_at(entry, "pg_desc");
  return name;
}

void set_root(const Trace& trace, const json& entry, TracedCall& call) {
  if (!entry.contains("root") || entry["root"].is_null()) return;
  const int rank = entry["root"].get<int>();
  const auto group = trace.groups.find(call.group);
  if (group == trace.groups.end() || group->second.ranks.empty()) {
    call.root = rank;
    return;
  }
  const auto at = std::ranges::find(group->second.ranks, rank);
  if (at == group->second.ranks.end()) throw Error(fmt::format("root {} is not in its group", rank));
  call.root = static_cast<int>(at - group->second.ranks.begin());
}

void set_sizes(const json& entry, TracedCall& call) {
  if (call.collective == "barrier") return;
  if (call.collective.empty() && !entry.contains("in_msg_size")) return;  // PARAM's batches of messages have none
  call.in = elements_of(entry.at("in_msg_size"));
  call.out = elements_of(entry.at("out_msg_size"));
  set_type(call, entry.at("dtype").get<std::string>());
  if (entry.contains("in_split") && entry["in_split"].is_array())
    call.in_split = scaled_split(entry["in_split"], call.in);
  if (entry.contains("out_split") && entry["out_split"].is_array())
    call.out_split = scaled_split(entry["out_split"], call.out);
}

void set_times(const json& entry, TracedCall& call) {
  if (entry.contains("startTime_ns") && entry["startTime_ns"].is_number())
    call.start_s = entry["startTime_ns"].get<double>() * ns;
  for (const char* key : {"latency_us", "global_latency_us"})  // written by PARAM's own replay
    if (entry.contains(key) && entry[key].is_number()) call.duration_s = entry[key].get<double>() * us;
}

/// "req" of an entry, the same in the wait for it: a number, or a number and whether it is point to point.
std::string request_of(const json& entry) { return entry.contains("req") ? entry["req"].dump() : ""; }

}  // namespace

Trace read_param_trace(const json& document) {
  Trace trace{.format = "PARAM comms trace"};
  std::map<std::string, std::size_t> pending;
  std::size_t number = 0, computations = 0;
  for (const json& entry : document) {
    const std::string where = fmt::format("entry {}", number++);
    in_entry(where, [&] {
      if (!entry.is_object()) throw Error(fmt::format("{} where an object must be", entry.type_name()));
      if (entry.contains("compute")) {
        ++computations;
        return;
      }
      if (!entry.contains("comms")) throw Error("has neither 'comms' nor 'compute'");
      const std::string name = entry["comms"].get<std::string>();
      const std::string request = request_of(entry);
      if (is_wait(name)) {
        if (const auto at = pending.find(request); at != pending.end()) trace.calls[at->second].waited_for = true;
        return;
      }
      TracedCall call{.entry = where, .group = group_of_entry(trace, entry)};
      if (is_bookkeeping(name)) return;
      if (call.group.empty() && !trace.ranks && entry.contains("world_size") && !entry["world_size"].is_null())
        trace.ranks = number_of_ranks(entry["world_size"]);
      set_collective(call, name);
      set_sizes(entry, call);
      set_root(trace, entry, call);
      set_times(entry, call);
      if (!request.empty()) pending[request] = trace.calls.size();
      add_call(trace, std::move(call));
    });
  }
  if (const auto all = trace.groups.find("0"); all != trace.groups.end() && !trace.ranks)
    trace.ranks = all->second.size;
  if (computations > 0) trace.notes.push_back(fmt::format("{} compute entries of the trace are not run", computations));
  return trace;
}

}  // namespace busbar::replay
