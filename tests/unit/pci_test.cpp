// SPDX-License-Identifier: Apache-2.0
#include "core/environment/pci.hpp"

#include <gtest/gtest.h>

#include "tests/unit/made_up_tree.hpp"

namespace busbar::test {
namespace {

using Row = std::vector<std::optional<std::string>>;

/// A PCI device at the end of `way`, as the kernel links it.
void add_device(Tree& tree, const std::string& way, std::optional<int> node = std::nullopt) {
  const std::string address = way.substr(way.rfind('/') + 1);
  tree.folder("sys/devices/" + way).link("sys/bus/pci/devices/" + address, "../../../devices/" + way);
  if (node) tree.file("sys/devices/" + way + "/numa_node", std::to_string(*node) + "\n");
}

void add_gpu(Tree& tree, const std::string& way, std::optional<int> node = std::nullopt) {
  add_device(tree, way, node);
  tree.file("proc/driver/nvidia/gpus/" + way.substr(way.rfind('/') + 1) + "/information", "Model: NVIDIA GPU\n");
}

void add_nic(Tree& tree, const std::string& kind, const std::string& name, const std::string& way) {
  tree.folder("sys/devices/" + way + "/" + kind + "/" + name)
      .link("sys/class/" + kind + "/" + name, "../../devices/" + way + "/" + kind + "/" + name);
}

/// Half a node as servers of eight GPUs have it: a switch with two GPUs and an adapter of two functions, a second
/// switch behind the same root port, another root port, another socket.
void make_server(Tree& tree) {
  const std::string a = "pci0000:15/0000:15:01.0/0000:16:00.0/";
  add_gpu(tree, a + "0000:17:00.0/0000:18:00.0", 0);
  add_gpu(tree, a + "0000:17:01.0/0000:19:00.0", 0);
  add_gpu(tree, a + "0000:17:03.0/0000:1c:00.0/0000:1d:00.0/0000:1e:00.0", 0);
  add_gpu(tree, "pci0000:15/0000:15:05.0/0000:40:00.0", 0);
  add_gpu(tree, "pci0000:37/0000:37:01.0/0000:38:00.0", 0);
  add_gpu(tree, "pci0000:97/0000:97:01.0/0000:98:00.0", 1);
  add_device(tree, a + "0000:17:02.0/0000:1a:00.0", 0);
  add_device(tree, a + "0000:17:02.0/0000:1a:00.1", 0);
  add_device(tree, "pci0000:97/0000:97:02.0/0000:99:00.0", 1);
  add_nic(tree, "infiniband", "mlx5_0", a + "0000:17:02.0/0000:1a:00.0");
  add_nic(tree, "net", "ib0", a + "0000:17:02.0/0000:1a:00.0");
  add_nic(tree, "net", "eth1", a + "0000:17:02.0/0000:1a:00.1");
  add_nic(tree, "net", "eth0", "pci0000:97/0000:97:02.0/0000:99:00.0/virtio0");
  tree.folder("sys/devices/virtual/net/lo").link("sys/class/net/lo", "../../devices/virtual/net/lo");
  tree.file("sys/devices/system/node/online", "0-1\n");
}

TEST(PciAddress, HasTheKernelsFormat) {
  EXPECT_EQ(facts::pci_address("00000000:1B:00.0"), "0000:1b:00.0");
  EXPECT_EQ(facts::pci_address("0000:1b:00.1"), "0000:1b:00.1");
  EXPECT_EQ(facts::pci_address("10000:01:1f.7"), "10000:01:1f.7");
  for (const char* wrong : {"", "1b:00.0", "0000:1b:00", "0000:1b:00.8", "0000:1b:20.0", "0000:1bb:00.0", "gpu:1b:00.0",
                            "0000:1b:00.0:0", "pci0000:15", "virtio0"})
    EXPECT_FALSE(facts::pci_address(wrong)) << wrong;
}

TEST(GpuLinks, UseTheWordsOfNvidiaSmiTopo) {
  Tree tree;
  make_server(tree);
  const auto links = read_host(tree.root()).gpu_links;
  ASSERT_TRUE(links);
  EXPECT_EQ(links->columns,
            (std::vector<std::string>{"GPU0", "GPU1", "GPU2", "GPU3", "GPU4", "GPU5", "mlx5_0", "eth0", "eth1"}));
  ASSERT_EQ(links->rows.size(), 6U);
  EXPECT_EQ(links->rows[0], (Row{"X", "PIX", "PXB", "NODE", "PHB", "SYS", "PIX", "SYS", "PIX"}));
  EXPECT_EQ(links->rows[2], (Row{"PXB", "PXB", "X", "NODE", "PHB", "SYS", "PXB", "SYS", "PXB"}));
  EXPECT_EQ(links->rows[5], (Row{"SYS", "SYS", "SYS", "SYS", "SYS", "X", "SYS", "PHB", "SYS"}));
}

TEST(GpuLinks, PassTheHostBridgeOnAFlatVirtualMachine) {
  Tree tree;
  add_gpu(tree, "pci0000:00/0000:00:05.0", -1);
  add_gpu(tree, "pci0000:00/0000:00:06.0", -1);
  const Host host = read_host(tree.root());
  EXPECT_EQ(host.gpu_links.value().rows[0], (Row{"X", "PHB"}));
  EXPECT_FALSE(host.gpus[0].numa_node);
}

TEST(GpuLinks, AreUnknownIfTheNodesOfBridgesAre) {
  Tree tree;
  add_gpu(tree, "pci0001:00/0001:00:00.0", -1);
  add_gpu(tree, "pci0002:00/0002:00:00.0", -1);
  EXPECT_EQ(read_host(tree.root()).gpu_links.value().rows[0], (Row{"X", std::nullopt}));
  tree.file("sys/devices/system/node/online", "0\n");
  EXPECT_EQ(read_host(tree.root()).gpu_links.value().rows[0], (Row{"X", "NODE"}));
}

TEST(GpuLinks, NeedGpusAndSys) {
  Tree tree;
  add_device(tree, "pci0000:00/0000:00:05.0", 0);
  EXPECT_FALSE(read_host(tree.root()).gpu_links);
  Tree no_sys;
  no_sys.file("proc/driver/nvidia/gpus/0000:1b:00.0/information", "Model: NVIDIA GPU\n");
  EXPECT_FALSE(read_host(no_sys.root()).gpu_links);
}

TEST(GpuLinks, AreUnknownForGpusMissingInSys) {
  Tree tree;
  make_server(tree);
  tree.file("proc/driver/nvidia/gpus/0000:ee:00.0/information", "Model: NVIDIA GPU\n");
  const auto links = read_host(tree.root()).gpu_links;
  EXPECT_EQ(links.value().rows.back()[6], "X");
  EXPECT_FALSE(links->rows.back()[0]);
  EXPECT_FALSE(links->rows[0][6]);
}

TEST(PciFacts, GiveLinkAndNode) {
  Tree tree;
  add_gpu(tree, "pci0000:37/0000:37:01.0/0000:38:00.0", 1);
  const fs::path device = "sys/devices/pci0000:37/0000:37:01.0/0000:38:00.0";
  tree.file(device / "current_link_speed", "2.5 GT/s PCIe\n")
      .file(device / "max_link_speed", "32.0 GT/s PCIe\n")
      .file(device / "current_link_width", "8\n")
      .file(device / "max_link_width", "16\n");
  const Gpu gpu = read_host(tree.root()).gpus.at(0);
  EXPECT_EQ(gpu.pcie_gen, 1);
  EXPECT_EQ(gpu.pcie_gen_max, 5);
  EXPECT_EQ(gpu.pcie_width, 8);
  EXPECT_EQ(gpu.pcie_width_max, 16);
  EXPECT_EQ(gpu.numa_node, 1);
  EXPECT_FALSE(gpu.mig || gpu.virtualisation || gpu.memory_bytes || gpu.nvlinks);
}

TEST(PciFacts, AreEmptyOnOddFiles) {
  Tree tree;
  add_gpu(tree, "pci0000:37/0000:38:00.0");
  const fs::path device = "sys/devices/pci0000:37/0000:38:00.0";
  tree.file(device / "current_link_speed", "Unknown\n")
      .file(device / "max_link_speed", "3.1 GT/s PCIe\n")
      .file(device / "current_link_width", "0\n")
      .file(device / "max_link_width", "255\n")
      .file(device / "numa_node", "many\n");
  const Gpu gpu = read_host(tree.root()).gpus.at(0);
  EXPECT_FALSE(gpu.pcie_gen || gpu.pcie_gen_max || gpu.pcie_width || gpu.pcie_width_max || gpu.numa_node);
}

/// Configuration space of 4 KiB with these extended capabilities, one behind the other from 0x100 on.
struct Capability {
  std::uint16_t id, control;
};
std::string config(std::initializer_list<Capability> capabilities) {
  std::string space(4096, '\0');
  const auto put = [&](std::size_t at, std::uint32_t value, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) space[at + i] = static_cast<char>(value >> (8 * i) & 0xFF);
  };
  std::size_t at = 0x100, left = capabilities.size();
  for (const auto& [id, control] : capabilities) {
    const std::size_t next = --left > 0 ? at + 0x40 : 0;
    put(at, static_cast<std::uint32_t>(id | 1U << 16 | next << 20), 4);
    put(at + 6, control, 2);
    at = next;
  }
  return space;
}

constexpr std::uint16_t advanced_errors = 0x01, acs = 0x0D, ats = 0x0F;

/// A GPU behind two bridges, and an RDMA device behind one of them.
void make_switch(Tree& tree, const std::string& root_port, const std::string& switch_port, const std::string& gpu) {
  const std::string way = "pci0000:15/0000:15:01.0/0000:17:00.0/";
  add_gpu(tree, way + "0000:18:00.0");
  add_device(tree, "pci0000:15/0000:15:01.0");
  add_device(tree, "pci0000:15/0000:15:01.0/0000:17:00.0");
  const fs::path devices = "sys/devices/pci0000:15";
  tree.file(devices / "0000:15:01.0/config", root_port)
      .file(devices / "0000:15:01.0/0000:17:00.0/config", switch_port)
      .file(devices / "0000:15:01.0/0000:17:00.0/0000:18:00.0/config", gpu);
}

TEST(PciCapabilities, ReadAtsFromTheEnableBit) {
  Tree on;
  make_switch(on, config({}), config({}), config({{advanced_errors, 0xFFFF}, {ats, 0x8000}}));
  EXPECT_EQ(read_host(on.root()).gpus.at(0).ats, true);
  Tree off;
  make_switch(off, config({}), config({}), config({{ats, 0x001F}}));
  EXPECT_EQ(read_host(off.root()).gpus.at(0).ats, false);
  Tree without;
  make_switch(without, config({}), config({}), config({{advanced_errors, 0xFFFF}}));
  EXPECT_EQ(read_host(without.root()).gpus.at(0).ats, false);
}

TEST(PciCapabilities, CheckAllBridgesAboveForRedirects) {
  const auto redirect = [](const std::string& root_port, const std::string& switch_port) {
    Tree tree;
    make_switch(tree, root_port, switch_port, config({{acs, 0x1D}}));  // the device itself is no bridge
    return read_host(tree.root()).gpus.at(0).acs_redirect;
  };
  const std::string open = config({{advanced_errors, 0xFFFF}, {acs, 0x0011}});  // source validation, forwarding
  const std::string root_only = config({}).substr(0, 64);
  EXPECT_EQ(redirect(open, open), false);
  EXPECT_EQ(redirect(config({}), open), false);
  for (const std::uint16_t bit : std::initializer_list<std::uint16_t>{0x04, 0x08, 0x20}) {
    EXPECT_EQ(redirect(config({{advanced_errors, 0}, {acs, bit}}), open), true) << bit;
    EXPECT_EQ(redirect(open, config({{acs, bit}})), true) << bit;
    EXPECT_EQ(redirect(root_only, config({{acs, bit}})), true) << bit;
  }
  EXPECT_FALSE(redirect(root_only, open));
}

TEST(PciCapabilities, AreUnknownToUsersOtherThanRoot) {
  Tree tree;
  const std::string shown = config({{ats, 0x8000}}).substr(0, 64);
  make_switch(tree, shown, shown, shown);
  const Gpu gpu = read_host(tree.root()).gpus.at(0);
  EXPECT_FALSE(gpu.ats || gpu.acs_redirect);
}

TEST(PciCapabilities, LeaveRedirectsUnknownWithoutABridge) {
  Tree tree;
  add_gpu(tree, "pci0000:00/0000:00:05.0");
  tree.file("sys/devices/pci0000:00/0000:00:05.0/config", config({{ats, 0}}));
  const Gpu gpu = read_host(tree.root()).gpus.at(0);
  EXPECT_EQ(gpu.ats, false);
  EXPECT_FALSE(gpu.acs_redirect);
}

TEST(PciCapabilities, EndAtOddLists) {
  std::string loop = config({{advanced_errors, 0}});
  loop[0x102] = 0x01, loop[0x103] = 0x10;  // the next one is at 0x100
  std::string last = config({{advanced_errors, 0}});
  last[0x102] = static_cast<char>(0xC1), last[0x103] = static_cast<char>(0xFF);  // at 0xFFC: no room for it
  last[0xFFC] = ats;
  for (const std::string& odd : {loop, last, std::string(4096, '\xFF')}) {
    Tree tree;
    make_switch(tree, odd, odd, odd);
    const Gpu gpu = read_host(tree.root()).gpus.at(0);
    EXPECT_EQ(gpu.ats, false);
    EXPECT_EQ(gpu.acs_redirect, false);
  }
}

TEST(PciCapabilities, CoverRdmaPorts) {
  Tree tree;
  make_switch(tree, config({}), config({{acs, 0x04}}), config({}));
  const std::string way = "pci0000:15/0000:15:01.0/0000:17:00.0/0000:1a:00.0";
  add_device(tree, way);
  add_nic(tree, "infiniband", "mlx5_0", way);
  tree.file("sys/devices/" + way + "/config", config({{ats, 0x8000}}))
      .folder("sys/devices/" + way + "/infiniband/mlx5_0/ports/1");
  const RdmaPort port = read_host(tree.root()).rdma.at(0);
  EXPECT_EQ(port.ats, true);
  EXPECT_EQ(port.acs_redirect, true);
}

TEST(Iommu, ListsTheTypesOfItsGroups) {
  Tree tree;
  EXPECT_FALSE(read_host(tree.root()).iommu);
  tree.folder("sys/kernel/iommu_groups");
  EXPECT_EQ(read_host(tree.root()).iommu, "none");
  tree.folder("sys/kernel/iommu_groups/0");
  EXPECT_EQ(read_host(tree.root()).iommu, "unknown type");
  tree.file("sys/kernel/iommu_groups/0/type", "identity\n").file("sys/kernel/iommu_groups/1/type", "DMA-FQ\n");
  EXPECT_EQ(read_host(tree.root()).iommu, "DMA-FQ, identity");
  tree.file("sys/kernel/iommu_groups/0/type", "DMA-FQ\n");
  EXPECT_EQ(read_host(tree.root()).iommu, "DMA-FQ");
}

}  // namespace
}  // namespace busbar::test
