// SPDX-License-Identifier: Apache-2.0
#include "workloads/compute/cudnn/engine.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "workloads/compute/cudnn/kernels.hpp"
#include "workloads/compute/cudnn/precision.hpp"
#include "workloads/networks/synthetic.hpp"

namespace busbar::gpu {
namespace {

std::uint64_t most_channels(const Network& network) {
  int most = 1;
  for (const Layer& l : network.layers) most = std::max({most, l.in.channels, l.out.channels});
  return static_cast<std::uint64_t>(most);
}

std::uint16_t rounded(float value, DType precision) {
  return precision == DType::f16 ? to_half(value).bits : to_bfloat16(value).bits;
}

/// Converts [image, channel, row, column] to [image, row, column, stored channel], padded with zero channels.
std::vector<std::uint16_t> packed(const std::vector<float>& images, const Shape& s, int stored, DType precision) {
  const auto channels = static_cast<std::size_t>(s.channels), to_channels = static_cast<std::size_t>(stored);
  const auto pixels = static_cast<std::size_t>(s.height * s.width);
  const std::size_t count = images.size() / (channels * pixels);
  std::vector<std::uint16_t> to(count * pixels * to_channels);
  for (std::size_t n = 0; n < count; ++n)
    for (std::size_t c = 0; c < channels; ++c)
      for (std::size_t p = 0; p < pixels; ++p)
        to[(n * pixels + p) * to_channels + c] = rounded(images[(n * channels + c) * pixels + p], precision);
  return to;
}

}  // namespace

NetworkEngine::NetworkEngine(const Network& network, const EngineSetup& setup)
    : network_(network),
      setup_(setup),
      parameters_(network_, {.precision = setup.precision, .wire = setup.wire, .rule = setup.rule, .seed = setup.seed},
                  stream_),
      tuner_(cudnn_, stream_, setup.tuning),
      norms_(cudnn_, stream_, setup.norm, setup.precision),
      scratch_(scratch_bytes(most_channels(network_), static_cast<std::uint64_t>(setup.batch))),
      nodes_(network_.layers.size()),
      times_(network_.layers.size()) {
  cuda::check(cudaMemsetAsync(scratch_.data(), 0, scratch_.bytes(), stream_.handle()), "cudaMemsetAsync");
  load_batch();
  find_fusions();
  for (std::size_t i = 0; i < nodes_.size(); ++i) build_forward(i);
  build_loss();
  for (std::size_t i = nodes_.size(); i-- > 0;) build_backward(i);
  finish();
}

void NetworkEngine::load_batch() {
  for (const Layer& l : network_.layers)
    if (l.from < 0 && l.kind != LayerKind::convolution)
      throw Error(
          fmt::format("layer {} reads the images and is not a convolution; only convolutions can be first", l.name));
  const SyntheticBatch batch = synthetic_batch(network_, setup_.batch, setup_.seed, setup_.rank);
  const auto bits = packed(batch.images, network_.image, stored_channels(network_.layers.front()), setup_.precision);
  images_ = cuda::DeviceArray<std::byte>(bits.size() * compute_bytes);
  facts_.activation_bytes += images_.bytes();
  cuda::copy(images_.data(), reinterpret_cast<const std::byte*>(bits.data()), images_.bytes(), stream_);
  const std::vector<std::int32_t> labels(batch.labels.begin(), batch.labels.end());
  labels_ = cuda::DeviceArray<std::int32_t>(labels.size());
  cuda::copy(labels_.data(), labels.data(), labels.size(), stream_);
  stream_.wait();  // the copies read local arrays
}

void NetworkEngine::find_fusions() {
  const auto adds = adds_of_norms(network_);
  for (std::size_t norm = 0; norm < adds.size(); ++norm) {
    nodes_[norm].add = adds[norm];
    if (adds[norm]) nodes_[*adds[norm]].norm = norm;
  }
}

void NetworkEngine::build_forward(std::size_t i) {
  switch (network_.layers[i].kind) {
    case LayerKind::convolution:
      return forward_convolution(i);
    case LayerKind::norm:
      if (!nodes_[i].add) forward_norm(i, nullptr, i);
      return;
    case LayerKind::add:
      return forward_add(i);
    case LayerKind::max_pool:
    case LayerKind::average_pool:
      return forward_pool(i);
    case LayerKind::linear:
      return forward_linear(i);
  }
}

void NetworkEngine::build_backward(std::size_t i) {
  switch (network_.layers[i].kind) {
    case LayerKind::convolution:
      backward_convolution(i);
      break;
    case LayerKind::norm:
      if (!nodes_[i].add) backward_norm(i, i);
      break;
    case LayerKind::add:
      backward_add(i);
      break;
    case LayerKind::max_pool:
    case LayerKind::average_pool:
      backward_pool(i);
      break;
    case LayerKind::linear:
      backward_linear(i);
      break;
  }
  // Fused layers may be complete early, but count once everything before them in the flat array is complete.
  const auto& own = parameters_.of(i);
  if (!own.empty()) backward_.back().ready = parameters_.end_of(own.front());
}

void NetworkEngine::finish() {
  std::uint64_t bytes = 0;
  for (const auto& p : planned_) bytes = std::max(bytes, p->plan->workspace_bytes());
  void* const workspace = tuner_.final_workspace(bytes);
  for (const auto& p : planned_) p->execution.emplace(*p->plan, p->places, workspace);
  stream_.wait();
  facts_.choices = tuner_.choices();
}

void* NetworkEngine::output_of(int layer) const {
  return layer < 0 ? images_.data() : nodes_[static_cast<std::size_t>(layer)].output.data();
}

void* NetworkEngine::keep_output(std::size_t layer) {
  auto& output = nodes_[layer].output;
  output = cuda::DeviceArray<std::byte>(elements_of(network_.layers[layer].out) * compute_bytes);
  facts_.activation_bytes += output.bytes();
  return output.data();
}

void NetworkEngine::append(std::vector<Part>& to, std::size_t layer, std::function<void()> work) {
  work();
  to.push_back({.layer = layer, .work = std::move(work)});
}

std::shared_ptr<NetworkEngine::Planned> NetworkEngine::append_planned(std::vector<Part>& to, std::size_t layer,
                                                                      const cudnn::ConvolutionShape& shape,
                                                                      cudnn::Pass pass,
                                                                      std::vector<cudnn::Place> places) {
  const auto make = [&] { return cudnn::convolution_graph(cudnn_, shape, pass); };
  auto planned = std::make_shared<Planned>(
      Planned{.plan = tuner_.fastest(cudnn::name_of(shape, pass), make, places), .places = std::move(places)});
  planned_.push_back(planned);
  to.push_back({.layer = layer, .work = [this, planned] { planned->execution->run(cudnn_); }});
  return planned;
}

std::vector<NetworkEngine::Lease> NetworkEngine::summed_diffs(std::size_t layer, std::size_t most) {
  std::vector<Lease> diffs = std::move(nodes_[layer].diffs);
  if (diffs.empty()) throw Error(fmt::format("the output of layer {} is used by none", network_.layers[layer].name));
  const std::uint64_t elements = elements_of(network_.layers[layer].out);
  while (diffs.size() > most) {
    const Lease a = std::move(diffs.back());
    diffs.pop_back();
    const Lease b = std::move(diffs.back());
    diffs.pop_back();
    const Lease sum = a.use_count() == 1 ? a : new_diff(network_.layers[layer].out);
    with_precision(setup_.precision, [&]<class T>(T) {
      append(backward_, layer, [=, this] {
        add(reinterpret_cast<const T*>(a->data()), reinterpret_cast<const T*>(b->data()),
            reinterpret_cast<T*>(sum->data()), 0, elements, stream_);
      });
    });
    diffs.push_back(sum);
  }
  return diffs;
}

NetworkEngine::Lease NetworkEngine::reuse(std::vector<Lease>& from, const Shape& shape) {
  for (Lease& lease : from)
    if (lease && lease.use_count() == 1) return std::move(lease);
  return new_diff(shape);
}

void NetworkEngine::give(int layer, Lease diff) {
  if (layer >= 0) nodes_[static_cast<std::size_t>(layer)].diffs.push_back(std::move(diff));
}

void NetworkEngine::forward() {
  for (const Part& part : forward_) part.work();
}

void NetworkEngine::backward(const Ready& ready) {
  for (const Part& part : backward_) {
    part.work();
    if (part.ready > 0 && ready) ready(part.ready);
  }
}

void NetworkEngine::time_layers() {
  while (marks_.size() <= forward_.size() + backward_.size()) marks_.emplace_back(cuda::Event::Kind::timed);
  auto mark = marks_.begin();
  (mark++)->record(stream_);
  for (const auto* parts : {&forward_, &backward_})
    for (const Part& part : *parts) {
      part.work();
      (mark++)->record(stream_);
    }
  stream_.wait();
  mark = marks_.begin();
  for (const auto* parts : {&forward_, &backward_})
    for (const Part& part : *parts) {
      LayerTime& time = times_[part.layer];
      (parts == &forward_ ? time.forward_s : time.backward_s) += cuda::seconds_between(mark[0], mark[1]);
      ++mark;
    }
  ++timed_passes_;
}

double bytes_to_train(const Network& network, const EngineSetup& setup) {
  constexpr double libraries = 1.5e9;  // CUDA context, kernels, cuDNN's workspace, NCCL's buffers
  double kept = static_cast<double>(network.image.elements()) * 2, largest = 0, weights = 0;
  for (const Layer& l : network.layers) {
    const auto out = static_cast<double>(l.out.elements());
    kept += out * (l.kind == LayerKind::max_pool ? 1.5 : 1);  // one byte per element for the argmax
    largest = std::max(largest, out);
  }
  for (const Parameter& p : network.parameters()) weights += static_cast<double>(p.elements);
  const double of_weight = 2.0 * sizeof(float) + compute_bytes + static_cast<double>(size_of(setup.wire));
  const double running = setup.tries_cudnn_norms() ? 6 : 4;  // of the largest output; our norms work in place
  return compute_bytes * (kept + running * largest) * setup.batch + of_weight * weights + libraries;
}

}  // namespace busbar::gpu
