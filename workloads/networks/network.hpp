// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Convolutional networks as data: layers in forward order. An engine (workloads/compute/compute.hpp) executes them.
namespace busbar {

/// Shape of one image's activations. A vector has height and width 1.
struct Shape {
  int channels = 0, height = 1, width = 1;
  [[nodiscard]] std::uint64_t elements() const {
    return static_cast<std::uint64_t>(channels) * static_cast<std::uint64_t>(height) *
           static_cast<std::uint64_t>(width);
  }
  bool operator==(const Shape&) const = default;
};

enum class LayerKind { convolution, norm, add, max_pool, average_pool, linear };
inline constexpr std::size_t layer_kinds = 6;
[[nodiscard]] std::string_view name(LayerKind);

/// Which library computes batch norm on a GPU. A plan of cuDNN counts only if its results match ours.
enum class NormLibrary {
  own,       ///< our kernels
  cudnn,     ///< cuDNN's norms where it has a plan; else ours
  genstats,  ///< our kernels, with sums that cuDNN's convolutions make on the way (GENSTATS) where it has a plan
  fastest,   ///< the fastest of these, timed on the layer's data
};
[[nodiscard]] constexpr auto words_of(NormLibrary) {
  return std::to_array<std::string_view>({"own", "cudnn", "genstats", "fastest"});
}

struct Layer {
  LayerKind kind = LayerKind::convolution;
  std::string name;
  int from = -1;                        ///< index of the input layer; -1: the images
  int second = -1;                      ///< add: the other summand
  int kernel = 1, stride = 1, pad = 0;  ///< convolution and pools; square
  bool relu = false;                    ///< norm, add: apply max(0, x) to the output
  Shape in, out;
};

/// A trained parameter; each has one gradient.
struct Parameter {
  std::string name;
  int layer = 0;  ///< index
  std::uint64_t elements = 0;
};

struct Network {
  std::string name;
  Shape image;
  std::vector<Layer> layers;  ///< the last one computes one score per class

  [[nodiscard]] int classes() const { return layers.back().out.channels; }
  /// In layer order, as torchvision registers them; backward produces gradients in reverse order.
  [[nodiscard]] std::vector<Parameter> parameters() const;
  /// Floating-point operations per image of convolutions and linear layers, 2 per multiply-add. The gradient of the
  /// images is not computed and not counted.
  [[nodiscard]] double forward_flop(const Layer&) const;
  [[nodiscard]] double backward_flop(const Layer&) const;
  [[nodiscard]] double step_flop() const;
};

/// Appends layers and tracks their shapes. Each method returns the new layer's index; `from` is such an index, or -1
/// for the images.
class NetworkBuilder {
 public:
  NetworkBuilder(std::string name, Shape image);
  int convolution(const std::string& name, int from, int channels, int kernel,
                  int stride = 1);                          ///< padded by kernel / 2
  int norm(const std::string& name, int from, bool relu);   ///< batch norm
  int add(const std::string& name, int first, int second);  ///< followed by ReLU; shapes must match
  int max_pool(const std::string& name, int from, int kernel, int stride, int pad);
  int average_pool(const std::string& name, int from);  ///< over the whole image
  int linear(const std::string& name, int from, int outputs);
  [[nodiscard]] Network finish() && { return std::move(network_); }

 private:
  int append(Layer layer);
  int slide(LayerKind kind, const std::string& name, int from, int channels, int kernel, int stride, int pad);
  [[nodiscard]] Shape shape_of(int layer) const;
  Network network_;
};

/// ResNet v1.5 with 18, 34, 50, 101 or 152 layers (K. He et al.: Deep Residual Learning for Image Recognition, CVPR
/// 2016; v1.5 has the stride in a bottleneck's 3x3 convolution), with torchvision's layer names. `image`: height and
/// width, at least 32. Throws UsageError for another depth or a smaller image.
[[nodiscard]] Network resnet(int depth, int image = 224, int classes = 1000);

/// Names of the supported networks: "resnet18", ...
[[nodiscard]] std::vector<std::string> networks();
/// The network with that name; empty if unknown.
[[nodiscard]] std::optional<Network> find_network(const std::string& name, int image, int classes);

}  // namespace busbar
