// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/device_memory.hpp"

#include <array>
#include <limits>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <fmt/core.h>

#include "core/cuda/launch.hpp"
#include "core/cuda/pattern_kernels.hpp"
#include "core/elements/element.hpp"

namespace busbar::cuda {
namespace {

constexpr unsigned long long none = std::numeric_limits<unsigned long long>::max();

/// Calls f with an unsigned integer of `width` bytes.
template <class F>
void with_word(std::size_t width, F&& f) {
  switch (width) {
    case 1:
      return f(std::uint8_t{});
    case 2:
      return f(std::uint16_t{});
    case 4:
      return f(std::uint32_t{});
    default:
      return f(std::uint64_t{});
  }
}

/// A word with every byte equal to `byte`.
template <class Word>
constexpr Word repeated(std::uint8_t byte) {
  return static_cast<Word>(std::numeric_limits<Word>::max() / 0xFF * byte);
}

/// Calls f with CUDA's type for `type`.
template <class F>
void with_device_type(DType type, F&& f) {
  with_type(type, [&]<class T>(T) {
    if constexpr (std::is_same_v<T, Half>)
      f(__half{});
    else if constexpr (std::is_same_v<T, BFloat16>)
      f(__nv_bfloat16{});
    else if constexpr (std::is_same_v<T, Float8E4M3>)
      f(__nv_fp8_e4m3{});
    else if constexpr (std::is_same_v<T, Float8E5M2>)
      f(__nv_fp8_e5m2{});
    else
      f(T{});
  });
}

std::string version_text(int number) { return fmt::format("{}.{}", number / 1000, number % 1000 / 10); }

}  // namespace

GpuMemory::GpuMemory(const Device& device) : place_(fmt::format("GPU {}", device.bus)) {}

std::optional<std::uint64_t> GpuMemory::available() const {
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  return free;
}

Buffer GpuMemory::allocate(std::size_t bytes) {
  void* made = nullptr;
  const std::size_t some = bytes + room_behind;
  check(cudaMalloc(&made, some), "cudaMalloc");
  Buffer buffer(static_cast<std::byte*>(made), [](std::byte* p) { cudaFree(p); });
  zero(buffer.get(), some);
  return buffer;
}

void GpuMemory::zero(std::byte* memory, std::size_t bytes) {
  check(cudaMemsetAsync(memory, 0, bytes, stream_.handle()), "cudaMemsetAsync");
  stream_.wait();
}

/// Tables are few and reused.
const std::byte* GpuMemory::on_device(const std::shared_ptr<const Table>& table) {
  if (const auto known = tables_.find(table); known != tables_.end()) return known->second.data();
  std::erase_if(tables_, [](const auto& each) { return each.first.expired(); });
  auto& there = tables_[table] = DeviceArray<std::byte>(table->size());
  copy(there.data(), table->data(), table->size(), stream_);
  stream_.wait();
  return there.data();
}

void GpuMemory::fill(Bytes to, const Periodic& with) {
  const auto* table = on_device(with.table);
  const std::size_t count = to.size() / with.width;
  const auto period = static_cast<std::uint32_t>(with.table->size() / with.width);
  if (count == 0) return;
  with_word(with.width, [&]<class Word>(Word) {
    launch(fill_periodic<Word>, grid_over(count), stream_, reinterpret_cast<Word*>(to.data()), count,
           reinterpret_cast<const Word*>(table), period, static_cast<std::uint32_t>(with.start));
  });
  stream_.wait();
}

void GpuMemory::poison(Bytes to, DType type, std::size_t every, std::size_t from) {
  const std::uint8_t byte = poison_byte(type);
  const std::size_t count = to.size() / size_of(type);
  if (count == 0) return;
  if (every == 1 && from == 0)
    check(cudaMemsetAsync(to.data(), byte, to.size(), stream_.handle()), "cudaMemsetAsync");
  else
    with_word(size_of(type), [&]<class Word>(Word) {
      launch(fill_strided<Word>, grid_over(count / every + 1), stream_, reinterpret_cast<Word*>(to.data()), count,
             every, from, repeated<Word>(byte));
    });
  stream_.wait();
}

std::optional<std::size_t> GpuMemory::first_difference(ConstBytes in, const Periodic& expected, std::string& found,
                                                       DType type, std::size_t every) {
  const auto* table = on_device(expected.table);
  const std::size_t count = in.size() / expected.width;
  const auto period = static_cast<std::uint32_t>(expected.table->size() / expected.width);
  if (count == 0) return std::nullopt;
  first_on_host_[0] = none;
  copy(first_.data(), first_on_host_.data(), 1, stream_);
  with_word(expected.width, [&]<class Word>(Word) {
    launch(find_difference<Word>, grid_over(count / every + 1), stream_, reinterpret_cast<const Word*>(in.data()),
           count, every, reinterpret_cast<const Word*>(table), period, static_cast<std::uint32_t>(expected.start),
           first_.data());
  });
  copy(first_on_host_.data(), first_.data(), 1, stream_);
  stream_.wait();
  if (first_on_host_[0] == none) return std::nullopt;
  const auto where = static_cast<std::size_t>(first_on_host_[0]);
  std::array<std::byte, 8> element{};
  copy(element.data(), &in[where * expected.width], expected.width, stream_);
  stream_.wait();
  found = format_element(type, element.data());
  return where;
}

void GpuMemory::divide(Bytes values, DType type, int divisor) {
  const std::size_t count = values.size() / size_of(type);
  if (count == 0) return;
  with_device_type(type, [&]<class T>(T) {
    launch(divide_by<T>, grid_over(count), stream_, reinterpret_cast<T*>(values.data()), count, divisor);
  });
  stream_.wait();
}

BackendFacts facts_of(const Device& device) {
  int runtime = 0, driver = 0;
  check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
  check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
  return {.libraries = {{"cuda_runtime", version_text(runtime)}, {"cuda_driver", version_text(driver)}},
          .device = device.name,
          .device_bus = device.bus,
          .device_uuid = device.uuid,
          .shared_device = device.shared};
}

}  // namespace busbar::cuda
