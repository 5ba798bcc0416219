// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace busbar {

/// NCCL version as ncclGetVersion() encodes it: 22809 for 2.28.9.
struct NcclVersion {
  int code = 0;
  [[nodiscard]] int major() const { return code / 10000; }
  [[nodiscard]] int minor() const { return code % 10000 / 100; }
  [[nodiscard]] int patch() const { return code % 100; }
};

/// "2.28.9".
[[nodiscard]] std::string to_string(NcclVersion version);

/// Throws Unsupported if `version` is older than `first`: "NCCL 2.23 has no fp8 (2.24 has)".
void require_nccl(NcclVersion version, NcclVersion first, std::string_view what);

inline constexpr NcclVersion first_with_registration{21900};  ///< ncclMemAlloc, ncclCommRegister
inline constexpr NcclVersion first_with_float8{22400};
inline constexpr NcclVersion first_with_windows{22700};    ///< ncclCommWindowRegister, CTA policies
inline constexpr NcclVersion first_with_exchanges{22800};  ///< ncclAlltoAll, ncclGather, ncclScatter
inline constexpr NcclVersion first_with_zero_ctas{22800};  ///< NCCL_CTA_POLICY_ZERO

}  // namespace busbar
