// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "core/ranks/group.hpp"

namespace busbar {

/// A ring of the ranks of one host: each sleeps until the one before it wakes it. Wakes are datagrams between sockets
/// that the kernel names and removes (unix(7), autobind), so no files are left behind.
class WakeRing {
 public:
  /// Collective over the group. `hosts`: the host of each rank, as numbers.
  WakeRing(Group& group, const std::vector<int>& hosts);
  ~WakeRing();
  WakeRing(const WakeRing&) = delete;
  WakeRing& operator=(const WakeRing&) = delete;

  /// Collective over the group. For `seconds` this rank sleeps until it is woken, and wakes the next rank `rest_s`
  /// later; every second rank begins. Waits at most 20 ms for a wake. A rank that is alone on its host only sleeps.
  /// Returns how often this rank was woken.
  std::uint64_t turn(double seconds, double rest_s) const;

 private:
  /// True if at least one was pending.
  bool drain_wakes() const;
  void wake_next() const;
  std::uint64_t take_turns(std::int64_t until_ns, std::chrono::duration<double> rest) const;

  Group& group_;
  int socket_ = -1;
  std::string next_;  ///< name of the next rank's socket; empty if there is none
  bool begins_ = false;
};

}  // namespace busbar
