// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

namespace busbar {

/// What this process got of the processor over a stretch of time, and what else went on on its host.
struct Usage {
  double wall_s = 0;
  double cpu_s = 0;                ///< user and system time of this process, all threads
  std::optional<double> waited_s;  ///< its first thread could have run and waited for a CPU; exact to the nanosecond
  std::uint64_t voluntary = 0;     ///< context switches to sleep
  std::uint64_t involuntary = 0;   ///< context switches to another process
  /// Of all CPUs of the host together, in ticks of 10 ms; read by UsageMeter::whole() only.
  std::optional<double> host_busy_s;
  std::optional<double> host_stolen_s;     ///< taken by the hypervisor
  std::optional<std::uint64_t> throttled;  ///< periods in which the quota of its control group stopped it

  /// One stretch more, wherever it lies in time; the first onto Usage{}. What either does not know, the sum does not.
  Usage& operator+=(const Usage&);
};

/// Time in which the process neither ran nor waited for a CPU nor slept: interrupts had it, or the hypervisor, whose
/// thefts the kernel takes off its tasks' time. Exact to some microseconds where /proc/stat counts ticks. Empty where
/// the process slept, or it is not known whether it waited. For processes of one thread: others add to cpu_s.
[[nodiscard]] std::optional<double> lost_s(const Usage&);

/// From `before` to `after`, two readings of one meter.
[[nodiscard]] Usage operator-(const Usage& after, const Usage& before);

/// Reads usage since some point in the past: what counts is the difference of two readings. Keeps its files open; a
/// file that is not there leaves its facts empty.
class UsageMeter {
 public:
  /// `root`: "/", or a made-up tree in tests.
  explicit UsageMeter(const std::filesystem::path& root = "/");

  /// This process only: getrusage and /proc/self/schedstat, 1.3 us (bench/micro/machine_bench). For between batches.
  [[nodiscard]] Usage own() const;

  /// The host too: /proc/stat and the control group's cpu.stat, 9 us on 2 CPUs, 0.1 ms and more on hosts of many. The
  /// host's times are known to a tick of 10 ms: for stretches whose sum is long against that.
  [[nodiscard]] Usage whole() const;

  /// CPUs that /proc/stat speaks of; empty where it cannot be read.
  [[nodiscard]] std::optional<int> cpus() const { return cpus_; }

 private:
  /// A file that is read again and again from its start.
  class File {
   public:
    explicit File(const std::filesystem::path&);
    ~File();
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    /// Its first bytes, as many as fit, in `buffer`.
    [[nodiscard]] std::string_view start(std::span<char> buffer) const;

   private:
    int descriptor_ = -1;
  };

  File schedstat_, stat_, cgroup_stat_;
  std::optional<int> cpus_;
};

}  // namespace busbar
