// SPDX-License-Identifier: Apache-2.0
// Local reductions compared with memcpy of equal size. GB/s are decimal and count one operand: a reduction reads two
// and writes one, memcpy reads one and writes one.
#include <cstring>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "core/elements/reduce/reduce.hpp"

namespace {

using namespace busbar;

constexpr std::int64_t smallest = 4 << 10, largest = 16 << 20;

void set_rate(benchmark::State& state, std::size_t bytes) {
  using benchmark::Counter;
  state.counters["GB"] = Counter(static_cast<double>(bytes) * 1e-9, Counter::kIsIterationInvariantRate);
}

/// Ones, except zeros for sums: repeated reductions then never change the values.
std::vector<std::max_align_t> operand(DType type, Op op, std::size_t bytes) {
  std::vector<std::max_align_t> buffer(bytes / sizeof(std::max_align_t) + 1);
  if (op == Op::sum) return buffer;
  with_type(type, [&]<class T>(T) {
    T one{};
    if constexpr (std::is_same_v<T, Half>)
      one = to_half(1.0F);
    else if constexpr (std::is_same_v<T, BFloat16>)
      one = to_bfloat16(1.0F);
    else
      one = T{1};
    auto* elements = reinterpret_cast<T*>(buffer.data());
    for (std::size_t i = 0; i < bytes / sizeof(T); ++i) elements[i] = one;
  });
  return buffer;
}

void copy_bytes(benchmark::State& state) {
  const auto bytes = static_cast<std::size_t>(state.range(0));
  const std::vector<char> from(bytes, 1);
  std::vector<char> to(bytes);
  for (auto _ : state) {
    std::memcpy(to.data(), from.data(), bytes);
    benchmark::ClobberMemory();
  }
  set_rate(state, bytes);
}

void reduce_elements(benchmark::State& state, DType type, Op op) {
  const auto bytes = static_cast<std::size_t>(state.range(0));
  const auto in = operand(type, op, bytes);
  auto inout = operand(type, op, bytes);
  for (auto _ : state) {
    reduce_local(op, type, in.data(), inout.data(), bytes / size_of(type));
    benchmark::ClobberMemory();
  }
  set_rate(state, bytes);
}

void divide_elements(benchmark::State& state, DType type) {
  const auto bytes = static_cast<std::size_t>(state.range(0));
  auto inout = operand(type, Op::sum, bytes);
  for (auto _ : state) {
    divide_local(type, inout.data(), bytes / size_of(type), 3);
    benchmark::ClobberMemory();
  }
  set_rate(state, bytes);
}

void register_all() {
  const auto add = [](const std::string& label, auto function) {
    benchmark::RegisterBenchmark(label.c_str(), function)->RangeMultiplier(16)->Range(smallest, largest);
  };
  add("memcpy", copy_bytes);
  for (const auto& row : dtypes) {
    if (is_fp8(row.type)) continue;  // the host cannot reduce these
    const DType type = row.type;
    for (const Op op : {Op::sum, Op::prod, Op::min, Op::max})
      add("reduce/" + std::string(row.name) + "/" + std::string(name(op)),
          [type, op](benchmark::State& state) { reduce_elements(state, type, op); });
    add("divide/" + std::string(row.name), [type](benchmark::State& state) { divide_elements(state, type); });
  }
}

}  // namespace

int main(int argc, char** argv) {
  register_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
