// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>

/// Data rate of a link after protocol overhead. docs/expected.md has the calculations and their sources.
namespace busbar::expected {

/// One-way data rate of a link, and a description of the overhead deducted.
struct DataRate {
  double GBps = 0;
  std::string overhead;
};

/// TCP over IPv4 on an interface with this raw rate (Gbit/s). Each packet of `mtu` bytes has 38 B around it. Ethernet:
/// preamble 8, header 14, checksum 4, gap 12 (IEEE 802.3). IPoIB: local route header 8, BTH 12, DETH 8, IPoIB 4,
/// checksums 6 (RFC 4391). The packet contains 20 B of IPv4 and 32 B of TCP headers with timestamps, Linux's default
/// (RFC 791, 9293, 7323). Nothing is deducted if the MTU is unknown or below 576.
[[nodiscard]] DataRate tcp(double rate_Gbps, std::optional<int> mtu, std::string_view framing);

/// An InfiniBand port with `rate_Gbps` as reported by the kernel: data rates from EDR on, symbol rates before. Per
/// lane, 14 is FDR (14.0625, 64b/66b); 2.5 and 5 use 8b/10b; 10 is QDR (8b/10b) or FDR10 (64b/66b), so nothing is
/// deducted (rate_show in Linux's drivers/infiniband/core/sysfs.c). Packets carry up to 4096 B and 26 B of headers: LRH
/// 8, BTH 12, checksums 4 and 2 (InfiniBand Architecture Specification, volume 1, 5.2).
[[nodiscard]] DataRate infiniband(double rate_Gbps);

/// RoCE v2 on Ethernet. A packet carries the largest InfiniBand MTU that fits the interface's (iboe_get_mtu in Linux's
/// include/rdma/ib_addr.h), or 4096 B if that is unknown. Overhead is 82 B: Ethernet 38 as above, IPv4 20, UDP 8, BTH
/// 12, checksum 4 (InfiniBand Architecture Specification, annex A17).
[[nodiscard]] DataRate roce(double rate_Gbps, std::optional<int> ethernet_mtu);

/// A PCIe link with `width` lanes; empty for an unknown generation or width. Encoding: 8b/10b in generations 1 and 2,
/// 128b/130b in 3 to 5, 236 of 256 B of a flit in 6. Payload is assumed to be 256 B, common in servers; the record
/// lacks it. Each payload has a 16 B header, and up to generation 5 another 8 B for framing, sequence number and
/// checksum. Sources: PCI Express Base Specification 6.0; Neugebauer et al., Understanding PCIe performance for end
/// host networking, SIGCOMM 2018.
[[nodiscard]] std::optional<DataRate> pcie(int generation, int width);

/// One-way GB/s of one NVLink, by the version NVML reports. Nothing is deducted: NVIDIA publishes no packet format.
/// From NVIDIA's white papers: 1.0 20 GB/s (Pascal P100), 2.0 and 2.2 25 (Volta V100, Turing), 3.0 25 (A100), 4.0 25
/// (H100), 5.0 50 (Blackwell). Empty for others, including 3.1, whose family also has links of 14.0625 (GA102).
[[nodiscard]] std::optional<double> nvlink_GBps(std::string_view version);

}  // namespace busbar::expected
