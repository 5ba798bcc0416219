// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mutex>
#include <optional>
#include <string>

namespace busbar::nccl_choice {

struct NcclChoice {
  std::string function;         ///< NCCL's name: "AllReduce"
  std::string algorithm;        ///< value of NCCL_ALGO: ring, tree, collnet_direct, collnet_chain, nvls, nvls_tree, pat
  std::string protocol;         ///< value of NCCL_PROTO: ll, ll128, simple
  std::optional<int> channels;  ///< empty if NCCL does not report it: before 2.27, and for collnet

  friend bool operator==(const NcclChoice&, const NcclChoice&) = default;
};

/// Collects NCCL's reports between arm() and take_choice(). Thread-safe: with non-blocking communicators, another
/// thread reports.
class Listener {
 public:
  /// A communicator was created. `mask`: NCCL's event mask, which it reads at each call.
  void opened(int* mask);
  /// A communicator was destroyed. After the last one the mask is no longer written.
  void closed();
  void arm();
  [[nodiscard]] std::optional<NcclChoice> take_choice();
  /// A collective was launched. Texts are NCCL's and may be null; `channels` 0: unknown.
  void hear(const char* function, const char* algorithm, const char* protocol, int channels);

 private:
  void set_mask() const;

  std::mutex mutex_;
  int* mask_ = nullptr;
  int communicators_ = 0;
  bool armed_ = false, differ_ = false;
  std::optional<NcclChoice> heard_;
};

/// The listener of this shared object. Static because NCCL passes no caller's pointer to a plug-in: only the shared
/// object connects NCCL's calls with the backend's.
[[nodiscard]] Listener& listener();

/// Path of this shared object; "" if the loader does not know it.
[[nodiscard]] std::string plugin_path();

}  // namespace busbar::nccl_choice
