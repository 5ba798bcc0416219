// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Convolutional networks as data: layers in the order of the forward pass. An engine (workloads/compute/compute.hpp)
/// runs them.
namespace busbar {

/// Of one image's activations. A vector has height and width 1.
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

struct Layer {
  LayerKind kind = LayerKind::convolution;
  std::string name;
  int from = -1;                        ///< the layer whose output it takes, as an index; -1: the images
  int second = -1;                      ///< add: the other summand
  int kernel = 1, stride = 1, pad = 0;  ///< convolution and pools; square
  bool relu = false;                    ///< norm, add: followed by max(0, x)
  Shape in, out;
};

/// What is learned: one gradient each.
struct Parameter {
  std::string name;
  int layer = 0;  ///< index
  std::uint64_t elements = 0;
};

struct Network {
  std::string name;
  Shape image;
  std::vector<Layer> layers;  ///< the last one gives a score a class

  [[nodiscard]] int classes() const { return layers.back().out.channels; }
  /// In the order of their layers, as torchvision registers them; backward makes gradients ready in the reverse order.
  [[nodiscard]] std::vector<Parameter> parameters() const;
  /// Floating-point operations for one image, 2 per multiply-add, of convolutions and linear layers. The gradient of
  /// the images is not computed.
  [[nodiscard]] double forward_flop(const Layer&) const;
  [[nodiscard]] double backward_flop(const Layer&) const;
  [[nodiscard]] double step_flop() const;
};

/// Appends layers and keeps their shapes. Each method gives the index of the layer that it made; `from` is one of
/// these, or -1 for the images.
class NetworkBuilder {
 public:
  NetworkBuilder(std::string name, Shape image);
  int convolution(const std::string& name, int from, int channels, int kernel,
                  int stride = 1);                          ///< padded by kernel / 2
  int norm(const std::string& name, int from, bool relu);   ///< batch norm
  int add(const std::string& name, int first, int second);  ///< followed by ReLU; of equal shapes
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

/// ResNet v1.5 of 18, 34, 50, 101 or 152 layers (K. He et al.: Deep Residual Learning for Image Recognition, CVPR 2016;
/// v1.5: the stride is on the 3x3 convolution of a bottleneck), with the layer names of torchvision. `image`: height
/// and width, at least 32. Throws UsageError for another depth or a smaller image.
[[nodiscard]] Network resnet(int depth, int image = 224, int classes = 1000);

/// Names of the networks that can be computed: "resnet18", ...
[[nodiscard]] std::vector<std::string> networks();
/// The one of that name; empty: there is none.
[[nodiscard]] std::optional<Network> find_network(const std::string& name, int image, int classes);

}  // namespace busbar
