// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/engine/buffers.hpp"
#include "bench/engine/pattern.hpp"
#include "core/record/check.hpp"

namespace busbar {

/// How much of a result is compared.
enum class Extent { nothing, sampled, whole };

/// A result of at most 4 KiB in memory that this process can access, as one stretch of the expected data: poisoned with
/// one store and compared with one memcmp. Through the memory space both take a small call's rank so long that the next
/// call is 1 % slower.
class SmallResult {
 public:
  static constexpr std::size_t most_bytes = 4096;

  SmallResult() = default;
  /// `expected`: of the blocks of p.result; must outlive this object. False if the result is not such a one.
  [[nodiscard]] static SmallResult of(const Prepared& p, std::span<const Periodic> expected,
                                      const MemorySpace& memory) {
    SmallResult small;
    if (!memory.directly_accessible() || p.call.in_place || p.result.size() != 1) return small;
    const Periodic& data = expected[0];
    const std::size_t begin = data.start * data.width, bytes = p.result[0].count * data.width;
    if (p.whole_recv.size() > most_bytes || begin + bytes > data.table->size()) return small;
    small.buffer_ = p.whole_recv.data();
    small.result_ = p.call.recv.data() + p.result[0].at * data.width;
    small.expected_ = data.table->data() + begin;
    small.bytes_ = bytes;
    small.width_ = data.width;
    small.poison_ = poison_byte(p.call.type);
    return small;
  }

  explicit operator bool() const { return buffer_ != nullptr; }
  void poison(std::size_t element) const { std::memset(buffer_ + element * width_, poison_, width_); }
  [[nodiscard]] bool right() const { return std::memcmp(result_, expected_, bytes_) == 0; }

 private:
  std::byte* buffer_ = nullptr;  ///< the whole receive buffer
  const std::byte* result_ = nullptr;
  const std::byte* expected_ = nullptr;
  std::size_t bytes_ = 0, width_ = 1;
  int poison_ = 0;
};

/// Writes the input of a case and verifies its result, outside the timed part. One per case and rank. Local except for
/// agree_on_check().
class Checker {
 public:
  /// All references must outlive this object.
  Checker(MemorySpace& memory, const Case& spec, const Pattern& data) : memory_(memory), spec_(spec), data_(data) {}

  /// Before the first call of a visit: writes the input and poisons the whole receive buffer.
  void prepare(const Prepared&);
  /// Before any other call: poisons one element in each 4 KiB of the receive buffer, the next one with each call; in
  /// place, also rewrites the input. Poisoning the whole buffer would speed up a 64 KiB allreduce by 3 %: this core
  /// would then own its cache lines. That time would be spent before the timed part.
  void reset(const Prepared&);
  /// After a call: compares the result and keeps the first wrong element of the case. The first call of a visit is
  /// always compared whole. Extent::sampled compares the poisoned elements, and buffers of up to 4 KiB whole. Comparing
  /// all of a larger result each time changes the caches, and a 64 KiB allreduce by 9 %.
  void verify(const Prepared&, bool warming_up, Extent);

  [[nodiscard]] bool wrong() const { return wrong_.has_value(); }
  /// Collective over the group. Verdict and compared share of all ranks; `failed` if any rank saw a wrong element.
  [[nodiscard]] Check agree_on_check(Group&) const;

 private:
  MemorySpace& memory_;
  const Case& spec_;
  const Pattern& data_;
  void expect(const Prepared&);
  void verify_sampled(const Prepared&, std::size_t from, bool warming_up);
  [[nodiscard]] bool find_wrong(const Prepared&, const Block&, const Periodic& expected, std::size_t every,
                                bool warming_up);

  // Of a visit, so that little is left to do between two calls: what a rank does there slows the next call down.
  SmallResult small_;               ///< used between calls instead of the memory space if it is one
  std::size_t stride_ = 1;          ///< distance between poisoned elements, in elements
  std::size_t sampled_ = 0;         ///< the next one to poison and compare, less than stride_
  std::vector<Periodic> expected_;  ///< of the result's blocks; empty: not known yet
  double elements_of_call_ = 0;     ///< of the result
  std::uint64_t calls_ = 0;         ///< calls made
  std::uint64_t compared_ = 0;      ///< calls compared, partly or whole
  std::uint64_t whole_ = 0;
  double elements_ = 0, elements_compared_ = 0;  ///< of all results
  bool prepared_ = false;                        ///< the buffers are as prepare() left them
  bool poisoned_ = false;                        ///< the whole buffer was poisoned before the next verify()
  std::optional<WrongElement> wrong_;
};

/// "wrong data: rank 1, element 4: expected 3, found 9 (timed call 17 of 25; 1 of 2 ranks saw any)"
[[nodiscard]] std::string describe(const Check&, int ranks);

}  // namespace busbar
