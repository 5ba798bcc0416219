// SPDX-License-Identifier: Apache-2.0
// The kernels of a training step against plain loops in double precision. One program for both: on a GPU as it is, and
// where there is none with a CUDA runtime over host memory in front of the real one.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "core/cuda/memory.hpp"
#include "workloads/compute/cudnn/kernels.hpp"

namespace busbar::gpu {
namespace {

using Values = std::vector<double>;

float number_of(float v) { return v; }
float number_of(__half v) { return __half2float(v); }
float number_of(__nv_bfloat16 v) { return __bfloat162float(v); }
template <class T>
T element_of(double v) {
  const auto f = static_cast<float>(v);
  if constexpr (std::is_same_v<T, __half>)
    return __float2half_rn(f);
  else if constexpr (std::is_same_v<T, __nv_bfloat16>)
    return __float2bfloat16_rn(f);
  else
    return static_cast<T>(v);
}
/// The greatest relative error of rounding to T.
template <class T>
constexpr double unit = std::is_same_v<T, __half>          ? 0x1p-11
                        : std::is_same_v<T, __nv_bfloat16> ? 0x1p-8
                                                           : 0x1p-24;

template <class T>
double rounded(double v) {
  return number_of(element_of<T>(v));
}
template <class T>
Values rounded(Values v) {
  for (double& each : v) each = rounded<T>(each);
  return v;
}

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double normal() { return normal_(engine_); }
  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(engine_); }
  Values normals(std::size_t n, double mean = 0, double deviation = 1) {
    Values v(n);
    for (double& each : v) each = mean + deviation * normal();
    return v;
  }

 private:
  std::mt19937 engine_;
  std::normal_distribution<double> normal_;
};

/// A device, a stream, and arrays on host and device.
class Kernels : public testing::Test {
 protected:
  void SetUp() override {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) GTEST_SKIP() << "no device";
    stream_.emplace();
    scratch_ = cuda::DeviceArray<char>(scratch_bytes(4096, 512));
    cuda::check(cudaMemsetAsync(scratch_.data(), 0, scratch_.bytes(), stream_->handle()), "cudaMemsetAsync");
  }
  template <class T>
  cuda::DeviceArray<T> device(const std::vector<T>& from) {
    cuda::DeviceArray<T> made(from.size());
    cuda::copy(made.data(), from.data(), from.size(), *stream_);
    stream_->wait();
    return made;
  }
  template <class T>
  cuda::DeviceArray<T> device(const Values& from)
    requires(!std::is_same_v<T, double>)
  {
    std::vector<T> elements;
    for (const double v : from) elements.push_back(element_of<T>(v));
    return device(elements);
  }
  /// Filled with values that no test expects.
  template <class T>
  cuda::DeviceArray<T> blank(std::size_t n) {
    cuda::DeviceArray<T> made(n);
    cuda::check(cudaMemsetAsync(made.data(), 0x7f, made.bytes(), stream_->handle()), "cudaMemsetAsync");
    return made;
  }
  template <class T>
  std::vector<T> raw(const cuda::DeviceArray<T>& from) {
    std::vector<T> made(from.size());
    cuda::copy(made.data(), from.data(), from.size(), *stream_);
    stream_->wait();
    return made;
  }
  template <class T>
  Values host(const cuda::DeviceArray<T>& from) {
    Values made;
    for (const T v : raw(from)) made.push_back(static_cast<double>(number_of(v)));
    return made;
  }

  std::optional<cuda::Stream> stream_;
  cuda::DeviceArray<char> scratch_;
};

template <class T>
class TrainingKernels : public Kernels {};
using Types = testing::Types<__half, __nv_bfloat16>;
TYPED_TEST_SUITE(TrainingKernels, Types);

/// Each differs by no more than `relative` of itself and `absolute`.
void expect_near(const Values& got, const Values& want, double relative, double absolute, const std::string& what) {
  ASSERT_EQ(got.size(), want.size()) << what;
  int shown = 0;
  for (std::size_t i = 0; i < got.size() && shown < 3; ++i) {
    if (std::abs(got[i] - want[i]) <= relative * std::abs(want[i]) + absolute) continue;
    ADD_FAILURE() << what << "[" << i << "] of " << got.size() << " is " << got[i] << ", expected " << want[i];
    ++shown;
  }
}

double greatest(const Values& v) {
  double most = 0;
  for (const double each : v) most = std::max(most, std::abs(each));
  return most;
}

// Batch norm

struct Matrix {
  std::size_t rows, channels;
};
/// Channels that are and are no multiple of 8 and of a tile, rows that fill no block, and matrices of many blocks.
const std::vector<Matrix> matrices{{2, 8},     {37, 64},   {100, 3},   {64, 24},
                                   {777, 130}, {50, 2048}, {1000, 72}, {9000, 64}};

struct Statistics {
  Values mean, variance;
};
Statistics statistics_of(const Values& x, const Matrix& m) {
  Statistics s{Values(m.channels), Values(m.channels)};
  const auto n = static_cast<double>(m.rows);
  for (std::size_t i = 0; i < x.size(); ++i) s.mean[i % m.channels] += x[i] / n;
  for (std::size_t i = 0; i < x.size(); ++i)
    s.variance[i % m.channels] += std::pow(x[i] - s.mean[i % m.channels], 2) / n;
  return s;
}
double inverse_of(double variance) { return 1 / std::sqrt(variance + static_cast<double>(norm_epsilon)); }

Values sums_of(const Values& x, const Matrix& m) {
  Values sums(m.channels);
  for (std::size_t i = 0; i < x.size(); ++i) sums[i % m.channels] += x[i];
  return sums;
}
Values squares_of(Values x) {
  for (double& each : x) each *= each;
  return x;
}

/// Without relu.
Values norm_of(const Values& x, const Values& scale, const Values& shift, const Values* residual, const Matrix& m) {
  const Statistics s = statistics_of(x, m);
  Values y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t c = i % m.channels;
    y[i] = scale[c] * (x[i] - s.mean[c]) * inverse_of(s.variance[c]) + shift[c] + (residual ? (*residual)[i] : 0);
  }
  return y;
}
Values relu(Values v) {
  for (double& each : v) each = std::max(each, 0.0);
  return v;
}

/// A norm with all options, and its results.
template <class T>
struct Norm {
  Matrix m;
  bool relu, residual, two;
  bool bits = false;  ///< backward gets forward's bits and no y
  bool sums = false;  ///< forward gets sums of x and of its squares
  Values x, more, scale, shift, dy, dy2;
  Values y, mean, inverse, dx, dresidual, dscale, dshift;
};

template <class T>
class NormKernels : public Kernels {
 protected:
  static Norm<T> made(const Matrix& m, bool relu, bool residual, bool two, double mean = 0.5) {
    Random random(static_cast<unsigned>(m.rows * 31 + m.channels));
    const std::size_t n = m.rows * m.channels;
    Norm<T> made{.m = m, .relu = relu, .residual = residual, .two = two};
    made.x = rounded<T>(random.normals(n, mean, 2));
    made.more = rounded<T>(random.normals(n));
    made.scale = rounded<float>(random.normals(m.channels, 1, 0.3));
    made.shift = rounded<float>(random.normals(m.channels, 0, 0.3));
    made.dy = rounded<T>(random.normals(n));
    made.dy2 = rounded<T>(random.normals(n));
    return made;
  }
  void run(Norm<T>& n, bool in_place = false) {
    const std::size_t elements = n.m.rows * n.m.channels, channels = n.m.channels;
    const auto x = this->template device<T>(n.x), more = this->template device<T>(n.more);
    const auto dy = this->template device<T>(n.dy), dy2 = this->template device<T>(n.dy2);
    const auto scale = this->template device<float>(n.scale), shift = this->template device<float>(n.shift);
    const auto mean = this->template blank<float>(channels), inverse = this->template blank<float>(channels);
    const auto dscale = this->template blank<float>(channels), dshift = this->template blank<float>(channels);
    const auto y = this->template blank<T>(elements), dx = this->template blank<T>(elements);
    const auto dresidual = this->template blank<T>(elements);
    const auto bits = this->template blank<std::uint8_t>(elements / 8);
    const auto sum = this->template device<float>(sums_of(n.x, n.m)),
               squares = this->template device<float>(sums_of(squares_of(n.x), n.m));
    norm_forward<T>({.rows = n.m.rows,
                     .channels = static_cast<std::uint32_t>(channels),
                     .x = x.data(),
                     .residual = n.residual ? more.data() : nullptr,
                     .relu = n.relu,
                     .scale = scale.data(),
                     .shift = shift.data(),
                     .sum = n.sums ? sum.data() : nullptr,
                     .squares = n.sums ? squares.data() : nullptr,
                     .y = y.data(),
                     .positive = n.bits ? bits.data() : nullptr,
                     .mean = mean.data(),
                     .inverse_deviation = inverse.data(),
                     .scratch = this->scratch_.data()},
                    *this->stream_);
    T* const to = in_place ? dy.data() : dx.data();
    T* const to_residual = in_place ? dy2.data() : dresidual.data();
    norm_backward<T>({.rows = n.m.rows,
                      .channels = static_cast<std::uint32_t>(channels),
                      .x = x.data(),
                      .y = n.residual && !n.bits ? y.data() : nullptr,
                      .positive = n.bits ? bits.data() : nullptr,
                      .dy = dy.data(),
                      .dy2 = n.two ? dy2.data() : nullptr,
                      .relu = n.relu,
                      .scale = scale.data(),
                      .shift = shift.data(),
                      .mean = mean.data(),
                      .inverse_deviation = inverse.data(),
                      .dscale = dscale.data(),
                      .dshift = dshift.data(),
                      .dx = to,
                      .dresidual = n.residual ? to_residual : nullptr,
                      .scratch = this->scratch_.data()},
                     *this->stream_);
    n.y = this->host(y);
    n.mean = this->host(mean);
    n.inverse = this->host(inverse);
    n.dx = this->host(in_place ? dy : dx);
    n.dresidual = this->host(in_place ? dy2 : dresidual);
    n.dscale = this->host(dscale);
    n.dshift = this->host(dshift);
  }
};
TYPED_TEST_SUITE(NormKernels, Types);

template <class T>
std::string words_of(const Norm<T>& n) {
  return std::to_string(n.m.rows) + " x " + std::to_string(n.m.channels) + (n.relu ? " relu" : "") +
         (n.residual ? " residual" : "") + (n.two ? " two" : "");
}

template <class T>
void expect_forward(const Norm<T>& n) {
  const Statistics s = statistics_of(n.x, n.m);
  Values inverse;
  for (const double v : s.variance) inverse.push_back(inverse_of(v));
  expect_near(n.mean, s.mean, 1e-6, 1e-6, "mean");
  expect_near(n.inverse, inverse, 1e-5, 0, "inverse deviation");
  const Values y = norm_of(n.x, n.scale, n.shift, n.residual ? &n.more : nullptr, n.m);
  expect_near(n.y, n.relu ? relu(y) : y, unit<T>, 2e-5, "y");
}

/// The mask is that of the y which forward gave, to the bit.
template <class T>
void expect_backward(const Norm<T>& n) {
  const Statistics s = statistics_of(n.x, n.m);
  const auto rows = static_cast<double>(n.m.rows);
  Values g = n.dy, dscale(n.m.channels), dshift(n.m.channels), magnitude(n.m.channels);
  for (std::size_t i = 0; i < g.size(); ++i) {
    if (n.two) g[i] += n.dy2[i];
    if (n.relu && !(n.y[i] > 0)) g[i] = 0;
    if (n.residual) g[i] = rounded<T>(g[i]);
    const std::size_t c = i % n.m.channels;
    const double normal = (n.x[i] - s.mean[c]) * inverse_of(s.variance[c]);
    dshift[c] += g[i];
    dscale[c] += g[i] * normal;
    magnitude[c] += std::abs(g[i]) * (1 + std::abs(normal));
  }
  Values dx(g.size());
  double terms = 0;  // the greatest that dx is a sum of: in two rows they cancel
  for (std::size_t i = 0; i < g.size(); ++i) {
    const std::size_t c = i % n.m.channels;
    const double inverse = inverse_of(s.variance[c]), normal = (n.x[i] - s.mean[c]) * inverse;
    dx[i] = n.scale[c] * inverse * (g[i] - dshift[c] / rows - normal * dscale[c] / rows);
    terms = std::max(terms, std::abs(n.scale[c] * inverse) *
                                (std::abs(g[i]) + std::abs(dshift[c] / rows) + std::abs(normal * dscale[c] / rows)));
  }
  const double sums = 1e-5 * greatest(magnitude);
  expect_near(n.dshift, dshift, 1e-5, sums, "dshift");
  expect_near(n.dscale, dscale, 1e-5, sums, "dscale");
  expect_near(n.dx, dx, unit<T>, 2e-6 * terms, "dx");
  if (n.residual) expect_near(n.dresidual, g, 0, 0, "dresidual");
}

TYPED_TEST(NormKernels, MatchPlainLoops) {
  for (const Matrix& m : matrices)
    for (const bool relu : {false, true})
      for (const bool residual : {false, true})
        for (const bool two : {false, true}) {
          auto n = this->made(m, relu, residual, two);
          SCOPED_TRACE(words_of(n));
          this->run(n);
          expect_forward(n);
          expect_backward(n);
        }
}

TYPED_TEST(NormKernels, UseGivenSums) {
  for (const Matrix& m : matrices)
    for (const bool residual : {false, true}) {
      auto n = this->made(m, true, residual, false);
      n.sums = true;
      SCOPED_TRACE(words_of(n));
      this->run(n);
      expect_forward(n);
      expect_backward(n);
    }
}

TYPED_TEST(NormKernels, UseBitsInPlaceOfY) {
  for (const bool two : {false, true}) {
    auto by_y = this->made({333, 40}, true, true, two), by_bits = by_y;
    by_bits.bits = true;
    this->run(by_y);
    this->run(by_bits);
    EXPECT_EQ(by_y.y, by_bits.y);
    EXPECT_EQ(by_y.dx, by_bits.dx);
    EXPECT_EQ(by_y.dresidual, by_bits.dresidual);
    EXPECT_EQ(by_y.dscale, by_bits.dscale);
  }
}

TYPED_TEST(NormKernels, ComputeGradientsInPlace) {
  for (const bool residual : {false, true}) {
    auto apart = this->made({333, 40}, true, residual, true), within = apart;
    this->run(apart);
    this->run(within, true);
    EXPECT_EQ(apart.dx, within.dx);
    EXPECT_EQ(residual ? apart.dresidual : apart.dx, residual ? within.dresidual : within.dx);
  }
}

TYPED_TEST(NormKernels, AreReproducibleBitByBit) {
  auto first = this->made({9000, 64}, true, false, false), second = first;
  this->run(first);
  this->run(second);
  EXPECT_EQ(first.mean, second.mean);
  EXPECT_EQ(first.dscale, second.dscale);
  EXPECT_EQ(first.dx, second.dx);
}

TYPED_TEST(NormKernels, DoNotCancelAtALargeMean) {
  auto n = this->made({5000, 16}, true, false, false, 300);
  this->run(n);
  const Statistics s = statistics_of(n.x, n.m);
  for (std::size_t c = 0; c < n.m.channels; ++c) {
    EXPECT_NEAR(n.mean[c], s.mean[c], 1e-4);
    EXPECT_NEAR(n.inverse[c] / inverse_of(s.variance[c]), 1, 1e-5);
  }
}

TYPED_TEST(NormKernels, HaveTheRunningValuesOfTorch) {
  using T = TypeParam;
  const auto n = this->made({1000, 8}, false, false, false);
  const auto x = this->template device<T>(n.x);
  const auto scale = this->template device<float>(n.scale), shift = this->template device<float>(n.shift);
  const auto sum = this->template device<float>(sums_of(n.x, n.m)),
             squares = this->template device<float>(sums_of(squares_of(n.x), n.m));
  Statistics want = statistics_of(n.x, n.m);
  for (double& v : want.mean) v = 0.9 * 2 + 0.1 * v;
  for (double& v : want.variance) v = 0.9 * 3 + 0.1 * v * 1000 / 999;
  for (const bool sums : {false, true}) {
    const auto mean = this->template blank<float>(8), inverse = this->template blank<float>(8);
    const auto running_mean = this->template device<float>(Values(8, 2)),
               running_variance = this->template device<float>(Values(8, 3));
    const auto y = this->template blank<T>(8000);
    norm_forward<T>({.rows = 1000,
                     .channels = 8,
                     .x = x.data(),
                     .scale = scale.data(),
                     .shift = shift.data(),
                     .sum = sums ? sum.data() : nullptr,
                     .squares = sums ? squares.data() : nullptr,
                     .y = y.data(),
                     .mean = mean.data(),
                     .inverse_deviation = inverse.data(),
                     .running_mean = running_mean.data(),
                     .running_variance = running_variance.data(),
                     .scratch = this->scratch_.data()},
                    *this->stream_);
    expect_near(this->host(running_mean), want.mean, 1e-5, 1e-6, "running mean");
    expect_near(this->host(running_variance), want.variance, 1e-5, 1e-6, "running variance");
  }
}

/// Derivative of f by values[i], by central differences.
template <class Function>
double slope(const Function& f, Values& values, std::size_t i, double step = 1e-5) {
  const double kept = values[i];
  values[i] = kept + step;
  const double above = f();
  values[i] = kept - step;
  const double below = f();
  values[i] = kept;
  return (above - below) / (2 * step);
}

TYPED_TEST(NormKernels, MatchNumericalDerivatives) {
  auto n = this->made({20, 8}, true, true, true);
  this->run(n);
  const auto loss = [&] {
    const Values y = relu(norm_of(n.x, n.scale, n.shift, &n.more, n.m));
    double sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i) sum += y[i] * (n.dy[i] + n.dy2[i]);
    return sum;
  };
  const double tolerance = 4 * unit<TypeParam>;
  for (std::size_t i = 0; i < n.x.size(); i += 3) {
    EXPECT_NEAR(n.dx[i], slope(loss, n.x, i), tolerance * std::max(1.0, greatest(n.dx)));
    EXPECT_NEAR(n.dresidual[i], slope(loss, n.more, i), tolerance * greatest(n.dresidual));
  }
  for (std::size_t c = 0; c < n.m.channels; ++c) {
    EXPECT_NEAR(n.dscale[c], slope(loss, n.scale, c), tolerance * std::max(4.0, greatest(n.dscale)));
    EXPECT_NEAR(n.dshift[c], slope(loss, n.shift, c), tolerance * std::max(4.0, greatest(n.dshift)));
  }
}

// Add and flat arrays

TYPED_TEST(TrainingKernels, RoundOnceInAddAndRelu) {
  using T = TypeParam;
  for (const std::size_t n : {1UL, 8UL, 100UL, 70001UL}) {
    Random random(1);
    const Values a = rounded<T>(random.normals(n)), b = rounded<T>(random.normals(n));
    const Values dy = rounded<T>(random.normals(n)), dy2 = rounded<T>(random.normals(n));
    Values y(n), dx(n), dx2(n);
    for (std::size_t i = 0; i < n; ++i) {
      y[i] = rounded<T>(std::max(a[i] + b[i], 0.0));
      dx[i] = y[i] > 0 ? dy[i] : 0;
      dx2[i] = y[i] > 0 ? rounded<T>(dy[i] + dy2[i]) : 0;
    }
    const auto device_a = this->template device<T>(a), device_b = this->template device<T>(b);
    const auto device_dy = this->template device<T>(dy), device_dy2 = this->template device<T>(dy2);
    const auto device_y = this->template blank<T>(n), device_dx = this->template blank<T>(n);
    add_relu_forward<T>(device_a.data(), device_b.data(), device_y.data(), n, *this->stream_);
    EXPECT_EQ(this->host(device_y), y) << n;
    add_relu_backward<T>(device_y.data(), device_dy.data(), nullptr, device_dx.data(), n, *this->stream_);
    EXPECT_EQ(this->host(device_dx), dx) << n;
    add_relu_backward<T>(device_y.data(), device_dy.data(), device_dy2.data(), device_dx.data(), n, *this->stream_);
    EXPECT_EQ(this->host(device_dx), dx2) << n;
  }
}

/// Ranges whose ends lie anywhere, short ones inside eight elements, none at all.
struct Range {
  std::uint64_t begin, end;
};
const std::vector<Range> ranges{{0, 5000}, {3, 4999}, {8, 16}, {9, 12}, {5, 9}, {7, 7}, {15, 17}, {1, 4096}};

TYPED_TEST(TrainingKernels, ConvertAndAddWithinTheirRange) {
  using T = TypeParam;
  constexpr std::size_t n = 5000;
  Random random(2);
  const Values wide = rounded<float>(random.normals(n)), a = rounded<T>(wide), b = rounded<T>(random.normals(n));
  const auto device_wide = this->template device<float>(wide);
  const auto device_a = this->template device<T>(a), device_b = this->template device<T>(b);
  for (const auto& [begin, end] : ranges) {
    const auto narrow = this->template device<T>(Values(n, 9)), sum = this->template device<T>(Values(n, 9));
    const auto back = this->template device<float>(Values(n, 9));
    convert(device_wide.data(), narrow.data(), begin, end, 0.25F, *this->stream_);
    convert(device_a.data(), back.data(), begin, end, 3.0F, *this->stream_);
    add<T>(device_a.data(), device_b.data(), sum.data(), begin, end, *this->stream_);
    Values want_narrow(n, 9), want_back(n, 9), want_sum(n, 9);
    for (std::size_t i = begin; i < end; ++i) {
      want_narrow[i] = rounded<T>(wide[i] * 0.25);
      want_back[i] = rounded<float>(a[i] * 3);
      want_sum[i] = rounded<T>(a[i] + b[i]);
    }
    EXPECT_EQ(this->host(narrow), want_narrow) << begin << " to " << end;
    EXPECT_EQ(this->host(back), want_back) << begin << " to " << end;
    EXPECT_EQ(this->host(sum), want_sum) << begin << " to " << end;
  }
}

TYPED_TEST(TrainingKernels, ColumnSumsMatchPlainLoops) {
  using T = TypeParam;
  for (const Matrix& m : matrices) {
    const Values x = rounded<T>(Random(3).normals(m.rows * m.channels));
    Values want(m.channels), magnitude(m.channels);
    for (std::size_t i = 0; i < x.size(); ++i) {
      want[i % m.channels] += x[i];
      magnitude[i % m.channels] += std::abs(x[i]);
    }
    const auto device_x = this->template device<T>(x);
    const auto sums = this->template blank<float>(m.channels);
    column_sums<T>(device_x.data(), m.rows, static_cast<std::uint32_t>(m.channels), sums.data(), this->scratch_.data(),
                   *this->stream_);
    expect_near(this->host(sums), want, 0, 1e-6 * greatest(magnitude), "sums of " + std::to_string(m.channels));
  }
}

// Pools

struct Pooled {
  Values y;
  std::vector<std::uint8_t> place;
  std::vector<std::size_t> from;  ///< index into x
};
Pooled max_pool_of(const Windows& w, const Values& x) {
  Pooled pooled;
  const auto at = [&](std::size_t image, std::size_t row, std::size_t column, std::size_t channel) {
    return ((image * w.in_height + row) * w.in_width + column) * w.channels + channel;
  };
  for (std::size_t image = 0; image < w.images; ++image)
    for (std::size_t i = 0; i < w.out_height; ++i)
      for (std::size_t j = 0; j < w.out_width; ++j)
        for (std::size_t c = 0; c < w.channels; ++c) {
          double most = -std::numeric_limits<double>::infinity();
          std::size_t place = 0, from = 0;
          for (std::size_t k = 0; k < std::size_t{w.kernel} * w.kernel; ++k) {
            const std::size_t row = i * w.stride + k / w.kernel - w.pad, column = j * w.stride + k % w.kernel - w.pad;
            if (row >= w.in_height || column >= w.in_width) continue;  // below 0 is far above
            if (const double v = x[at(image, row, column, c)]; v > most || std::isnan(v)) {
              most = v;
              place = k;
              from = at(image, row, column, c);
            }
          }
          pooled.y.push_back(most);
          pooled.place.push_back(static_cast<std::uint8_t>(place));
          pooled.from.push_back(from);
        }
  return pooled;
}

Windows windows_of(std::uint32_t images, std::uint32_t channels, std::uint32_t height, std::uint32_t width,
                   std::uint32_t kernel, std::uint32_t stride, std::uint32_t pad) {
  return {.images = images,
          .channels = channels,
          .in_height = height,
          .in_width = width,
          .out_height = (height + 2 * pad - kernel) / stride + 1,
          .out_width = (width + 2 * pad - kernel) / stride + 1,
          .kernel = kernel,
          .stride = stride,
          .pad = pad};
}

TYPED_TEST(TrainingKernels, MaxPoolMatchesPlainLoops) {
  using T = TypeParam;
  for (const Windows& w :
       {windows_of(2, 16, 12, 14, 3, 2, 1), windows_of(3, 3, 7, 9, 3, 2, 1), windows_of(1, 8, 8, 8, 2, 2, 0),
        windows_of(2, 5, 6, 5, 3, 1, 1), windows_of(1, 24, 9, 9, 5, 3, 2), windows_of(5, 64, 16, 16, 3, 2, 1)}) {
    Random random(4);
    Values x(std::size_t{w.images} * w.in_height * w.in_width * w.channels);
    for (double& v : x) v = static_cast<double>(random.below(9)) - 4;  // many are equal
    const Pooled want = max_pool_of(w, x);
    const std::size_t outputs = want.y.size();
    const Values dy = rounded<T>(random.normals(outputs)), dy2 = rounded<T>(random.normals(outputs));
    Values dx(x.size()), dx2(x.size());
    for (std::size_t i = 0; i < outputs; ++i) {
      dx[want.from[i]] += dy[i];
      dx2[want.from[i]] += dy[i] + dy2[i];
    }
    const auto device_x = this->template device<T>(x), y = this->template blank<T>(outputs);
    const auto place = this->template blank<std::uint8_t>(outputs);
    const auto device_dy = this->template device<T>(dy), device_dy2 = this->template device<T>(dy2);
    const auto device_dx = this->template blank<T>(x.size());
    max_pool_forward<T>(w, device_x.data(), y.data(), place.data(), *this->stream_);
    EXPECT_EQ(this->host(y), want.y);
    EXPECT_EQ(this->raw(place), want.place);
    max_pool_backward<T>(w, device_dy.data(), nullptr, place.data(), device_dx.data(), *this->stream_);
    expect_near(this->host(device_dx), dx, unit<T>, 1e-6, "dx");
    max_pool_backward<T>(w, device_dy.data(), device_dy2.data(), place.data(), device_dx.data(), *this->stream_);
    expect_near(this->host(device_dx), dx2, unit<T>, 1e-6, "dx of two");
  }
}

TYPED_TEST(TrainingKernels, MaxPoolPropagatesNaN) {
  using T = TypeParam;
  const Windows w = windows_of(1, 8, 4, 4, 3, 2, 1);
  Values x(128, -std::numeric_limits<double>::infinity());
  x[5] = std::nan("");
  const auto device_x = this->template device<T>(x), y = this->template blank<T>(32);
  const auto place = this->template blank<std::uint8_t>(32);
  max_pool_forward<T>(w, device_x.data(), y.data(), place.data(), *this->stream_);
  const Values got = this->host(y);
  EXPECT_TRUE(std::isnan(got[5]));
  EXPECT_EQ(got[4], -std::numeric_limits<double>::infinity());
  EXPECT_EQ(this->raw(place)[5], 4);  // the first window begins at -1, -1
  EXPECT_EQ(this->raw(place)[4], 4);  // of equal ones the first inside
}

TYPED_TEST(TrainingKernels, MaxPoolGradientMatchesNumericalDerivative) {
  using T = TypeParam;
  const Windows w = windows_of(1, 2, 6, 6, 3, 2, 1);
  Values x(72);
  std::iota(x.begin(), x.end(), 0.0);
  std::ranges::shuffle(x, std::mt19937(5));  // all differ by more than the step
  const Pooled pooled = max_pool_of(w, x);
  const Values dy = rounded<T>(Random(6).normals(pooled.y.size()));
  const auto device_x = this->template device<T>(x), y = this->template blank<T>(dy.size());
  const auto device_dy = this->template device<T>(dy), dx = this->template blank<T>(x.size());
  const auto place = this->template blank<std::uint8_t>(dy.size());
  max_pool_forward<T>(w, device_x.data(), y.data(), place.data(), *this->stream_);
  max_pool_backward<T>(w, device_dy.data(), nullptr, place.data(), dx.data(), *this->stream_);
  const auto loss = [&] {
    const Values values = max_pool_of(w, x).y;
    return std::inner_product(values.begin(), values.end(), dy.begin(), 0.0);
  };
  const Values got = this->host(dx);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(got[i], slope(loss, x, i, 1e-3), 2 * unit<T> * greatest(got));
}

TYPED_TEST(TrainingKernels, AveragePoolMatchesPlainLoops) {
  using T = TypeParam;
  for (const std::uint32_t channels : {3U, 64U, 2048U}) {
    constexpr std::uint32_t images = 5, pixels = 49;
    const std::size_t n = std::size_t{images} * pixels * channels;
    const Values x = rounded<T>(Random(7).normals(n)), dy = rounded<T>(Random(8).normals(images * channels));
    Values y(images * channels), dx(n);
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t out = i / channels / pixels * channels + i % channels;
      y[out] += x[i] / pixels;
      dx[i] = dy[out] / pixels;
    }
    const auto device_x = this->template device<T>(x), device_dy = this->template device<T>(dy);
    const auto device_y = this->template blank<T>(y.size()), device_dx = this->template blank<T>(n);
    average_pool_forward<T>(device_x.data(), device_y.data(), images, pixels, channels, *this->stream_);
    average_pool_backward<T>(device_dy.data(), device_dx.data(), images, pixels, channels, *this->stream_);
    expect_near(this->host(device_y), y, unit<T>, 1e-6, "y");
    expect_near(this->host(device_dx), dx, unit<T>, 1e-6, "dx");
  }
}

// Loss

double loss_of(const Values& scores, const std::vector<std::int32_t>& labels, std::size_t classes) {
  double sum = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto begin = scores.begin() + static_cast<std::ptrdiff_t>(i * classes);
    const double most = *std::max_element(begin, begin + static_cast<std::ptrdiff_t>(classes));
    double all = 0;
    for (std::size_t c = 0; c < classes; ++c) all += std::exp(scores[i * classes + c] - most);
    sum += std::log(all) + most - scores[i * classes + static_cast<std::size_t>(labels[i])];
  }
  return sum / static_cast<double>(labels.size());
}

TYPED_TEST(TrainingKernels, LossAndItsGradientMatchPlainLoops) {
  using T = TypeParam;
  for (const auto& [images, classes] : {Matrix{1, 3}, Matrix{5, 1000}, Matrix{300, 10}, Matrix{17, 257}})
    for (const double spread : {1.0, 30.0}) {
      Random random(9);
      const Values scores = rounded<T>(random.normals(images * classes, 20, spread));
      std::vector<std::int32_t> labels;
      for (std::size_t i = 0; i < images; ++i) labels.push_back(static_cast<std::int32_t>(random.below(classes)));
      constexpr double scale = 128;
      Values want(scores.size());
      for (std::size_t i = 0; i < images; ++i) {
        double all = 0;
        for (std::size_t c = 0; c < classes; ++c) all += std::exp(scores[i * classes + c]);
        for (std::size_t c = 0; c < classes; ++c) {
          const bool labelled = static_cast<std::int32_t>(c) == labels[i];
          want[i * classes + c] =
              (std::exp(scores[i * classes + c]) / all - (labelled ? 1 : 0)) * scale / static_cast<double>(images);
        }
      }
      const auto in = this->template device<T>(scores), out = this->template blank<T>(scores.size());
      const auto device_labels = this->device(labels);
      const auto loss = this->template blank<float>(1);
      const auto run = [&](T* to) {
        softmax_cross_entropy<T>(in.data(), device_labels.data(), static_cast<std::uint32_t>(images),
                                 static_cast<std::uint32_t>(classes), static_cast<float>(scale), to, loss.data(),
                                 this->scratch_.data(), *this->stream_);
      };
      run(out.data());
      EXPECT_NEAR(this->host(loss)[0], loss_of(scores, labels, classes), 1e-5 * std::max(1.0, spread));
      expect_near(this->host(out), want, unit<T>, 1e-5 * scale / static_cast<double>(images), "dscores");
      run(in.data());
      EXPECT_EQ(this->host(in), this->host(out));
    }
}

TYPED_TEST(TrainingKernels, LossGradientMatchesNumericalDerivative) {
  using T = TypeParam;
  Values scores = rounded<T>(Random(10).normals(40));
  const std::vector<std::int32_t> labels{3, 0, 9, 3};
  const auto in = this->template device<T>(scores), out = this->template blank<T>(40);
  const auto device_labels = this->device(labels);
  const auto loss = this->template blank<float>(1);
  softmax_cross_entropy<T>(in.data(), device_labels.data(), 4, 10, 1, out.data(), loss.data(), this->scratch_.data(),
                           *this->stream_);
  const Values got = this->host(out);
  for (std::size_t i = 0; i < 40; ++i)
    EXPECT_NEAR(got[i], slope([&] { return loss_of(scores, labels, 10); }, scores, i), unit<T> * 0.25);
}

// Optimiser

TYPED_TEST(TrainingKernels, DescentMatchesTheCpu) {
  using T = TypeParam;
  constexpr std::size_t n = 5000;
  constexpr float factor = 1.0F / 64;
  const Sgd::Settings settings{.rate = 0.1F, .momentum = 0.9F, .decay = 0.01F};
  Random random(11);
  const Values first = rounded<float>(random.normals(n)), gradients = rounded<T>(random.normals(n, 0, 30));
  for (const auto& [begin, end] : ranges) {
    const auto narrow = this->template device<T>(gradients);
    const auto wide = this->template device<float>(gradients);
    std::vector<float> want(first.begin(), first.end()), scaled;
    for (std::size_t i = begin; i < end; ++i) scaled.push_back(static_cast<float>(gradients[i]) * factor);
    Sgd sgd(settings, n);
    const std::span part = std::span(want).subspan(begin, end - begin);
    for (int step = 0; step < 3; ++step) sgd.update(part, scaled, begin);
    const auto check = [&](const auto& given) {
      using G = std::remove_pointer_t<decltype(given.data())>;
      const auto weights = this->template device<float>(first), momenta = this->template device<float>(Values(n));
      const auto copy = this->template device<T>(Values(n, 9));
      const SgdUpdate<G, T> update{.settings = settings,
                                   .factor = factor,
                                   .weights = weights.data(),
                                   .momenta = momenta.data(),
                                   .gradients = given.data(),
                                   .copy = copy.data()};
      for (int step = 0; step < 3; ++step) sgd_update(update, begin, end, *this->stream_);
      const Values got = this->host(weights);
      expect_near(got, Values(want.begin(), want.end()), 1e-6, 1e-6, "weights");
      Values copied(n, 9);
      for (std::size_t i = begin; i < end; ++i) copied[i] = rounded<T>(got[i]);
      EXPECT_EQ(this->host(copy), copied);
      const Values moved = this->host(momenta);
      for (std::size_t i = 0; i < n; ++i)
        if (i < begin || i >= end) {
          ASSERT_EQ(got[i], first[i]);
          ASSERT_EQ(moved[i], 0);
        }
    };
    check(narrow);
    check(wide);
  }
}

TYPED_TEST(TrainingKernels, DescentSkipsInfiniteGradients) {
  using T = TypeParam;
  Values gradients(100, 1);
  const auto weights = this->template device<float>(Values(100, 5)),
             momenta = this->template device<float>(Values(100));
  const auto bad = this->template blank<unsigned long long>(1);
  for (const double value : {1.0, std::numeric_limits<double>::infinity(), std::nan("")}) {
    gradients[42] = value;
    const auto device_gradients = this->template device<T>(gradients);
    count_not_finite<T>(device_gradients.data(), 1, 99, bad.data(), *this->stream_);
    EXPECT_EQ(this->raw(bad)[0], std::isfinite(value) ? 0U : 1U);
    const Values before = this->host(weights);
    const SgdUpdate<T, T> update{
        .weights = weights.data(), .momenta = momenta.data(), .gradients = device_gradients.data(), .skip = bad.data()};
    sgd_update(update, 0, 100, *this->stream_);
    EXPECT_EQ(this->host(weights) == before, !std::isfinite(value));
  }
}

// Exchange

template <class T>
class ExchangeKernels : public Kernels {};
using AllTypes = testing::Types<float, __half, __nv_bfloat16>;
TYPED_TEST_SUITE(ExchangeKernels, AllTypes);

TYPED_TEST(ExchangeKernels, DetectWrongKnownValues) {
  using T = TypeParam;
  constexpr std::uint32_t ranks = 3;
  constexpr std::uint64_t n = 3000, begin = 5, end = 2990;
  constexpr auto none = std::numeric_limits<unsigned long long>::max();
  Values sum(n);
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    const auto given = this->template device<T>(Values(n));
    fill_known<T>(given.data(), begin, end, rank, ranks, *this->stream_);
    const Values got = this->host(given);
    for (std::uint64_t i = 0; i < n; ++i) {
      ASSERT_EQ(got[i], i >= begin && i < end && i % ranks == rank ? static_cast<double>(1 + i % 7) : 0) << i;
      sum[i] += got[i];
    }
  }
  for (const double factor : {1.0, 1.0 / 3}) {
    Values means = sum;
    for (double& v : means) v = rounded<T>(static_cast<double>(static_cast<float>(v) * static_cast<float>(factor)));
    const auto found = [&](const Values& values) {
      const auto device_values = this->template device<T>(values);
      const auto first = this->device(std::vector<unsigned long long>{none});
      find_unexpected<T>(device_values.data(), begin, end, static_cast<float>(factor), first.data(), *this->stream_);
      return this->raw(first)[0];
    };
    EXPECT_EQ(found(means), none);
    means[2000] = 0;
    means[2500] = 77;
    EXPECT_EQ(found(means), 2000U);
    means[end] = means[begin - 1] = 55;
    EXPECT_EQ(found(means), 2000U);
    means[begin] = std::nan("");
    EXPECT_EQ(found(means), begin);
  }
}

std::uint64_t hash_on_host(const std::vector<float>& weights) {
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < weights.size(); ++i) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &weights[i], sizeof bits);
    std::uint64_t z = i * 0x9e3779b97f4a7c15U + bits;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    sum += z ^ (z >> 31);
  }
  return sum;
}

using Hashes = Kernels;
TEST_F(Hashes, DistinguishWeightsAndAddUp) {
  std::vector<float> weights;
  for (const double v : Random(12).normals(10000)) weights.push_back(static_cast<float>(v));
  const auto hashed = [&](std::uint64_t begin, std::uint64_t end) {
    const auto on_device = device(weights);
    const auto hash = blank<unsigned long long>(1);
    hash_weights(on_device.data(), begin, end, hash.data(), *stream_);
    return raw(hash)[0];
  };
  const auto whole = hashed(0, weights.size());
  EXPECT_EQ(whole, hash_on_host(weights));
  EXPECT_EQ(whole, hashed(0, 123) + hashed(123, weights.size()));
  std::swap(weights[17], weights[4000]);
  EXPECT_NE(hashed(0, weights.size()), whole);
  std::swap(weights[17], weights[4000]);
  weights[9999] = std::nextafter(weights[9999], 9.0F);
  EXPECT_NE(hashed(0, weights.size()), whole);
}

}  // namespace
}  // namespace busbar::gpu
