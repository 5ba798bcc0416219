// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

namespace busbar {

/// The program that took the numbers.
struct Tool {
  std::string name;  ///< busbar-bench, nccl-tests, ...
  std::optional<std::string> version;
  std::optional<std::string> revision;  ///< git, of the sources it was built from
  std::optional<std::string> compiler;
  std::optional<std::string> build_type;
};

}  // namespace busbar
