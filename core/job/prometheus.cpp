// SPDX-License-Identifier: Apache-2.0
#include "core/job/prometheus.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <set>

#include <fmt/core.h>

#include "core/files/output_file.hpp"
#include "core/record/case_key.hpp"
#include "core/record/case_record.hpp"

namespace busbar {
namespace {

constexpr std::string_view flag = "--telemetry-prometheus";

struct Metric {
  std::string_view name, type, help;
};

constexpr std::string_view cases = "busbar_cases_total", case_time = "busbar_case_time_seconds",
                           algorithm_bandwidth = "busbar_case_algorithm_bandwidth_bytes_per_second",
                           bus_bandwidth = "busbar_case_bus_bandwidth_bytes_per_second",
                           case_throttled = "busbar_case_throttled", sm_clock = "busbar_gpu_sm_clock_hertz",
                           sm_clock_max = "busbar_gpu_sm_clock_max_hertz",
                           memory_clock = "busbar_gpu_memory_clock_hertz", power = "busbar_gpu_power_watts",
                           power_limit = "busbar_gpu_power_limit_watts", temperature = "busbar_gpu_temperature_celsius",
                           gpu_throttled = "busbar_gpu_throttled", throttle_time = "busbar_gpu_throttle_seconds_total",
                           energy = "busbar_gpu_energy_joules_total",
                           nvlink_transmit = "busbar_gpu_nvlink_transmit_bytes_total",
                           nvlink_receive = "busbar_gpu_nvlink_receive_bytes_total",
                           pcie_transmit = "busbar_gpu_pcie_transmit_bytes_total",
                           pcie_receive = "busbar_gpu_pcie_receive_bytes_total",
                           ecc_errors = "busbar_gpu_ecc_errors_total", updated = "busbar_last_update_timestamp_seconds";

/// In output order.
constexpr std::array<Metric, 20> metrics{
    {{cases, "counter", "Cases of this run that have ended, by status."},
     {case_time, "gauge", "Time of one call (training: of a step), by the method of the run."},
     {algorithm_bandwidth, "gauge", "Algorithm bandwidth: bytes over time."},
     {bus_bandwidth, "gauge", "Bus bandwidth: algorithm bandwidth times the factor of nccl-tests."},
     {case_throttled, "gauge", "1: power, temperature or supply limited a GPU's clocks during the case."},
     {sm_clock, "gauge", "Clock of the GPU's processors over the readings of the last case."},
     {sm_clock_max, "gauge", "Highest clock of the GPU's processors."},
     {memory_clock, "gauge", "Clock of the GPU's memory over the readings of the last case."},
     {power, "gauge", "Power that the GPU drew over the readings of the last case."},
     {power_limit, "gauge", "Power limit in force."},
     {temperature, "gauge", "Temperature of the GPU over the readings of the last case."},
     {gpu_throttled, "gauge", "1: this reason limited the GPU's clocks during the last case."},
     {throttle_time, "counter", "Time in which this reason limited the GPU's clocks during the cases of this run."},
     {energy, "counter", "Energy of the GPU during the cases of this run."},
     {nvlink_transmit, "counter", "Payload sent over NVLink during the cases of this run."},
     {nvlink_receive, "counter", "Payload received over NVLink during the cases of this run."},
     {pcie_transmit, "counter", "Sent over PCIe during the cases of this run."},
     {pcie_receive, "counter", "Received over PCIe during the cases of this run."},
     {ecc_errors, "counter", "Memory errors of the GPU during the cases of this run."},
     {updated, "gauge", "When this file was written, since 1970."}}};

/// Escapes backslash, quote and newline in a label's value.
std::string escaped(std::string_view value) {
  std::string out;
  for (const char c : value) {
    if (c == '\n')
      out += "\\n";
    else if (c == '\\' || c == '"')
      out += fmt::format("\\{}", c);
    else
      out += c;
  }
  return out;
}

struct Label {
  std::string_view name;
  std::string value;
};

std::string labels(std::initializer_list<Label> all) {
  std::string text;
  for (const Label& l : all) text += fmt::format("{}{}=\"{}\"", text.empty() ? "" : ",", l.name, escaped(l.value));
  return "{" + text + "}";
}

/// `case` alone identifies a case; the other labels are for selection.
std::string labels_of(const CaseKey& k) {
  return labels({{"case", to_string(k)},
                 {"kind", text_of(k.kind)},
                 {"collective", k.collective},
                 {"backend", k.backend},
                 {"memory", k.memory.value_or("")},
                 {"type", k.type.value_or("")},
                 {"op", k.op.value_or("")},
                 {"bytes", std::to_string(k.bytes)},
                 {"ranks", std::to_string(k.ranks)},
                 {"nodes", k.nodes ? std::to_string(*k.nodes) : ""}});
}

/// Whole numbers exactly; others without the digits in which 1.2 and 1.2000000000000002 differ.
std::string number(double value) {
  const bool whole = std::abs(value) < 0x1p53 && value == std::trunc(value);
  return whole ? fmt::format("{:.0f}", value) : fmt::format("{:.15g}", value);
}

double seconds_since_1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace

void PrometheusPage::set(std::string_view metric, const std::string& its_labels, std::optional<double> value,
                         double unit) {
  if (value && std::isfinite(*value)) samples_[std::string(metric)][its_labels] = *value * unit;
}

void PrometheusPage::add(std::string_view metric, const std::string& its_labels, std::optional<double> more) {
  if (more) samples_[std::string(metric)][its_labels] += *more;
}

void PrometheusPage::set_case(const CaseRecord& r) {
  const std::string its_labels = labels_of(r.key);
  set(case_time, its_labels, r.time_s);
  set(algorithm_bandwidth, its_labels, r.algbw_GBps, 1e9);
  set(bus_bandwidth, its_labels, r.busbw_GBps, 1e9);
  if (r.throttled) set(case_throttled, its_labels, *r.throttled ? 1 : 0);
}

void PrometheusPage::set_gpu(const GpuTelemetry& t) {
  if (!t.uuid) return;
  const auto spread = [&](std::string_view metric, const std::optional<Spread>& s, double unit) {
    if (!s) return;
    set(metric, labels({{"gpu", *t.uuid}, {"statistic", "min"}}), s->min, unit);
    set(metric, labels({{"gpu", *t.uuid}, {"statistic", "median"}}), s->median, unit);
    set(metric, labels({{"gpu", *t.uuid}, {"statistic", "max"}}), s->max, unit);
  };
  spread(sm_clock, t.sm_clock_MHz, 1e6);
  spread(memory_clock, t.memory_clock_MHz, 1e6);
  spread(power, t.power_W, 1);
  spread(temperature, t.temperature_C, 1);
  const std::string gpu = labels({{"gpu", *t.uuid}});
  set(sm_clock_max, gpu, t.sm_clock_max_MHz, 1e6);
  set(power_limit, gpu, t.power_limit_W);
  const auto limiting = throttling_reasons(t);
  for (const ClockReason& reason : clock_reasons()) {
    if (!reason.throttles || !t.throttled) continue;
    const bool limited = std::ranges::find(limiting, reason.word, &ThrottlingReason::word) != limiting.end();
    set(gpu_throttled, labels({{"gpu", *t.uuid}, {"reason", std::string(reason.word)}}), limited ? 1 : 0);
  }
  for (const auto& [reason, time_s] : t.throttle_time_s)
    add(throttle_time, labels({{"gpu", *t.uuid}, {"reason", reason}}), time_s);
  add(energy, gpu, t.energy_J);
  add(nvlink_transmit, gpu, t.nvlink_tx_bytes);
  add(nvlink_receive, gpu, t.nvlink_rx_bytes);
  add(pcie_transmit, gpu, t.pcie_tx_bytes);
  add(pcie_receive, gpu, t.pcie_rx_bytes);
  add(ecc_errors, labels({{"gpu", *t.uuid}, {"kind", "corrected"}}), t.ecc_corrected);
  add(ecc_errors, labels({{"gpu", *t.uuid}, {"kind", "uncorrected"}}), t.ecc_uncorrected);
}

void PrometheusPage::count(Status status) { add(cases, labels({{"status", std::string(name(status))}}), 1); }

std::string PrometheusPage::render(double now_s) const {
  std::string all;
  for (const Metric& m : metrics) {
    const auto found = samples_.find(m.name);
    if (found == samples_.end() && m.name != updated) continue;
    all += fmt::format("# HELP {} {}\n# TYPE {} {}\n", m.name, m.help, m.name, m.type);
    if (m.name == updated)
      all += fmt::format("{} {:.3f}\n", m.name, now_s);
    else
      for (const auto& [its_labels, value] : found->second)
        all += fmt::format("{}{} {}\n", m.name, its_labels, number(value));
  }
  return all;
}

PrometheusFile::PrometheusFile(Group& group, const std::filesystem::path& path, const std::vector<int>& hosts)
    : path_(path), rank_(group.rank()) {
  const int mine = hosts[static_cast<std::size_t>(rank_)];
  if (std::ranges::find(hosts, mine) - hosts.begin() == rank_)
    for (std::size_t r = 0; r < hosts.size(); ++r)
      if (hosts[r] == mine) here_.push_back(static_cast<int>(r));
  const Verdict writable = agree(group, attempt([&] {
                                   if (!here_.empty()) write();
                                 }));
  if (!writable.ok()) throw UsageError(writable.reason);
}

void PrometheusFile::write() const {
  std::error_code problem;
  const auto status = std::filesystem::status(path_, problem);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw Error(fmt::format("{}: {} is there and no regular file", flag, path_.string()));
  write_whole(path_, page_.render(seconds_since_1970()), flag);
}

void PrometheusFile::add_case(const CaseRecord& record) {
  if (here_.empty()) return;
  page_.count(record.status);
  if (rank_ == 0 && is_measured(record.status)) page_.set_case(record);
  std::set<std::string> seen;  // ranks can share a GPU
  for (const int r : here_) {
    if (static_cast<std::size_t>(r) >= record.telemetry.size()) break;
    const GpuTelemetry& gpu = record.telemetry[static_cast<std::size_t>(r)];
    if (gpu.uuid && seen.insert(*gpu.uuid).second) page_.set_gpu(gpu);
  }
  problem_.reset();
  try {
    write();
  } catch (const Error& e) {
    problem_ = e.what();
  }
}

}  // namespace busbar
