// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string_view>

/// Finds identifiers that name one machine worldwide, by their form.
namespace busbar {

struct Identifier {
  std::string_view kind;  ///< gpu, mig, uuid, mac, guid, addr or hosts
  std::size_t length = 0;
};

/// The identifier that begins at `text[at]`, if any. Recognised:
///  - UUIDs (RFC 9562): "GPU-...", "MIG-...", "MIG-GPU-..." as NVML writes them, and bare ones;
///  - hardware addresses: six or more groups of two digits, separated by : or -;
///  - InfiniBand GUIDs: four groups of four digits as in /sys, or 0x and sixteen digits; GIDs look like IPv6 addresses;
///  - IPv4 and IPv6 addresses, except loopback and unspecified ones (127.*, ::1, 0.0.0.0, ::);
///  - node lists as Slurm writes them: "node[01-04,07]".
/// Not recognised: PCI addresses, times, dates, and versions of three numbers.
[[nodiscard]] std::optional<Identifier> identifier_at(std::string_view text, std::size_t at);

}  // namespace busbar
