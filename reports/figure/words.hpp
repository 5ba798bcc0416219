// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/record/fwd.hpp"
#include "reports/figure/chart.hpp"
#include "reports/figure/drawer.hpp"

/// Texts beside a figure: origin, caption, data, provenance.
namespace busbar::figure {

/// The runs that the chart names in its title or lines; all runs if it names none, or an unknown one.
[[nodiscard]] std::vector<const Run*> runs_of(const Chart&, const std::vector<Run>&);

/// What the chart must say about where its data is from: "simulated", "imported", "lab", "shared GPU", "predicted",
/// or several. Empty for measured data, and if the labels say so: `shown` are those that name runs, as they are drawn.
[[nodiscard]] std::string origin_note(const Chart&, const std::vector<Run>&, const std::vector<std::string>& shown);

/// The content of NAME.txt: the caption as one paragraph, then one line for each run: its ranks, hardware, software,
/// start and id.
[[nodiscard]] std::string caption_text(const Chart&, const std::vector<Run>&);

/// The content of NAME.csv: one row for each mark, with units in the column names.
[[nodiscard]] std::string data_csv(const Chart&);

[[nodiscard]] Provenance provenance_of(const Chart&, const std::vector<Run>&);

/// A pgfplots axis for \input in a LaTeX document. The layout is of estimated_width(): TeX chooses the font.
[[nodiscard]] std::string pgf_text(const Picture&, const Layout&, const Provenance&);

}  // namespace busbar::figure
