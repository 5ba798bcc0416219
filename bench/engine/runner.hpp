// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <chrono>
#include <functional>
#include <map>

#include "bench/engine/pattern.hpp"
#include "bench/engine/plan.hpp"
#include "bench/engine/stop_rule.hpp"
#include "core/record.hpp"

namespace busbar {

/// How every case is measured.
struct Settings {
  int warmup = 5;  ///< calls before the first sample, checked as all others
  StopRule stop;
  bool check = true;         ///< compare the result of every call, outside the timed part
  std::size_t keep = 10000;  ///< raw samples of a case that go to the record
};

/// Measures cases one by one. Every method is collective.
///
/// A sample is one call: barrier, then the call, timed by the backend, on every rank; the slowest rank's time counts.
/// Before each call the receive buffer is poisoned (in place: the input is written anew), after it every element is
/// compared; both lie outside the timed part.
class Runner {
 public:
  /// `hosts`: the host of each rank, as numbers; `interrupted`: rank 0 looks at it between batches.
  Runner(Group& group, Backend& backend, const BackendFactory& kind, const Settings& settings, std::vector<int> hosts,
         const std::atomic<bool>& interrupted);

  /// Every rank gets the same record, but for `ranks`, which only rank 0's holds. Times are since construction.
  [[nodiscard]] CaseRecord run(const Case& spec, int index);

  [[nodiscard]] const World& world() const { return world_; }
  /// Rank 0's view of `interrupted`, on every rank.
  [[nodiscard]] bool interrupted();

 private:
  struct Prepared {
    Buffer send, recv;
    Call call;
    Bytes whole_recv;  ///< what is poisoned: all of the receive buffer (in place: of the one buffer)
    Bytes input;       ///< where the input is written
    std::vector<Block> result;
  };
  struct Samples {
    std::vector<double> mine_s;
    std::uint64_t calls = 0;
    std::optional<WrongElement> wrong;
  };

  [[nodiscard]] const Pattern& pattern(const Case&);
  void require_memory(const Layout&, const Case&);
  [[nodiscard]] Prepared prepare(const Case&, const Layout&);
  void take(const Case&, const Prepared&, const Pattern&, Samples&, int n, bool warming_up);
  void reset(const Prepared&, const Pattern&);
  void verify(const Case&, const Prepared&, const Pattern&, Samples&, bool warming_up);
  [[nodiscard]] Samples sample(const Case&, const Prepared&, const Pattern&);
  void conclude(CaseRecord&, const Case&, Samples);
  void judge(CaseRecord&, const Samples&);
  [[nodiscard]] double since_start() const;

  Group& group_;
  Backend& backend_;
  const BackendFactory& kind_;
  Settings settings_;
  std::vector<int> hosts_;
  World world_;
  const std::atomic<bool>& interrupted_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::map<std::pair<DType, std::optional<Op>>, Pattern> patterns_;
};

}  // namespace busbar
