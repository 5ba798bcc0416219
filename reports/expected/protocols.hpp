// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>

/// How much of a link's rate is left for data, computed from what the protocol puts around it. docs/expected.md has the
/// sums and their sources.
namespace busbar::expected {

/// What a link carries in one direction, and in words what was taken off its raw rate.
struct DataRate {
  double GBps = 0;
  std::string overhead;
};

/// TCP over IPv4 on an interface of this raw rate (Gbit/s). Around each packet of `mtu` bytes lie 38 B: on Ethernet
/// preamble 8, header 14, checksum 4, gap 12 (IEEE 802.3); with IPoIB local route header 8, BTH 12, DETH 8, IPoIB 4 and
/// checksums 6 (RFC 4391). In it lie IPv4's 20 B and TCP's 20 B with time stamps' 12 B (RFC 791, 9293, 7323), which
/// Linux sends by default. An MTU that is not known, or too small to be one: nothing is taken off.
[[nodiscard]] DataRate tcp(double rate_Gbps, std::optional<int> mtu, std::string_view framing);

/// An InfiniBand port whose rate is `rate_Gbps` as the kernel names it. Its names count data from EDR on and symbols
/// before: 14 a lane is FDR's 14.0625 of 64b/66b, 2.5 and 5 are 8b/10b, 10 is QDR of 8b/10b or FDR10 of 64b/66b
/// and nothing is taken off (rate_show of Linux' drivers/infiniband/core/sysfs.c). Each packet carries 4096 B at most
/// and 26 B of headers: LRH 8, BTH 12, checksums 4 and 2 (InfiniBand Architecture Specification, volume 1, 5.2).
[[nodiscard]] DataRate infiniband(double rate_Gbps);

/// RoCE version 2 on Ethernet. A packet carries the largest InfiniBand MTU that fits into the interface's (iboe_get_mtu
/// of Linux' include/rdma/ib_addr.h; 4096 B where the MTU is not known) and 82 B: Ethernet 38 as above, IPv4 20, UDP 8,
/// BTH 12, checksum 4 (InfiniBand Architecture Specification, annex A17).
[[nodiscard]] DataRate roce(double rate_Gbps, std::optional<int> ethernet_mtu);

/// A PCIe link of so many lanes. Encoding: 8b/10b in generations 1 and 2, 128b/130b in 3 to 5, 236 of 256 B of a flit
/// in 6. Around each payload of 256 B, which is assumed (the record does not have it; most servers use it): header 16
/// B, and up to generation 5 framing, sequence number and checksum 8 B (PCI Express Base Specification 6.0; Neugebauer
/// et al., Understanding PCIe performance for end host networking, SIGCOMM 2018). Empty: no such generation or width.
[[nodiscard]] std::optional<DataRate> pcie(int generation, int width);

/// One NVLink of this version, as NVML names it, in one direction. NVIDIA publishes no packet format, so nothing is
/// taken off. NVIDIA's white papers: 1.0 20 GB/s (Pascal P100), 2.0 and 2.2 25 (Volta V100, Turing), 3.0 25 (A100), 4.0
/// 25 (H100), 5.0 50 (Blackwell). Empty for others; for 3.1 as well, since links of this family are also 14.0625
/// (GA102).
[[nodiscard]] std::optional<double> nvlink_GBps(std::string_view version);

}  // namespace busbar::expected
