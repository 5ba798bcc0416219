// SPDX-License-Identifier: Apache-2.0
#include "bench/replay/read_trace.hpp"

#include <algorithm>
#include <array>
#include <fstream>

#include <fmt/core.h>

#include "bench/replay/reading.hpp"

namespace busbar::replay {
namespace {

using nlohmann::json;

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

}  // namespace busbar::replay
