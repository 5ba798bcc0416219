// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/elements/dtype.hpp"

/// What a recorded job sent: a list of calls, read from the traces of other programs. A reader per format, one per
/// file.
namespace busbar::replay {

/// One call of a recorded job, as one of its ranks saw it.
struct TracedCall {
  std::string entry;              ///< where it is in the file, for messages: "entry 12", "node 437"
  std::string name;               ///< collective, as the trace calls it
  std::string collective;         ///< canonical name (core/backend/collective.hpp); empty: busbar has none
  std::string type;               ///< element type, as the trace calls it
  std::optional<DType> dtype;     ///< empty: busbar has none, or the call moves no data
  std::uint64_t in = 0, out = 0;  ///< elements of this rank's send and receive buffer
  std::vector<std::uint64_t> in_split, out_split;  ///< elements for and from each rank of the group; empty: even blocks
  std::optional<int> root;                         ///< position in the group
  std::string group;                               ///< key of Trace::groups; empty: all ranks of the job
  std::optional<double> start_s, duration_s;       ///< start since any moment, and duration; empty: unknown
  bool waited_for = false;                         ///< asynchronous: the trace has a wait for it
  int tensors = 1;                                 ///< tensors that the job passed in one coalesced call
  std::string why_not;                             ///< reason if it cannot be replayed; empty: none known to the reader
};

/// Ranks that call a collective together.
struct TracedGroup {
  std::string about;       ///< the job's description: "default_pg", "tensor_parallel"; may be empty
  std::vector<int> ranks;  ///< ranks of the recorded job, in the order of the group; empty: unknown
  std::optional<int> size;
};

/// The communication of one rank of a recorded job.
struct Trace {
  std::string file;
  std::string format;        ///< "PARAM comms trace", "PyTorch execution trace", "Kineto trace"
  std::optional<int> rank;   ///< that recorded it; empty: the trace does not say
  std::optional<int> ranks;  ///< of the recorded job
  std::map<std::string, TracedGroup> groups;
  std::vector<TracedCall> calls;   ///< in their order
  std::vector<std::string> notes;  ///< what readers of the result should know, a sentence each
};

/// Limits of what is read: a hostile file must not fill the memory.
inline constexpr std::size_t most_trace_bytes = std::size_t{1} << 30;
inline constexpr std::size_t most_traced_calls = 1'000'000;
inline constexpr int most_traced_ranks = 1 << 20;
inline constexpr std::uint64_t most_traced_elements = std::uint64_t{1} << 40;

/// The rank in a file's name: behind "rank", "worker" or as its last number; empty if it has no number.
[[nodiscard]] std::optional<int> rank_in_name(const std::filesystem::path& file);

void to_json(nlohmann::json&, const Trace&);
void from_json(const nlohmann::json&, Trace&);

}  // namespace busbar::replay
