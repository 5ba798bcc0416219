// SPDX-License-Identifier: Apache-2.0
#include "workloads/compute/cudnn/parameters.hpp"

#include <algorithm>
#include <limits>

#include "workloads/compute/cudnn/kernels.hpp"
#include "workloads/compute/cudnn/lowering.hpp"
#include "workloads/compute/cudnn/precision.hpp"
#include "workloads/networks/synthetic.hpp"

namespace busbar::gpu {
namespace {

std::uint64_t up_to(std::uint64_t n, std::uint64_t multiple) { return (n + multiple - 1) / multiple * multiple; }

bool has_matrix(const Layer& l) { return l.kind == LayerKind::convolution || l.kind == LayerKind::linear; }

/// Pixels in a convolution's window or in a linear layer's input.
std::uint64_t window_of(const Layer& l) {
  return static_cast<std::uint64_t>(l.kind == LayerKind::linear ? l.in.height * l.in.width : l.kernel * l.kernel);
}

/// Converts [outputs, inputs, window] to [outputs, window, stored inputs].
void pack(const std::vector<float>& from, const Layer& l, float* to) {
  const auto inputs = static_cast<std::size_t>(l.in.channels), stored = static_cast<std::size_t>(stored_channels(l));
  const std::size_t window = window_of(l), outputs = from.size() / (inputs * window);
  for (std::size_t o = 0; o < outputs; ++o)
    for (std::size_t i = 0; i < inputs; ++i)
      for (std::size_t w = 0; w < window; ++w) to[(o * window + w) * stored + i] = from[(o * inputs + i) * window + w];
}

void zero(void* at, std::size_t bytes, const cuda::Stream& on) {
  cuda::check(cudaMemsetAsync(at, 0, bytes, on.handle()), "cudaMemsetAsync");
}

/// Calls f<G, T> with G the type of gradients and T the type of copies.
template <class F>
void with_types(DType precision, DType wire, F&& f) {
  with_precision(precision, [&]<class T>(T t) {
    if (wire == DType::f32)
      f(float{}, t);
    else
      f(t, t);
  });
}

std::vector<float> on_host(const void* from, std::size_t elements, DType type, const cuda::Stream& on) {
  std::vector<float> values(elements);
  if (type == DType::f32) {
    cuda::copy(values.data(), static_cast<const float*>(from), elements, on);
    on.wait();
    return values;
  }
  std::vector<std::uint16_t> bits(elements);
  cuda::copy(bits.data(), static_cast<const std::uint16_t*>(from), elements, on);
  on.wait();
  std::ranges::transform(bits, values.begin(), [&](std::uint16_t b) {
    return type == DType::f16 ? to_float(Half{b}) : to_float(BFloat16{b});
  });
  return values;
}

}  // namespace

Parameters::Parameters(const Network& network, const Setup& setup, const cuda::Stream& on)
    : setup_(setup), stream_(on), of_layer_(network.layers.size()) {
  lay_out(network);
  const std::size_t all = stripes_.empty() ? 0 : end_of(stripes_.size() - 1);
  weights_ = cuda::DeviceArray<float>(all);
  momenta_ = cuda::DeviceArray<float>(all);
  copies_ = cuda::DeviceArray<std::byte>(all * compute_bytes);
  gradients_ = cuda::DeviceArray<std::byte>(all * size_of(setup_.wire));
  staging_ = cuda::DeviceArray<std::byte>(2 * slot_bytes_);
  make_first(network);
  reset();
}

void Parameters::lay_out(const Network& network) {
  const auto parameters = network.parameters();
  std::uint64_t begin = 0;
  for (auto p = parameters.rbegin(); p != parameters.rend(); ++p) {
    const auto layer = static_cast<std::size_t>(p->layer);
    const Layer& l = network.layers[layer];
    const bool matrix = has_matrix(l) && p->name.ends_with(".weight");
    const auto inputs = static_cast<std::uint64_t>(l.in.channels);
    const std::uint64_t stored =
        matrix ? p->elements / inputs * static_cast<std::uint64_t>(stored_channels(l)) : p->elements;
    of_layer_[layer].insert(of_layer_[layer].begin(), stripes_.size());
    stripes_.push_back({.name = p->name, .begin = begin, .elements = up_to(stored, stripe_multiple)});
    stored_.push_back(stored);
    begin += stripes_.back().elements;
    if (staged(matrix ? setup_.precision : DType::f32))
      slot_bytes_ = std::max(slot_bytes_, stripes_.back().elements * (matrix ? compute_bytes : sizeof(float)));
  }
}

void Parameters::make_first(const Network& network) {
  first_.resize(elements());
  const auto values = first_weights(network, setup_.seed);
  const auto parameters = network.parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Layer& l = network.layers[static_cast<std::size_t>(parameters[i].layer)];
    float* const to = first_.data() + stripes_[parameters.size() - 1 - i].begin;
    if (has_matrix(l) && parameters[i].name.ends_with(".weight"))
      pack(values[i], l, to);
    else
      std::ranges::copy(values[i], to);
  }
}

const void* Parameters::copy(std::size_t stripe) const {
  return copies_.data() + stripes_[stripe].begin * compute_bytes;
}

void* Parameters::target(std::size_t stripe, DType computed, int slot) {
  return staged(computed) ? staging_.data() + static_cast<std::size_t>(slot) * slot_bytes_
                          : gradients_.data() + stripes_[stripe].begin * size_of(setup_.wire);
}

void Parameters::publish(std::size_t stripe, DType computed, int slot) {
  if (!staged(computed)) return;
  const void* const from = target(stripe, computed, slot);
  std::byte* const to = gradients_.data() + stripes_[stripe].begin * size_of(setup_.wire);
  with_precision(setup_.precision, [&]<class T>(T) {
    if (computed == DType::f32)
      convert(static_cast<const float*>(from), reinterpret_cast<T*>(to), 0, stored_[stripe], 1, stream_);
    else
      convert(static_cast<const T*>(from), reinterpret_cast<float*>(to), 0, stored_[stripe], 1, stream_);
  });
}

void Parameters::reset() {
  cuda::copy(weights_.data(), first_.data(), first_.size(), stream_);
  with_precision(setup_.precision, [&]<class T>(T) {
    convert(static_cast<const float*>(weights_.data()), reinterpret_cast<T*>(copies_.data()), 0, elements(), 1,
            stream_);
  });
  zero(momenta_.data(), momenta_.bytes(), stream_);
  zero(gradients_.data(), gradients_.bytes(), stream_);
}

void Parameters::update(int ranks) {
  const bool may_overflow = setup_.precision == DType::f16;
  with_types(setup_.precision, setup_.wire, [&]<class G, class T>(G, T) {
    SgdUpdate<G, T> call{.settings = setup_.rule,
                         .factor = 1 / (static_cast<float>(ranks) * loss_scale(setup_.precision)),
                         .weights = weights_.data(),
                         .momenta = momenta_.data(),
                         .gradients = reinterpret_cast<const G*>(gradients_.data()),
                         .copy = reinterpret_cast<T*>(copies_.data())};
    if (may_overflow) {
      zero(counter_.data(), counter_.bytes(), stream_);
      count_not_finite(call.gradients, 0, elements(), counter_.data(), stream_);
      call.skip = counter_.data();
    }
    sgd_update(call, 0, elements(), stream_);
  });
}

void Parameters::fill_known(int rank, int ranks) {
  with_types(setup_.precision, setup_.wire, [&]<class G, class T>(G, T) {
    gpu::fill_known(reinterpret_cast<G*>(gradients_.data()), 0, elements(), static_cast<std::uint32_t>(rank),
                    static_cast<std::uint32_t>(ranks), stream_);
  });
}

std::optional<Parameters::Wrong> Parameters::find_unexpected() {
  constexpr auto none = std::numeric_limits<unsigned long long>::max();
  cuda::check(cudaMemsetAsync(counter_.data(), 0xFF, counter_.bytes(), stream_.handle()), "cudaMemsetAsync");
  with_types(setup_.precision, setup_.wire, [&]<class G, class T>(G, T) {
    gpu::find_unexpected(reinterpret_cast<const G*>(gradients_.data()), 0, elements(), 1, counter_.data(), stream_);
  });
  unsigned long long first = none;
  cuda::copy(&first, static_cast<const unsigned long long*>(counter_.data()), 1, stream_);
  stream_.wait();
  if (first == none) return std::nullopt;
  const auto found = on_host(gradients_.data() + first * size_of(setup_.wire), 1, setup_.wire, stream_);
  return Wrong{.index = first, .found = found.front(), .expected = static_cast<float>(1 + first % 7)};
}

std::vector<float> Parameters::weights_on_host() const {
  return on_host(weights_.data(), elements(), DType::f32, stream_);
}

std::vector<float> Parameters::gradients_on_host() const {
  return on_host(gradients_.data(), elements(), setup_.wire, stream_);
}

}  // namespace busbar::gpu
