// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "core/record/case_key.hpp"
#include "core/record/fwd.hpp"
#include "core/record/run_record.hpp"

/// The library and the hardware behind a time, as text; and whether the library chose its algorithm by its own rules.
namespace busbar::fit {

/// Values of --library: the library of the record, or nothing that is known of any library.
inline constexpr std::string_view library_of_record = "auto", no_library = "none";

/// Reads --library: library_of_record, no_library, or a name and a version, which becomes text as in records:
/// "nccl-2.21" is "NCCL 2.21", "open-mpi-4.1" is "Open MPI 4.1". Throws UsageError naming --library if it is none.
[[nodiscard]] std::string parse_library(std::string_view);

/// "NCCL 2.18.3", "Open MPI 4.1.4". `asked` (parse_library) applies where the record names none and its backend is one
/// of that library's; no_library applies everywhere. Empty: unknown.
[[nodiscard]] std::string library_of(const RunRecord&, const CaseKey&, std::string_view asked);

/// Where the data is: the GPU ("NVIDIA A100-SXM4-40GB"), or the CPU for host memory. Empty: unknown, or several models.
[[nodiscard]] std::string device_of(const RunRecord&, const CaseKey&);

/// Model of the hosts' CPUs. Empty: unknown, or several models.
[[nodiscard]] std::string cpu_of(const RunRecord&);

/// `library` (library_of), if reports/libraries has its rules and they decided: a blocking collective in host memory,
/// with no algorithm requested and no variable set that changes choices. Else empty.
[[nodiscard]] std::string rules_of(const RunRecord&, const CaseRecord&, std::string_view library);

/// Bytes of an element; 1 if the type is unknown.
[[nodiscard]] std::uint64_t element_bytes_of(const CaseRecord&);

/// Name of the row for an algorithm that was requested of the library, "rabenseifner"; empty if there is none.
[[nodiscard]] std::string row_of_request(const CaseRecord&, std::string_view library, std::string_view algorithm);

}  // namespace busbar::fit
