// SPDX-License-Identifier: Apache-2.0
#include "bench/engine/checker.hpp"

#include <optional>

#include <gtest/gtest.h>

#include "tests/unit/measure.hpp"

namespace busbar::test {
namespace {

/// A receive buffer with its checker; the test writes what a library would.
class Received {
 public:
  Received(DType type, std::size_t count, std::size_t from = 0)
      : spec_{.type = type, .bytes = count * size_of(type)},
        pattern_(type, Op::sum, 0, 2),
        room_(memory_.allocate(spec_.bytes)),
        checker_(memory_, spec_, pattern_) {
    p_.whole_recv = p_.call.recv = {room_.get(), spec_.bytes};
    p_.call.type = type;
    p_.result = {{.count = count, .from = from}};
    checker_.prepare(p_);
  }
  void call(std::optional<std::size_t> wrong = {}) {
    checker_.reset(p_);
    memory_.fill(p_.call.recv, pattern_.expected(p_.result[0]));
    if (wrong) room_[*wrong * size_of(spec_.type)] ^= std::byte{1};
    checker_.verify(p_, false, Extent::sampled);
  }
  void call_that_does_nothing() {
    checker_.reset(p_);
    checker_.verify(p_, false, Extent::sampled);
  }
  void begin_visit() { checker_.prepare(p_); }
  [[nodiscard]] bool wrong() const { return checker_.wrong(); }
  [[nodiscard]] Check check(Group& group) const { return checker_.agree_on_check(group); }

 private:
  HostMemory memory_;
  Case spec_;
  Pattern pattern_;
  Buffer room_;
  Prepared p_;
  Checker checker_;
};

TEST(Checker, ComparesEveryElementOfSmallResultsAtEachCall) {
  for (const DType type : {DType::i8, DType::f16, DType::f32, DType::f64})
    for (const std::size_t wrong : {0U, 1U, 6U}) {
      Received received(type, 7);
      for (int i = 0; i < 10; ++i) received.call();
      EXPECT_FALSE(received.wrong());
      received.call(wrong);
      EXPECT_TRUE(received.wrong()) << name(type) << " " << wrong;
      run_ranks(1, [&](Group& group, Backend& /*backend*/) {
        const Check check = received.check(group);
        EXPECT_EQ(check.first->index, wrong);
        EXPECT_EQ(check.first->call, 10U);
        EXPECT_EQ(check.calls_whole, 11U);
        EXPECT_EQ(check.element_share, 1.0);
      });
    }
}

TEST(Checker, FindsACallThatWritesNothing) {
  for (const int calls : {1, 2, 9}) {
    Received received(DType::f32, 7);
    for (int i = 0; i < calls; ++i) received.call();
    received.call_that_does_nothing();
    EXPECT_TRUE(received.wrong()) << "after " << calls << " calls";
  }
}

TEST(Checker, ComparesDataThatWrapsAroundThePeriod) {
  Received received(DType::i8, 4000, Pattern::period - 10);
  for (int i = 0; i < 3; ++i) received.call();
  EXPECT_FALSE(received.wrong());
  received.call(3999);
  EXPECT_TRUE(received.wrong());
}

TEST(Checker, ChecksEachVisitFromItsStart) {
  Received received(DType::f32, 7);
  for (int visit = 0; visit < 2; ++visit) {
    received.begin_visit();
    for (int i = 0; i < 3; ++i) received.call();
  }
  EXPECT_FALSE(received.wrong());
  received.begin_visit();
  received.call_that_does_nothing();
  EXPECT_TRUE(received.wrong());
}

TEST(Checker, SamplesLargerResults) {
  Received received(DType::f32, 4096);
  for (int i = 0; i < 5; ++i) received.call();
  EXPECT_FALSE(received.wrong());
  for (int i = 0; i < 1024 && !received.wrong(); ++i) received.call(2000);
  EXPECT_TRUE(received.wrong());
  run_ranks(1, [&](Group& group, Backend& /*backend*/) { EXPECT_LT(*received.check(group).element_share, 0.3); });
}

}  // namespace
}  // namespace busbar::test
