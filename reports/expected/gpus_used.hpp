// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/environment/environment.hpp"
#include "core/record/case_key.hpp"
#include "core/record/fwd.hpp"

namespace busbar::expected {

/// Whether the buffers of a case are in device memory; of NCCL also where the record does not say.
[[nodiscard]] bool is_on_device(const CaseKey&);

/// How the GPUs of a node are connected. by_nvlink: every pair directly. in_part: every pair, some only through other
/// GPUs. by_pcie: NVLinks do not connect all GPUs.
enum class Joined { by_nvlink, by_pcie, in_part };

/// The GPUs of one host that ranks used, as indices into Host::gpus.
struct GpuSet {
  const Host* host = nullptr;
  std::vector<std::size_t> gpus;
  std::optional<Joined> joined;  ///< empty: unknown
};

/// One set per host. NCCL_P2P_DISABLE=1 counts as no NVLinks. A string says why the GPUs are unknown.
[[nodiscard]] std::variant<std::vector<GpuSet>, std::string> gpus_used(const RunRecord&);

/// Number of NVLinks between two GPUs, from the host's matrix. Empty: unknown.
[[nodiscard]] std::optional<int> nvlinks_between(const Host&, std::size_t a, std::size_t b);

/// The model of the first GPU that a rank used, or else of the first host's first GPU; empty if there is none.
[[nodiscard]] std::string gpu_name(const RunRecord&);

/// "node017 GPU2".
[[nodiscard]] std::string name_of(const GpuSet&, std::size_t gpu);

}  // namespace busbar::expected
