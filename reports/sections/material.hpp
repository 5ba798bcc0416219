// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/record/fwd.hpp"
#include "reports/compare/document.hpp"
#include "reports/expected/expected.hpp"
#include "reports/expected/line_rate.hpp"
#include "reports/explain/show.hpp"

namespace busbar::predict {
struct Prediction;  // reports/predict/prediction.hpp
}

namespace busbar::report {

/// What the user asked of a report beside its runs.
struct DocumentOptions {
  std::optional<expected::LineRate> line_rate;  ///< what ceilings of the network are made from, in place of facts
  std::string by;                               ///< label or field whose values are held against each other
  std::vector<std::string> pool;                ///< labels in which runs of one side may differ
  std::vector<std::string> across;              ///< fields of the method and the key in which sides may differ
  std::string group_by;  ///< launches with one value of this are one line over size; empty: a line a run
  std::string color;     ///< lines over size with one value of this have one colour; empty: by run
  std::string facet;     ///< cases with unlike values of this have charts of their own
  std::optional<double> price_per_hour;                   ///< of one node, in any currency; empty: no costs
  std::string fastest;                                    ///< label whose values contend for each case; empty: none
  std::shared_ptr<const predict::Prediction> prediction;  ///< of scales that were not run; null: none
  std::vector<std::string> sections;                      ///< only those of these names; empty: all
  std::vector<std::string> notes;                         ///< paragraphs of the user's own, below the title
  std::string logo;                                       ///< data: URI of an image (logo.hpp); empty: none
};

/// What sections of one report are made from: the runs, what the user asked for, and what is worked out from them, each
/// once and when it is first asked for. For one thread.
class Material {
 public:
  /// The runs outlive it.
  Material(const std::vector<Run>& runs, DocumentOptions options);

  [[nodiscard]] const std::vector<Run>& runs() const { return runs_; }
  [[nodiscard]] const DocumentOptions& options() const { return options_; }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }  ///< of the runs: run_names()

  [[nodiscard]] const std::vector<explain::ExplainedRun>& explained() const;
  [[nodiscard]] const std::vector<expected::ExpectedSeries>& expected() const;
  /// By DocumentOptions::by; null where that was not asked for. Throws UsageError as compare::compare() does.
  [[nodiscard]] const compare::Told* comparison() const;

 private:
  /// Never moved: `told` refers to the others.
  struct Compared {
    Compared(const std::vector<Run>& runs, compare::Request asked)
        : request(std::move(asked)),
          comparison(compare::compare(runs, request)),
          told{.runs = runs,
               .request = request,
               .comparison = comparison,
               .differences = compare::differences(runs, request)} {}
    compare::Request request;
    compare::Comparison comparison;
    compare::Told told;
  };

  const std::vector<Run>& runs_;
  DocumentOptions options_;
  std::vector<std::string> names_;
  mutable std::optional<std::vector<explain::ExplainedRun>> explained_;
  mutable std::optional<std::vector<expected::ExpectedSeries>> expected_;
  mutable std::unique_ptr<Compared> compared_;
};

}  // namespace busbar::report
