// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "workloads/compute/cudnn/buffers.hpp"
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
#include "workloads/networks/norm_library.hpp"

namespace busbar::gpu {

struct EngineSetup {
  int batch = 1;
  DType precision = DType::bf16;  ///< bf16, fp16
  DType wire = DType::f32;        ///< fp32, or as `precision`
  Sgd::Settings rule;
  std::uint64_t seed = 1;  ///< as OnednnSetup's: first weights are the same, images and labels too for the same rank
  int rank = 0;
  cudnn::TunerLimits tuning;
  NormLibrary norm = NormLibrary::own;
};

struct EngineFacts {
  std::vector<cudnn::Choice> choices;              ///< of convolutions' plans
  cudnn::NormTally forward_norms, backward_norms;  ///< nothing is counted where all are ours unasked
  std::uint64_t activation_bytes = 0;              ///< kept from forward to backward, and the images
  std::uint64_t difference_bytes = 0;              ///< gradients of activations, reused as backward goes on
  std::uint64_t workspace_bytes = 0;               ///< of cuDNN, cuBLASLt and our kernels
};

/// A network trained on the GPU that is current, on one batch of synthetic images and labels: convolutions by cuDNN,
/// the linear layer by cuBLASLt, the rest by kernels of our own (kernels.hpp), batch norms by either. Activations are
/// NHWC and of 16 bits, as are their gradients; statistics and sums are fp32. A batch norm without ReLU whose output
/// goes into an add alone is computed together with it.
///
/// Methods that give work to the stream return before it is done, and can be captured into a graph.
class NetworkEngine {
 public:
  /// Called when the work that completes all gradients below `end` has been given to the stream; `end` grows.
  using Ready = std::function<void(std::size_t end)>;

  /// Tries cuDNN's plans for each convolution on its own data, which takes seconds. Throws Error where the network
  /// cannot be computed so, std::bad_alloc where memory is lacking.
  NetworkEngine(const Network& network, const EngineSetup& setup);
  NetworkEngine(const NetworkEngine&) = delete;
  NetworkEngine& operator=(const NetworkEngine&) = delete;

  [[nodiscard]] const cuda::Stream& stream() const { return stream_; }
  [[nodiscard]] Parameters& parameters() { return parameters_; }
  [[nodiscard]] const Network& network() const { return network_; }
  [[nodiscard]] const EngineSetup& setup() const { return setup_; }
  [[nodiscard]] const EngineFacts& facts() const { return facts_; }

  /// Up to the loss and its gradient by the scores.
  void forward();
  /// After forward(). Gradients of the mean loss, times loss_scale().
  void backward(const Ready& ready = {});
  /// Of the last forward() that is done.
  [[nodiscard]] double loss() const { return static_cast<double>(loss_on_host_[0]); }

  /// One forward and backward with a mark behind each layer's work, outside of any graph; weights stay as they are.
  /// Waits. Its times are added to times().
  void time_layers();
  [[nodiscard]] std::span<const LayerTime> times() const { return times_; }  ///< a row a layer
  [[nodiscard]] int timed_passes() const { return timed_passes_; }

 private:
  using Lease = BufferPool::Lease;
  /// A piece of work for the stream.
  struct Part {
    std::size_t layer = 0;
    std::function<void()> work;
    std::size_t ready = 0;  ///< gradients below are complete with it; 0: it completes none
  };
  struct Node {
    cuda::DeviceArray<std::byte> output;  ///< none: computed together with an add
    cuda::DeviceArray<float> mean, inverse_deviation;
    cuda::DeviceArray<std::uint8_t> place;     ///< of a max pool
    cuda::DeviceArray<std::uint8_t> positive;  ///< of a norm with an add: its ReLU's mask, NormForward::positive
    std::optional<std::size_t> norm;           ///< of an add: the batch norm that is computed with it
    std::optional<std::size_t> add;            ///< of a norm: the add that it is computed with
    std::vector<Lease> diffs;                  ///< summands of the gradient of the output, while backward is built
  };
  /// A convolution's pass that has a plan, and its memory.
  struct Planned {
    std::shared_ptr<const cudnn::Plan> plan;
    std::vector<cudnn::Place> places;
    std::optional<cudnn::Execution> execution;  ///< when the workspace is known
  };

  // Building: each part is run as soon as it is made, so that plans are tried on what they will see
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
  void backward_norm(std::size_t layer);
  void backward_norm_add(std::size_t norm, std::size_t add);
  void backward_add(std::size_t layer);
  void backward_pool(std::size_t layer);
  void backward_linear(std::size_t layer);

  void append(std::vector<Part>& to, std::size_t layer, std::function<void()> work);
  void append_planned(std::vector<Part>& to, std::size_t layer, const cudnn::ConvolutionShape& shape, cudnn::Pass pass,
                      std::vector<cudnn::Place> places);
  void publish(std::size_t layer, std::size_t stripe, DType computed, int slot = 0);
  void publish_norm(std::size_t layer);
  // engine_norm.cpp
  template <class T>
  void append_norm(std::size_t layer, const NormForward<T>& call);
  template <class T>
  void append_norm(std::size_t layer, const NormBackward<T>& call);
  [[nodiscard]] cudnn::NormShape norm_shape(std::size_t layer, bool relu, bool residual) const;

  [[nodiscard]] std::uint64_t elements_of(const Shape& s) const {
    return s.elements() * static_cast<std::uint64_t>(setup_.batch);
  }
  [[nodiscard]] std::uint64_t rows_of(const Shape& s) const {
    return elements_of(s) / static_cast<std::uint64_t>(s.channels);
  }
  [[nodiscard]] void* output_of(int layer) const;
  void* keep_output(std::size_t layer);
  /// The gradient of a layer's output in at most so many summands.
  [[nodiscard]] std::vector<Lease> take_diff(std::size_t layer, std::size_t most);
  [[nodiscard]] Lease new_diff(const Shape& shape) { return pool_.take(elements_of(shape) * compute_bytes); }
  /// One of these that nobody else holds, moved out of them, or a new one of as many elements.
  [[nodiscard]] Lease reuse(std::vector<Lease>& from, const Shape& shape);
  /// For what a norm's backward writes: cuDNN is given nothing to read that it also writes.
  [[nodiscard]] Lease norm_diff(std::vector<Lease>& from, const Shape& shape) {
    return setup_.norm == NormLibrary::own ? reuse(from, shape) : new_diff(shape);
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

/// About what a rank needs on its GPU, in bytes: activations, what runs back, weights, momenta and gradients, and what
/// the libraries take.
[[nodiscard]] double bytes_to_train(const Network& network, const EngineSetup& setup);

}  // namespace busbar::gpu
