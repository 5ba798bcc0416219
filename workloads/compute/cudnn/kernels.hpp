// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "core/cuda/stream.hpp"
#include "workloads/networks/optimiser.hpp"

/// The parts of a convolutional network's training step other than convolutions and matrix products, on an NVIDIA GPU.
/// All are memory-bound, so each docstring counts the memory passes over a tensor.
///
/// T is __nv_bfloat16 or __half: activations, the weight copies that layers read, and gradients of both. Sums,
/// statistics, master weights and momenta are fp32. Activations are NHWC: [rows, channels] with rows = images * height
/// * width. All pointers are to memory of the current device, owned by the caller; activations and flat arrays start at
/// multiples of 16 bytes. If channels are not a multiple of 8, kernels move elements one at a time.
///
/// Functions submit work to a stream and return; all of it can be captured into a graph. They throw cuda::Error if a
/// launch fails. Results are bitwise reproducible on the same kind of GPU: the order of summation depends only on sizes
/// and the number of multiprocessors, and there are no floating-point atomics.
namespace busbar::gpu {

/// Bytes of `scratch` for up to that many channels (norm, column sums) and images (loss). The caller zeroes it once;
/// each call leaves it ready for the next. Calls that share it must run in order.
[[nodiscard]] std::size_t scratch_bytes(std::uint64_t channels, std::uint64_t images);

/// Batch norm's epsilon and the momentum of running statistics: the defaults of torchvision and torch.
inline constexpr float norm_epsilon = 1e-5F, norm_momentum = 0.1F;

/// y = relu?(scale * (x - mean) / sqrt(variance + epsilon) + shift (+ residual)), with this batch's mean and biased
/// variance.
template <class T>
struct NormForward {
  std::uint64_t rows = 0;
  std::uint32_t channels = 0;
  const T* x = nullptr;
  const T* residual = nullptr;  ///< optional, [rows, channels]: other summand of the fused add layer
  bool relu = false;            ///< applied last
  const float *scale = nullptr, *shift = nullptr;
  T* y = nullptr;  ///< may alias x or residual if that is no longer needed
  /// Optional output: whether y > 0, one bit per element: bit c % 8 of byte [row, c / 8]. Requires channels to be a
  /// multiple of 8.
  std::uint8_t* positive = nullptr;
  float *mean = nullptr, *inverse_deviation = nullptr;  ///< outputs, for backward; 1 / sqrt(variance + epsilon)
  /// Optional, updated as in torch: (1 - momentum) * old + momentum * new, with the unbiased variance.
  float *running_mean = nullptr, *running_variance = nullptr;
  void* scratch = nullptr;
};
/// Moves x twice, y once, and the residual and bits once. Two launches. Sums x minus its first row, and squares of
/// that, so that a large mean does not cancel (T. F. Chan, G. H. Golub, R. J. LeVeque: Algorithms for Computing the
/// Sample Variance, The American Statistician 37, 1983: "shifted data").
template <class T>
void norm_forward(const NormForward<T>& call, const cuda::Stream& on);

/// Arguments of the gradient of norm_forward().
template <class T>
struct NormBackward {
  std::uint64_t rows = 0;
  std::uint32_t channels = 0;
  const T* x = nullptr;
  const T* y = nullptr;  ///< read only with relu and dresidual; without a residual, the sign of y is recomputed from x
  const std::uint8_t* positive = nullptr;  ///< optional, from forward: replaces y at a sixteenth of its bytes
  const T* dy = nullptr;                   ///< gradient of y
  const T* dy2 = nullptr;                  ///< optional second summand of it, if two layers read y
  bool relu = false;
  const float *scale = nullptr, *shift = nullptr, *mean = nullptr, *inverse_deviation = nullptr;  ///< from forward
  float *dscale = nullptr, *dshift = nullptr;                                                     ///< outputs
  T* dx = nullptr;  ///< output; may alias dy or dy2
  /// Set if and only if forward had a residual: its gradient, dy + dy2 under relu's mask. May alias dy or dy2, not dx.
  T* dresidual = nullptr;
  void* scratch = nullptr;
};
/// Without a residual: moves x and dy twice, dx once (and dy2 twice). With one: the first pass reads x, y or the bits,
/// dy and dy2, and writes dresidual; the second reads x and dresidual and writes dx. Two launches.
template <class T>
void norm_backward(const NormBackward<T>& call, const cuda::Stream& on);

/// y = relu(a + b). Moves each once. y may alias a or b.
template <class T>
void add_relu_forward(const T* a, const T* b, T* y, std::uint64_t elements, const cuda::Stream& on);
/// dx = y > 0 ? dy + dy2 : 0, the gradient of both summands. dy2 is optional. Moves each once. dx may alias dy or dy2.
template <class T>
void add_relu_backward(const T* y, const T* dy, const T* dy2, T* dx, std::uint64_t elements, const cuda::Stream& on);

/// Square windows over NHWC images; padding never contributes. kernel * kernel <= 256, pad < kernel.
struct Windows {
  std::uint32_t images = 0, channels = 0;
  std::uint32_t in_height = 0, in_width = 0, out_height = 0, out_width = 0;
  std::uint32_t kernel = 1, stride = 1, pad = 0;
};
/// y: maximum of each window; place: its position in the window, row * kernel + column, the first if equal. NaN is
/// greater than any number. place is [images, out_height, out_width, channels]. Moves x, y and place once if
/// overlapping windows hit the cache.
template <class T>
void max_pool_forward(const Windows& windows, const T* x, T* y, std::uint8_t* place, const cuda::Stream& on);
/// dx: each pixel gathers from the windows that cover it. dy2: optional second summand of dy. Moves dx once, and dy,
/// dy2 and place once if neighbours hit the cache.
template <class T>
void max_pool_backward(const Windows& windows, const T* dy, const T* dy2, const std::uint8_t* place, T* dx,
                       const cuda::Stream& on);

/// y [images, channels]: mean of x [images, pixels, channels] over pixels. Moves each once.
template <class T>
void average_pool_forward(const T* x, T* y, std::uint32_t images, std::uint32_t pixels, std::uint32_t channels,
                          const cuda::Stream& on);
/// dx [images, pixels, channels] = dy / pixels. Moves each once.
template <class T>
void average_pool_backward(const T* dy, T* dx, std::uint32_t images, std::uint32_t pixels, std::uint32_t channels,
                           const cuda::Stream& on);

/// loss: one float, the mean of -log softmax(scores)[label] over images, in fp32; the maximum score is subtracted for
/// stability. dscores: its gradient times `loss_scale`; may alias scores. scores: [images, classes]; labels in [0,
/// classes). Reads scores three times (from cache after the first), writes dscores once.
template <class T>
void softmax_cross_entropy(const T* scores, const std::int32_t* labels, std::uint32_t images, std::uint32_t classes,
                           float loss_scale, T* dscores, float* loss, void* scratch, const cuda::Stream& on);

/// Sgd (workloads/networks/optimiser.hpp) on the device. `factor` scales the gradients: it undoes the loss scale and
/// turns sums over ranks into means. Pointers are to whole arrays; only [begin, end) changes. G: float or T.
template <class G, class T>
struct SgdUpdate {
  Sgd::Settings settings;
  float factor = 1;
  float *weights = nullptr, *momenta = nullptr;
  const G* gradients = nullptr;
  T* copy = nullptr;  ///< optional: weights as the layers read them
  /// Optional device counter, see count_not_finite(): if it is not 0, the update changes nothing.
  const unsigned long long* skip = nullptr;
};
/// Reads weights, momenta and gradients once; writes weights, momenta and copy once. One launch for any range.
template <class G, class T>
void sgd_update(const SgdUpdate<G, T>& call, std::uint64_t begin, std::uint64_t end, const cuda::Stream& on);

/// to[i] = from[i] * factor for i in [begin, end), computed in fp32 and rounded once. From, To: float or T (one T).
/// `to` may alias `from` if the types are the same. Moves each once.
template <class From, class To>
void convert(const From* from, To* to, std::uint64_t begin, std::uint64_t end, float factor, const cuda::Stream& on);
/// to[i] = a[i] + b[i] for i in [begin, end), computed in fp32 and rounded once. T may also be float. `to` may alias a
/// or b.
template <class T>
void add(const T* a, const T* b, T* to, std::uint64_t begin, std::uint64_t end, const cuda::Stream& on);
/// sums[c] = sum of x[row, c] over rows; computes bias gradients. Moves x once.
template <class T>
void column_sums(const T* x, std::uint64_t rows, std::uint32_t channels, float* sums, void* scratch,
                 const cuda::Stream& on);

/// Fills the input of rank `rank` of `ranks` for an exchange with a known sum: 1 + i % 7 if i % ranks == rank, else 0,
/// for i in [begin, end). Exact in any type. T may also be float.
template <class T>
void fill_known(T* gradients, std::uint64_t begin, std::uint64_t end, std::uint32_t rank, std::uint32_t ranks,
                const cuda::Stream& on);
/// Sets *first to the minimum of itself and all i in [begin, end) with gradients[i] != T((1 + i % 7) * factor). T may
/// also be float. The caller first sets *first to the maximum value.
template <class T>
void find_unexpected(const T* gradients, std::uint64_t begin, std::uint64_t end, float factor,
                     unsigned long long* first, const cuda::Stream& on);

/// Hashes the bits and positions of weights [begin, end). Equal weights have equal hashes; different weights almost
/// surely do not. *hash is the sum modulo 2^64 of mix(i * 0x9e3779b97f4a7c15 + bits), with mix the finaliser of
/// SplitMix64 (G. L. Steele, D. Lea, C. H. Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014), so that
/// the order of adding does not matter. i counts from the start of the array, so hashes of parts add up to the hash of
/// the whole. Differs from hash_of() of workloads/networks/optimiser.hpp, which is sequential.
void hash_weights(const float* weights, std::uint64_t begin, std::uint64_t end, unsigned long long* hash,
                  const cuda::Stream& on);

/// *count: number of infinite or NaN values in [begin, end). T may also be float. Moves each once.
template <class T>
void count_not_finite(const T* values, std::uint64_t begin, std::uint64_t end, unsigned long long* count,
                      const cuda::Stream& on);

}  // namespace busbar::gpu
