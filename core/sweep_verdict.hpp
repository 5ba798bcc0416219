// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/record/end_record.hpp"
#include "core/record/fwd.hpp"

namespace busbar {

/// One sentence on a sweep over sizes: what it measured, and whether that is as expected.
class SweepVerdict {
 public:
  void take(const CaseRecord&);
  /// "allreduce: 0.21 us at 8 B, busbw up to 3.2 GB/s at 1 MiB: as expected, like 12 earlier launches (ratio 1.02)", or
  /// "...: suspicious: 17 of 18 sizes shared their CPUs". `over`: of the same launch. Empty where cases differ in more
  /// than their size.
  [[nodiscard]] std::optional<std::string> text(const std::optional<OverEarlier>& over) const;

 private:
  [[nodiscard]] std::string judgement(const std::optional<OverEarlier>& over) const;

  std::string series_, name_;
  bool several_ = false;
  int contended_ = 0, failed_ = 0;
  std::map<std::uint64_t, double> time_s_;                   ///< by bytes
  std::optional<std::pair<std::uint64_t, double>> fastest_;  ///< bytes, GB/s
};

}  // namespace busbar
