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

/// What one device does in a training step, and when: enough to replay it (workloads/compute/replay.hpp) on a machine
/// that has no such device. docs/profiles.md describes the files.
namespace busbar {

struct Model;

/// The forward pass through one layer.
struct ForwardEvent {
  std::string layer;
  double us = 0;
  /// Bytes of activations of the whole batch that cross here, and their gradients on the way back, if a pipeline is
  /// cut behind this layer; empty: it cannot be cut here.
  std::optional<std::uint64_t> cut_bytes = {};
  /// Bytes that are summed over ranks behind this layer if each layer's matrices are divided among them.
  std::optional<std::uint64_t> allreduce_bytes = {};
};

/// A part of the backward pass through one layer.
struct BackwardEvent {
  std::string layer;  ///< one that has a forward event
  double us = 0;
  std::vector<std::uint64_t> gradients = {};  ///< elements of each gradient that is final when this is over
  std::optional<std::uint64_t> allreduce_bytes = {};
};

/// A training step on one device.
struct Profile {
  std::string model, device, precision;
  int batch = 1;                  ///< samples in a step
  std::string sample = "image";   ///< what a sample is called: "image" or "sequence"
  std::optional<int> image = {};  ///< height and width of an image, in pixels
  int element_bytes = 4;          ///< of a gradient: 1, 2, 4 or 8
  std::string provenance;         ///< "measured" on the device, or how else the times were come by
  std::string source;             ///< where they are from
  std::vector<ForwardEvent> forward;
  std::vector<BackwardEvent> backward;
  double optimiser_us = 0;  ///< for all gradients
};

/// Reads a profile. Throws UsageError "FILE:LINE: what is wrong; what would be accepted", or "FILE: cannot be read".
[[nodiscard]] Profile read_profile(const std::filesystem::path& path);
/// The same from `text`; `file` is for messages.
[[nodiscard]] Profile parse_profile(std::string_view text, std::string_view file);
/// As read_profile() takes it; times are rounded to 1 ns.
void write_profile(std::ostream& out, const Profile& profile);

/// What is assumed of a device for which there is no profile.
struct UniformDevice {
  std::string name = "uniform";
  std::string precision = "fp16";
  int element_bytes = 2;  ///< of gradients and activations: 1, 2, 4 or 8
  double flop_per_s = 0;  ///< of every layer, forward and backward
};

/// The model's operation counts at one rate. Rough: memory bandwidth and start-up times are left out, the optimiser
/// takes no time, and forward is spread over the layers as backward is, since model files count operations by layer for
/// backward alone. Gradients "L.x" and "L.y" are of one layer, L. Throws UsageError for a batch or rate that makes no
/// step.
[[nodiscard]] Profile profile_of(const Model& model, int batch, const UniformDevice& device);

/// Layers [begin, end) of the forward pass, and their part of backward and of the optimiser: a stage of a pipeline.
/// Throws Error unless begin < end and all are layers of the profile.
[[nodiscard]] Profile part(const Profile& profile, std::size_t begin, std::size_t end);

[[nodiscard]] double forward_s(const Profile& profile);
[[nodiscard]] double backward_s(const Profile& profile);
/// Forward, backward and optimiser, with nothing communicated.
[[nodiscard]] double step_s(const Profile& profile);
[[nodiscard]] double samples_per_s(const Profile& profile);
/// Of all gradients.
[[nodiscard]] std::uint64_t gradient_elements(const Profile& profile);
[[nodiscard]] std::uint64_t gradient_bytes(const Profile& profile);

}  // namespace busbar
