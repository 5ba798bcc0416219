// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "core/ranks/group.hpp"

namespace busbar {

/// The ranks of one host in a ring in which each sleeps until the one before it wakes it. The wakes are datagrams
/// between sockets whose names the kernel makes up and forgets (unix(7), autobind): nothing is left behind.
class WakeRing {
 public:
  /// Collective. `hosts`: the host of each rank, as numbers.
  WakeRing(Group& group, const std::vector<int>& hosts);
  ~WakeRing();
  WakeRing(const WakeRing&) = delete;
  WakeRing& operator=(const WakeRing&) = delete;

  /// Collective. For `seconds` this rank sleeps, is woken, and `rest_s` later wakes the next; every second rank begins.
  /// A wake that does not come within 20 ms is not waited for. A rank that is alone on its host only sleeps. Gives how
  /// often this rank was woken.
  std::uint64_t turn(double seconds, double rest_s) const;

 private:
  /// True if there was one.
  bool take_wakes() const;
  void wake_next() const;
  std::uint64_t take_turns(std::int64_t until_ns, std::chrono::duration<double> rest) const;

  Group& group_;
  int socket_ = -1;
  std::string next_;  ///< name of the next rank's socket; empty: there is none
  bool begins_ = false;
};

}  // namespace busbar
