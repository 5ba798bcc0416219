// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/core.h>

#include "bench/replay/reading.hpp"

/// PyTorch's execution traces (torch.profiler.ExecutionTraceObserver; Chakra calls them host traces), schema 1.0.1 to
/// 1.1.1: a list of nodes. Each "record_param_comms" is a call, or a wait for one. From 1.0.3 on attributes describe
/// it; before, only the arguments do:
///   [tensors,] sequence number, process group, rank or root, name, in split, out split [, first rank, stride] [, size]
/// where a tensor is [id, storage, offset, elements, bytes of an element, device].
namespace busbar::replay {
namespace {

using nlohmann::json;

/// The parts of a node that both schemas have.
struct Node {
  json values, types, outputs, attributes;

  explicit Node(const json& node) {
    const json& inputs = node.at("inputs");
    values = inputs.is_object() ? inputs.at("values") : inputs;
    types = inputs.is_object() ? inputs.at("types") : node.value("input_types", json::array());
    const json& result = node.contains("outputs") ? node["outputs"] : json::array();
    outputs = result.is_object() ? result.at("values") : result;
    for (const json& a : node.value("attrs", json::array()))
      if (a.is_object() && a.contains("value")) attributes[text_at(a, "name")] = a["value"];
    if (!values.is_array()) throw Error("its inputs are no list");
  }
  /// Argument `i` behind the tensors; null if there is none.
  [[nodiscard]] json argument(std::size_t i) const {
    const std::size_t at = i + (has_tensors() ? 1 : 0);
    return at < values.size() ? values[at] : json();
  }
  /// The size of the group, which is last behind 6 or 8 arguments; null in traces without it.
  [[nodiscard]] json last_argument() const {
    const std::size_t arguments = values.size() - (has_tensors() ? 1 : 0);
    return arguments == 7 || arguments == 9 ? values.back() : json();
  }
  /// A sequence number is a number, or [number, whether it is a point-to-point message].
  [[nodiscard]] bool has_tensors() const {
    return !values.empty() && values[0].is_array() && !(values[0].size() == 2 && values[0][1].is_boolean());
  }
  [[nodiscard]] std::string name() const {
    const std::string told = text_at(attributes, "collective_name");
    const json argued = argument(3);
    return told.empty() && argued.is_string() ? argued.get<std::string>() : told;
  }
};

/// Elements of each tensor in a value, which is one, a list of them, or a list of lists.
void collect_tensors(const json& value, std::vector<std::uint64_t>& elements, int depth = 0) {
  if (!value.is_array() || depth > 3) return;
  if (value.size() >= 6 && value[3].is_number_integer() && value[5].is_string()) {
    elements.push_back(elements_of(value[3]));
    return;
  }
  for (const json& one : value) collect_tensors(one, elements, depth + 1);
}

std::uint64_t sum_of(const std::vector<std::uint64_t>& parts) {
  return std::accumulate(parts.begin(), parts.end(), std::uint64_t{0});
}

/// "Tensor(long int)" or "GenericList[Tensor(float)]": the type of the first tensor.
std::string type_of_tensors(const json& types) {
  if (!types.is_array() || types.empty() || !types[0].is_string()) return "";
  const auto& text = types[0].get_ref<const std::string&>();
  const std::size_t at = text.find("Tensor("), from = at + 7;
  return at == std::string::npos ? "" : text.substr(from, text.find(')', from) - from);
}

/// The split in the arguments, else in an attribute, which PyTorch cuts if it is long.
json split_of(const Node& node, std::size_t argument, const char* attribute, TracedCall& call) {
  json list = list_in_text(node.argument(argument));
  if (!list.empty() || !node.attributes.contains(attribute)) return list;
  list = list_in_text(node.attributes[attribute]);
  const std::string text = text_at(node.attributes, attribute);
  if (list.empty() && text.size() > 2 && call.why_not.empty()) call.why_not = "the trace's list of splits is cut off";
  return list;
}

/// Sizes from the attributes if there are any, else from the tensors.
void set_sizes_of(const Node& node, TracedCall& call) {
  std::vector<std::uint64_t> in, out;
  if (node.has_tensors()) collect_tensors(node.values[0], in);
  collect_tensors(node.outputs, out);
  const json& a = node.attributes;
  call.in = a.contains("in_msg_nelems") ? elements_of(a["in_msg_nelems"]) : sum_of(in);
  call.out = a.contains("out_msg_nelems") ? elements_of(a["out_msg_nelems"]) : sum_of(out);
  const std::string told = text_at(a, "dtype");
  set_type(call, told.empty() ? type_of_tensors(node.types) : told);
  const bool by_tensors = call.collective == "alltoall";  // a tensor for each rank: a split
  call.in_split = scaled_split(split_of(node, 4, "in_split_size", call), call.in);
  call.out_split = scaled_split(split_of(node, 5, "out_split_size", call), call.out);
  if (by_tensors && call.in_split.empty() && in.size() > 1) call.in_split = in;
  if (by_tensors && call.out_split.empty() && out.size() > 1) call.out_split = out;
  const bool coalesced = call.name.find("coalesced") != std::string::npos;
  if (coalesced) call.tensors = std::max(1, static_cast<int>(in.size()));
}

/// Names groups that only their address in the job's memory tells apart.
class Addresses {
 public:
  std::string name(const json& address) {
    const auto [at, added] = names_.try_emplace(address.dump(), names_.size() + 1);
    return fmt::format("group {}", at->second);
  }

 private:
  std::map<std::string, std::size_t> names_;
};

std::string group_of_node(Trace& trace, const Node& node, Addresses& addresses) {
  const json group = node.argument(1);
  std::string name = text_at(node.attributes, "pg_name");
  if (name.empty() && group.is_array() && !group.empty() && group[0].is_string()) name = group[0];
  if (name.empty() && group.is_string()) name = group;
  if (name.empty()) name = addresses.name(group);
  if (trace.groups.contains(name)) return name;
  TracedGroup added{.about = text_at(node.attributes, "pg_desc")};
  const json& a = node.attributes;
  const json size = a.contains("pg_size") ? a["pg_size"] : node.last_argument();
  if (size.is_number_integer()) added.size = number_of_ranks(size);
  if (added.size && a.contains("global_rank_start") && a.contains("global_rank_stride")) {
    const int start = a["global_rank_start"].get<int>(), stride = a["global_rank_stride"].get<int>();
    const bool one = *added.size == 1;
    const auto end = static_cast<std::int64_t>(start) + static_cast<std::int64_t>(stride) * (*added.size - 1);
    if (start >= 0 && (stride > 0 || one) && end < most_traced_ranks)
      for (int i = 0; i < *added.size; ++i) added.ranks.push_back(start + i * stride);
  }
  if (!trace.ranks && added.about == "default_pg") trace.ranks = added.size;
  trace.groups.emplace(name, std::move(added));
  return name;
}

/// PyTorch cuts long texts: then the groups are known as far as each call describes its own.
void read_process_groups(Trace& trace, const json& node) {
  const Node parts(node);
  if (parts.values.empty() || !parts.values[0].is_string()) return;
  const json list = list_in_text(parts.values[0]);
  if (list.empty()) trace.notes.emplace_back("the trace's list of process groups is cut off");
  for (const json& one : list) add_process_group(trace, one);
}

/// The rank that recorded: the third argument of collectives without a root.
void note_rank(Trace& trace, const Node& node, const TracedCall& call) {
  const json position = node.argument(2);
  const bool rooted = call.collective == "broadcast" || call.collective == "reduce" || call.collective == "gather" ||
                      call.collective == "scatter";
  if (!position.is_number_integer() || call.collective.empty()) return;
  const auto at = position.get<std::int64_t>();
  if (at < 0 || at >= most_traced_ranks) return;
  const auto& ranks = trace.groups.at(call.group).ranks;
  if (rooted)
    return;
  else if (ranks.empty())
    trace.rank = trace.rank.value_or(static_cast<int>(at));
  else if (static_cast<std::size_t>(at) < ranks.size())
    trace.rank = ranks[static_cast<std::size_t>(at)];
}

void set_root_of(const Node& node, TracedCall& call) {
  const json position = node.argument(2);
  if (position.is_number_integer() && position >= 0 && position < most_traced_ranks) call.root = position.get<int>();
}

std::string sequence_of(const Node& node) { return node.argument(0).dump(); }

}  // namespace

Trace read_execution_trace(const json& document) {
  Trace trace{.format = "PyTorch execution trace"};
  const json& nodes = document.at("nodes");
  if (!nodes.is_array()) throw Error("its 'nodes' are no list");
  for (const json& node : nodes)
    if (text_at(node, "name").find("process_group:init") != std::string::npos)
      in_entry("process_group:init", [&] { read_process_groups(trace, node); });
  Addresses addresses;
  std::map<std::string, std::size_t> pending;
  for (const json& node : nodes) {
    if (text_at(node, "name") != "record_param_comms") continue;
    const std::string where = "node " + (node.contains("id") ? node["id"].dump() : "?");
    in_entry(where, [&] {
      const Node parts(node);
      const std::string name = parts.name();
      if (is_wait(name))
        if (const auto at = pending.find(sequence_of(parts)); at != pending.end())
          trace.calls[at->second].waited_for = true;
      if (is_bookkeeping(name)) return;
      TracedCall call{.entry = where, .group = group_of_node(trace, parts, addresses)};
      set_collective(call, name);
      set_sizes_of(parts, call);
      set_root_of(parts, call);
      note_rank(trace, parts, call);
      pending[sequence_of(parts)] = trace.calls.size();
      add_call(trace, std::move(call));
    });
  }
  if (!trace.ranks && trace.groups.size() == 1 && trace.groups.begin()->second.size) {
    trace.ranks = trace.groups.begin()->second.size;
    trace.notes.emplace_back("the trace has one process group and does not say its ranks: taken as all of its job");
  }
  return trace;
}

}  // namespace busbar::replay
