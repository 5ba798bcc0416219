// SPDX-License-Identifier: Apache-2.0
#include "core/job/prometheus.hpp"

#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "core/base/json.hpp"
#include "core/record/case_record.hpp"
#include "tests/unit/made_up_tree.hpp"
#include "tests/unit/thread_ranks.hpp"

namespace busbar::test {
namespace {

CaseRecord one_case() {
  CaseRecord r{.key = {.collective = "allreduce",
                       .backend = "nccl",
                       .memory = "device",
                       .type = "fp32",
                       .op = "sum",
                       .bytes = 1 << 20,
                       .ranks = 2,
                       .nodes = 1}};
  set_bandwidth(r, 1e-3, 1.5);
  r.throttled = true;
  const Spread some{.min = 100, .median = 200, .max = 300};
  r.telemetry = {{.uuid = "GPU-0",
                  .readings = 2,
                  .sm_clock_MHz = some,
                  .memory_clock_MHz = some,
                  .power_W = some,
                  .temperature_C = some,
                  .sm_clock_max_MHz = 1980,
                  .power_limit_W = 700,
                  .clock_reasons = {{.reason = "gpu_idle", .share = 0.5}, {.reason = "sw_power_cap", .share = 0.5}},
                  .throttled = true,
                  .span_s = 2,
                  .calls = 10,
                  .energy_J = 700.5,
                  .throttle_time_s = {{"sw_power_cap", 0.5}, {"sw_thermal_slowdown", 0.0}},
                  .nvlink_tx_bytes = 1000,
                  .nvlink_rx_bytes = 2000,
                  .pcie_tx_bytes = 10,
                  .pcie_rx_bytes = 20,
                  .ecc_corrected = 1,
                  .ecc_uncorrected = 0},
                 {.uuid = "GPU-1", .readings = 2, .throttled = false}};
  return r;
}

std::string page_of(const CaseRecord& r, int times = 1) {
  PrometheusPage page;
  for (int i = 0; i < times; ++i) {
    page.count(r.status);
    page.set_case(r);
    for (const auto& gpu : r.telemetry) page.set_gpu(gpu);
  }
  return page.render(1700000000.25);
}

bool has_line(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

std::string content(const fs::path& path) {
  std::ostringstream all;
  all << std::ifstream(path).rdbuf();
  return all.str();
}

/// Names behind "# TYPE".
std::set<std::string> names(const std::string& text) {
  std::set<std::string> all;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("# TYPE ")) all.insert(line.substr(7, line.find(' ', 7) - 7));
  return all;
}

TEST(PrometheusPage, UsesBaseUnits) {
  const std::string text = page_of(one_case());
  EXPECT_NE(text.find("busbar_case_time_seconds{case=\"allreduce/"), std::string::npos) << text;
  EXPECT_NE(text.find("bytes=\"1048576\",ranks=\"2\",nodes=\"1\"} 0.001\n"), std::string::npos) << text;
  EXPECT_NE(text.find("nodes=\"1\"} 1048576000\n"), std::string::npos) << text;
  EXPECT_NE(text.find("nodes=\"1\"} 1572864000\n"), std::string::npos) << text;
  EXPECT_TRUE(has_line(text, "busbar_gpu_sm_clock_hertz{gpu=\"GPU-0\",statistic=\"median\"} 200000000")) << text;
  EXPECT_TRUE(has_line(text, "busbar_gpu_power_watts{gpu=\"GPU-0\",statistic=\"max\"} 300")) << text;
  EXPECT_TRUE(has_line(text, "busbar_gpu_temperature_celsius{gpu=\"GPU-0\",statistic=\"min\"} 100")) << text;
  EXPECT_TRUE(has_line(text, "busbar_last_update_timestamp_seconds 1700000000.250")) << text;
  EXPECT_TRUE(has_line(text, "busbar_cases_total{status=\"ok\"} 1")) << text;
}

TEST(PrometheusPage, HasARowPerThrottlingReason) {
  const std::string text = page_of(one_case());
  EXPECT_TRUE(has_line(text, "busbar_gpu_throttled{gpu=\"GPU-0\",reason=\"sw_power_cap\"} 1")) << text;
  EXPECT_TRUE(has_line(text, "busbar_gpu_throttled{gpu=\"GPU-0\",reason=\"hw_slowdown\"} 0")) << text;
  EXPECT_TRUE(has_line(text, "busbar_gpu_throttled{gpu=\"GPU-1\",reason=\"sw_power_cap\"} 0")) << text;
  EXPECT_EQ(text.find("gpu_idle"), std::string::npos);
  CaseRecord moments = one_case();
  moments.telemetry[0].throttle_time_s["sw_power_cap"] = 0.01;
  EXPECT_TRUE(has_line(page_of(moments), "busbar_gpu_throttled{gpu=\"GPU-0\",reason=\"sw_power_cap\"} 0"))
      << "0.5 % of the time, whatever the readings show";
  CaseRecord unknown = one_case();
  unknown.telemetry = {{.uuid = "GPU-0", .readings = 2}};
  EXPECT_EQ(page_of(unknown).find("busbar_gpu_throttled"), std::string::npos) << "not known is not 0";
}

TEST(PrometheusPage, AddsUpCountersButNotGauges) {
  const std::string text = page_of(one_case(), 3);
  EXPECT_TRUE(has_line(text, "busbar_gpu_nvlink_transmit_bytes_total{gpu=\"GPU-0\"} 3000")) << text;
  EXPECT_TRUE(has_line(text, "busbar_gpu_pcie_receive_bytes_total{gpu=\"GPU-0\"} 60")) << text;
  EXPECT_TRUE(has_line(text, "busbar_gpu_energy_joules_total{gpu=\"GPU-0\"} 2101.5")) << text;
  EXPECT_TRUE(has_line(text, "busbar_gpu_throttle_seconds_total{gpu=\"GPU-0\",reason=\"sw_power_cap\"} 1.5")) << text;
  EXPECT_TRUE(has_line(text, "busbar_gpu_throttle_seconds_total{gpu=\"GPU-0\",reason=\"sw_thermal_slowdown\"} 0"))
      << text;
  EXPECT_TRUE(has_line(text, "busbar_gpu_ecc_errors_total{gpu=\"GPU-0\",kind=\"corrected\"} 3")) << text;
  EXPECT_TRUE(has_line(text, "busbar_gpu_ecc_errors_total{gpu=\"GPU-0\",kind=\"uncorrected\"} 0")) << text;
  EXPECT_TRUE(has_line(text, "busbar_gpu_power_limit_watts{gpu=\"GPU-0\"} 700")) << text;
  EXPECT_EQ(text.find("{gpu=\"GPU-1\"} "), std::string::npos) << "what GPU-1 does not tell has no row";
}

TEST(PrometheusPage, EscapesLabels) {
  CaseRecord r = one_case();
  r.telemetry = {};
  r.key.collective = "a\"b\\c\nd";
  const std::string text = page_of(r);
  EXPECT_NE(text.find("collective=\"a\\\"b\\\\c\\nd\","), std::string::npos) << text;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    EXPECT_TRUE(line.starts_with("#") || line.starts_with("busbar_")) << line;
}

TEST(PrometheusPage, DescribesEachMetricOnceBeforeItsRows) {
  const std::string text = page_of(one_case(), 2);
  std::set<std::string> seen, rows;
  std::string current;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# HELP ")) {
      current = line.substr(7, line.find(' ', 7) - 7);
      EXPECT_TRUE(seen.insert(current).second) << line;
    } else if (line.starts_with("busbar_")) {
      EXPECT_EQ(line.substr(0, line.find_first_of("{ ")), current);
      EXPECT_TRUE(rows.insert(line.substr(0, line.rfind(' '))).second) << "twice: " << line;
    }
  }
  EXPECT_EQ(seen.size(), 20U);
}

TEST(PrometheusFile, IsWrittenByTheFirstRankOfEachHost) {
  Tree tree;
  run_ranks(4, [&](Group& group, Backend&) {
    const std::vector<int> hosts{0, 0, 1, 1};
    const fs::path path = tree.root() / ("host" + std::to_string(hosts[static_cast<std::size_t>(group.rank())]));
    PrometheusFile file(group, path, hosts);
    CaseRecord r = one_case();
    r.telemetry = {{.uuid = "GPU-0", .readings = 2, .nvlink_tx_bytes = 7},
                   {.uuid = "GPU-0", .readings = 2, .nvlink_tx_bytes = 7},
                   {.uuid = "GPU-2", .readings = 2, .nvlink_tx_bytes = 8},
                   {}};
    if (group.rank() != 0) r.time_s.reset();
    group.barrier();
    file.add_case(r);
    EXPECT_FALSE(file.problem());
  });
  const std::string first = content(tree.root() / "host0"), second = content(tree.root() / "host1");
  EXPECT_TRUE(has_line(first, "busbar_gpu_nvlink_transmit_bytes_total{gpu=\"GPU-0\"} 7"))
      << "a GPU counts once" << first;
  EXPECT_EQ(first.find("GPU-2"), std::string::npos);
  EXPECT_NE(first.find("busbar_case_time_seconds{"), std::string::npos);
  EXPECT_TRUE(has_line(second, "busbar_gpu_nvlink_transmit_bytes_total{gpu=\"GPU-2\"} 8")) << second;
  EXPECT_EQ(second.find("busbar_case_"), std::string::npos) << second;
  EXPECT_TRUE(has_line(second, "busbar_cases_total{status=\"ok\"} 1")) << second;
  EXPECT_EQ(std::distance(fs::directory_iterator(tree.root()), fs::directory_iterator()), 2) << "no file is left over";
}

TEST(PrometheusFile, IsAUsageErrorOnAllRanksIfUnwritable) {
  Tree tree;
  tree.folder("folder");
  for (const fs::path& path : {tree.root() / "not" / "there.prom", tree.root() / "folder", fs::path("/dev/null")})
    run_ranks(2, [&](Group& group, Backend&) {
      try {
        const PrometheusFile file(group, path, {0, 0});
        ADD_FAILURE() << path;
      } catch (const UsageError& e) {
        EXPECT_NE(std::string(e.what()).find("--telemetry-prometheus"), std::string::npos) << e.what();
        EXPECT_NE(std::string(e.what()).find(path.string()), std::string::npos) << e.what();
      }
    });
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(PrometheusFile, OnlyWarnsIfItCannotBeWrittenLater) {
  Tree tree;
  tree.folder("folder");
  run_ranks(1, [&](Group& group, Backend&) {
    PrometheusFile file(group, tree.root() / "folder" / "a.prom", {0});
    fs::remove_all(tree.root() / "folder");
    file.add_case(one_case());
    ASSERT_TRUE(file.problem());
    EXPECT_NE(file.problem()->find("a.prom"), std::string::npos) << *file.problem();
    tree.folder("folder");
    file.add_case(one_case());
    EXPECT_FALSE(file.problem());
  });
}

/// Every string under a key "expr" or "query".
void collect_queries(const nlohmann::json& j, std::vector<std::string>& queries) {
  if (j.is_object())
    for (const auto& [key, value] : j.items()) {
      if ((key == "expr" || key == "query" || key == "definition") && value.is_string()) queries.push_back(value);
      collect_queries(value, queries);
    }
  if (j.is_array())
    for (const auto& value : j) collect_queries(value, queries);
}

TEST(Grafana, QueriesOnlyWrittenMetrics) {
  const auto dashboard = nlohmann::json::parse(content("../scripts/grafana/busbar.json"));
  std::vector<std::string> queries;
  collect_queries(dashboard, queries);
  const auto written = names(page_of(one_case()));
  std::set<std::string> asked;
  const std::regex metric("busbar_[a-z_]+");
  for (const std::string& query : queries)
    for (std::sregex_iterator it(query.begin(), query.end(), metric), end; it != end; ++it) asked.insert(it->str());
  for (const std::string& name : asked) EXPECT_TRUE(written.contains(name)) << name;
  for (const char* must : {"busbar_case_bus_bandwidth_bytes_per_second", "busbar_gpu_sm_clock_hertz",
                           "busbar_gpu_power_watts", "busbar_gpu_temperature_celsius", "busbar_gpu_throttled",
                           "busbar_gpu_throttle_seconds_total", "busbar_gpu_energy_joules_total",
                           "busbar_gpu_nvlink_transmit_bytes_total", "busbar_gpu_pcie_transmit_bytes_total"})
    EXPECT_TRUE(asked.contains(must)) << must;
}

TEST(Grafana, HasPlaceUnitAndSourceInEveryPanel) {
  const auto dashboard = nlohmann::json::parse(content("../scripts/grafana/busbar.json"));
  std::set<int> ids;
  EXPECT_GE(dashboard.at("panels").size(), 7U);
  for (const auto& panel : dashboard.at("panels")) {
    EXPECT_TRUE(ids.insert(panel.at("id").get<int>()).second) << "two panels of one id";
    const auto& place = panel.at("gridPos");
    EXPECT_LE(place.at("x").get<int>() + place.at("w").get<int>(), 24);
    EXPECT_EQ(panel.at("datasource").at("uid"), "${datasource}") << panel.at("title");
    EXPECT_FALSE(panel.at("fieldConfig").at("defaults").at("unit").get<std::string>().empty());
    for (const auto& target : panel.at("targets")) EXPECT_EQ(target.at("datasource").at("uid"), "${datasource}");
  }
  EXPECT_EQ(dashboard.at("templating").at("list").at(0).at("type"), "datasource");
}

}  // namespace
}  // namespace busbar::test
