// SPDX-License-Identifier: Apache-2.0
#include "bench/replay/reading.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include <fmt/core.h>

#include "core/base/words.hpp"

namespace busbar::replay {
namespace {

using nlohmann::json;

/// Folded names of PyTorch and PARAM, and busbar's.
constexpr auto collectives_by_name = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"allgather", "allgather"},
    {"allgatherbase", "allgather"},
    {"allgathercoalesced", "allgather"},
    {"allgatherintotensor", "allgather"},
    {"allgatherintotensorcoalesced", "allgather"},
    {"allgatheroop", "allgather"},
    {"allreduce", "allreduce"},
    {"allreducecoalesced", "allreduce"},
    {"alltoall", "alltoall"},
    {"alltoallbase", "alltoall"},
    {"alltoallsingle", "alltoall"},
    {"alltoallv", "alltoall"},
    {"barrier", "barrier"},
    {"bcast", "broadcast"},
    {"broadcast", "broadcast"},
    {"broadcastoop", "broadcast"},
    {"gather", "gather"},
    {"reduce", "reduce"},
    {"reduceoop", "reduce"},
    {"reducescatter", "reduce_scatter"},
    {"reducescatterbase", "reduce_scatter"},
    {"reducescattertensor", "reduce_scatter"},
    {"reducescattertensorcoalesced", "reduce_scatter"},
    {"scatter", "scatter"},
});

/// Folded names of types in PyTorch (C++ and Python), PARAM and Kineto, without "torch.".
constexpr auto types_by_name = std::to_array<std::pair<std::string_view, DType>>({
    {"bfloat", DType::bf16},
    {"bool", DType::u8},
    {"byte", DType::u8},
    {"cbfloat", DType::bf16},
    {"char", DType::i8},
    {"chalf", DType::f16},
    {"double", DType::f64},
    {"float", DType::f32},
    {"half", DType::f16},
    {"int", DType::i32},
    {"long", DType::i64},
    {"longint", DType::i64},
    {"signedchar", DType::i8},
    {"unsignedchar", DType::u8},
});

/// Names with digits, which say the width.
constexpr auto types_with_width = std::to_array<std::pair<std::string_view, DType>>({
    {"bfloat16", DType::bf16},
    {"c10::bfloat16", DType::bf16},
    {"float16", DType::f16},
    {"float32", DType::f32},
    {"float64", DType::f64},
    {"float8_e4m3fn", DType::f8e4m3},
    {"float8_e5m2", DType::f8e5m2},
    {"fp16", DType::f16},
    {"fp32", DType::f32},
    {"fp64", DType::f64},
    {"bf16", DType::bf16},
    {"int32", DType::i32},
    {"int64", DType::i64},
    {"int8", DType::i8},
    {"uint32", DType::u32},
    {"uint64", DType::u64},
    {"uint8", DType::u8},
    {"c10::half", DType::f16},
    {"float8e4m3fn", DType::f8e4m3},
    {"float8e5m2", DType::f8e5m2},
});

template <class Table>
auto find_in(const Table& table, std::string_view name) -> std::optional<decltype(table[0].second)> {
  for (const auto& row : table)
    if (row.first == name) return row.second;
  return std::nullopt;
}

std::optional<DType> traced_type(std::string_view text) {
  std::string name = lower_case(text);
  if (name.starts_with("torch.")) name.erase(0, 6);
  if (const auto found = find_in(types_with_width, name)) return *found;
  if (std::ranges::any_of(name, [](unsigned char c) { return std::isdigit(c) != 0; })) return std::nullopt;
  if (const auto found = find_in(types_by_name, folded_name(name))) return *found;
  return std::nullopt;
}

}  // namespace

std::string folded_name(std::string_view name) {
  std::string s;
  for (const char c : name)
    if (std::isalpha(static_cast<unsigned char>(c)) != 0)
      s += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return s;
}

bool is_wait(std::string_view name) { return folded_name(name) == "wait"; }

bool is_bookkeeping(std::string_view name) {
  const std::string s = folded_name(name);
  return s == "init" || s == "wait" || s.starts_with("startcoalesc") || s.starts_with("endcoalesc");
}

void set_collective(TracedCall& call, const std::string& name) {
  std::string folded = folded_name(name);
  if (folded.starts_with("nccl")) folded.erase(0, 4);
  call.name = name.empty() ? "unnamed" : name;
  if (const auto found = find_in(collectives_by_name, folded)) {
    call.collective = std::string(*found);
    return;
  }
  const bool point_to_point = folded.find("send") != std::string::npos || folded.find("recv") != std::string::npos;
  call.why_not = point_to_point ? "point-to-point message" : "busbar has no such collective";
}

void set_type(TracedCall& call, const std::string& type) {
  call.type = type;
  call.dtype = traced_type(type);
  if (!call.dtype && call.why_not.empty() && call.collective != "barrier")
    call.why_not = type.empty() ? "the trace does not say its type" : "busbar has no type " + type.substr(0, 40);
}

std::vector<std::uint64_t> scaled_split(const json& split, std::uint64_t elements) {
  if (split.size() > static_cast<std::size_t>(most_traced_ranks)) throw Error("a split has too many parts");
  std::vector<std::uint64_t> parts;
  std::uint64_t sum = 0;
  for (const json& part : split) {
    parts.push_back(elements_of(part));
    sum += parts.back();
  }
  if (sum == 0 || elements % sum != 0 || sum == elements) return parts;
  for (std::uint64_t& part : parts) part *= elements / sum;
  return parts;
}

std::uint64_t elements_of(const json& value) {
  const auto n = value.get<std::uint64_t>();
  if (n > most_traced_elements) throw Error(fmt::format("{} elements are more than {}", n, most_traced_elements));
  return n;
}

std::vector<int> ranks_of_group(const json& value) {
  if (!value.is_array()) throw Error(fmt::format("{} where a list of ranks must be", value.type_name()));
  std::vector<int> ranks;
  std::set<int> seen;
  for (const json& one : value) {
    const int rank = one.get<int>();
    if (rank < 0 || rank >= most_traced_ranks)
      throw Error(fmt::format("rank {} is not from 0 to {}", rank, most_traced_ranks - 1));
    if (!seen.insert(rank).second) throw Error(fmt::format("rank {} is in a group twice", rank));
    ranks.push_back(rank);
  }
  return ranks;
}

int number_of_ranks(const json& value) {
  const int n = value.get<int>();
  if (n < 1 || n > most_traced_ranks) throw Error(fmt::format("{} ranks: accepted are 1 to {}", n, most_traced_ranks));
  return n;
}

void add_process_group(Trace& trace, const json& value) {
  const std::string name = text_at(value, "pg_name");
  TracedGroup group{.about = text_at(value, "pg_desc")};
  if (value.contains("ranks")) group.ranks = ranks_of_group(value["ranks"]);
  for (const char* key : {"group_size", "pg_size"})
    if (value.contains(key)) group.size = number_of_ranks(value[key]);
  if (group.ranks.empty() && group.size) {  // PyTorch's empty list: all ranks
    group.ranks.resize(static_cast<std::size_t>(*group.size));
    std::iota(group.ranks.begin(), group.ranks.end(), 0);
  }
  if (!group.size) group.size = static_cast<int>(group.ranks.size());
  if (!trace.ranks && (group.about == "default_pg" || name == "0" || name == "default_pg")) trace.ranks = group.size;
  trace.groups.insert_or_assign(name, std::move(group));
}

json list_in_text(const json& value) {
  if (value.is_array()) return value;
  if (!value.is_string()) return json::array();
  json list = json::parse(value.get_ref<const std::string&>(), nullptr, false);
  return list.is_array() ? list : json::array();
}

std::string text_at(const json& object, const char* key) {
  if (!object.is_object()) return "";
  const auto at = object.find(key);
  return at != object.end() && at->is_string() ? at->get<std::string>() : "";
}

void add_call(Trace& trace, TracedCall call) {
  if (trace.calls.size() >= most_traced_calls) throw Error(fmt::format("has more than {} calls", most_traced_calls));
  if (call.start_s && !std::isfinite(*call.start_s)) call.start_s.reset();
  if (call.duration_s && !(*call.duration_s > 0 && *call.duration_s < 1e6)) call.duration_s.reset();
  trace.calls.push_back(std::move(call));
}

}  // namespace busbar::replay
