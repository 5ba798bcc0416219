// SPDX-License-Identifier: Apache-2.0
// Batch norm layers, with our kernels or cuDNN's.
#include <cmath>

#include <fmt/core.h>

#include "workloads/compute/cudnn/engine.hpp"
#include "workloads/compute/cudnn/precision.hpp"

namespace busbar::gpu {
namespace {

using cudnn::NormOperand;
using cudnn::NormShape;
using cudnn::place;

alignas(16) constexpr float epsilon_on_host = norm_epsilon;  ///< cuDNN's plans require 16-byte alignment

std::string name_of(std::string_view pass, const NormShape& s, bool of_two) {
  return fmt::format("{} norm {}x{}x{}x{}{}{}{}", pass, s.images, s.channels, s.height, s.width, s.relu ? " relu" : "",
                     s.residual ? " residual" : "", of_two ? " of two" : "");
}

template <class T>
std::vector<cudnn::NormResult> results_of(const NormForward<T>& call, DType precision) {
  const std::uint64_t elements = call.rows * call.channels;
  return {{.values = {call.y, elements, precision}, .beside = {}},
          {.values = {call.mean, call.channels},
           .factor = std::sqrt(static_cast<double>(call.channels)),
           .beside = {call.x, elements, precision}},
          {.values = {call.inverse_deviation, call.channels}, .beside = {}}};
}

}  // namespace

NormShape NetworkEngine::norm_shape(std::size_t layer, bool relu, bool residual) const {
  return cudnn::shape_of(network_.layers[layer], setup_.batch, cudnn_type(setup_.precision), relu, residual);
}

std::function<void()> NetworkEngine::trial_of(const Planned& planned) {
  const auto execution =
      std::make_shared<const cudnn::Execution>(*planned.plan, planned.places, tuner_.workspace_for(*planned.plan));
  return [this, execution] { execution->run(cudnn_); };
}

/// Replaces the convolution's plan in front of the norm by one that sums its output, if the chooser prefers that.
/// Returns the norm's work.
template <class T>
std::function<void()> NetworkEngine::try_sums(std::size_t layer, const NormForward<T>& call,
                                              std::function<void()> norm) {
  const int from = network_.layers[layer].from;
  if (from < 0 || network_.layers[static_cast<std::size_t>(from)].kind != LayerKind::convolution) return norm;
  Node& source = nodes_[static_cast<std::size_t>(from)];
  const cudnn::ConvolutionShape shape = convolution_shape(network_.layers[static_cast<std::size_t>(from)]);
  source.sums = cuda::DeviceArray<float>(std::size_t{2} * call.channels);
  NormForward<T> summed = call;
  summed.sum = source.sums.data();
  summed.squares = source.sums.data() + call.channels;

  Planned planned{.places = source.forward->places};
  planned.places.push_back(place(cudnn::Operand::sum, summed.sum));
  planned.places.push_back(place(cudnn::Operand::squares, summed.squares));
  const std::string name = name_of(shape, cudnn::Pass::forward) + ", with sums";
  planned.plan = tuner_.fastest_if_any(
      name, [&] { return cudnn::convolution_graph_with_sums(cudnn_, shape); }, planned.places,
      cudnn::NormChooser::most_plans);

  const std::function<void()> apply = [this, summed] { norm_forward(summed, stream_); };
  cudnn::SumsPass pass{.what = name_of(name, norm_shape(layer, call.relu, call.residual != nullptr), false),
                       .results = results_of(call, setup_.precision)};
  pass.results.push_back({.values = {call.x, call.rows * call.channels, setup_.precision}, .beside = {}});
  if (planned.plan) pass.fused = [convolve = trial_of(planned), apply] { convolve(), apply(); };
  pass.separate = [convolve = trial_of(*source.forward), norm] { convolve(), norm(); };
  const bool fused = norms_.prefers_fused(pass, facts_.sums);
  if (fused)
    *source.forward = std::move(planned);
  else
    source.sums = {};
  const auto convolve = trial_of(*source.forward);
  convolve();  // for later layers: its own output
  return fused ? apply : norm;
}

template <class T>
std::function<void()> NetworkEngine::work_of(std::size_t layer, const NormForward<T>& call) {
  const std::function<void()> own = [this, call] { norm_forward(call, stream_); };
  if (!setup_.tries_cudnn_norms()) return own;
  const NormShape shape = norm_shape(layer, call.relu, call.residual != nullptr);
  return norms_.choose({.what = name_of("forward", shape, false),
                        .own = own,
                        .graph = [shape] { return norm_forward_graph(shape); },
                        .before = {},
                        .places = {place(NormOperand::x, call.x), place(NormOperand::residual, call.residual),
                                   place(NormOperand::y, call.y), place(NormOperand::scale, call.scale),
                                   place(NormOperand::shift, call.shift), place(NormOperand::mean, call.mean),
                                   place(NormOperand::inverse_deviation, call.inverse_deviation),
                                   place(NormOperand::epsilon, &epsilon_on_host)},
                        .results = results_of(call, setup_.precision)},
                       facts_.forward_norms);
}

template <class T>
void NetworkEngine::append_norm(std::size_t layer, const NormForward<T>& call) {
  cudnn::NormTally& norms = facts_.forward_norms;
  const int norms_before = norms.by_cudnn, sums_before = facts_.sums.by_cudnn;
  std::function<void()> work = work_of(layer, call);
  if (setup_.tries_sums()) work = try_sums(layer, call, std::move(work));
  if (norms.by_cudnn > norms_before && facts_.sums.by_cudnn > sums_before) {  // cuDNN's norm is not used after all
    --norms.by_cudnn;
    ++norms.slower_than_sums;
  }
  append(forward_, layer, std::move(work));
}

/// cuDNN takes a single gradient and cannot return the residual's. Our kernels therefore add two gradients first, in a
/// buffer of their own. With a residual, they also apply the ReLU mask; the residual's gradient is then the norm's
/// input gradient dy.
template <class T>
void NetworkEngine::append_norm(std::size_t layer, const NormBackward<T>& call) {
  const std::function<void()> own = [this, call] { norm_backward(call, stream_); };
  if (!setup_.tries_cudnn_norms()) return append(backward_, layer, own);
  const bool residual = call.dresidual != nullptr, two = call.dy2 != nullptr;
  const std::uint64_t elements = call.rows * call.channels;
  const Lease sum = two && !residual ? new_diff(network_.layers[layer].out) : nullptr;
  T* const dy = residual ? call.dresidual : sum ? reinterpret_cast<T*>(sum->data()) : nullptr;
  std::function<void()> before;
  if (residual)
    before = [=, this] { add_relu_backward(call.y, call.dy, call.dy2, dy, elements, stream_); };
  else if (two)
    before = [=, this] { add(call.dy, call.dy2, dy, 0, elements, stream_); };
  const NormShape shape = norm_shape(layer, call.relu, residual);
  std::function<cudnn::NormGraph()> graph;
  if (const auto asked = backward_shape(shape)) graph = [asked = *asked] { return norm_backward_graph(asked); };
  // A sum of n values without systematic cancellation is about sqrt(n) times the size of one value.
  const double sums = std::sqrt(static_cast<double>(elements));
  const cudnn::Values beside{call.dy, elements, setup_.precision};
  std::vector<cudnn::NormResult> results{{.values = {call.dx, elements, setup_.precision}, .beside = {}},
                                         {.values = {call.dscale, call.channels}, .factor = sums, .beside = beside},
                                         {.values = {call.dshift, call.channels}, .factor = sums, .beside = beside}};
  if (residual) results.push_back({.values = {call.dresidual, elements, setup_.precision}, .beside = {}});
  append(backward_, layer,
         norms_.choose({.what = name_of("backward", shape, two),
                        .own = own,
                        .graph = graph,
                        .before = before,
                        .places = {place(NormOperand::x, call.x), place(NormOperand::dy, dy == nullptr ? call.dy : dy),
                                   place(NormOperand::dx, call.dx), place(NormOperand::scale, call.scale),
                                   place(NormOperand::shift, call.shift), place(NormOperand::mean, call.mean),
                                   place(NormOperand::inverse_deviation, call.inverse_deviation),
                                   place(NormOperand::dscale, call.dscale), place(NormOperand::dshift, call.dshift)},
                        .results = std::move(results)},
                       facts_.backward_norms));
}

template void NetworkEngine::append_norm(std::size_t, const NormForward<__half>&);
template void NetworkEngine::append_norm(std::size_t, const NormForward<__nv_bfloat16>&);
template void NetworkEngine::append_norm(std::size_t, const NormBackward<__half>&);
template void NetworkEngine::append_norm(std::size_t, const NormBackward<__nv_bfloat16>&);

}  // namespace busbar::gpu
