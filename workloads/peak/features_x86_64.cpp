// SPDX-License-Identifier: Apache-2.0
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "workloads/peak/instructions.hpp"

namespace busbar::peak {
namespace {

struct Registers {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
};

/// CPUID leaf 7, extended features; zeros if the CPU lacks this subleaf.
Registers extended_features(unsigned subleaf) {
  Registers r;
  if (__get_cpuid_count(7, 0, &r.eax, &r.ebx, &r.ecx, &r.edx) == 0 || r.eax < subleaf) return {};
  __get_cpuid_count(7, subleaf, &r.eax, &r.ebx, &r.ecx, &r.edx);
  return r;
}

/// Asks Linux for permission to use AMX tiles (Documentation/arch/x86/xstate.rst). Kernels before 5.16 and CPUs without
/// tiles refuse.
bool may_use_tiles() {
  constexpr long arch_req_xcomp_perm = 0x1023, tile_data = 18;
  return ::syscall(SYS_arch_prctl, arch_req_xcomp_perm, tile_data) == 0;
}

}  // namespace

// Bits: Intel SDM, volume 2, CPUID. __builtin_cpu_supports() also checks that the OS saves the registers.
bool has(Feature feature) {
  constexpr unsigned avx512_bf16_eax = 1U << 5, amx_edx = 1U << 22 | 1U << 24;  // AMX-BF16 and AMX-TILE
  __builtin_cpu_init();
  switch (feature) {
    case Feature::none:
      return true;
    case Feature::avx2_fma:
      return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    case Feature::avx512:
      return __builtin_cpu_supports("avx512f");
    case Feature::avx512_bf16:
      return __builtin_cpu_supports("avx512f") && (extended_features(1).eax & avx512_bf16_eax) != 0;
    case Feature::amx_bf16:
      return (extended_features(0).edx & amx_edx) == amx_edx && may_use_tiles();
  }
  return false;
}

}  // namespace busbar::peak
