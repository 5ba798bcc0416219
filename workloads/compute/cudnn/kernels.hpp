// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "core/cuda/stream.hpp"
#include "workloads/networks/optimiser.hpp"

/// What a training step of a convolutional network does beside convolutions and matrix products, on an NVIDIA GPU. All
/// of it is bound by memory, so each docstring counts how often a tensor crosses it.
///
/// T is __nv_bfloat16 or __half: activations, the copies of weights that layers read, and gradients of both. Sums,
/// statistics, weights that are learned and momenta are fp32. Activations are NHWC: [rows, channels] with rows = images
/// * height * width. All pointers are to memory of the current device, owned by the caller; arrays of activations and
/// flat arrays begin at multiples of 16 bytes. Where channels are no multiple of 8, elements are moved one at a time.
///
/// Functions give their work to a stream and return; all of it can be captured into a graph. They throw cuda::Error
/// where a launch fails. Results are the same bits each time on the same kind of GPU: sums are taken in an order that
/// depends on sizes and the number of multiprocessors alone, and no floating-point number is added atomically.
namespace busbar::gpu {

/// Bytes that `scratch` of the functions below needs, for up to so many channels (norm, column sums) and images (loss).
/// The memory is 0 before the first call, and each call leaves what it must find there; calls that share it are in
/// order.
[[nodiscard]] std::size_t scratch_bytes(std::uint64_t channels, std::uint64_t images);

/// Batch norm's epsilon, and the weight of a batch in running values: torchvision's and torch's defaults.
inline constexpr float norm_epsilon = 1e-5F, norm_momentum = 0.1F;

/// y = relu?(scale * (x - mean) / sqrt(variance + epsilon) + shift (+ residual)), of this batch's mean and biased
/// variance.
template <class T>
struct NormForward {
  std::uint64_t rows = 0;
  std::uint32_t channels = 0;
  const T* x = nullptr;
  const T* residual = nullptr;  ///< optional, [rows, channels]: the add layer that follows, fused in
  bool relu = false;            ///< the last that is done
  const float *scale = nullptr, *shift = nullptr;
  T* y = nullptr;  ///< may be x or residual where that is not needed any more
  /// Optional, written: whether y is above 0, a bit an element: bit c % 8 of byte [row, c / 8]. Channels are then a
  /// multiple of 8.
  std::uint8_t* positive = nullptr;
  float *mean = nullptr, *inverse_deviation = nullptr;  ///< written; backward wants them. 1 / sqrt(variance + epsilon)
  /// Optional, updated as torch does: (1 - momentum) * old + momentum * new, of the unbiased variance.
  float *running_mean = nullptr, *running_variance = nullptr;
  void* scratch = nullptr;
};
/// Moves x twice and y once, and the residual and the bits once. Two launches.
/// Sums are of x less its first row, and of squares of that, so that a large mean does not cancel (T. F. Chan, G. H.
/// Golub, R. J. LeVeque: Algorithms for Computing the Sample Variance, The American Statistician 37, 1983: "shifted
/// data").
template <class T>
void norm_forward(const NormForward<T>& call, const cuda::Stream& on);

/// Gradients of what norm_forward() did.
template <class T>
struct NormBackward {
  std::uint64_t rows = 0;
  std::uint32_t channels = 0;
  const T* x = nullptr;
  const T* y = nullptr;  ///< read only with relu and dresidual: without a residual the sign of y is found from x
  const std::uint8_t* positive = nullptr;  ///< optional, forward's: read instead of y, a sixteenth of its bytes
  const T* dy = nullptr;                   ///< gradient of y
  const T* dy2 = nullptr;                  ///< optional: the other summand of it, where two layers read y
  bool relu = false;
  const float *scale = nullptr, *shift = nullptr, *mean = nullptr, *inverse_deviation = nullptr;  ///< forward's
  float *dscale = nullptr, *dshift = nullptr;                                                     ///< written
  T* dx = nullptr;                                                                                ///< may be dy or dy2
  /// Where forward had a residual, and only there: its gradient, relu's mask on dy + dy2. May be dy or dy2; not dx.
  T* dresidual = nullptr;
  void* scratch = nullptr;
};
/// Without a residual: moves x and dy twice and dx once (and dy2 twice). With one: the first pass moves x, y
/// or the bits, dy, dy2 and writes dresidual, the second moves x and dresidual and writes dx. Two launches.
template <class T>
void norm_backward(const NormBackward<T>& call, const cuda::Stream& on);

/// y = relu(a + b). Moves each once. y may be a or b.
template <class T>
void add_relu_forward(const T* a, const T* b, T* y, std::uint64_t elements, const cuda::Stream& on);
/// dx = y > 0 ? dy + dy2 : 0, the gradient of both summands. dy2 is optional. Moves each once. dx may be dy or dy2.
template <class T>
void add_relu_backward(const T* y, const T* dy, const T* dy2, T* dx, std::uint64_t elements, const cuda::Stream& on);

/// Square windows over NHWC images; outside of the image there is nothing. kernel * kernel <= 256, pad < kernel.
struct Windows {
  std::uint32_t images = 0, channels = 0;
  std::uint32_t in_height = 0, in_width = 0, out_height = 0, out_width = 0;
  std::uint32_t kernel = 1, stride = 1, pad = 0;
};
/// y: the greatest of each window; place: which it was, row * kernel + column, the first of equal ones; NaN is greater
/// than any number. place is [images, out_height, out_width, channels]. Moves x, y and place once, if windows that
/// overlap find their pixels in the cache.
template <class T>
void max_pool_forward(const Windows& windows, const T* x, T* y, std::uint8_t* place, const cuda::Stream& on);
/// dx: each pixel gathers from the windows that cover it. dy2, optional: the other summand of dy. Moves dx once, and
/// dy, dy2 and place once, if neighbours find them in the cache.
template <class T>
void max_pool_backward(const Windows& windows, const T* dy, const T* dy2, const std::uint8_t* place, T* dx,
                       const cuda::Stream& on);

/// y [images, channels]: the mean of x [images, pixels, channels] over pixels. Moves each once.
template <class T>
void average_pool_forward(const T* x, T* y, std::uint32_t images, std::uint32_t pixels, std::uint32_t channels,
                          const cuda::Stream& on);
/// dx [images, pixels, channels] = dy / pixels. Moves each once.
template <class T>
void average_pool_backward(const T* dy, T* dx, std::uint32_t images, std::uint32_t pixels, std::uint32_t channels,
                           const cuda::Stream& on);

/// loss: one float, the mean of -log softmax(scores)[label] over images, in fp32 and stable (the greatest score is
/// taken off). dscores: its gradient times `loss_scale`; may be scores. scores [images, classes]; labels in [0,
/// classes). Reads scores three times (from the cache after the first), writes dscores once.
template <class T>
void softmax_cross_entropy(const T* scores, const std::int32_t* labels, std::uint32_t images, std::uint32_t classes,
                           float loss_scale, T* dscores, float* loss, void* scratch, const cuda::Stream& on);

/// Sgd (workloads/networks/optimiser.hpp) on the device; `gradients` are taken times `factor`, which undoes a loss
/// scale and makes a mean of a sum over ranks. Pointers are to whole arrays, of which [begin, end) is changed. G: float
/// or T.
template <class G, class T>
struct SgdUpdate {
  Sgd::Settings settings;
  float factor = 1;
  float *weights = nullptr, *momenta = nullptr;
  const G* gradients = nullptr;
  T* copy = nullptr;  ///< weights as the layers read them; optional
  /// Optional, on the device: where it is not 0 nothing is changed (count_not_finite()).
  const unsigned long long* skip = nullptr;
};
/// Reads weights, momenta and gradients once, writes weights, momenta and copy once. One launch for any range.
template <class G, class T>
void sgd_update(const SgdUpdate<G, T>& call, std::uint64_t begin, std::uint64_t end, const cuda::Stream& on);

/// to[i] = from[i] * factor for i in [begin, end), in fp32 and rounded once. From, To: float or T (one T). `to` may be
/// `from` where the types are the same. Moves each once.
template <class From, class To>
void convert(const From* from, To* to, std::uint64_t begin, std::uint64_t end, float factor, const cuda::Stream& on);
/// to[i] = a[i] + b[i] for i in [begin, end), in fp32 and rounded once. T here: float too. `to` may be a or b.
template <class T>
void add(const T* a, const T* b, T* to, std::uint64_t begin, std::uint64_t end, const cuda::Stream& on);
/// sums[c] = the sum over rows of x[row, c]: gradients of biases. Moves x once.
template <class T>
void column_sums(const T* x, std::uint64_t rows, std::uint32_t channels, float* sums, void* scratch,
                 const cuda::Stream& on);

/// What rank `rank` of `ranks` puts into an exchange whose sum is known: 1 + i % 7 where i % ranks == rank, else 0, for
/// i in [begin, end). Exact in any type. T here: float too.
template <class T>
void fill_known(T* gradients, std::uint64_t begin, std::uint64_t end, std::uint32_t rank, std::uint32_t ranks,
                const cuda::Stream& on);
/// Sets *first to the least of itself and all i in [begin, end) with gradients[i] != T((1 + i % 7) * factor). T here:
/// float too. The caller sets *first to the greatest number before.
template <class T>
void find_unexpected(const T* gradients, std::uint64_t begin, std::uint64_t end, float factor,
                     unsigned long long* first, const cuda::Stream& on);

/// *hash: of the bits of weights [begin, end) and where they are; ranks that hold the same weights have the same,
/// others almost surely not. The sum modulo 2^64 of mix(i * 0x9e3779b97f4a7c15 + bits) with mix the finaliser of
/// SplitMix64 (G. L. Steele, D. Lea, C. H. Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014), so that
/// the order of adding does not matter. i counts from the array's begin, so hashes of parts add up to that of the
/// whole. Another hash than hash_of() of workloads/networks/optimiser.hpp, which is sequential.
void hash_weights(const float* weights, std::uint64_t begin, std::uint64_t end, unsigned long long* hash,
                  const cuda::Stream& on);

/// *count: how many of values [begin, end) are infinite or NaN. T here: float too. Moves each once.
template <class T>
void count_not_finite(const T* values, std::uint64_t begin, std::uint64_t end, unsigned long long* count,
                      const cuda::Stream& on);

}  // namespace busbar::gpu
