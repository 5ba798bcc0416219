// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <climits>
#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "core/base/error.hpp"
#include "core/elements/dtype.hpp"
#include "core/mpi/reductions.hpp"
#include "core/ranks/here.hpp"

namespace busbar {

/// Gradients in wire format: the fp32 values themselves, or 16-bit copies that are reused from step to step.
class Wire {
 public:
  /// With `with_data` false, data has a size but no content (simulation).
  Wire(DType type, bool with_data) : type_(type), with_data_(with_data), reductions_(with_data) {}

  [[nodiscard]] bool with_data() const { return with_data_; }

  [[nodiscard]] MPI_Datatype datatype() const { return MpiReductions::datatype(type_); }
  [[nodiscard]] MPI_Op sum() const { return reductions_.op(type_, Op::sum); }
  [[nodiscard]] std::size_t element_bytes() const { return size_of(type_); }

  /// Returns the buffer to pass to MPI for `values`; the same address each time for the same `values`.
  [[nodiscard]] void* pack(std::span<const float> values) {
    if (type_ == DType::f32 || !with_data_) return const_cast<float*>(values.data());
    auto& copy = copies_[values.data()];
    copy.resize(values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      copy[i] = type_ == DType::bf16 ? to_bfloat16(values[i]).bits : to_half(values[i]).bits;
    return copy.data();
  }

  /// Send buffer for MPI when pack() is the receive buffer: MPI_IN_PLACE. Without data it is a separate buffer, because
  /// SMPI copies buffers in place.
  [[nodiscard]] const void* source(std::size_t elements) {
    if (with_data_) return MPI_IN_PLACE;
    if (elements > apart_elements_) {
      apart_ = memory_->allocate(elements * element_bytes());
      apart_elements_ = elements;
    }
    return apart_.get();
  }

  /// Writes MPI's result to `values`. `from`: index in the packed buffer at which they start.
  void unpack(const float* packed, std::size_t from, std::span<float> values) {
    if (type_ == DType::f32 || !with_data_) return;
    const auto& copy = copies_.at(packed);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = type_ == DType::bf16 ? to_float(BFloat16{copy[from + i]}) : to_float(Half{copy[from + i]});
  }

  [[nodiscard]] static int count(std::size_t elements) {
    if (elements > INT_MAX)
      throw Error("a bucket of more than 2^31 - 1 gradients is more than MPI 3 counts; lower --fusion-mb");
    return static_cast<int>(elements);
  }

 private:
  DType type_;
  bool with_data_;
  MpiReductions reductions_;
  std::unique_ptr<MemorySpace> memory_ = here::memory(false);  // allocates apart_
  Buffer apart_;
  std::size_t apart_elements_ = 0;
  std::map<const float*, std::vector<std::uint16_t>> copies_;
};

}  // namespace busbar
