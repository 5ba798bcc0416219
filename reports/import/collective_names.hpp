// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>

/// What other tools call the collectives that move data, and their types.
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

/// Canonical name of a data type ("float" is fp32); names without one are kept.
[[nodiscard]] std::string type_named(std::string_view text);

}  // namespace busbar
