// SPDX-License-Identifier: Apache-2.0
#include "core/machine/host_name.hpp"

#include <array>

#include <unistd.h>

namespace busbar {

std::string host_name() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

}  // namespace busbar
