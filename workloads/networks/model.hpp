// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Requirements of data-parallel training: which gradients a model has, how large, and when they are ready.
namespace busbar {

struct Network;

/// The gradient of one parameter tensor.
struct Gradient {
  std::string name;
  std::uint64_t elements = 0;
  double ready = 0;  ///< fraction of backward's floating-point operations done when the gradient is ready: 0 to 1
};

/// Identical transformer blocks, which determine activation sizes. Gradients of block N are named "N....". If matrices
/// are divided among ranks, batch * tokens * hidden elements are summed over the ranks after the layers named here:
/// twice in forward and twice in backward (M. Shoeybi et al.: Megatron-LM, arXiv 1909.08053, 2019, section 3).
struct Blocks {
  int count = 0, hidden = 0, tokens = 0;
  std::optional<int> heads = {};                                   ///< of attention, which ranks can share equally
  std::vector<std::string> forward_allreduce, backward_allreduce;  ///< layer names without the block number
};

struct Model {
  std::string name;
  std::string source;                 ///< of shapes and operation counts
  std::string sample = "image";       ///< "image" or "sequence"
  std::optional<int> image = {};      ///< height and width in pixels
  double forward_flop = 0;            ///< per sample, 2 per multiply-add
  double backward_flop = 0;           ///< per sample
  std::optional<Blocks> blocks = {};  ///< transformers only
  std::vector<Gradient> gradients;    ///< in the order in which backward produces them
};

/// Reads a model file (workloads/models/). Throws UsageError that names the file and the problem.
[[nodiscard]] Model read_model(const std::filesystem::path& path);
/// Same as read_model() for `text`; `file` is used in messages.
[[nodiscard]] Model parse_model(std::string_view text, std::string_view file);

/// Gradients of a network's parameters in the order in which backward produces them, ready by the operations of
/// backward; layers of which no operations are counted (norms) take no time.
[[nodiscard]] std::vector<Gradient> gradients_in_order(const Network& network);

/// Total elements of all gradients.
[[nodiscard]] std::uint64_t parameters(const Model& model);

}  // namespace busbar
