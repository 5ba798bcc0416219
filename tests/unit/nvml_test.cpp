// SPDX-License-Identifier: Apache-2.0
// Uses the fake libraries of tests/fake_nvml/. Variables set their answers.
#include <algorithm>
#include <cstdlib>
#include <map>

#include <dlfcn.h>
#include <gtest/gtest.h>

#include "core/job/devices.hpp"
#include "core/job/usage.hpp"
#include "core/nvml/device.hpp"
#include "core/nvml/facts.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run_record.hpp"
#include "tests/unit/made_up_tree.hpp"
#include "tests/unit/measure.hpp"

namespace busbar::test {
namespace {

using nvml::Device, nvml::Library;

/// Variables of the made-up library, gone with the object.
class FakeSettings {
 public:
  using Values = std::map<std::string, std::string>;
  explicit FakeSettings(Values values) : values_(std::move(values)) {
    for (const auto& [name, value] : values_) ::setenv(("FAKE_NVML_" + name).c_str(), value.c_str(), 1);
  }
  ~FakeSettings() {
    for (const auto& [name, value] : values_) ::unsetenv(("FAKE_NVML_" + name).c_str());
  }
  FakeSettings(const FakeSettings&) = delete;
  FakeSettings& operator=(const FakeSettings&) = delete;

 private:
  Values values_;
};

Device::Lib library() {
  const auto opened = Library::open();
  EXPECT_EQ(opened.problem, "");
  return opened.library;
}

Device first_gpu() {
  const auto device = Device::by_index(library(), 0);
  if (!device) throw std::runtime_error("the made-up library has no GPU");
  return *device;
}

TEST(Nvml, ReportsAMissingLibrary) {
  const auto opened = Library::open("libno-such-library.so.1");
  EXPECT_FALSE(opened.library);
  EXPECT_NE(opened.problem.find("libno-such-library.so.1"), std::string::npos) << opened.problem;
}

TEST(Nvml, ReportsABrokenLibrary) {
  const auto opened = Library::open("libm.so.6");
  EXPECT_FALSE(opened.library);
  EXPECT_NE(opened.problem.find("nvmlInit_v2"), std::string::npos) << opened.problem;
}

TEST(Nvml, ReportsAMissingDriver) {
  const FakeSettings settings(FakeSettings::Values{{"INIT", "9"}});
  const auto opened = Library::open();
  EXPECT_FALSE(opened.library);
  EXPECT_NE(opened.problem.find("Driver Not Loaded (9)"), std::string::npos) << opened.problem;
}

/// Calls of the fake library.
int counted(const char* what) {
  static void* const same = ::dlopen("libnvidia-ml.so.1", RTLD_NOW);
  const auto count = same != nullptr ? reinterpret_cast<int (*)()>(::dlsym(same, what)) : nullptr;
  if (count == nullptr) throw std::runtime_error("this is not the made-up library");
  return count();
}
int users() { return counted("fake_nvml_users"); }
int opened() { return counted("fake_nvml_opened"); }

TEST(Nvml, ShutsDownWithItsLastUser) {
  {
    const auto device = first_gpu();
    EXPECT_EQ(users(), 1) << "a device keeps its library";
    EXPECT_TRUE(device.name());
  }
  EXPECT_EQ(users(), 0);
}

TEST(Nvml, FindsAGpuByUuidAndByAddress) {
  const auto lib = library();
  EXPECT_EQ(lib->devices(), 2U);
  EXPECT_EQ(lib->driver_version(), "570.00.01");
  EXPECT_EQ(Device::by_uuid(lib, "GPU-66616b65-2047-5055-2064-657669636501").value().bus(), "0000:02:00.0");
  EXPECT_EQ(Device::by_bus(lib, "0000:01:00.0").value().uuid(), "GPU-66616b65-2047-5055-2064-657669636500");
  EXPECT_FALSE(Device::by_uuid(lib, "GPU-1"));
  EXPECT_FALSE(Device::by_bus(lib, "0000:99:00.0"));
  EXPECT_FALSE(Device::by_index(lib, 2));
}

TEST(Nvml, ReadsInOurUnits) {
  const FakeSettings settings(
      FakeSettings::Values{{"REASONS", "0x24"}, {"SM_MHZ", "1410"}, {"PCIE_WIDTH", "8"}, {"PCIE_GEN", "3"}});
  const GpuReading r = first_gpu().read();
  EXPECT_EQ(r.sm_clock_MHz, 1410);
  EXPECT_EQ(r.memory_clock_MHz, 2619);
  EXPECT_EQ(r.power_W, 650.5);
  EXPECT_EQ(r.temperature_C, 61);
  EXPECT_EQ(r.busy_percent, 97);
  EXPECT_EQ(r.clock_reasons, 0x24U);
  EXPECT_EQ(r.pcie_gen, 3);
  EXPECT_EQ(r.pcie_width, 8);
  EXPECT_EQ(r.ecc_uncorrected, 0U);
  const GpuReading later = first_gpu().read();
  EXPECT_EQ(*later.nvlink_tx_bytes - *r.nvlink_tx_bytes, 1000U * 1024);
  EXPECT_EQ(*later.nvlink_rx_bytes - *r.nvlink_rx_bytes, 1000U * 1024);
  EXPECT_EQ(*later.pcie_tx_bytes - *r.pcie_tx_bytes, 1000U);
  EXPECT_EQ(*later.ecc_corrected - *r.ecc_corrected, 1U);
}

TEST(Nvml, CountsEnergyInMillijoules) {
  const FakeSettings settings(FakeSettings::Values{{"ENERGY_MJ", "25000"}});
  const auto gpu = first_gpu();
  const GpuReading before = gpu.read(), after = gpu.read();
  EXPECT_EQ(after.energy_mJ.value() - before.energy_mJ.value(), 25000U);
  EXPECT_GT(after.at_ns, before.at_ns);
  const FakeSettings none(FakeSettings::Values{{"ENERGY_MJ", "0"}});
  EXPECT_FALSE(gpu.read().energy_mJ) << "not supported is not 0 J";
}

TEST(Nvml, SelectsTimeCountersByDriver) {
  EXPECT_FALSE(nvml::first_thermal_time("570.172.08")) << "251 is a setting of power smoothing there";
  EXPECT_EQ(nvml::first_thermal_time("575.51.03"), 251U);
  EXPECT_EQ(nvml::first_thermal_time("580.65.06"), 251U);
  EXPECT_FALSE(nvml::first_thermal_time("580.76.05")) << "between the two releases that are known";
  EXPECT_EQ(nvml::first_thermal_time("580.82.07"), 269U);
  EXPECT_EQ(nvml::first_thermal_time("580.126.09"), 269U);
  EXPECT_EQ(nvml::first_thermal_time("610.43"), 269U);
  for (const char* none : {"", "580", "580.", ".82", "vGPU 580.82"})
    EXPECT_FALSE(nvml::first_thermal_time(none)) << none;
}

/// Growth between two readings; empty: not counted.
std::map<std::string, std::uint64_t> throttled_ns() {
  const auto gpu = first_gpu();
  const GpuReading before = gpu.read(), after = gpu.read();
  std::map<std::string, std::uint64_t> grown;
  for (const ClockReason& reason : clock_reasons())
    if (reason.time_ns != nullptr && before.*reason.time_ns)
      grown[std::string(reason.word)] = (after.*reason.time_ns).value() - *(before.*reason.time_ns);
  return grown;
}

using Times = std::map<std::string, std::uint64_t>;

TEST(Nvml, CountsThrottledTimeByReason) {
  const Times all{{"sw_power_cap", 500},
                  {"sync_boost", 0},
                  {"sw_thermal_slowdown", 30},
                  {"hw_thermal_slowdown", 30},
                  {"hw_power_brake_slowdown", 2}};
  for (const char* driver : {"575.51.03", "580.95.05"}) {
    const FakeSettings settings(FakeSettings::Values{
        {"DRIVER", driver}, {"POWER_CAP_NS", "500"}, {"THERMAL_NS", "30"}, {"BRAKE_NS", "2"}, {"VIOLATION", "0"}});
    EXPECT_EQ(throttled_ns(), all) << driver;
  }
}

TEST(Nvml, ReadsTwoReasonsByTheOlderCall) {
  const FakeSettings settings(
      FakeSettings::Values{{"DRIVER", "535.161.08"}, {"POWER_CAP_NS", "500"}, {"THERMAL_NS", "30"}});
  EXPECT_EQ(throttled_ns(), (Times{{"sw_power_cap", 500}, {"sync_boost", 0}}));
}

TEST(Nvml, CountsNoTimeWithoutEitherCall) {
  const FakeSettings settings(FakeSettings::Values{{"DRIVER", "535.161.08"}, {"VIOLATION", "0"}});
  EXPECT_EQ(throttled_ns(), Times{});
}

TEST(Nvml, IgnoresPcieBytesInThirtyTwoBits) {
  const FakeSettings settings(FakeSettings::Values{{"PCIE_TYPE", "1"}});
  EXPECT_FALSE(first_gpu().read().pcie_tx_bytes);
  EXPECT_TRUE(first_gpu().read().nvlink_tx_bytes);
}

TEST(Nvml, ReadsLimits) {
  const FakeSettings settings(FakeSettings::Values{{"LINKS", "18"}, {"DOWN", "2"}});
  const GpuLimits limits = first_gpu().limits();
  EXPECT_EQ(limits.uuid, "GPU-66616b65-2047-5055-2064-657669636500");
  EXPECT_EQ(limits.sm_clock_max_MHz, 1980);
  EXPECT_EQ(limits.power_limit_W, 700);
  EXPECT_EQ(limits.pcie_gen_max, 5);
  EXPECT_EQ(limits.pcie_width_max, 16);
  EXPECT_EQ(limits.nvlinks, 16);
  EXPECT_EQ(limits.nvlink_version, "4.0");
}

TEST(Nvml, LeavesLinksUnknownWithoutNvlink) {
  const FakeSettings settings(FakeSettings::Values{{"LINKS", "0"}});
  const GpuLimits limits = first_gpu().limits();
  EXPECT_FALSE(limits.nvlinks);
  EXPECT_FALSE(limits.nvlink_version);
  EXPECT_FALSE(first_gpu().read().nvlink_tx_bytes);
}

TEST(Nvml, LeavesUnsupportedValuesUnknown) {
  const FakeSettings settings(FakeSettings::Values{{"UNSUPPORTED", "1"}});
  const auto device = first_gpu();
  const GpuReading r = device.read();
  EXPECT_FALSE(r.sm_clock_MHz || r.memory_clock_MHz || r.power_W || r.temperature_C || r.busy_percent);
  EXPECT_FALSE(r.clock_reasons || r.pcie_gen || r.pcie_width || r.nvlink_tx_bytes || r.nvlink_rx_bytes);
  EXPECT_FALSE(r.pcie_tx_bytes || r.pcie_rx_bytes || r.ecc_corrected || r.ecc_uncorrected);
  EXPECT_FALSE(r.energy_mJ || r.sw_power_cap_ns || r.sync_boost_ns || r.sw_thermal_slowdown_ns);
  const Gpu gpu = nvml::gpu_facts(device);
  EXPECT_EQ(gpu.name, "Made-up GPU");
  EXPECT_FALSE(gpu.memory_bytes || gpu.mig || gpu.virtualisation || gpu.ecc || gpu.persistence || gpu.compute_mode);
  EXPECT_FALSE(gpu.power_limit_W || gpu.sm_clock_max_MHz || gpu.pcie_gen_max || gpu.nvlinks || gpu.nvlink_version);
}

TEST(Nvml, WorksWithAnOldLibrary) {
  const auto opened = Library::open(BUSBAR_OLD_NVML);
  ASSERT_TRUE(opened.library) << opened.problem;
  EXPECT_FALSE(opened.library->driver_version());
  EXPECT_FALSE(Device::by_uuid(opened.library, "GPU-1"));
  EXPECT_FALSE(Device::by_bus(opened.library, "0000:01:00.0"));
  const auto device = Device::by_index(opened.library, 0);
  ASSERT_TRUE(device);
  const GpuReading r = device->read();
  EXPECT_EQ(r.temperature_C, 44);
  EXPECT_EQ(r.clock_reasons, 0x4U);
  EXPECT_FALSE(r.sm_clock_MHz || r.power_W || r.busy_percent || r.nvlink_tx_bytes || r.ecc_corrected);
  EXPECT_FALSE(r.energy_mJ || r.sw_power_cap_ns || r.sync_boost_ns);
  EXPECT_FALSE(device->name() || device->bus() || device->uuid() || device->links() || device->memory_bytes());
  Host host;
  nvml::add_gpu_facts(host, opened.library, "/no/such/root");
  ASSERT_EQ(host.gpus.size(), 1U);
  EXPECT_EQ(host.gpus[0].name, "unknown");
}

TEST(NvmlFacts, NameModes) {
  const FakeSettings settings(FakeSettings::Values{{"VIRTUALISATION", "2"}, {"MIG", "1"}, {"COMPUTE_MODE", "3"}});
  const Gpu gpu = nvml::gpu_facts(first_gpu());
  EXPECT_EQ(gpu.virtualisation, "vGPU");
  EXPECT_EQ(gpu.mig, true);
  EXPECT_EQ(gpu.compute_mode, "exclusive process");
  EXPECT_EQ(gpu.ecc, true);
  EXPECT_EQ(gpu.persistence, true);
  EXPECT_EQ(gpu.memory_bytes, 80ULL << 30);
  const FakeSettings later(FakeSettings::Values{{"VIRTUALISATION", "9"}, {"COMPUTE_MODE", "9"}});
  EXPECT_FALSE(nvml::gpu_facts(first_gpu()).virtualisation) << "a mode that came after this program";
  EXPECT_FALSE(nvml::gpu_facts(first_gpu()).compute_mode);
}

using Row = std::vector<std::optional<std::string>>;

TEST(NvmlFacts, AddGpusMissingInTheKernel) {
  const FakeSettings settings(FakeSettings::Values{{"COUNT", "3"}, {"LINKS", "4"}, {"SWITCH", "0"}});
  Host host;
  nvml::add_gpu_facts(host, library(), "/no/such/root");
  EXPECT_EQ(host.gpu_driver, "570.00.01");
  ASSERT_EQ(host.gpus.size(), 3U);
  ASSERT_TRUE(host.gpu_links);
  EXPECT_EQ(host.gpu_links->columns, (std::vector<std::string>{"GPU0", "GPU1", "GPU2"}));
  EXPECT_EQ(host.gpu_links->rows[0], (Row{"X", "NV4", "SYS"}));
  EXPECT_EQ(host.gpu_links->rows[1], (Row{"SYS", "X", "NV4"}));
}

TEST(NvmlFacts, CountTheFewerLinksThroughASwitch) {
  const FakeSettings settings(FakeSettings::Values{{"LINKS", "18"}, {"DOWN", "1"}});
  Host host;
  nvml::add_gpu_facts(host, library(), "/no/such/root");
  EXPECT_EQ(host.gpu_links.value().rows[0], (Row{"X", "NV17"}));
}

TEST(NvmlFacts, CompleteFactsOfTheKernel) {
  const FakeSettings settings(FakeSettings::Values{{"LINKS", "0"}, {"PCIE_WIDTH", "8"}});
  Tree tree;
  tree.file("proc/driver/nvidia/gpus/0000:02:00.0/information", "Model: NVIDIA Something\n")
      .file("proc/driver/nvidia/version", "NVRM version: NVIDIA UNIX x86_64 Kernel Module  570.00.01  Release\n")
      .folder("sys/devices/pci0000:00/0000:02:00.0")
      .file("sys/devices/pci0000:00/0000:02:00.0/numa_node", "0\n")
      .file("sys/devices/pci0000:00/0000:02:00.0/current_link_width", "16\n")
      .link("sys/bus/pci/devices/0000:02:00.0", "../../../devices/pci0000:00/0000:02:00.0");
  Host host = read_host(tree.root());
  ASSERT_EQ(host.gpus.size(), 1U);
  EXPECT_EQ(host.gpus[0].pcie_width, 16);
  nvml::add_gpu_facts(host, library(), tree.root());
  ASSERT_EQ(host.gpus.size(), 2U);
  EXPECT_EQ(host.gpus[0].name, "NVIDIA Something");
  EXPECT_EQ(host.gpus[0].uuid, "GPU-66616b65-2047-5055-2064-657669636501");
  EXPECT_EQ(host.gpus[0].pcie_width, 8) << "NVML's counts";
  EXPECT_EQ(host.gpus[0].numa_node, 0);
  EXPECT_EQ(host.gpus[1].uuid, "GPU-66616b65-2047-5055-2064-657669636500");
  EXPECT_EQ(host.gpu_links.value().rows[1], (Row{"SYS", "X"})) << "NVML's way, where /sys has none";
}

constexpr const char* second_gpu = "GPU-66616b65-2047-5055-2064-657669636501";

TEST(OwnGpu, IsFoundByUuid) {
  const auto gpu = nvml::open_gpu(second_gpu, std::nullopt);
  ASSERT_TRUE(gpu);
  EXPECT_EQ(gpu->limits().uuid, second_gpu);
}

TEST(OwnGpu, IsFoundByAddressWithoutItsUuid) {
  const auto gpu = nvml::open_gpu("GPU-of-an-instance", "00000000:02:00.0");
  ASSERT_TRUE(gpu);
  EXPECT_EQ(gpu->limits().uuid, second_gpu);
}

TEST(OwnGpu, IsMissingWithoutLibraryOrGpu) {
  EXPECT_FALSE(nvml::open_gpu("GPU-1", "0000:99:00.0"));
  EXPECT_FALSE(nvml::open_gpu(std::nullopt, std::nullopt));
  const FakeSettings settings(FakeSettings::Values{{"INIT", "9"}});
  EXPECT_FALSE(nvml::open_gpu(second_gpu, std::nullopt));
}

TEST(OwnGpu, OpensNothingUnlessRequested) {
  const int before = opened();
  EXPECT_FALSE(nvml::open_gpu(std::nullopt, std::nullopt));
  EXPECT_EQ(opened(), before);
}

TEST(OwnGpu, HasNoEnergyIfItsCounterGoesBackwards) {
  const auto gpu = nvml::open_gpu(second_gpu, std::nullopt);
  TelemetryMeter meter(gpu.get());
  {
    const FakeSettings settings(FakeSettings::Values{{"ENERGY_MJ", "1000000"}});
    meter.begin_visit();
  }
  const FakeSettings after_a_reload(FakeSettings::Values{{"ENERGY_MJ", "1"}});
  meter.end_visit(7);
  EXPECT_FALSE(meter.summary().energy_J);
  EXPECT_EQ(meter.summary().calls, 7U);
}

TEST(OwnGpu, IsReadByAMeter) {
  const FakeSettings settings(FakeSettings::Values{
      {"REASONS", "0x20"}, {"ENERGY_MJ", "25000"}, {"DRIVER", "535.161.08"}, {"POWER_CAP_NS", "500"}});
  const auto gpu = nvml::open_gpu(second_gpu, std::nullopt);
  TelemetryMeter meter(gpu.get());
  meter.begin_visit();
  meter.end_visit(7);
  const GpuTelemetry t = meter.summary();
  EXPECT_EQ(t.readings, 2U);
  EXPECT_EQ(t.uuid, second_gpu);
  EXPECT_EQ(t.throttled, true);
  EXPECT_EQ(t.nvlink_tx_bytes, 1000U * 1024);
  EXPECT_EQ(t.calls, 7U);
  EXPECT_EQ(t.energy_J, 25);
  EXPECT_DOUBLE_EQ(t.throttle_time_s.at("sw_power_cap"), 500e-9);
  EXPECT_EQ(t.throttle_time_s.at("sync_boost"), 0);
  EXPECT_GT(t.span_s.value(), 0);
  EXPECT_EQ(t.sm_clock_MHz.value().median, 1980);
  EXPECT_EQ(t.nvlinks, 18);
}

BackendFacts on_gpu(bool with_one) {
  if (!with_one) return {};
  return {.libraries = {{"nccl", "2.28.9"}}, .device = "GPU", .device_bus = "0000:1b:00.0", .device_uuid = second_gpu};
}

RunRecord run_on_two_hosts(const Group& group) {
  RunRecord run;
  run.placement.resize(static_cast<std::size_t>(group.size()));
  run.hosts = {{.name = "a"}, {.name = "b"}};
  return run;
}

TEST(DescribeDevices, RunsIfARankMeasuresWithAGpu) {
  run_ranks(4, [](Group& group, Backend&) {
    RunRecord run = run_on_two_hosts(group);
    describe_devices(group, on_gpu(group.rank() == 3), {0, 0, 1, 1}, run);
    EXPECT_TRUE(run.hosts[0].gpus.empty());
    ASSERT_EQ(run.hosts[1].gpus.size(), 2U);
    EXPECT_EQ(run.hosts[1].name, "b");
    EXPECT_EQ(run.hosts[1].gpus[1].uuid, second_gpu);
    EXPECT_EQ(run.hosts[1].gpu_driver, "570.00.01");
    EXPECT_EQ(run.placement[3].device_uuid, second_gpu);
    EXPECT_FALSE(run.placement[0].device);
    EXPECT_EQ(run.method.shared_gpu, false);
    EXPECT_TRUE(run.notes.empty());
  });
}

TEST(DescribeDevices, IsSkippedIfNoRankMeasuresWithAGpu) {
  const int before = opened();
  run_ranks(2, [](Group& group, Backend&) {
    RunRecord run = run_on_two_hosts(group);
    describe_devices(group, {}, {0, 1}, run);
    EXPECT_EQ(run.method.shared_gpu, false);
    EXPECT_TRUE(run.hosts[0].gpus.empty() && run.hosts[1].gpus.empty());
  });
  EXPECT_EQ(opened(), before);
}

TEST(DescribeDevices, ReportsSharedGpus) {
  run_ranks(2, [](Group& group, Backend&) {
    RunRecord run = run_on_two_hosts(group);
    BackendFacts mine = on_gpu(true);
    mine.shared_device = group.rank() == 1;
    describe_devices(group, mine, {0, 0}, run);
    EXPECT_EQ(run.method.shared_gpu, true);
    EXPECT_TRUE(std::ranges::any_of(run.notes, [](const auto& n) { return n.starts_with("ranks share a GPU"); }));
  });
}

TEST(DescribeDevices, ReportsWhyThereAreNone) {
  const FakeSettings settings(FakeSettings::Values{{"INIT", "9"}});
  run_ranks(2, [](Group& group, Backend&) {
    RunRecord run = run_on_two_hosts(group);
    describe_devices(group, on_gpu(group.rank() == 0), {0, 1}, run);
    EXPECT_TRUE(run.hosts[0].gpus.empty());
    ASSERT_EQ(run.notes.size(), 1U);
    EXPECT_TRUE(run.notes[0].starts_with("a: GPUs were not read: ")) << run.notes[0];
  });
}

/// Rank 1 measures with a GPU, the others without.
class WithAGpu final : public ThreadBackend {
 public:
  WithAGpu(Hub& hub, int rank) : ThreadBackend(hub, rank), has_one_(rank == 1) {}
  [[nodiscard]] BackendFacts facts() const override {
    return has_one_ ? BackendFacts{.device_uuid = second_gpu} : BackendFacts{};
  }

 private:
  bool has_one_;
};

TEST(RunnerWithGpus, ReadsEachVisitTwiceAndRecordsARowPerRank) {
  const FakeSettings settings(FakeSettings::Values{{"REASONS", "0x40"}});
  run_ranks<WithAGpu>(2, [](Group& group, Backend& backend) {
    const auto records = measure(group, backend, sizes({8, 1024}, 2), count_of(30), on_one_host(2));
    ASSERT_EQ(records.size(), 2U);
    for (const CaseRecord& r : records) {
      ASSERT_EQ(r.telemetry.size(), 2U);
      EXPECT_FALSE(r.telemetry[0].uuid);
      EXPECT_EQ(r.telemetry[1].uuid, second_gpu);
      EXPECT_EQ(r.telemetry[1].readings, 20U) << "ten rounds";
      EXPECT_EQ(r.telemetry[1].nvlink_tx_bytes, 10 * 1000U * 1024) << "from before to after each visit";
      EXPECT_EQ(r.throttled, true);
    }
  });
}

/// Counts its calls; each rank measures with a GPU.
class Counting final : public ThreadBackend {
 public:
  using ThreadBackend::ThreadBackend;
  [[nodiscard]] BackendFacts facts() const override { return {.device_uuid = second_gpu}; }
  void allreduce(const Call& c) override {
    calls += static_cast<std::uint64_t>(c.repeat);
    ThreadBackend::allreduce(c);
  }
  std::uint64_t calls = 0;
};

TEST(RunnerWithGpus, CountsEveryCallOfTheVisits) {
  run_ranks<Counting>(2, [](Group& group, Backend& backend) {
    auto plan = sizes({8, 1024}, 2, true);
    plan.at(1).cadence = Cadence::streaming;  // samples of many calls, which in place are checked by one more
    const auto records = measure(group, backend, plan, count_of(30), on_one_host(2));
    std::uint64_t calls = 0;
    for (const CaseRecord& r : records) calls += r.telemetry.at(static_cast<std::size_t>(group.rank())).calls.value();
    EXPECT_EQ(calls, dynamic_cast<Counting&>(backend).calls);
    EXPECT_EQ(records.at(1).calls_per_sample, 20);
  });
}

TEST(RunnerWithoutGpus, OpensNothingAndRecordsNothing) {
  const int before = opened();
  run_ranks(2, [](Group& group, Backend& backend) {
    const auto records = measure(group, backend, sizes({8}, 2), count_of(10), on_one_host(2));
    EXPECT_TRUE(records.at(0).telemetry.empty());
    EXPECT_FALSE(records.at(0).throttled);
  });
  EXPECT_EQ(opened(), before);
}

}  // namespace
}  // namespace busbar::test
