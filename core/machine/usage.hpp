// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

namespace busbar {

/// CPU usage of a rank and its host over a period. The rank is this process, or this thread if threads are ranks.
struct Usage {
  double wall_s = 0;
  double cpu_s = 0;                ///< user and system time of this rank, all its threads
  std::optional<double> waited_s;  ///< its first thread was runnable but not running; in nanosecond resolution
  std::uint64_t voluntary = 0;     ///< voluntary context switches
  std::uint64_t involuntary = 0;   ///< involuntary context switches
  /// Summed over the host's CPUs, with a resolution of 10 ms; read by UsageMeter::whole() only.
  std::optional<double> host_busy_s;
  std::optional<double> host_stolen_s;     ///< by the hypervisor
  std::optional<std::uint64_t> throttled;  ///< periods in which its control group's quota stopped it

  /// Adds another period. Start from Usage{}. What is unknown in either is unknown in the sum.
  Usage& operator+=(const Usage&);
};

/// Time in which the process neither ran, waited for a CPU nor slept: lost to interrupts or the hypervisor, whose
/// stolen time the kernel excludes from task time. Accurate to some microseconds, unlike the ticks of /proc/stat. Empty
/// if the process slept, or if its waiting time is unknown. Only for single-threaded processes, because all threads
/// count in cpu_s.
[[nodiscard]] std::optional<double> lost_s(const Usage&);

/// Usage from `before` to `after`, two readings of one meter.
[[nodiscard]] Usage operator-(const Usage& after, const Usage& before);

/// Reads usage since some point in the past; use the difference of two readings. Keeps its files open. If a file is
/// missing, its facts stay empty.
class UsageMeter {
 public:
  /// `root`: "/", or a fake tree in tests. `of_thread`: this rank is a thread, which makes and uses the meter.
  explicit UsageMeter(const std::filesystem::path& root = "/", bool of_thread = false);

  /// This rank only: getrusage and schedstat in /proc, 1.3 us (bench/micro/machine_bench). Call it between batches.
  [[nodiscard]] Usage own() const;

  /// The host too: /proc/stat and the control group's cpu.stat. Takes 9 us on 2 CPUs, 0.1 ms and more on hosts with
  /// many. Host times have a resolution of 10 ms, so use them for longer periods only.
  [[nodiscard]] Usage whole() const;

  /// Number of CPUs in /proc/stat; empty if it cannot be read.
  [[nodiscard]] std::optional<int> cpus() const { return cpus_; }

 private:
  /// An open file that is read repeatedly from its start.
  class File {
   public:
    explicit File(const std::filesystem::path&);
    ~File();
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    /// Reads its first bytes into `buffer`, as many as fit.
    [[nodiscard]] std::string_view start(std::span<char> buffer) const;

   private:
    int descriptor_ = -1;
  };

  bool of_thread_ = false;
  File schedstat_, stat_, cgroup_stat_;
  std::optional<int> cpus_;
};

}  // namespace busbar
