// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "workloads/compute/block_pool.hpp"
#include "workloads/compute/cudnn/convolution.hpp"
#include "workloads/compute/cudnn/kernels.hpp"
#include "workloads/compute/cudnn/lowering.hpp"
#include "workloads/compute/cudnn/norm_chooser.hpp"
#include "workloads/compute/cudnn/parameters.hpp"
#include "workloads/compute/cudnn/precision.hpp"
#include "workloads/compute/cudnn/product.hpp"
#include "workloads/compute/cudnn/tuner.hpp"
#include "workloads/networks/costs.hpp"
#include "workloads/networks/network.hpp"

namespace busbar::gpu {

using BufferPool = BlockPool<cuda::DeviceArray<std::byte>>;

struct EngineSetup {
  int batch = 1;
  DType precision = DType::bf16;  ///< bf16, fp16
  DType wire = DType::f32;        ///< fp32 or `precision`
  Sgd::Settings rule;
  std::uint64_t seed = 1;  ///< determines the weights; with `rank`, also images and labels (as in OnednnSetup)
  int rank = 0;
  cudnn::TunerLimits tuning;
  NormLibrary norm = NormLibrary::own;

  [[nodiscard]] bool tries_cudnn_norms() const { return norm == NormLibrary::cudnn || norm == NormLibrary::fastest; }
  [[nodiscard]] bool tries_sums() const { return norm == NormLibrary::genstats || norm == NormLibrary::fastest; }
};

struct EngineFacts {
  std::vector<cudnn::Choice> choices;              ///< plans of the convolutions
  cudnn::NormTally forward_norms, backward_norms;  ///< zero unless cuDNN's norms were tried
  cudnn::NormTally sums;                           ///< zero unless convolutions that sum their outputs were tried
  std::uint64_t activation_bytes = 0;              ///< activations kept for backward, and the images
};

/// Trains a network on the current GPU, on one batch of synthetic images and labels. cuDNN runs the convolutions,
/// cuBLASLt the linear layer, our kernels (kernels.hpp) the rest; batch norms use either. Activations and their
/// gradients are 16-bit NHWC; statistics and sums are fp32. A batch norm without ReLU is fused with the add that
/// follows, if nothing else reads its output.
///
/// Methods that submit work to the stream return before it finishes, and can be captured into a CUDA graph.
class NetworkEngine {
 public:
  /// Called when all work for the gradients below `end` has been submitted to the stream; `end` increases.
  using Ready = std::function<void(std::size_t end)>;

  /// Tries cuDNN's plans for each convolution on its actual data, which takes seconds. Throws Error if the network is
  /// not supported, std::bad_alloc if memory runs out.
  NetworkEngine(const Network& network, const EngineSetup& setup);
  NetworkEngine(const NetworkEngine&) = delete;
  NetworkEngine& operator=(const NetworkEngine&) = delete;

  [[nodiscard]] const cuda::Stream& stream() const { return stream_; }
  [[nodiscard]] Parameters& parameters() { return parameters_; }
  [[nodiscard]] const Network& network() const { return network_; }
  [[nodiscard]] const EngineSetup& setup() const { return setup_; }
  [[nodiscard]] const EngineFacts& facts() const { return facts_; }

  /// Computes the loss and the gradient of the scores.
  void forward();
  /// Call after forward(). Computes the gradients of the mean loss times loss_scale().
  void backward(const Ready& ready = {});
  /// Loss of the last completed forward().
  [[nodiscard]] double loss() const { return static_cast<double>(loss_on_host_[0]); }

  /// Runs one forward and backward pass with an event after each layer, outside of any graph, and adds the times to
  /// times(). Weights do not change. Blocks until done.
  void time_layers();
  [[nodiscard]] std::span<const LayerTime> times() const { return times_; }  ///< one row per layer
  [[nodiscard]] int timed_passes() const { return timed_passes_; }

 private:
  using Lease = BufferPool::Lease;
  /// A unit of work for the stream.
  struct Part {
    std::size_t layer = 0;
    std::function<void()> work;
    std::size_t ready = 0;  ///< all gradients below this index are then complete; 0: none
  };
  /// One pass of a convolution: its plan and operands.
  struct Planned {
    std::shared_ptr<const cudnn::Plan> plan;
    std::vector<cudnn::Place> places;
    std::optional<cudnn::Execution> execution;  ///< set once the workspace is allocated
  };
  struct Node {
    cuda::DeviceArray<std::byte> output;  ///< empty if fused with an add
    cuda::DeviceArray<float> mean, inverse_deviation;
    cuda::DeviceArray<std::uint8_t> place;     ///< argmax of a max pool
    cuda::DeviceArray<std::uint8_t> positive;  ///< ReLU mask of a norm fused with an add, see NormForward::positive
    cuda::DeviceArray<float> sums;             ///< of a convolution's output, then of its squares, if it sums them
    std::shared_ptr<Planned> forward;          ///< for a convolution
    std::optional<std::size_t> norm;           ///< for an add: the batch norm fused with it
    std::optional<std::size_t> add;            ///< for a norm: the add fused with it
    std::vector<Lease> diffs;                  ///< summands of the output's gradient, while backward is built
  };

  // Build steps. Each part runs as soon as it is built, so that plans are tried on real data.
  void load_batch();
  void find_fusions();
  void build_forward(std::size_t layer);
  void build_backward(std::size_t layer);
  void finish();

  // engine_layers.cpp
  void forward_convolution(std::size_t layer);
  void forward_norm(std::size_t layer, const void* residual, std::size_t as);
  void forward_add(std::size_t layer);
  void forward_pool(std::size_t layer);
  void forward_linear(std::size_t layer);
  void build_loss();
  void backward_convolution(std::size_t layer);
  void backward_norm(std::size_t layer, std::size_t as);
  void backward_add(std::size_t layer);
  void backward_pool(std::size_t layer);
  void backward_linear(std::size_t layer);

  void append(std::vector<Part>& to, std::size_t layer, std::function<void()> work);
  std::shared_ptr<Planned> append_planned(std::vector<Part>& to, std::size_t layer,
                                          const cudnn::ConvolutionShape& shape, cudnn::Pass pass,
                                          std::vector<cudnn::Place> places);
  void publish(std::size_t layer, std::size_t stripe, DType computed, int slot = 0);
  // engine_norm.cpp
  template <class T>
  void append_norm(std::size_t layer, const NormForward<T>& call);
  template <class T>
  void append_norm(std::size_t layer, const NormBackward<T>& call);
  template <class T>
  [[nodiscard]] std::function<void()> work_of(std::size_t layer, const NormForward<T>& call);
  template <class T>
  [[nodiscard]] std::function<void()> try_sums(std::size_t layer, const NormForward<T>& call,
                                               std::function<void()> norm);
  [[nodiscard]] cudnn::NormShape norm_shape(std::size_t layer, bool relu, bool residual) const;
  [[nodiscard]] cudnn::ConvolutionShape convolution_shape(const Layer& layer) const;
  /// Work that runs the plan in the tuner's workspace as it is now.
  [[nodiscard]] std::function<void()> trial_of(const Planned& planned);

  [[nodiscard]] std::uint64_t elements_of(const Shape& s) const {
    return s.elements() * static_cast<std::uint64_t>(setup_.batch);
  }
  [[nodiscard]] std::uint64_t rows_of(const Shape& s) const {
    return elements_of(s) / static_cast<std::uint64_t>(s.channels);
  }
  [[nodiscard]] void* output_of(int layer) const;
  void* keep_output(std::size_t layer);
  /// Returns the gradient of a layer's output as at most `most` summands.
  [[nodiscard]] std::vector<Lease> summed_diffs(std::size_t layer, std::size_t most);
  [[nodiscard]] Lease new_diff(const Shape& shape) { return pool_.take(elements_of(shape) * compute_bytes); }
  /// Moves out a lease that nobody else shares, or returns a new one with that shape.
  [[nodiscard]] Lease reuse(std::vector<Lease>& from, const Shape& shape);
  /// Output buffer for a norm's backward pass. cuDNN must not read a buffer that it also writes.
  [[nodiscard]] Lease norm_diff(std::vector<Lease>& from, const Shape& shape) {
    return setup_.tries_cudnn_norms() ? new_diff(shape) : reuse(from, shape);
  }
  void give(int layer, Lease diff);

  Network network_;
  EngineSetup setup_;
  cuda::Stream stream_;
  Parameters parameters_;
  cudnn::Handle cudnn_{stream_};
  cudnn::Tuner tuner_;
  cudnn::NormChooser norms_;
  cublas::Handle cublas_;
  BufferPool pool_;
  cuda::DeviceArray<std::byte> images_, scratch_;
  cuda::DeviceArray<std::int32_t> labels_;
  cuda::DeviceArray<float> loss_{1};
  cuda::PinnedArray<float> loss_on_host_{1};
  std::vector<Node> nodes_;
  std::vector<std::shared_ptr<Planned>> planned_;
  std::vector<Part> forward_, backward_;
  std::vector<cuda::Event> marks_;
  std::vector<LayerTime> times_;
  int timed_passes_ = 0;
  EngineFacts facts_;
};

/// Estimated GPU memory per rank in bytes: activations and their gradients, weights, momenta, gradients, and the
/// libraries.
[[nodiscard]] double bytes_to_train(const Network& network, const EngineSetup& setup);

}  // namespace busbar::gpu
