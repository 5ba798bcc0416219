// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include <cpuid.h>

#include "core/environment/facts.hpp"

namespace busbar::facts {

std::vector<std::string> hypervisor_signatures() {
  static constexpr unsigned hypervisor_bit = 1U << 31;
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) == 0 || (ecx & hypervisor_bit) == 0) return {};
  std::vector<std::string> found;
  for (unsigned leaf = 0x40000000U; leaf < 0x40001000U; leaf += 0x100U) {
    __cpuid(leaf, eax, ebx, ecx, edx);
    const unsigned words[] = {ebx, ecx, edx};
    char text[sizeof words + 1] = {};
    std::memcpy(text, words, sizeof words);
    found.emplace_back(text);
  }
  return found;
}

}  // namespace busbar::facts
