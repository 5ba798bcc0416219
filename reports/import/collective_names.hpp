// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>

/// Other tools' names of data-moving collectives and data types.
namespace busbar {

/// Canonical name of a collective as tools spell it ("all_reduce", "AllReduce", "bcast"); empty for other text.
[[nodiscard]] std::optional<std::string> collective_named(std::string_view text);

/// The only collective mentioned in a file name ("all_gather.setting1.log"); empty if there is none or several.
[[nodiscard]] std::optional<std::string> collective_in_file_name(std::string_view file_name);

/// The collective of an nccl-tests program: "./build/all_reduce_perf", "alltoall_perf_mpi".
[[nodiscard]] std::optional<std::string> collective_of_program(std::string_view word);

/// All canonical names: "allreduce, allgather, ...".
[[nodiscard]] std::string collective_names();

/// Canonical name of a data type ("float" is fp32); unknown names are returned unchanged.
[[nodiscard]] std::string type_named(std::string_view text);

}  // namespace busbar
