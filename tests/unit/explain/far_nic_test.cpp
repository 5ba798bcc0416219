// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/explain/made_up.hpp"

namespace busbar::explain::test {
namespace {

TEST(FarNic, NamesAGpuOnTheOtherSocket) {
  busbar::Run run = quiet_run();
  add_gpus(run);
  run.head.hosts[1].gpu_links->rows[1][2] = "SYS";
  const auto findings = apply_rule("far_nic", run);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].title, "1 GPU can reach active network devices only across the link between sockets");
  EXPECT_EQ(findings[0].evidence.at(0), "b: SYS, across the link between NUMA nodes: GPU1 to mlx5_0.");
  EXPECT_EQ(findings[0].where.hosts, std::vector<std::string>{"b"});
}

TEST(FarNic, IgnoresANearDeviceThatIsDown) {
  busbar::Run run = quiet_run();
  add_gpus(run);
  Host& host = run.head.hosts[0];
  host.rdma.push_back({.device = "mlx5_1", .link_layer = "InfiniBand", .state = "DOWN"});
  host.gpu_links->columns.push_back("mlx5_1");
  host.gpu_links->rows = {{"X", "NV18", "NODE", "PIX"}, {"NV18", "X", "NODE", "SYS"}};
  const auto findings = apply_rule("far_nic", run);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_THAT(findings[0].title, HasSubstr("2 GPUs can reach active network devices only across host bridges"));
  host.rdma.back().state = "ACTIVE";
  EXPECT_THAT(text_of(apply_rule("far_nic", run).at(0)), Not(HasSubstr("GPU0")));
}

TEST(FarNic, IsSilentIfANearerDeviceIsPossible) {
  busbar::Run run = quiet_run();
  add_gpus(run);
  EXPECT_THAT(apply_rule("far_nic", run), IsEmpty());
  run.head.hosts[1].gpu_links->rows[1][2] = std::nullopt;  // not known
  EXPECT_THAT(apply_rule("far_nic", run), IsEmpty());
  run.head.hosts[1].gpu_links->rows[1][2] = "SYS";
  run.head.placement[3].device_bus = run.head.placement[2].device_bus;  // no rank uses that GPU
  EXPECT_THAT(apply_rule("far_nic", run), IsEmpty());
  run.head.placement[3].device_bus = "0000:41:00.0";
  run.head.nodes = 1;  // no network is used
  for (CaseRecord& c : run.cases) c.key.nodes = 1;
  EXPECT_THAT(apply_rule("far_nic", run), IsEmpty());
}

}  // namespace
}  // namespace busbar::explain::test
