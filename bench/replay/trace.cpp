// SPDX-License-Identifier: Apache-2.0
#include "bench/replay/trace.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <numeric>
#include <set>
#include <sstream>
#include <utility>

#include <fmt/core.h>

#include "bench/replay/reading.hpp"

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

std::string lower(std::string_view text) {
  std::string s(text);
  std::ranges::transform(s, s.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return s;
}

template <class Table>
auto find_in(const Table& table, std::string_view name) -> std::optional<decltype(table[0].second)> {
  for (const auto& row : table)
    if (row.first == name) return row.second;
  return std::nullopt;
}

std::optional<DType> traced_type(std::string_view text) {
  std::string name = lower(text);
  if (name.starts_with("torch.")) name.erase(0, 6);
  if (const auto found = find_in(types_with_width, name)) return *found;
  if (std::ranges::any_of(name, [](unsigned char c) { return std::isdigit(c) != 0; })) return std::nullopt;
  if (const auto found = find_in(types_by_name, folded_name(name))) return *found;
  return std::nullopt;
}

std::string read_whole(const std::filesystem::path& file) {
  std::error_code problem;
  if (std::filesystem::is_directory(file, problem)) throw UsageError(fmt::format("{}: is a folder", file.string()));
  std::ifstream in(file, std::ios::binary);
  if (!in) throw UsageError(fmt::format("{}: cannot be read", file.string()));
  std::string text;
  std::array<char, 1 << 16> some{};
  while (in.read(some.data(), some.size()) || in.gcount() > 0) {
    text.append(some.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > most_trace_bytes)
      throw UsageError(
          fmt::format("{}: is larger than {} MiB, the limit for a trace", file.string(), most_trace_bytes >> 20U));
  }
  return text;
}

/// Files that are traces, but not as text.
void refuse_binary(std::string_view text) {
  if (text.starts_with("\x1f\x8b")) throw Error("is compressed: unpack it with gunzip first");
  if (text.starts_with("PK")) throw Error("is a zip file: unpack it first");
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) throw Error("is empty");
  if (text[first] != '{' && text[first] != '[')
    throw Error(
        "is no JSON: accepted are PARAM comms traces, PyTorch execution traces and Kineto traces as JSON; Chakra's "
        "protobuf files (.et) are not read");
}

bool has_kineto_entries(const json& document) {
  return document.is_array() && std::ranges::any_of(document, [](const json& entry) {
           return entry.is_object() && entry.contains("args") && entry.contains("name");
         });
}

Trace read_by_format(const json& document) {
  if (document.is_object() && document.contains("traceEvents")) return read_kineto_trace(document);
  if (document.is_object() && document.contains("nodes")) return read_execution_trace(document);
  if (has_kineto_entries(document)) return read_kineto_trace({{"traceEvents", document}});
  if (document.is_array()) return read_param_trace(document);
  throw Error("is no trace: no 'nodes' (PyTorch execution trace), no 'traceEvents' (Kineto), no list (PARAM)");
}

/// Compares runs of digits by their value.
bool natural_less(const std::filesystem::path& a, const std::filesystem::path& b) {
  const std::string x = a.filename().string(), y = b.filename().string();
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  std::size_t i = 0, j = 0;
  while (i < x.size() && j < y.size()) {
    if (!digit(x[i]) || !digit(y[j])) {
      if (x[i] != y[j]) return x[i] < y[j];
      ++i, ++j;
      continue;
    }
    const std::size_t from_i = std::min(x.find_first_not_of('0', i), x.size()),
                      from_j = std::min(y.find_first_not_of('0', j), y.size());
    i = std::min(x.find_first_not_of("0123456789", i), x.size());
    j = std::min(y.find_first_not_of("0123456789", j), y.size());
    const auto one = x.substr(std::min(from_i, i), i - std::min(from_i, i)),
               other = y.substr(std::min(from_j, j), j - std::min(from_j, j));
    if (one.size() != other.size()) return one.size() < other.size();
    if (one != other) return one < other;
  }
  return x.size() - i < y.size() - j || (x.size() - i == y.size() - j && x < y);
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
  trace.calls.push_back(std::move(call));
}

Trace parse_trace(std::string_view text, const std::string& file) {
  try {
    refuse_binary(text);
    Trace trace = read_by_format(parse_json(text));
    trace.file = file;
    return trace;
  } catch (const json::exception& e) {
    throw UsageError(fmt::format("{}: {}", file, describe_json_error(e)));
  } catch (const Error& e) {
    throw UsageError(fmt::format("{}: {}", file, e.what()));
  }
}

Trace read_trace(const std::filesystem::path& file) { return parse_trace(read_whole(file), file.string()); }

std::vector<std::filesystem::path> list_traces(const std::vector<std::string>& words) {
  std::vector<std::filesystem::path> files;
  for (const std::string& word : words) {
    std::error_code problem;
    if (!std::filesystem::is_directory(word, problem)) {
      if (!std::filesystem::exists(word, problem)) throw UsageError(fmt::format("replay: there is no file {}", word));
      files.emplace_back(word);
      continue;
    }
    std::vector<std::filesystem::path> inside;
    for (std::filesystem::directory_iterator at(word, problem), end; !problem && at != end; at.increment(problem))
      if (at->path().extension() == ".json") inside.push_back(at->path());
    if (inside.empty()) throw UsageError(fmt::format("replay: the folder {} has no file *.json", word));
    std::ranges::sort(inside, natural_less);
    files.insert(files.end(), inside.begin(), inside.end());
  }
  return files;
}

std::optional<int> rank_in_name(const std::filesystem::path& file) {
  const std::string name = file.stem().string();
  const auto number_from = [&](std::size_t at) -> std::optional<int> {
    int n = 0;
    std::size_t end = at;
    for (; end < name.size() && std::isdigit(static_cast<unsigned char>(name[end])) != 0 && end < at + 7; ++end)
      n = 10 * n + (name[end] - '0');
    return end > at ? std::optional(n) : std::nullopt;
  };
  for (const std::string_view word : {"rank", "worker"})
    if (const std::size_t at = name.find(word); at != std::string::npos) {
      std::size_t digits = at + word.size();
      while (digits < name.size() && (name[digits] == '-' || name[digits] == '_')) ++digits;
      if (const auto n = number_from(digits)) return n;
    }
  const std::size_t last = name.find_last_of("0123456789");
  if (last == std::string::npos) return std::nullopt;
  const std::size_t before = name.substr(0, last).find_last_not_of("0123456789");
  return number_from(before == std::string::npos ? 0 : before + 1);
}

void to_json(json& j, const Trace& t) {
  json calls = json::array();
  for (const TracedCall& c : t.calls)
    calls.push_back({c.entry, c.name, c.collective, c.type, c.dtype ? static_cast<int>(*c.dtype) : -1, c.in, c.out,
                     c.in_split, c.out_split, c.root, c.group, c.start_s, c.duration_s, c.waited_for, c.tensors,
                     c.why_not});
  json groups = json::object();
  for (const auto& [name, g] : t.groups) groups[name] = {g.about, g.ranks, g.size};
  j = {t.file, t.format, t.rank, t.ranks, std::move(groups), std::move(calls), t.notes};
}

void from_json(const json& j, Trace& t) {
  j.at(0).get_to(t.file);
  j.at(1).get_to(t.format);
  j.at(2).get_to(t.rank);
  j.at(3).get_to(t.ranks);
  for (const auto& [name, g] : j.at(4).items())
    t.groups[name] = {.about = g.at(0), .ranks = g.at(1), .size = g.at(2).get<std::optional<int>>()};
  for (const json& c : j.at(5)) {
    const int type = c.at(4);
    t.calls.push_back({.entry = c.at(0),
                       .name = c.at(1),
                       .collective = c.at(2),
                       .type = c.at(3),
                       .dtype = type < 0 ? std::nullopt : std::optional(static_cast<DType>(type)),
                       .in = c.at(5),
                       .out = c.at(6),
                       .in_split = c.at(7),
                       .out_split = c.at(8),
                       .root = c.at(9).get<std::optional<int>>(),
                       .group = c.at(10),
                       .start_s = c.at(11).get<std::optional<double>>(),
                       .duration_s = c.at(12).get<std::optional<double>>(),
                       .waited_for = c.at(13),
                       .tensors = c.at(14),
                       .why_not = c.at(15)});
  }
  j.at(6).get_to(t.notes);
}

}  // namespace busbar::replay
