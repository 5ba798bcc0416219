// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/record/case_key.hpp"
#include "core/record/case_record.hpp"
#include "core/record/fwd.hpp"
#include "core/record/training.hpp"
#include "reports/document/charts.hpp"

/// Which trainings belong together: those that differ in the number of ranks only.
namespace busbar::report {

/// The ok trainings of one run on more and more ranks: a line over ranks, a table of throughput.
struct Experiment {
  std::size_t run = 0;
  bool imported = false;  ///< not measured by us
  std::size_t alike = 0;  ///< the same number in other runs that measured the same
  std::string run_label;  ///< the run's name, with what differs from run to run; says "replayed" where that was done
  std::string series;     ///< what tells it apart from others of its run; empty where there are none
  std::vector<const CaseRecord*> cases;  ///< fewest ranks first, never empty; they point into the runs

  [[nodiscard]] const CaseKey& key() const { return cases.back()->key; }
  [[nodiscard]] std::string label() const { return series.empty() ? run_label : run_label + ", " + series; }
};

/// The experiments with one model, those that are alike in several runs beside each other.
struct Model {
  std::string name;
  std::vector<Experiment> experiments;
};

/// In order of appearance. A rank alone reduces nothing, so that a case of one belongs to all experiments of its run
/// that differ from it only in how gradients are reduced and ranks are laid out.
[[nodiscard]] std::vector<Model> models(const std::vector<Run>&);

/// A line for each experiment, and the legend of them. Colours stand for runs and dashes for series where there are
/// several runs, else colours for series.
struct Lines {
  std::vector<Line> lines;
  std::vector<LegendEntry> legend;
};
[[nodiscard]] Lines lines_of(const std::vector<Experiment>&);

/// What scaling is measured from: the case of fewest ranks that the others name. Null where there is none.
[[nodiscard]] const CaseRecord* baseline_of(const Experiment&);

/// Scaling of one of its cases; the baseline itself has 1 by definition, and no interval.
[[nodiscard]] std::optional<Scaling> scaling_of(const Experiment&, const CaseRecord&);

/// True where one training had the ranks to itself.
[[nodiscard]] bool without_neighbours(const Experiment&);

}  // namespace busbar::report
