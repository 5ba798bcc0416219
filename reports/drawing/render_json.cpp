// SPDX-License-Identifier: Apache-2.0

#include "core/base/json.hpp"
#include "reports/drawing/chart_data.hpp"
#include "reports/drawing/chart_spec.hpp"
#include "reports/drawing/line_labels.hpp"
#include "reports/drawing/plot_spec.hpp"
#include "reports/drawing/render.hpp"
#include "reports/drawing/spec_parts.hpp"

namespace busbar::report {
namespace {

using Json = nlohmann::json;

Json json_legend(const std::vector<LegendEntry>& entries) {
  const Json patterns = spec::dash_patterns();
  Json all = Json::array();
  for (const LegendEntry& e : entries)
    all.push_back({{"label", e.label},
                   {"of", e.is_run ? "run" : "series"},
                   {"coloured", e.coloured},
                   {"colour", e.style.colour % colours},
                   {"dash", patterns[e.style.dash % dashes]}});
  return all;
}

/// JSON shared by charts and figures: named specifications over the data sets "points" and "lines".
Json drawing(const std::string& title, const std::string& caption, const std::vector<LegendEntry>& entries, Json specs,
             const Json& data) {
  return {{"kind", "charts"},          {"title", title},  {"caption", caption}, {"legend", json_legend(entries)},
          {"specs", std::move(specs)}, {"datasets", data}};
}

struct JsonBlock {
  Json operator()(const Paragraph& p) const {
    return {{"kind", "paragraph"}, {"text", p.text}, {"warning", p.tone == Tone::warning}};
  }
  Json operator()(const KeyValues& k) const {
    Json rows = Json::array();
    for (const auto& [key, value] : k.rows) rows.push_back({key, value});
    return {{"kind", "facts"}, {"title", k.title}, {"rows", rows}};
  }
  Json operator()(const Table& t) const {
    Json columns = Json::array();
    for (const Column& c : t.columns) columns.push_back({{"title", c.title}, {"kind", name(c.kind)}});
    return {{"kind", "table"}, {"title", t.title}, {"columns", columns}, {"rows", t.rows}};
  }
  Json operator()(const Charts& c) const {
    Json specs = Json::object();
    for (const Quantity q : quantities) {
      if (has_points(c, q)) specs[std::string(report::name(q))] = chart_spec(c, q);
    }
    Json data = chart_data(c);
    if (c.ratio) {
      specs["ratio"] = ratio_spec(c);
      data["ratios"] = plot_data({*c.ratio}, c.lines)["points"];
    }
    return drawing(c.title, c.caption, c.legend, std::move(specs), data);
  }
  Json operator()(const Figure& f) const {
    Json specs = Json::object();
    const PlotGroup group{.lines = f.lines, .legend = f.legend, .labels = spec::can_label(f)};
    for (std::size_t i = 0; i < f.plots.size(); ++i) specs[std::to_string(i)] = plot_spec(f.plots[i], i, group);
    Json j = drawing(f.title, f.caption, f.legend, std::move(specs), plot_data(f.plots, f.lines));
    for (const Table& table : f.tables) j["tables"].push_back((*this)(table));
    return j;
  }
  Json operator()(const Diagram& d) const {
    Json j{{"kind", "diagram"}, {"title", d.title}, {"caption", d.caption}, {"svg", svg_file(d.sketch)}};
    for (const Table& table : d.tables) j["tables"].push_back((*this)(table));
    return j;
  }
};

Json overview_json(const Overview& o) {
  Json figures = Json::array(), remarks = Json::array();
  for (const KeyFigure& f : o.figures)
    figures.push_back({{"title", f.title},
                       {"value", f.value},
                       {"unit", f.unit},
                       {"interval", f.interval},
                       {"expected", f.expected},
                       {"scope", f.scope},
                       {"judgement", name(f.judgement)}});
  for (const Remark& r : o.remarks) remarks.push_back(r.text);
  return {{"judgement", name(o.judgement)}, {"verdict", o.verdict}, {"figures", figures}, {"remarks", remarks}};
}

}  // namespace

nlohmann::json render_json(const Document& document) {
  Json chapters = Json::array();
  for (const Chapter& chapter : document.chapters) {
    Json blocks = Json::array();
    for (const Block& block : chapter.blocks) blocks.push_back(std::visit(JsonBlock{}, block));
    chapters.push_back({{"name", chapter.name}, {"title", chapter.title}, {"blocks", std::move(blocks)}});
  }
  return {{"report", 1},
          {"title", document.title},
          {"summary", document.summary},
          {"notes", document.notes},
          {"overview", overview_json(document.overview)},
          {"chart_config", chart_config()},
          {"chapters", std::move(chapters)}};
}

}  // namespace busbar::report
