// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What data-parallel training of a model asks of the network: which gradients, how large, and when they are ready.
namespace busbar {

/// The gradient of one parameter tensor.
struct Gradient {
  std::string name;
  std::uint64_t elements = 0;
  double ready = 0;  ///< share of the backward pass, in floating-point operations, done when it exists: 0 to 1
};

/// The equal blocks of a transformer, from which sizes of activations follow. Gradients of block N are named "N....".
/// Where a block's matrices are divided among ranks, batch * tokens * hidden elements are summed over the ranks behind
/// the layers named here, twice in forward and twice in backward (M. Shoeybi et al.: Megatron-LM, arXiv 1909.08053,
/// 2019, section 3).
struct Blocks {
  int count = 0, hidden = 0, tokens = 0;
  std::vector<std::string> forward_allreduce, backward_allreduce;  ///< names of layers without the block's number
};

struct Model {
  std::string name;
  std::string source;                 ///< where shapes and operation counts are from
  std::string sample = "image";       ///< what a sample is called: "image" or "sequence"
  std::optional<int> image = {};      ///< its height and width in pixels
  double forward_flop = 0;            ///< of one sample, 2 per multiply-add
  double backward_flop = 0;           ///< of one sample
  std::optional<Blocks> blocks = {};  ///< of a transformer
  std::vector<Gradient> gradients;    ///< in the order in which the backward pass makes them ready
};

/// Reads a model file (workloads/models/). Throws UsageError, naming the file and what is wrong.
[[nodiscard]] Model read_model(const std::filesystem::path& path);
/// The same from `text`; `file` is for messages.
[[nodiscard]] Model parse_model(std::string_view text, std::string_view file);

/// Elements of all gradients.
[[nodiscard]] std::uint64_t parameters(const Model& model);

}  // namespace busbar
