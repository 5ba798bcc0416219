// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "bench/replay/trace.hpp"
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/parse_json.hpp"

/// For the readers of formats only.
namespace busbar::replay {

// One reader per file. `document`: the parsed file. They throw Error that names the entry, or the JSON library's
// exceptions; they do not set Trace::file.
[[nodiscard]] Trace read_param_trace(const nlohmann::json& document);
[[nodiscard]] Trace read_execution_trace(const nlohmann::json& document);
[[nodiscard]] Trace read_kineto_trace(const nlohmann::json& document);

/// Lower case, letters only: "nccl:_all_gather_base" becomes "ncclallgatherbase".
[[nodiscard]] std::string folded_name(std::string_view name);
/// Names that PyTorch and PARAM write for something that is no communication: "wait", "init".
[[nodiscard]] bool is_wait(std::string_view name);
[[nodiscard]] bool is_bookkeeping(std::string_view name);

/// Sets the name, the canonical collective, and why_not if busbar cannot make such a call.
void set_collective(TracedCall&, const std::string& name);
/// Sets the type and, if it cannot be replayed, why_not. `size`: of an element, if the trace says; 0: unknown.
void set_type(TracedCall&, const std::string& type);
/// Element counts scaled so that they add up to `elements`: PyTorch splits the first dimension of a tensor.
[[nodiscard]] std::vector<std::uint64_t> scaled_split(const nlohmann::json& split, std::uint64_t elements);

/// A number of elements. Throws Error above most_traced_elements, and the library's exceptions.
[[nodiscard]] std::uint64_t elements_of(const nlohmann::json& value);
/// Ranks of a group, each from 0 and at most once. Throws Error.
[[nodiscard]] std::vector<int> ranks_of_group(const nlohmann::json& value);
/// A number of ranks. Throws Error unless it is from 1 to most_traced_ranks.
[[nodiscard]] int number_of_ranks(const nlohmann::json& value);
/// Adds a group of PyTorch's pg_config: {"pg_name", "pg_desc", "ranks", "group_size" or "pg_size"}.
void add_process_group(Trace&, const nlohmann::json& value);

/// A list in text, as PyTorch writes it: "[0, 1]". Anything else is an empty list.
[[nodiscard]] nlohmann::json list_in_text(const nlohmann::json& value);

/// Text of a key; empty if it is missing or no text.
[[nodiscard]] std::string text_at(const nlohmann::json& object, const char* key);

/// Adds a call, without times that cannot be. Throws Error if they become too many.
void add_call(Trace&, TracedCall call);

/// Runs `step`; its errors name the entry.
template <class Step>
void in_entry(const std::string& entry, Step step) {
  try {
    step();
  } catch (const nlohmann::json::exception& e) {
    throw Error(entry + ": " + describe_json_error(e));
  } catch (const Error& e) {
    throw Error(entry + ": " + e.what());
  }
}

}  // namespace busbar::replay
