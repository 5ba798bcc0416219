// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/record/fwd.hpp"

namespace busbar::expected {

/// An entry for the table of public results (docs/expected.md), as somebody may contribute it.
struct RegistryEntry {
  std::string text;          ///< JSON as in reports/expected/known; title, url and date are left to the contributor
  std::size_t rows = 0;      ///< written
  std::size_t left_out = 0;  ///< cases of grade D or with a failed check
};

/// Collectives on two ranks or more: device, network, library and figures; no name of a host, user or file. `platform`:
/// how the contributor calls the machine, may be empty. Throws Error if nothing remains, or if the run was simulated,
/// imported, on a lab or on a shared GPU.
[[nodiscard]] RegistryEntry registry_entry(const Run&, const std::string& platform);

}  // namespace busbar::expected
