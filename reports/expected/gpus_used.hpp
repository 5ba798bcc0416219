// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/environment/environment.hpp"
#include "core/record/fwd.hpp"

namespace busbar::expected {

/// How data gets from one GPU of a node to another: all pairs have NVLinks; some GPU cannot be reached from another
/// over them; or there is a way for each pair, but not a direct one.
enum class Joined { by_nvlink, by_pcie, in_part };

/// The GPUs of one host that ranks of the run used, as indices into Host::gpus.
struct GpuSet {
  const Host* host = nullptr;
  std::vector<std::size_t> gpus;
  std::optional<Joined> joined;  ///< empty: not known
};

/// One set a host. NCCL_P2P_DISABLE=1 takes NVLinks away. A text: why it is not known.
[[nodiscard]] std::variant<std::vector<GpuSet>, std::string> gpus_used(const RunRecord&);

/// NVLinks between two GPUs by the host's matrix; 0 where there are none. Empty: not known.
[[nodiscard]] std::optional<int> nvlinks_between(const Host&, std::size_t a, std::size_t b);

/// "node017 GPU2".
[[nodiscard]] std::string name_of(const GpuSet&, std::size_t gpu);

}  // namespace busbar::expected
