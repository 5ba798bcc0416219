// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/record/fwd.hpp"

namespace busbar::report {

/// What was measured where: "allreduce, alltoall and resnet50 on vm, 2 ranks", "5 collectives on 16 nodes (imported)".
/// With `by`: "allreduce on 2 nodes, 16 ranks, by platform". Names at most three of anything, else counts.
[[nodiscard]] std::string title_of(const std::vector<Run>&, std::string_view by);

}  // namespace busbar::report
