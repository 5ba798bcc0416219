// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/record/fwd.hpp"
#include "reports/compare/document.hpp"
#include "reports/expected/expected.hpp"
#include "reports/expected/line_rate.hpp"
#include "reports/expected/placement.hpp"
#include "reports/explain/show.hpp"
#include "reports/fleet/fleet.hpp"
#include "reports/virtualisation/study.hpp"

namespace busbar {
struct CaseGrade;  // core/grades/grade.hpp
}

namespace busbar::history {
struct History;  // reports/history/histories.hpp
}

namespace busbar::predict {
struct Prediction;  // reports/predict/prediction.hpp
}

namespace busbar::report {

struct PairMatrix;  // reports/document/pair_matrix.hpp
struct Study;       // reports/runs/fastest.hpp

/// Settings of a report, other than its runs.
struct DocumentOptions {
  std::optional<expected::LineRate> line_rate;  ///< for network ceilings; overrides recorded facts
  std::string by;                               ///< label or field whose values are compared
  std::string reference;                        ///< value that the others are compared with; empty: all with each other
  std::vector<std::string> pool;                ///< labels that may differ within one side
  std::vector<std::string> across;              ///< fields of the method and the key that may differ between sides
  std::string group_by;  ///< launches with the same value share a line over size; empty: one line per run
  std::string color;     ///< lines over size with the same value share a colour; empty: by run
  std::string facet;     ///< one chart per value of this
  std::optional<double> price_per_hour;                   ///< price of one node, in any currency; empty: no costs
  std::string fastest;                                    ///< label whose values compete for each case; empty: none
  std::shared_ptr<const predict::Prediction> prediction;  ///< for scales that were not run; null: none
  std::vector<std::string> sections;                      ///< names of sections to include; empty: all
  bool overview = true;                                   ///< with the first screen
  std::vector<std::string> notes;                         ///< paragraphs below the title
  std::string logo;                                       ///< image as a data: URI (logo.hpp); empty: none
};

/// Grades of the cases of a run, in their order; empty where nothing was measured.
using CaseGrades = std::vector<std::optional<CaseGrade>>;

/// Input of a report's sections: the runs, the user's settings, and results that are computed when they are first asked
/// for. Thread-safe.
class Material {
 public:
  /// The runs must outlive this object.
  Material(const std::vector<Run>& runs, DocumentOptions options);
  ~Material();

  [[nodiscard]] const std::vector<Run>& runs() const { return runs_; }
  [[nodiscard]] const DocumentOptions& options() const { return options_; }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }  ///< names of the runs: run_names()

  [[nodiscard]] const std::vector<CaseGrades>& grades() const;              ///< by run
  [[nodiscard]] const std::vector<std::vector<PairMatrix>>& pairs() const;  ///< by run: pair_matrices()
  [[nodiscard]] const std::vector<explain::ExplainedRun>& explained() const;
  [[nodiscard]] const std::vector<expected::ExpectedSeries>& expected() const;
  /// Places among the published results that are installed.
  [[nodiscard]] const std::vector<expected::RunPlacement>& places() const;
  /// Comparison by DocumentOptions::by; null if that is empty. Throws UsageError like compare::compare().
  [[nodiscard]] const compare::Told* comparison() const;
  /// Contests of DocumentOptions::fastest; null if that is empty. Throws UsageError like study_of().
  [[nodiscard]] const Study* study() const;
  /// What virtualisation costs between the sides of the comparison; empty without one.
  [[nodiscard]] const std::vector<virtualisation::Study>& virtualisation() const;
  /// Launches over days, with what changed: histories_of().
  [[nodiscard]] const std::vector<history::History>& histories() const;
  /// The runs as one data set; empty as examine_fleet() says.
  [[nodiscard]] const std::optional<fleet::Fleet>& fleet() const;

 private:
  /// Must not move: `told` refers to the other members.
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

  /// The places refer to the sources.
  struct Placed {
    std::vector<expected::KnownSource> known;
    std::vector<expected::RunPlacement> places;
  };

  /// A value that the first thread to ask for it makes, while the others wait.
  template <class T>
  class MadeOnce {
   public:
    template <class Make>
    const T& get(const Make& make) {
      std::call_once(once_, [&] { value_ = make(); });
      return *value_;
    }

   private:
    std::once_flag once_;
    std::optional<T> value_;
  };

  const std::vector<Run>& runs_;
  DocumentOptions options_;
  std::vector<std::string> names_;
  mutable MadeOnce<std::vector<CaseGrades>> grades_;
  mutable MadeOnce<std::vector<std::vector<PairMatrix>>> pairs_;
  mutable MadeOnce<std::vector<explain::ExplainedRun>> explained_;
  mutable MadeOnce<std::vector<expected::ExpectedSeries>> expected_;
  mutable MadeOnce<Placed> placed_;
  mutable MadeOnce<std::unique_ptr<Compared>> compared_;
  mutable MadeOnce<std::unique_ptr<const Study>> study_;
  mutable MadeOnce<std::vector<virtualisation::Study>> virtualisation_;
  mutable MadeOnce<std::vector<history::History>> histories_;
  mutable MadeOnce<std::optional<fleet::Fleet>> fleet_;
};

}  // namespace busbar::report
