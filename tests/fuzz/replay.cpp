// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <sys/resource.h>
#include <sys/time.h>

#include "tests/fuzz/mutate.hpp"
#include "tests/fuzz/require.hpp"

/// NAME_replay INPUTS FOLDER [NUMBER]: runs a fuzz target without libFuzzer, with any compiler, on each file of the
/// folder and then on INPUTS mutated ones, always the same. With NUMBER it runs only that input and writes it to
/// ./replayed_input first. Failures are printed with their number. If the program dies, or exceeds its limits of time
/// and memory, run it again with TRACE=1 in front to see the last number.
namespace {

std::string contents(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> seeds_of(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<std::string> seeds;
  for (const auto& file : files) seeds.push_back(contents(file));
  return seeds;
}

constexpr int most_cpu_s = 30;             ///< of one input; a busy machine does not count
constexpr long most_memory_KiB = 2 << 20;  ///< of the whole process

/// Seconds of CPU time from now on, after which the kernel ends the process: an input that never ends.
void limit_cpu_time(int seconds) {
  const itimerval limit{.it_interval = {}, .it_value = {.tv_sec = seconds, .tv_usec = 0}};
  if (::setitimer(ITIMER_PROF, &limit, nullptr) != 0) throw std::runtime_error("no timer");
}

void run(const std::string& input) {
  limit_cpu_time(most_cpu_s);
  busbar::fuzz::check_input(input);
  limit_cpu_time(0);
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  if (usage.ru_maxrss > most_memory_KiB) throw std::runtime_error(fmt::format("took {} KiB", usage.ru_maxrss));
}

/// False where the target throws.
bool try_input(const std::string& input, std::size_t number, bool trace) {
  if (trace) fmt::print(stderr, "{}\n", number);
  try {
    run(input);
    return true;
  } catch (const std::exception& e) {
    fmt::print(stderr, "input {}: {}\n", number, e.what());
    return false;
  }
}

int replay(std::size_t inputs, const std::filesystem::path& folder, std::size_t only) {
  const std::vector<std::string> seeds = seeds_of(folder);
  if (seeds.empty()) throw std::runtime_error(folder.string() + " holds no file");
  const bool trace = std::getenv("TRACE") != nullptr;
  busbar::fuzz::Mutator mutator(seeds, 20260203);
  std::size_t bad = 0;
  for (std::size_t number = 1; number <= seeds.size() + inputs; ++number) {
    const std::string input = number <= seeds.size() ? seeds[number - 1] : mutator.next();
    if (only != 0 && number != only) continue;
    if (only != 0) std::ofstream("replayed_input", std::ios::binary) << input;
    if (!try_input(input, number, trace)) ++bad;
  }
  fmt::print("{} files and {} changed inputs: {} went wrong\n", seeds.size(), inputs, bad);
  return bad == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 3 || argc > 4) throw std::runtime_error(std::string("usage: ") + argv[0] + " INPUTS FOLDER [NUMBER]");
  return replay(std::stoull(argv[1]), argv[2], argc == 4 ? std::stoull(argv[3]) : 0);
} catch (const std::exception& e) {
  fmt::print(stderr, "{}\n", e.what());
  return 2;
}
