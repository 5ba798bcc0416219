// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "core/record/fwd.hpp"

/// Whether an MPI library chose a case's algorithm by its own rules.
namespace busbar::fit {

/// `library` (library_of), if reports/libraries has its rules and they decided: a blocking collective in host memory,
/// with no algorithm requested and no variable set that changes choices. Else empty.
[[nodiscard]] std::string rules_of(const RunRecord&, const CaseRecord&, std::string_view library);

/// Bytes of an element; 1 if the type is unknown.
[[nodiscard]] std::uint64_t element_bytes_of(const CaseRecord&);

/// Name of the row for an algorithm that was requested of the library, "rabenseifner"; empty if there is none.
[[nodiscard]] std::string row_of_request(const CaseRecord&, std::string_view library, std::string_view algorithm);

}  // namespace busbar::fit
