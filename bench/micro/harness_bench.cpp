// SPDX-License-Identifier: Apache-2.0
// Cost of busbar itself around a collective: clock reads, filling and checking buffers, writing a record.
#include <chrono>
#include <cstring>
#include <filesystem>

#include <benchmark/benchmark.h>
#include <unistd.h>

#include "bench/engine/checker.hpp"
#include "bench/engine/pattern.hpp"
#include "core/journal/journal.hpp"
#include "core/machine/host_memory.hpp"
#include "core/record/case_record.hpp"

namespace busbar {
namespace {

void timer_read(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(std::chrono::steady_clock::now());
}
BENCHMARK(timer_read);

void plain_copy(benchmark::State& state) {
  const auto bytes = static_cast<std::size_t>(state.range(0));
  HostMemory memory;
  const Buffer from = memory.allocate(bytes), to = memory.allocate(bytes);
  for (auto _ : state) {
    std::memcpy(to.get(), from.get(), bytes);
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(plain_copy)->RangeMultiplier(64)->Range(8, 1 << 26);

void pattern_fill(benchmark::State& state) {
  const auto bytes = static_cast<std::size_t>(state.range(0));
  HostMemory memory;
  const Pattern pattern(DType::f32, Op::sum, 0, 2);
  const Buffer to = memory.allocate(bytes);
  for (auto _ : state) {
    memory.fill({to.get(), bytes}, pattern.sent());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(pattern_fill)->RangeMultiplier(64)->Range(8, 1 << 26);

void pattern_verify(benchmark::State& state) {
  const auto bytes = static_cast<std::size_t>(state.range(0));
  HostMemory memory;
  const Pattern pattern(DType::f32, Op::sum, 0, 2);
  const Periodic expected = pattern.expected({.count = bytes / sizeof(float)});
  const Buffer in = memory.allocate(bytes);
  memory.fill({in.get(), bytes}, expected);
  std::string found;
  for (auto _ : state)
    if (memory.first_difference({in.get(), bytes}, expected, found, DType::f32, 1)) state.SkipWithError("differs");
  state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(pattern_verify)->RangeMultiplier(64)->Range(8, 1 << 26);

/// What a rank does between two calls with the default checks; the time of the next call grows by part of it.
void check_between_calls(benchmark::State& state) {
  const auto bytes = static_cast<std::size_t>(state.range(0));
  HostMemory memory;
  const Case spec{.bytes = bytes};
  const Pattern pattern(DType::f32, Op::sum, 0, 2);
  const Buffer send = memory.allocate(bytes), recv = memory.allocate(bytes);
  Prepared p{.whole_recv = {recv.get(), bytes}, .input = {send.get(), bytes}};
  p.result = {{.count = bytes / sizeof(float)}};
  p.call.recv = p.whole_recv;
  Checker checker(memory, spec, pattern);
  checker.prepare(p);
  memory.fill(p.whole_recv, pattern.expected(p.result[0]));
  const std::vector<std::byte> right(recv.get(), recv.get() + bytes);
  for (auto _ : state) {
    checker.reset(p);
    benchmark::ClobberMemory();
    std::memcpy(recv.get(), right.data(), bytes);
    benchmark::ClobberMemory();
    checker.verify(p, false, Extent::sampled);
  }
  if (checker.wrong()) state.SkipWithError("wrong data");
}
BENCHMARK(check_between_calls)->Arg(8)->Arg(1 << 10)->Arg(1 << 16)->Arg(1 << 20);

void pattern_tables(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(Pattern(DType::f32, Op::sum, 0, static_cast<int>(state.range(0))));
}
BENCHMARK(pattern_tables)->Arg(2)->Arg(64)->Arg(4096)->Unit(benchmark::kMillisecond);

/// Writes and syncs one case with 1,000 samples to a real file.
void record_write(benchmark::State& state) {
  const auto path = std::filesystem::temp_directory_path() / ("harness_bench." + std::to_string(::getpid()) + ".jsonl");
  CaseRecord record{.key = {.collective = "allreduce", .backend = "mpi", .bytes = 8, .ranks = 2}};
  for (int i = 0; i < 1000; ++i) record.samples_s.push_back(1e-6 * (1 + i * 0.001));
  {
    JournalWriter journal(path, true);
    for (auto _ : state) journal.write(record);
  }
  std::filesystem::remove(path);
}
BENCHMARK(record_write)->Unit(benchmark::kMicrosecond);

void record_to_text(benchmark::State& state) {
  CaseRecord record{.key = {.collective = "allreduce", .backend = "mpi", .bytes = 8, .ranks = 2}};
  for (int i = 0; i < 1000; ++i) record.samples_s.push_back(1e-6 * (1 + i * 0.001));
  for (auto _ : state) benchmark::DoNotOptimize(to_line(record));
}
BENCHMARK(record_to_text)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace busbar

BENCHMARK_MAIN();
