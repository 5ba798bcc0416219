// SPDX-License-Identifier: Apache-2.0
#include "workloads/compute/cudnn/column_threads.hpp"
#include "workloads/compute/cudnn/norm.hpp"

namespace busbar::gpu {
namespace {

constexpr unsigned sum_ahead = 4, map_ahead = 2;  // rows that a thread requests before it processes the first

/// The norm of one channel: y = factor * x + offset. Forward and backward compute the same bits.
struct Line {
  float factor, offset;
  __device__ Line() {}
  __device__ Line(float scale, float shift, float mean, float inverse_deviation)
      : factor(scale * inverse_deviation), offset(fmaf(-mean, factor, shift)) {}
  [[nodiscard]] __device__ float at(float x) const { return fmaf(x, factor, offset); }
};

/// Whether a value is still positive after rounding to T, i.e. above half of the smallest positive T.
__device__ bool stays_positive(float value, __half) { return value > 0x1p-25F; }
__device__ bool stays_positive(float value, __nv_bfloat16) { return value > 0x1p-134F; }

/// Bit k: whether value k is positive after rounding to T.
template <class T>
__device__ std::uint8_t bits_of(const float (&values)[8], T type) {
  unsigned bits = 0;
  for (unsigned k = 0; k < 8; ++k) bits |= (stays_positive(values[k], type) ? 1U : 0U) << k;
  return static_cast<std::uint8_t>(bits);
}

/// Rows of one array in flight.
template <class T, unsigned V, unsigned ahead>
struct Rows {
  Packed<T, V> row[ahead];
  __device__ void ask(const T* from, std::uint64_t pitch) {
    for (unsigned u = 0; u < ahead; ++u) row[u] = fetch<V>(from + u * pitch);
  }
};

/// Calls work(std::integral_constant<unsigned, n>, row) for this thread's rows: n rows starting at `row`, one step
/// apart. n is `ahead`, then 1 for the remainder.
template <unsigned ahead, class Work>
__device__ void over_rows(const Columns& c, const Place& at, const Work& work) {
  const std::uint64_t step = rows_a_step(c);
  std::uint64_t row = at.first_row(c);
  for (; row + (ahead - 1) * step < c.rows; row += ahead * step) work(std::integral_constant<unsigned, ahead>{}, row);
  for (; row < c.rows; row += step) work(std::integral_constant<unsigned, 1>{}, row);
}

/// Same as over_rows, from last row to first, so that a second pass starts with rows that may still be in cache.
template <unsigned ahead, class Work>
__device__ void over_rows_back(const Columns& c, const Place& at, const Work& work) {
  over_rows<ahead>(c, at, [&](auto count, std::uint64_t back) {
    constexpr unsigned behind = decltype(count)::value - 1;
    work(count, c.rows - 1 - back - behind * rows_a_step(c));
  });
}

/// Gradient of y before relu's mask. The second summand is loaded only here, to limit register pressure.
template <class T, unsigned V>
__device__ void gradient_of_y(const Packed<T, V>& dy, const T* dy2, std::uint64_t place, float (&g)[V]) {
  float more[V] = {};
  if (dy2 != nullptr) load(dy2 + place, more);
  unpack(dy, g);
  for (unsigned k = 0; k < V; ++k) g[k] += more[k];
}

/// Statistics of one channel.
struct Moments {
  float mean, variance, inverse_deviation;
  /// `sum` and `squares`: of x - shift over n rows.
  __device__ Moments(float sum, float squares, float n, float shift) {
    const float from_shift = sum / n;
    mean = shift + from_shift;
    variance = fmaxf(fmaf(-from_shift, from_shift, squares / n), 0.0F);
    inverse_deviation = 1.0F / sqrtf(variance + norm_epsilon);
  }
};

template <class T>
__device__ void keep(const Moments& of, const NormForward<T>& call, std::uint32_t channel) {
  call.mean[channel] = of.mean;
  call.inverse_deviation[channel] = of.inverse_deviation;
  if (call.running_mean == nullptr) return;
  const float n = static_cast<float>(call.rows);
  const float unbiased = of.variance * (n / fmaxf(n - 1.0F, 1.0F));
  call.running_mean[channel] = (1.0F - norm_momentum) * call.running_mean[channel] + norm_momentum * of.mean;
  call.running_variance[channel] = (1.0F - norm_momentum) * call.running_variance[channel] + norm_momentum * unbiased;
}

/// `first`: whether this thread is the one that stores the statistics, if they come from given sums.
template <class T>
__device__ Line line_of(const NormForward<T>& call, std::uint32_t channel, bool first) {
  const float scale = call.scale[channel], shift = call.shift[channel];
  if (call.sum == nullptr) return {scale, shift, call.mean[channel], call.inverse_deviation[channel]};
  const Moments of(call.sum[channel], call.squares[channel], static_cast<float>(call.rows), 0);
  if (first) keep(of, call, channel);
  return {scale, shift, of.mean, of.inverse_deviation};
}

}  // namespace

template <class T, unsigned V>
__global__ void __launch_bounds__(sum_threads, sum_blocks) norm_statistics(NormForward<T> call, Columns columns) {
  const Place at(columns);
  float2 sums[V];
  for (unsigned k = 0; k < V; ++k) sums[k] = {0, 0};
  if (!at.idle) {
    const T* const x = call.x + at.vector * V;
    float shift[V];
    load(x, shift);
    const std::uint64_t pitch = rows_a_step(columns) * columns.channels;
    over_rows<sum_ahead>(columns, at, [&](auto count, std::uint64_t row) {
      constexpr unsigned rows = decltype(count)::value;
      Rows<T, V, rows> asked;
      asked.ask(x + row * columns.channels, pitch);
#pragma unroll
      for (unsigned u = 0; u < rows; ++u) {
        float v[V];
        unpack(asked.row[u], v);
        for (unsigned k = 0; k < V; ++k) {
          const float d = v[k] - shift[k];
          sums[k].x += d;
          sums[k].y = fmaf(d, d, sums[k].y);
        }
      }
    });
  }
  add_up_columns(columns, at, sums, Scratch(call.scratch), [&](std::uint32_t channel, float2 total) {
    const float n = static_cast<float>(call.rows), shift = to_float(call.x[channel]);
    keep(Moments(total.x, total.y, n, shift), call, channel);
  });
}

template <class T, unsigned V>
__global__ void __launch_bounds__(map_threads, apply_blocks) norm_apply(NormForward<T> call, Columns columns) {
  const Place at(columns);
  if (at.idle) return;
  Line line[V];
  const bool first = at.first_row(columns) == 0;
  for (unsigned k = 0; k < V; ++k) line[k] = line_of(call, at.vector * V + k, first);
  const std::uint64_t pitch = rows_a_step(columns) * columns.channels;
  const bool with_residual = call.residual != nullptr;
  over_rows_back<map_ahead>(columns, at, [&](auto count, std::uint64_t row) {
    constexpr unsigned rows = decltype(count)::value;
    const std::uint64_t place = row * columns.channels + at.vector * V;
    Rows<T, V, rows> x, residual;
    x.ask(call.x + place, pitch);
    if (with_residual) residual.ask(call.residual + place, pitch);
#pragma unroll
    for (unsigned u = 0; u < rows; ++u) {
      float v[V];
      unpack(x.row[u], v);
      for (unsigned k = 0; k < V; ++k) v[k] = line[k].at(v[k]);
      if (with_residual) {
        float more[V];
        unpack(residual.row[u], more);
        for (unsigned k = 0; k < V; ++k) v[k] += more[k];
      }
      if (call.relu)
        for (unsigned k = 0; k < V; ++k) v[k] = relu_of(v[k]);
      if constexpr (V == 8)
        if (call.positive != nullptr) call.positive[(place + u * pitch) / 8] = bits_of(v, T{});
      store(call.y + place + u * pitch, v);
    }
  });
}

template <class T, unsigned V, Mask mask>
__global__ void __launch_bounds__(sum_threads, sum_blocks) norm_sums(NormBackward<T> call, Columns columns) {
  constexpr unsigned ahead = mask == Mask::from_y ? 1 : 2;  // limited by registers
  const Place at(columns);
  float2 sums[V];  // sums of g and of g * (x - mean)
  for (unsigned k = 0; k < V; ++k) sums[k] = {0, 0};
  if (!at.idle) {
    float mean[V];
    Line line[V];
    for (unsigned k = 0; k < V; ++k) {
      const std::uint32_t channel = at.vector * V + k;
      mean[k] = call.mean[channel];
      if constexpr (mask == Mask::from_x)
        line[k] = Line(call.scale[channel], call.shift[channel], mean[k], call.inverse_deviation[channel]);
    }
    const bool write = call.dresidual != nullptr;
    const std::uint64_t pitch = rows_a_step(columns) * columns.channels;
    over_rows<ahead>(columns, at, [&](auto count, std::uint64_t row) {
      constexpr unsigned rows = decltype(count)::value;
      const std::uint64_t place = row * columns.channels + at.vector * V;
      Rows<T, V, rows> dy, x, y;
      [[maybe_unused]] unsigned bits[rows];
      dy.ask(call.dy + place, pitch);
      x.ask(call.x + place, pitch);
      if constexpr (mask == Mask::from_y) y.ask(call.y + place, pitch);
      if constexpr (mask == Mask::from_bits)
        for (unsigned u = 0; u < rows; ++u) bits[u] = call.positive[(place + u * pitch) / V];
#pragma unroll
      for (unsigned u = 0; u < rows; ++u) {
        float g[V], v[V];
        gradient_of_y(dy.row[u], call.dy2, place + u * pitch, g);
        if constexpr (mask == Mask::from_y) {
          unpack(y.row[u], v);
          for (unsigned k = 0; k < V; ++k) g[k] = v[k] > 0 ? g[k] : 0.0F;
        }
        if constexpr (mask == Mask::from_bits)
          for (unsigned k = 0; k < V; ++k) g[k] = (bits[u] >> k & 1U) != 0 ? g[k] : 0.0F;
        unpack(x.row[u], v);
        if constexpr (mask == Mask::from_x)
          for (unsigned k = 0; k < V; ++k) g[k] = stays_positive(line[k].at(v[k]), T{}) ? g[k] : 0.0F;
        if (mask != Mask::from_x && write) {
          const Packed<T, V> kept = pack<T>(g);
          put<V>(call.dresidual + place + u * pitch, kept);
          unpack(kept, g);  // sum the rounded values that the second pass reads
        }
        for (unsigned k = 0; k < V; ++k) {
          sums[k].x += g[k];
          sums[k].y = fmaf(g[k], v[k] - mean[k], sums[k].y);
        }
      }
    });
  }
  add_up_columns(columns, at, sums, Scratch(call.scratch), [&](std::uint32_t channel, float2 total) {
    call.dshift[channel] = total.x;
    call.dscale[channel] = total.y * call.inverse_deviation[channel];
  });
}

/// dx = factor * (g - dshift / n - xhat * dscale / n), which is linear in g and x.
template <class T, unsigned V, Mask mask>
__global__ void __launch_bounds__(map_threads, gradient_blocks) norm_gradient(NormBackward<T> call, Columns columns) {
  const Place at(columns);
  if (at.idle) return;
  Line line[V];
  float of_x[V], constant[V];
  const float n = static_cast<float>(columns.rows);
  for (unsigned k = 0; k < V; ++k) {
    const std::uint32_t channel = at.vector * V + k;
    const float inverse = call.inverse_deviation[channel], mean = call.mean[channel];
    line[k] = Line(call.scale[channel], call.shift[channel], mean, inverse);
    of_x[k] = -line[k].factor * inverse * (call.dscale[channel] / n);
    constant[k] = -line[k].factor * (call.dshift[channel] / n) - of_x[k] * mean;
  }
  const std::uint64_t pitch = rows_a_step(columns) * columns.channels;
  over_rows_back<map_ahead>(columns, at, [&](auto count, std::uint64_t row) {
    constexpr unsigned rows = decltype(count)::value;
    const std::uint64_t place = row * columns.channels + at.vector * V;
    Rows<T, V, rows> dy, x;
    dy.ask(call.dy + place, pitch);
    x.ask(call.x + place, pitch);
#pragma unroll
    for (unsigned u = 0; u < rows; ++u) {
      float g[V], v[V];
      gradient_of_y(dy.row[u], call.dy2, place + u * pitch, g);
      unpack(x.row[u], v);
      for (unsigned k = 0; k < V; ++k) {
        if (mask == Mask::from_x && !stays_positive(line[k].at(v[k]), T{})) g[k] = 0.0F;
        g[k] = fmaf(line[k].factor, g[k], fmaf(of_x[k], v[k], constant[k]));
      }
      store(call.dx + place + u * pitch, g);
    }
  });
}

template <class T, unsigned V>
__global__ void __launch_bounds__(sum_threads, sum_blocks)
    sum_columns(const T* x, Columns columns, float* sums, void* scratch) {
  const Place at(columns);
  float2 own[V];
  for (unsigned k = 0; k < V; ++k) own[k] = {0, 0};
  if (!at.idle) {
    over_rows<1>(columns, at, [&](auto, std::uint64_t row) {
      float v[V];
      load(x + row * columns.channels + at.vector * V, v);
      for (unsigned k = 0; k < V; ++k) own[k].x += v[k];
    });
  }
  add_up_columns(columns, at, own, Scratch(scratch),
                 [&](std::uint32_t channel, float2 total) { sums[channel] = total.x; });
}

template __global__ void norm_statistics<__half, 1>(NormForward<__half>, Columns);
template __global__ void norm_apply<__half, 1>(NormForward<__half>, Columns);
template __global__ void norm_sums<__half, 1, Mask::none>(NormBackward<__half>, Columns);
template __global__ void norm_gradient<__half, 1, Mask::none>(NormBackward<__half>, Columns);
template __global__ void norm_sums<__half, 1, Mask::from_x>(NormBackward<__half>, Columns);
template __global__ void norm_gradient<__half, 1, Mask::from_x>(NormBackward<__half>, Columns);
template __global__ void norm_sums<__half, 1, Mask::from_y>(NormBackward<__half>, Columns);
template __global__ void sum_columns<__half, 1>(const __half*, Columns, float*, void*);
template __global__ void norm_statistics<__half, 8>(NormForward<__half>, Columns);
template __global__ void norm_apply<__half, 8>(NormForward<__half>, Columns);
template __global__ void norm_sums<__half, 8, Mask::none>(NormBackward<__half>, Columns);
template __global__ void norm_gradient<__half, 8, Mask::none>(NormBackward<__half>, Columns);
template __global__ void norm_sums<__half, 8, Mask::from_x>(NormBackward<__half>, Columns);
template __global__ void norm_gradient<__half, 8, Mask::from_x>(NormBackward<__half>, Columns);
template __global__ void norm_sums<__half, 8, Mask::from_y>(NormBackward<__half>, Columns);
template __global__ void norm_sums<__half, 8, Mask::from_bits>(NormBackward<__half>, Columns);
template __global__ void sum_columns<__half, 8>(const __half*, Columns, float*, void*);
template __global__ void norm_statistics<__nv_bfloat16, 1>(NormForward<__nv_bfloat16>, Columns);
template __global__ void norm_apply<__nv_bfloat16, 1>(NormForward<__nv_bfloat16>, Columns);
template __global__ void norm_sums<__nv_bfloat16, 1, Mask::none>(NormBackward<__nv_bfloat16>, Columns);
template __global__ void norm_gradient<__nv_bfloat16, 1, Mask::none>(NormBackward<__nv_bfloat16>, Columns);
template __global__ void norm_sums<__nv_bfloat16, 1, Mask::from_x>(NormBackward<__nv_bfloat16>, Columns);
template __global__ void norm_gradient<__nv_bfloat16, 1, Mask::from_x>(NormBackward<__nv_bfloat16>, Columns);
template __global__ void norm_sums<__nv_bfloat16, 1, Mask::from_y>(NormBackward<__nv_bfloat16>, Columns);
template __global__ void sum_columns<__nv_bfloat16, 1>(const __nv_bfloat16*, Columns, float*, void*);
template __global__ void norm_statistics<__nv_bfloat16, 8>(NormForward<__nv_bfloat16>, Columns);
template __global__ void norm_apply<__nv_bfloat16, 8>(NormForward<__nv_bfloat16>, Columns);
template __global__ void norm_sums<__nv_bfloat16, 8, Mask::none>(NormBackward<__nv_bfloat16>, Columns);
template __global__ void norm_gradient<__nv_bfloat16, 8, Mask::none>(NormBackward<__nv_bfloat16>, Columns);
template __global__ void norm_sums<__nv_bfloat16, 8, Mask::from_x>(NormBackward<__nv_bfloat16>, Columns);
template __global__ void norm_gradient<__nv_bfloat16, 8, Mask::from_x>(NormBackward<__nv_bfloat16>, Columns);
template __global__ void norm_sums<__nv_bfloat16, 8, Mask::from_y>(NormBackward<__nv_bfloat16>, Columns);
template __global__ void norm_sums<__nv_bfloat16, 8, Mask::from_bits>(NormBackward<__nv_bfloat16>, Columns);
template __global__ void sum_columns<__nv_bfloat16, 8>(const __nv_bfloat16*, Columns, float*, void*);

}  // namespace busbar::gpu
