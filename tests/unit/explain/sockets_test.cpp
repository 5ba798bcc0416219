// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/explain/made_up.hpp"

namespace busbar::explain::test {
namespace {

using Variables = std::map<std::string, std::string>;

std::vector<Finding> with(busbar::Run run, Variables variables) {
  run.head.environment = std::move(variables);
  return apply_rule("sockets", run);
}

Run nccl_run() {
  busbar::Run run = quiet_run();
  add_gpus(run);
  for (CaseRecord& c : run.cases) set_bandwidth(c, *c.time_s / 2, 1.5);  // near what the port carries
  return run;
}

TEST(Sockets, AreKnownByNcclsSettings) {
  const auto findings = with(nccl_run(), {{"NCCL_NET", "Socket"}});
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].certainty, Certainty::known);
  EXPECT_EQ(findings[0].title, "nodes communicate over TCP sockets although RDMA ports are up");
  EXPECT_THAT(text_of(findings[0]), HasSubstr("NCCL_NET=Socket"));
  EXPECT_THAT(text_of(findings[0]), HasSubstr("Active RDMA ports on 2 hosts: mlx5_0 port 1 (InfiniBand, 200 Gbit/s)."));
}

TEST(Sockets, AreLikelyWithoutInfiniBandOrPlugIn) {
  const auto findings = with(nccl_run(), {{"NCCL_IB_DISABLE", "1"}});
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].certainty, Certainty::likely);
  EXPECT_THAT(with(nccl_run(), {{"NCCL_IB_DISABLE", "1"}, {"NCCL_NET", "AWS Libfabric"}}), IsEmpty());
  EXPECT_THAT(with(nccl_run(), {{"NCCL_IB_DISABLE", "1"}, {"FI_PROVIDER", "cxi"}}), IsEmpty());
  EXPECT_THAT(with(nccl_run(), {{"NCCL_IB_DISABLE", "1"}, {"NCCL_NET_PLUGIN", "aws"}}), IsEmpty());
  EXPECT_THAT(with(nccl_run(), {{"NCCL_IB_DISABLE", "1"}, {"NCCL_NET_PLUGIN", "none"}}), SizeIs(1));
  EXPECT_THAT(with(nccl_run(), {{"NCCL_IB_DISABLE", "0"}}), IsEmpty());
}

TEST(Sockets, AreKnownByOpenMpisSettings) {
  const auto certainty = [](Variables variables) { return with(quiet_run(), std::move(variables)).at(0).certainty; };
  EXPECT_EQ(certainty({{"OMPI_MCA_pml", "ob1"}, {"OMPI_MCA_btl", "tcp,self,vader"}}), Certainty::known);
  EXPECT_EQ(certainty({{"OMPI_MCA_btl", "tcp,self"}}), Certainty::possible);
  EXPECT_EQ(certainty({{"OMPI_MCA_pml", "ucx"}, {"UCX_TLS", "tcp,self,sm"}}), Certainty::known);
  EXPECT_EQ(certainty({{"UCX_TLS", "tcp,self"}}), Certainty::likely);
  EXPECT_THAT(with(quiet_run(), {{"OMPI_MCA_pml", "ucx"}, {"OMPI_MCA_btl", "tcp,self"}}), IsEmpty());
  EXPECT_THAT(with(quiet_run(), {{"OMPI_MCA_btl", "^tcp"}}), IsEmpty());
  EXPECT_THAT(with(quiet_run(), {{"OMPI_MCA_pml", "ob1"}, {"OMPI_MCA_btl", "tcp,openib,self"}}), IsEmpty());
  EXPECT_THAT(with(quiet_run(), {{"UCX_TLS", "rc_x,tcp,self"}}), IsEmpty());
  EXPECT_THAT(with(quiet_run(), {{"UCX_TLS", "tcp,something_new"}}), IsEmpty());
  EXPECT_THAT(with(quiet_run(), {{"UCX_TLS", "self,sm"}}), IsEmpty());
  EXPECT_THAT(with(quiet_run(), {{"NCCL_NET", "Socket"}}), IsEmpty()) << "a setting of NCCL says nothing of MPI";
}

TEST(Sockets, ArePossibleAtLowBandwidthOfNccl) {
  busbar::Run run = nccl_run();
  for (CaseRecord& c : run.cases) set_bandwidth(c, *c.time_s * 40, 1.5);
  const auto findings = with(run, {});
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].certainty, Certainty::possible);
  EXPECT_THAT(text_of(findings[0]), HasSubstr("GB/s of a host's active RDMA ports"));
  EXPECT_THAT(text_of(findings[0]), HasSubstr("below the 1.25 GB/s of its Ethernet"));
  run.cases.resize(10);  // small sizes say nothing of bandwidth
  EXPECT_THAT(with(run, {}), IsEmpty());
}

TEST(Sockets, AreIgnoredInsideANodeOrWithoutRdma) {
  busbar::Run run = nccl_run();
  for (Host& host : run.head.hosts) host.rdma[0].state = "DOWN";
  EXPECT_THAT(with(run, {{"NCCL_NET", "Socket"}}), IsEmpty());
  run = nccl_run();
  run.head.nodes = 1;
  for (CaseRecord& c : run.cases) c.key.nodes = 1;
  EXPECT_THAT(with(run, {{"NCCL_NET", "Socket"}}), IsEmpty());
  EXPECT_THAT(with(nccl_run(), {}), IsEmpty());
  EXPECT_THAT(with(quiet_run(), {}), IsEmpty());
  EXPECT_FALSE(try_find<Rule>("sockets")->has_data(imported_run(smooth_s, smooth_s)));
}

}  // namespace
}  // namespace busbar::explain::test
