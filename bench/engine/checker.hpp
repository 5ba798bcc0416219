// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "bench/engine/buffers.hpp"
#include "bench/engine/pattern.hpp"
#include "core/record/check.hpp"

namespace busbar {

/// How much of one result is compared.
enum class Extent { nothing, sampled, whole };

/// Writes the input of a case and looks at its result, outside the timed part. One per case and rank; local but for
/// agree_on_check().
class Checker {
 public:
  /// Both outlive this.
  Checker(MemorySpace& memory, const Case& spec, const Pattern& data) : memory_(memory), spec_(spec), data_(data) {}

  /// Before the first call of a visit: the input is there, all of the receive buffer poisoned.
  void prepare(const Prepared&);
  /// Before any other call: one element in 4 KiB of the receive buffer is poisoned, the next one with each call; in
  /// place the input is written anew. To poison all of it makes the call faster: an allreduce of 64 KiB by 3 %, since
  /// its cache lines then are this core's own, and that time would be lost in front of the timed part.
  void reset(const Prepared&);
  /// After a call: compares every element of the result of a visit's first call, and where the buffer is no larger than
  /// 4 KiB; sampled: the elements that were poisoned before the call. The first difference of the case is kept. To look
  /// at all of a larger result each time changes what lies in the caches, and an allreduce of 64 KiB by 9 %.
  void verify(const Prepared&, bool warming_up, Extent);

  [[nodiscard]] bool wrong() const { return wrong_.has_value(); }
  /// Collective. What all ranks saw and how much they looked at; `failed` for all ranks if any saw a wrong element.
  [[nodiscard]] Check agree_on_check(Group&) const;

 private:
  MemorySpace& memory_;
  const Case& spec_;
  const Pattern& data_;
  [[nodiscard]] std::size_t stride(const Prepared&) const;
  [[nodiscard]] bool find_wrong(const Prepared&, const Block&, std::size_t every, bool warming_up);

  std::uint64_t calls_ = 0;     ///< made
  std::uint64_t compared_ = 0;  ///< of these, in part or whole
  std::uint64_t whole_ = 0;
  double elements_ = 0, elements_compared_ = 0;  ///< of all results
  bool prepared_ = false;                        ///< the buffers are as prepare() left them
  bool poisoned_ = false;                        ///< wholly, before the call that is verified next
  std::optional<WrongElement> wrong_;
};

/// "wrong data: rank 1, element 4: expected 3, found 9 (timed call 17 of 25; 1 of 2 ranks saw any)"
[[nodiscard]] std::string describe(const Check&, int ranks);

}  // namespace busbar
