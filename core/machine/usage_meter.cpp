// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/environment/cgroup.hpp"
#include "core/machine/usage.hpp"

namespace busbar {
namespace {

using facts::split, facts::to_number;

std::optional<double> scaled(std::optional<std::int64_t> value, double unit) {
  if (!value || *value < 0) return std::nullopt;
  return static_cast<double>(*value) * unit;
}

double seconds(const timeval& t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6; }

std::string_view first_line(std::string_view text) { return text.substr(0, text.find('\n')); }

/// Parses "RUNNING WAITING SLICES", the first two in ns (Linux, Documentation/scheduler/sched-stats.rst).
std::optional<double> waited(std::string_view schedstat) {
  const auto fields = split(first_line(schedstat), ' ');
  return fields.size() == 3 ? scaled(to_number(fields[1]), 1e-9) : std::nullopt;
}

struct HostTime {
  double busy_s = 0, stolen_s = 0;
};

/// Parses "cpu  USER NICE SYSTEM IDLE IOWAIT IRQ SOFTIRQ STEAL ...", in ticks (proc_stat(5)). USER includes guests.
std::optional<HostTime> host_time(std::string_view stat) {
  static constexpr std::size_t idle = 3, iowait = 4, steal = 7;
  const double tick_s = 1.0 / static_cast<double>(::sysconf(_SC_CLK_TCK));
  if (!stat.starts_with("cpu  ")) return std::nullopt;
  const auto fields = split(first_line(stat).substr(5), ' ');
  if (fields.size() <= steal) return std::nullopt;
  HostTime time;
  for (std::size_t i = 0; i <= steal; ++i) {
    const auto spent_s = scaled(to_number(fields[i]), tick_s);
    if (!spent_s) return std::nullopt;
    if (i == steal) time.stolen_s = *spent_s;
    if (i != idle && i != iowait && i != steal) time.busy_s += *spent_s;
  }
  return time;
}

/// The value in "nr_throttled 12" of cpu.stat.
std::optional<std::uint64_t> throttled_periods(std::string_view cpu_stat) {
  static constexpr std::string_view key = "nr_throttled ";
  for (const std::string_view row : split(cpu_stat, '\n'))
    if (row.starts_with(key))
      if (const auto periods = to_number(row.substr(key.size())); periods && *periods >= 0)
        return static_cast<std::uint64_t>(*periods);
  return std::nullopt;
}

std::optional<int> cpus_in(const std::filesystem::path& stat) {
  const std::string all = facts::read_text(stat).value_or("");
  const auto is_one = [](std::string_view row) { return row.starts_with("cpu") && row.find(' ') > 3; };
  const auto rows = split(all, '\n');
  const auto count = std::ranges::count_if(rows, is_one);
  return count > 0 ? std::optional(static_cast<int>(count)) : std::nullopt;
}

/// cpu.stat of the group with the binding quota; an empty path if there is none.
std::filesystem::path quota_stat(const std::filesystem::path& root) {
  const auto quota = facts::cpu_quota(root);
  return quota ? quota->stat : std::filesystem::path();
}

}  // namespace

UsageMeter::File::File(const std::filesystem::path& path)
    : descriptor_(path.empty() ? -1 : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
UsageMeter::File::~File() {
  if (descriptor_ >= 0) ::close(descriptor_);
}
std::string_view UsageMeter::File::start(std::span<char> buffer) const {
  const auto bytes = descriptor_ < 0 ? -1 : ::pread(descriptor_, buffer.data(), buffer.size(), 0);
  return {buffer.data(), bytes > 0 ? static_cast<std::size_t>(bytes) : 0};
}

UsageMeter::UsageMeter(const std::filesystem::path& root, bool of_thread)
    : of_thread_(of_thread),
      schedstat_(root / "proc" / (of_thread ? "thread-self" : "self") / "schedstat"),
      stat_(root / "proc/stat"),
      cgroup_stat_(quota_stat(root)),
      cpus_(cpus_in(root / "proc/stat")) {}

Usage UsageMeter::own() const {
  std::array<char, 128> buffer{};
  rusage self{};
  ::getrusage(of_thread_ ? RUSAGE_THREAD : RUSAGE_SELF, &self);
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return {.wall_s = std::chrono::duration<double>(now).count(),
          .cpu_s = seconds(self.ru_utime) + seconds(self.ru_stime),
          .waited_s = waited(schedstat_.start(buffer)),
          .voluntary = static_cast<std::uint64_t>(self.ru_nvcsw),
          .involuntary = static_cast<std::uint64_t>(self.ru_nivcsw)};
}

Usage UsageMeter::whole() const {
  std::array<char, 1024> buffer{};
  Usage usage = own();
  if (const auto host = host_time(stat_.start(buffer))) {
    usage.host_busy_s = host->busy_s;
    usage.host_stolen_s = host->stolen_s;
  }
  usage.throttled = throttled_periods(cgroup_stat_.start(buffer));
  return usage;
}

}  // namespace busbar
