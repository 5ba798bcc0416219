// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mutex>
#include <optional>
#include <string>

namespace busbar::nccl_choice {

struct NcclChoice {
  std::string function;   ///< as NCCL calls it: "AllReduce"
  std::string algorithm;  ///< as NCCL_ALGO takes it: ring, tree, collnet_direct, collnet_chain, nvls, nvls_tree, pat
  std::string protocol;   ///< as NCCL_PROTO takes it: ll, ll128, simple
  std::optional<int> channels;  ///< empty where NCCL does not say: before 2.27, and for collnet

  friend bool operator==(const NcclChoice&, const NcclChoice&) = default;
};

/// Keeps what NCCL tells between arm() and take(). NCCL calls from a thread of its own where a communicator is
/// non-blocking.
class Listener {
 public:
  /// A communicator was made. `mask`: NCCL's word, read at each call, of which events it is to tell.
  void opened(int* mask);
  /// A communicator is gone; the mask is left alone after the last one.
  void closed();
  void arm();
  [[nodiscard]] std::optional<NcclChoice> take();
  /// A collective was launched. Texts are NCCL's, null where it gives none; `channels` 0: not known.
  void hear(const char* function, const char* algorithm, const char* protocol, int channels);

 private:
  void set_mask() const;

  std::mutex mutex_;
  int* mask_ = nullptr;
  int communicators_ = 0;
  bool armed_ = false, differ_ = false;
  std::optional<NcclChoice> heard_;
};

/// The one of this shared object. Static because NCCL hands a plug-in no pointer of its caller's: what NCCL's calls and
/// the backend's have in common is the shared object alone.
[[nodiscard]] Listener& listener();

/// Path of this shared object; "" where the loader does not say.
[[nodiscard]] std::string plugin_path();

}  // namespace busbar::nccl_choice
