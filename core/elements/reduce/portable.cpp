// SPDX-License-Identifier: Apache-2.0
#include "core/elements/float16.hpp"
#include "core/elements/reduce/loops.hpp"

namespace busbar::reduction {
namespace {

struct HalfStorage {
  static float load(std::uint16_t bits) { return to_float(Half{bits}); }
  static std::uint16_t store(float value) { return to_half(value).bits; }
};

template <class Storage>
struct OneByOne {
  template <class Op>
  static void combine(const void* in, void* inout, std::size_t count) {
    combine16<Op, Storage>(in, inout, count);
  }
  static void divide(void* inout, std::size_t count, int divisor) { divide16<Storage>(inout, count, divisor); }
};

}  // namespace

constinit const Kernels portable_kernels = all_kernels<OneByOne<HalfStorage>, OneByOne<BFloat16Storage>>();

}  // namespace busbar::reduction
