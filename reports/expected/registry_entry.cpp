// SPDX-License-Identifier: Apache-2.0
#include "reports/expected/registry_entry.hpp"

#include <map>
#include <optional>
#include <variant>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/grades/grade.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/run_record.hpp"
#include "core/record/software.hpp"
#include "core/record/status.hpp"
#include "reports/expected/gpus_used.hpp"
#include "reports/expected/node_network.hpp"
#include "reports/text/text.hpp"

namespace busbar::expected {
namespace {

using Json = nlohmann::json;

void refuse_others(const RunRecord& run) {
  const char* why = run.origin == Origin::simulated         ? "was simulated"
                    : run.origin == Origin::imported        ? "was imported: name its own source instead"
                    : run.method.shared_gpu.value_or(false) ? "shared a GPU"
                    : report::is_lab(run)                   ? "is of a lab"
                                                            : nullptr;
  if (why != nullptr) throw Error(fmt::format("this run {}; the table is of machines as they are", why));
}

std::string device_of(const RunRecord& run, bool on_device) {
  if (on_device) {
    const std::string name = gpu_name(run);
    return name.empty() ? "unknown" : name.starts_with("NVIDIA ") ? name.substr(7) : name;
  }
  if (run.hosts.empty() || !run.hosts.front().cpu_model) return "CPU: unknown";
  return fmt::format("CPU: {}{}", run.hosts.front().sockets ? fmt::format("{} x ", *run.hosts.front().sockets) : "",
                     *run.hosts.front().cpu_model);
}

Json inside(const RunRecord& run, bool on_device) {
  if (!on_device) return "shared memory";
  const auto used = gpus_used(run);
  const auto* sets = std::get_if<std::vector<GpuSet>>(&used);
  if (sets == nullptr || sets->empty() || !sets->front().joined) return nullptr;
  return *sets->front().joined == Joined::by_nvlink ? "NVLink" : "PCIe";
}

/// "InfiniBand NDR", "RoCE", "Ethernet".
Json network_kind(const RunRecord& run) {
  if (run.hosts.empty()) return nullptr;
  for (const RdmaPort& port : run.hosts.front().rdma) {
    if (port.state != "ACTIVE") continue;
    if (port.link_layer == "Ethernet") return "RoCE";
    const double rate = port.rate_Gbps.value_or(0);
    const char* word = rate >= 800 ? " XDR" : rate >= 400 ? " NDR" : rate >= 200 ? " HDR" : rate >= 100 ? " EDR" : "";
    return std::string("InfiniBand") + word;
  }
  return "Ethernet";
}

/// Cases that share a machine: whether on GPUs, and the numbers of ranks and nodes.
struct Setup {
  bool on_device = false;
  std::string backend;
  int ranks = 0;
  std::optional<int> nodes;
  friend auto operator<=>(const Setup&, const Setup&) = default;
};

std::string library_of(const RunRecord& run, const Setup& setup) {
  if (setup.backend == "mpi") return run.mpi ? run.mpi->library : "";
  const auto library = run.libraries.find(setup.backend);
  return library == run.libraries.end() ? "" : library->first + " " + library->second;
}

Json result_of(const RunRecord& run, const Setup& setup, const std::string& platform) {
  const bool one_node = setup.nodes == 1;
  const auto network = slowest_network(run, setup.backend == "nccl");
  const auto* rate = std::get_if<NodeNetwork>(&network);
  return {{"platform", platform.empty() ? Json() : Json(platform)},
          {"device", device_of(run, setup.on_device)},
          {"per_node", setup.nodes ? Json(setup.ranks / *setup.nodes) : Json()},
          {"nodes", setup.nodes},
          {"ranks", setup.ranks},
          {"intra", inside(run, setup.on_device)},
          {"inter", one_node ? Json() : network_kind(run)},
          {"inter_GBps", one_node || rate == nullptr ? Json() : Json(rate->rate.GBps)},
          {"library", library_of(run, setup)},
          {"tool", run.tool.name},
          {"state", "normal"},
          {"rows", Json::array()}};
}

Json row_of(const CaseRecord& c, const CaseGrade& grade) {
  const double time_us = 1e6 * *c.time_s;
  const auto text = [](const std::optional<double>& v) { return v ? fmt::format("{:.6g}", *v) : std::string("-"); };
  const auto rounded = [&](const std::optional<double>& v) { return v ? Json(std::stod(text(v))) : Json(); };
  return {{"collective", c.key.collective},
          {"bytes", c.key.bytes},
          {"type", c.key.type},
          {"in_place", c.key.in_place},
          {"algbw_GBps", rounded(c.algbw_GBps)},
          {"busbw_GBps", rounded(c.busbw_GBps)},
          {"time_us", rounded(time_us)},
          {"line", fmt::format("{} {} B {} {} us {} {} GB/s grade {}", c.key.collective, c.key.bytes,
                               c.key.in_place ? "in place" : "out of place", text(time_us), text(c.algbw_GBps),
                               text(c.busbw_GBps), name(grade.grade))}};
}

}  // namespace

RegistryEntry registry_entry(const Run& run, const std::string& platform) {
  refuse_others(run.head);
  const Grader grader(run);
  RegistryEntry entry;
  std::map<Setup, Json> results;
  for (const CaseRecord& c : run.cases) {
    if (!is_measured(c.status) || !c.calls.empty() || c.key.training || c.key.bytes == 0 || c.key.ranks < 2 ||
        !c.time_s)
      continue;
    const auto grade = grader.grade_case(c);
    if (!grade || grade->grade == Grade::d) {
      ++entry.left_out;
      continue;
    }
    const Setup setup{is_on_device(c.key), c.key.backend, c.key.ranks, c.key.nodes};
    const auto at = results.try_emplace(setup, result_of(run.head, setup, platform)).first;
    at->second["rows"].push_back(row_of(c, *grade));
    ++entry.rows;
  }
  if (entry.rows == 0) throw Error("no collective of this run has grade C or better");
  nlohmann::ordered_json j{{"format", "busbar known results"}, {"version", 1}, {"title", ""}, {"url", ""}};
  j["date"] = run.head.start_utc ? run.head.start_utc->substr(0, 10) : "";
  for (auto& [setup, result] : results) j["results"].push_back(nlohmann::ordered_json(result));
  entry.text = j.dump(1) + "\n";
  return entry;
}

}  // namespace busbar::expected
