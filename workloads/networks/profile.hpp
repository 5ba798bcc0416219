// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Timed events of a training step on one device: enough to replay it (workloads/compute/replay.hpp) without the
/// device. docs/profiles.md describes the files.
namespace busbar {

struct Model;

/// The forward pass through one layer.
struct ForwardEvent {
  std::string layer;
  double us = 0;
  /// Bytes of the whole batch's activations sent forward, and of their gradients sent back, if a pipeline is cut after
  /// this layer; empty: no cut possible.
  std::optional<std::uint64_t> cut_bytes = {};
  /// Bytes summed over ranks after this layer if each layer's matrices are divided among ranks.
  std::optional<std::uint64_t> allreduce_bytes = {};
};

/// A part of one layer's backward pass.
struct BackwardEvent {
  std::string layer;  ///< must have a forward event
  double us = 0;
  std::vector<std::uint64_t> gradients = {};  ///< element counts of the gradients that are final after this event
  std::optional<std::uint64_t> allreduce_bytes = {};
};

/// A training step on one device.
struct Profile {
  std::string model, device, precision;
  int batch = 1;                  ///< samples per step
  std::string sample = "image";   ///< "image" or "sequence"
  std::optional<int> image = {};  ///< height and width in pixels
  std::optional<int> heads = {};  ///< attention heads of a block, for tensor parallelism
  int element_bytes = 4;          ///< per gradient element: 1, 2, 4 or 8
  std::string provenance;         ///< "measured" on the device, or how the times were estimated
  std::string source;             ///< origin of the times
  std::vector<ForwardEvent> forward;
  std::vector<BackwardEvent> backward;
  double optimiser_us = 0;  ///< for all gradients
};

/// Reads a profile. Throws UsageError "FILE:LINE: problem; what is accepted", or "FILE: cannot be read".
[[nodiscard]] Profile read_profile(const std::filesystem::path& path);
/// Same as read_profile() for `text`; `file` is used in messages.
[[nodiscard]] Profile parse_profile(std::string_view text, std::string_view file);
/// Writes a file for read_profile(). Rounds times to 1 ns.
void write_profile(std::ostream& out, const Profile& profile);

/// Assumptions about a device without a profile.
struct UniformDevice {
  std::string name = "uniform";
  std::string precision = "fp16";
  int element_bytes = 2;  ///< per element of gradients and activations: 1, 2, 4 or 8
  double flop_per_s = 0;  ///< same rate for every layer, forward and backward
};

/// Estimates a profile from the model's operation counts at one rate. Rough: ignores memory bandwidth and launch
/// overhead, and the optimiser takes no time. Model files count operations per layer for backward only, so forward time
/// is distributed in the same proportions. Gradients "L.x" and "L.y" belong to layer L. Throws UsageError if batch or
/// rate is out of range.
[[nodiscard]] Profile profile_of(const Model& model, int batch, const UniformDevice& device);

/// One pipeline stage: layers [begin, end) of the forward pass with their share of backward and optimiser. Throws Error
/// unless begin < end and end is within the profile.
[[nodiscard]] Profile part(const Profile& profile, std::size_t begin, std::size_t end);

[[nodiscard]] double forward_s(const Profile& profile);
[[nodiscard]] double backward_s(const Profile& profile);
/// Forward, backward and optimiser, without communication.
[[nodiscard]] double step_s(const Profile& profile);
[[nodiscard]] double samples_per_s(const Profile& profile);
/// Totals over all gradients.
[[nodiscard]] std::uint64_t gradient_elements(const Profile& profile);
[[nodiscard]] std::uint64_t gradient_bytes(const Profile& profile);

}  // namespace busbar
