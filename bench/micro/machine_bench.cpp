// SPDX-License-Identifier: Apache-2.0
// Cost of reading CPU usage between batches and between cases.
#include <benchmark/benchmark.h>

#include "core/machine/usage.hpp"

namespace busbar {
namespace {

void usage_own(benchmark::State& state) {
  const UsageMeter meter;
  for (auto _ : state) benchmark::DoNotOptimize(meter.own());
}
BENCHMARK(usage_own);

void usage_whole(benchmark::State& state) {
  const UsageMeter meter;
  for (auto _ : state) benchmark::DoNotOptimize(meter.whole());
}
BENCHMARK(usage_whole);

}  // namespace
}  // namespace busbar

BENCHMARK_MAIN();
