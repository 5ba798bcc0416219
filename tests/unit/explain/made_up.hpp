// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>

#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "reports/explain/rule.hpp"
#include "tests/unit/synthetic.hpp"

/// Made-up runs. Each rule must find something in one and nothing in another.
namespace busbar::explain::test {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

/// Sizes from 8 B to 16 MiB, each twice the one before.
[[nodiscard]] std::vector<std::uint64_t> sizes();

/// 20 us and 10 GB/s: an unremarkable curve.
[[nodiscard]] double smooth_s(std::uint64_t bytes);

/// An ok case of allreduce, mpi, fp32, out of place, 4 ranks on 2 nodes.
[[nodiscard]] CaseRecord a_case(std::uint64_t bytes, double time_s);

/// The same with `rounds` rounds around that time, sigma of their logarithms, and the interval that they give.
[[nodiscard]] CaseRecord in_rounds(CaseRecord, int rounds, double sigma, busbar::test::Synthetic&);

/// A sweep over all sizes: `time_s` of each, and `change` applied to each case.
using Time = std::function<double(std::uint64_t)>;
using Change = std::function<void(CaseRecord&)>;
[[nodiscard]] std::vector<CaseRecord> sweep(const Time& time_s, const Change& change = [](CaseRecord&) {});

/// An imported run of nccl-tests: out of place and in place, one time each, without intervals and host facts.
[[nodiscard]] Run imported_run(const Time& out_of_place, const Time& in_place);

/// A complete and unremarkable run of busbar-bench on two quiet hosts with RDMA devices.
[[nodiscard]] Run quiet_run();

/// Adds two GPUs a host, a rank each, which run at their highest clock; memory of all cases is theirs.
void add_gpus(Run&);

/// Findings of one rule; none if it has no data. Fails the test if there is no such rule.
[[nodiscard]] std::vector<Finding> apply_rule(std::string_view rule, const Run&);

/// All evidence and tries of a finding, for EXPECT_THAT(..., HasSubstr).
[[nodiscard]] std::string text_of(const Finding&);

}  // namespace busbar::explain::test
