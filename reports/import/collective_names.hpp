// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>

/// What other tools call the collectives and their types, and which figures nccl-tests prints for them.
namespace busbar {

/// Canonical name behind what a tool calls a collective ("all_reduce", "AllReduce", "bcast"); nothing for no
/// collective.
[[nodiscard]] std::optional<std::string> collective_named(std::string_view text);

/// The one collective that a file's name speaks of ("all_gather.setting1.log"); nothing for none or several.
[[nodiscard]] std::optional<std::string> collective_in_file_name(std::string_view file_name);

/// The collective behind a word that names a program of nccl-tests: "./build/all_reduce_perf", "alltoall_perf_mpi".
[[nodiscard]] std::optional<std::string> collective_of_program(std::string_view word);

/// All canonical names, as "allreduce, allgather, ...".
[[nodiscard]] std::string collective_names();

/// busbw / algbw of nccl-tests for a canonical name and the ranks that take part.
[[nodiscard]] double bus_factor(std::string_view collective, int ranks);

/// Canonical name of a data type ("float" is fp32); names without one are kept.
[[nodiscard]] std::string type_named(std::string_view text);

}  // namespace busbar
