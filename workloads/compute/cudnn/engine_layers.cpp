// SPDX-License-Identifier: Apache-2.0
// Work that each kind of layer submits to the stream.
#include <array>

#include "workloads/compute/cudnn/engine.hpp"
#include "workloads/compute/cudnn/kernels.hpp"
#include "workloads/compute/cudnn/precision.hpp"

namespace busbar::gpu {

using cudnn::Operand;
using cudnn::Pass;
using cudnn::place;

namespace {

template <class T>
const T* read(const void* p) {
  return static_cast<const T*>(p);
}
template <class T>
T* written(void* p) {
  return static_cast<T*>(p);
}

/// Addresses of a gradient's summands; the second is null if there is only one.
std::array<const void*, 2> summands(const std::vector<BufferPool::Lease>& diffs) {
  return {diffs.front()->data(), diffs.size() > 1 ? diffs[1]->data() : nullptr};
}

Windows windows_of(const Layer& l, int batch) {
  const auto count = [](int n) { return static_cast<std::uint32_t>(n); };
  return {.images = count(batch),
          .channels = count(l.in.channels),
          .in_height = count(l.in.height),
          .in_width = count(l.in.width),
          .out_height = count(l.out.height),
          .out_width = count(l.out.width),
          .kernel = count(l.kernel),
          .stride = count(l.stride),
          .pad = count(l.pad)};
}

}  // namespace

// Convolution

cudnn::ConvolutionShape NetworkEngine::convolution_shape(const Layer& l) const {
  return cudnn::shape_of(l, setup_.batch, stored_channels(l), cudnn_type(setup_.precision));
}

void NetworkEngine::forward_convolution(std::size_t i) {
  const Layer& l = network_.layers[i];
  nodes_[i].forward = append_planned(
      forward_, i, convolution_shape(l), Pass::forward,
      {place(Operand::input, output_of(l.from)), place(Operand::weights, parameters_.copy(parameters_.of(i)[0])),
       place(Operand::output, keep_output(i))});
}

/// Computes the input's gradient first: once the weights' gradient is ready, the weights may change.
void NetworkEngine::backward_convolution(std::size_t i) {
  const Layer& l = network_.layers[i];
  const std::size_t weights = parameters_.of(i)[0];
  const auto shape = convolution_shape(l);
  const Lease diff = summed_diffs(i, 1).front();
  if (l.from >= 0) {
    const Lease in = new_diff(l.in);
    append_planned(backward_, i, shape, Pass::data,
                   {place(Operand::input, in->data()), place(Operand::weights, parameters_.copy(weights)),
                    place(Operand::output, diff->data())});
    give(l.from, in);
  }
  append_planned(
      backward_, i, shape, Pass::filter,
      {place(Operand::input, output_of(l.from)), place(Operand::weights, parameters_.target(weights, setup_.precision)),
       place(Operand::output, diff->data())});
  publish(i, weights, setup_.precision);
}

/// Converts a gradient from the type it was computed in to its place and wire type, if they differ.
void NetworkEngine::publish(std::size_t layer, std::size_t stripe, DType computed, int slot) {
  if (computed == setup_.wire) return;
  append(backward_, layer, [=, this] { parameters_.publish(stripe, computed, slot); });
}

// Batch norm

void NetworkEngine::forward_norm(std::size_t i, const void* residual, std::size_t as) {
  const Layer& l = network_.layers[i];
  Node& n = nodes_[i];
  n.mean = cuda::DeviceArray<float>(static_cast<std::size_t>(l.out.channels));
  n.inverse_deviation = cuda::DeviceArray<float>(static_cast<std::size_t>(l.out.channels));
  void* const output = keep_output(as);
  if (residual != nullptr && !setup_.tries_cudnn_norms() && keeps_bits(l, network_.layers[as])) {
    n.positive = cuda::DeviceArray<std::uint8_t>(elements_of(l.out) / 8);
    facts_.activation_bytes += n.positive.bytes();
  }
  const auto& own = parameters_.of(i);
  with_precision(setup_.precision, [&]<class T>(T) {
    const NormForward<T> call{.rows = rows_of(l.out),
                              .channels = static_cast<std::uint32_t>(l.out.channels),
                              .x = read<T>(output_of(l.from)),
                              .residual = read<T>(residual),
                              .relu = network_.layers[as].relu,
                              .scale = parameters_.weights(own[0]),
                              .shift = parameters_.weights(own[1]),
                              .y = written<T>(output),
                              .positive = n.positive.data(),
                              .mean = n.mean.data(),
                              .inverse_deviation = n.inverse_deviation.data(),
                              .scratch = scratch_.data()};
    append_norm(i, call);
  });
}

/// `as`: the add that is fused with the norm and passes the same gradient to its other summand; else the norm.
void NetworkEngine::backward_norm(std::size_t i, std::size_t as) {
  const Layer& l = network_.layers[i];
  const Node& n = nodes_[i];
  const auto& own = parameters_.of(i);
  std::vector<Lease> diffs = summed_diffs(as, 2);
  const auto dy = summands(diffs);
  const Lease residual = as == i ? nullptr : norm_diff(diffs, l.out), in = norm_diff(diffs, l.in);
  with_precision(setup_.precision, [&]<class T>(T) {
    const NormBackward<T> call{.rows = rows_of(l.out),
                               .channels = static_cast<std::uint32_t>(l.out.channels),
                               .x = read<T>(output_of(l.from)),
                               .y = read<T>(nodes_[as].output.data()),
                               .positive = n.positive.data(),
                               .dy = read<T>(dy[0]),
                               .dy2 = read<T>(dy[1]),
                               .relu = network_.layers[as].relu,
                               .scale = parameters_.weights(own[0]),
                               .shift = parameters_.weights(own[1]),
                               .mean = n.mean.data(),
                               .inverse_deviation = n.inverse_deviation.data(),
                               .dscale = written<float>(parameters_.target(own[0], DType::f32, 0)),
                               .dshift = written<float>(parameters_.target(own[1], DType::f32, 1)),
                               .dx = written<T>(in->data()),
                               .dresidual = residual ? written<T>(residual->data()) : nullptr,
                               .scratch = scratch_.data()};
    append_norm(i, call);
  });
  if (residual) give(network_.layers[as].second, residual);
  give(l.from, in);
  publish(i, own[0], DType::f32, 0);
  publish(i, own[1], DType::f32, 1);
}

// Residual sum with ReLU

void NetworkEngine::forward_add(std::size_t i) {
  const Layer& l = network_.layers[i];
  if (nodes_[i].norm) return forward_norm(*nodes_[i].norm, output_of(l.second), i);
  void* const output = keep_output(i);
  with_precision(setup_.precision, [&]<class T>(T) {
    append(forward_, i,
           [=, this, a = read<T>(output_of(l.from)), b = read<T>(output_of(l.second)), elements = elements_of(l.out)] {
             add_relu_forward(a, b, written<T>(output), elements, stream_);
           });
  });
}

void NetworkEngine::backward_add(std::size_t i) {
  const Layer& l = network_.layers[i];
  if (nodes_[i].norm) return backward_norm(*nodes_[i].norm, i);
  std::vector<Lease> diffs = summed_diffs(i, 2);
  const auto dy = summands(diffs);
  const Lease in = reuse(diffs, l.out);
  with_precision(setup_.precision, [&]<class T>(T) {
    append(backward_, i, [=, this, y = output_of(static_cast<int>(i)), dx = in->data(), elements = elements_of(l.out)] {
      add_relu_backward(read<T>(y), read<T>(dy[0]), read<T>(dy[1]), written<T>(dx), elements, stream_);
    });
  });
  give(l.from, in);
  give(l.second, in);
}

// Pools

void NetworkEngine::forward_pool(std::size_t i) {
  const Layer& l = network_.layers[i];
  const bool greatest = l.kind == LayerKind::max_pool;
  const Windows w = windows_of(l, setup_.batch);
  const void* const input = output_of(l.from);
  void* const output = keep_output(i);
  if (greatest) {
    nodes_[i].place = cuda::DeviceArray<std::uint8_t>(elements_of(l.out));
    facts_.activation_bytes += nodes_[i].place.bytes();
  }
  with_precision(setup_.precision, [&]<class T>(T) {
    append(forward_, i, [=, this, place = nodes_[i].place.data()] {
      if (greatest)
        max_pool_forward(w, read<T>(input), written<T>(output), place, stream_);
      else
        average_pool_forward(read<T>(input), written<T>(output), w.images, w.in_height * w.in_width, w.channels,
                             stream_);
    });
  });
}

void NetworkEngine::backward_pool(std::size_t i) {
  const Layer& l = network_.layers[i];
  const bool greatest = l.kind == LayerKind::max_pool;
  const Windows w = windows_of(l, setup_.batch);
  const std::vector<Lease> diffs = summed_diffs(i, greatest ? 2 : 1);
  const auto dy = summands(diffs);
  const Lease in = new_diff(l.in);
  with_precision(setup_.precision, [&]<class T>(T) {
    append(backward_, i, [=, this, dx = written<T>(in->data()), place = nodes_[i].place.data()] {
      if (greatest)
        max_pool_backward(w, read<T>(dy[0]), read<T>(dy[1]), place, dx, stream_);
      else
        average_pool_backward(read<T>(dy[0]), dx, w.images, w.in_height * w.in_width, w.channels, stream_);
    });
  });
  give(l.from, in);
}

// Linear, with column-major matrices as in cuBLASLt: activations are inputs x images, weights inputs x outputs

void NetworkEngine::forward_linear(std::size_t i) {
  const Layer& l = network_.layers[i];
  const auto& own = parameters_.of(i);
  const cudaDataType_t type = cuda_type(setup_.precision);
  const auto images = static_cast<std::uint64_t>(setup_.batch), outputs = static_cast<std::uint64_t>(l.out.channels);
  const auto product = std::make_shared<cublas::Product>(
      cublas_,
      cublas::Matrix{.at = parameters_.copy(own[0]),
                     .rows = l.in.elements(),
                     .columns = outputs,
                     .type = type,
                     .transposed = true},
      cublas::Matrix{.at = output_of(l.from), .rows = l.in.elements(), .columns = images, .type = type},
      cublas::Matrix{.at = keep_output(i), .rows = outputs, .columns = images, .type = type}, parameters_.copy(own[1]));
  append(forward_, i, [this, product] { product->run(stream_); });
}

/// The gradient of the scores is the first gradient of backward.
void NetworkEngine::build_loss() {
  const std::size_t last = nodes_.size() - 1;
  const Lease diff = new_diff(network_.layers[last].out);
  with_precision(setup_.precision, [&]<class T>(T) {
    append(forward_, last, [this, scores = read<T>(nodes_[last].output.data()), dscores = written<T>(diff->data())] {
      softmax_cross_entropy(scores, labels_.data(), static_cast<std::uint32_t>(setup_.batch),
                            static_cast<std::uint32_t>(network_.classes()), loss_scale(setup_.precision), dscores,
                            loss_.data(), scratch_.data(), stream_);
      cuda::copy(loss_on_host_.data(), loss_.data(), 1, stream_);
    });
  });
  give(static_cast<int>(last), diff);
}

void NetworkEngine::backward_linear(std::size_t i) {
  const Layer& l = network_.layers[i];
  const auto& own = parameters_.of(i);
  const cudaDataType_t type = cuda_type(setup_.precision);
  const auto images = static_cast<std::uint64_t>(setup_.batch), outputs = static_cast<std::uint64_t>(l.out.channels);
  const std::uint64_t inputs = l.in.elements();
  const Lease diff = summed_diffs(i, 1).front();
  const cublas::Matrix dy{.at = diff->data(), .rows = outputs, .columns = images, .type = type};
  if (l.from >= 0) {
    const Lease in = new_diff(l.in);
    const auto product = std::make_shared<cublas::Product>(
        cublas_, cublas::Matrix{.at = parameters_.copy(own[0]), .rows = inputs, .columns = outputs, .type = type}, dy,
        cublas::Matrix{.at = in->data(), .rows = inputs, .columns = images, .type = type});
    append(backward_, i, [this, product] { product->run(stream_); });
    give(l.from, in);
  }
  cublas::Matrix other = dy;
  other.transposed = true;
  const auto product = std::make_shared<cublas::Product>(
      cublas_, cublas::Matrix{.at = output_of(l.from), .rows = inputs, .columns = images, .type = type}, other,
      cublas::Matrix{.at = parameters_.target(own[0], setup_.wire),
                     .rows = inputs,
                     .columns = outputs,
                     .type = cuda_type(setup_.wire)});
  append(backward_, i, [this, product] { product->run(stream_); });
  with_precision(setup_.precision, [&]<class T>(T) {
    append(
        backward_, i,
        [=, this, dscores = read<T>(diff->data()), sums = written<float>(parameters_.target(own[1], DType::f32, 1))] {
          column_sums(dscores, images, static_cast<std::uint32_t>(outputs), sums, scratch_.data(), stream_);
        });
  });
  publish(i, own[1], DType::f32, 1);
}

}  // namespace busbar::gpu
