// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "core/base/units.hpp"
#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "reports/explain/rule.hpp"
#include "reports/explain/words.hpp"

namespace busbar::explain {
namespace {

constexpr double least_unsure_share = 0.5;  ///< minimum fraction of cases whose skew is below the clock error

std::vector<Finding> find_unsure_clocks(const Run& run) {
  const double error = clock_error_s(run);
  std::vector<const CaseRecord*> unsure;
  std::size_t all = 0, negative = 0;
  for (const CaseRecord* c : ok_cases(run)) {
    if (!c->arrival) continue;
    ++all;
    negative += c->arrival->transfer_s < 0;
    if (c->arrival->skew_s < error) unsure.push_back(c);
  }
  if (unsure.empty() || static_cast<double>(unsure.size()) < least_unsure_share * static_cast<double>(all)) return {};
  Finding f{
      .certainty = Certainty::known,
      .title = fmt::format("clock synchronisation is too inaccurate for the skew of {}", of_cases(unsure.size(), all)),
      .evidence = {fmt::format("Clocks may differ by up to {}: residual of the synchronisation or of a later check, "
                               "plus half of the shortest round trip. These skews are smaller.",
                               format_duration(error))},
      .tries =
          {"Do not use arrival.skew_s and transfer_s of these cases. Their times are valid: each is from one rank's "
           "own clock.",
           "Synchronise over the fastest network that MPI can use: half of its round trip bounds the error."},
      .where = where(unsure)};
  if (negative > 0) f.evidence.push_back(fmt::format("In {}, transfer_s is even negative.", of_cases(negative, all)));
  return {f};
}

}  // namespace

extern const Rule unsure_clocks{
    .name = "unsure_clocks",
    .about = "the clock error between ranks exceeds the measured arrival skew",
    .order = 170,
    .has_data = [](const Run& run) { return clock_error_s(run) > 0 && any_case_has<&CaseRecord::arrival>(run); },
    .look = find_unsure_clocks,
};

}  // namespace busbar::explain
