// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/status.hpp"
#include "reports/sections/report_document.hpp"
#include "reports/text/text.hpp"
#include "reports/text/training_text.hpp"

namespace busbar::report {
namespace {

/// Formats a price without currency: three significant digits below 1,000, whole numbers above.
std::string amount(double cost) { return cost < 1000 ? fmt::format("{:.3g}", cost) : fmt::format("{:.0f}", cost); }

double cost_of(double price_per_hour, int nodes, double seconds) { return price_per_hour * nodes * seconds / 3600; }

std::string nodes_cell(std::optional<int> nodes) { return nodes ? std::to_string(*nodes) : std::string(unknown); }

/// Empty for a resumed run: its record has only the wall time of the last launch.
std::optional<double> wall_s(const Run& run) { return run.end && run.resumed.empty() ? run.end->wall_s : std::nullopt; }

Table runs_costs(const Material& material, double price_per_hour) {
  Table t{
      .title = "Cost of each run",
      .columns = {{"run", ColumnKind::name}, {"origin"}, {"nodes", number}, {"wall time", number}, {"cost", number}}};
  for (std::size_t i = 0; i < material.runs().size(); ++i) {
    const Run& run = material.runs()[i];
    const auto seconds = wall_s(run);
    const auto& nodes = run.head.nodes;
    t.rows.push_back({material.names()[i], text_of(run.head.origin), nodes_cell(nodes), duration(seconds),
                      seconds && nodes ? amount(cost_of(price_per_hour, *nodes, *seconds)) : std::string(unknown)});
  }
  return t;
}

/// Cost of a million samples at this rate; "unknown" if the number of nodes is.
std::string cost_of_a_million(double price_per_hour, std::optional<int> nodes, double samples_per_s) {
  return nodes ? amount(cost_of(price_per_hour, *nodes, 1e6 / samples_per_s)) : std::string(unknown);
}

/// "20.1 to 20.9": a lower rate costs more.
std::string costs_of_a_million(double price_per_hour, std::optional<int> nodes, const std::optional<Interval>& rate) {
  if (!rate || !(rate->low > 0) || !nodes) return "-";
  return fmt::format("{} to {}", cost_of_a_million(price_per_hour, nodes, rate->high),
                     cost_of_a_million(price_per_hour, nodes, rate->low));
}

Table training_costs(const Material& material, double price_per_hour) {
  Table t{.title = "Cost of training",
          .columns = {{"run", ColumnKind::name},
                      {"origin"},
                      {"case", ColumnKind::name},
                      {"set-up"},
                      {"nodes", number},
                      {"rate", number},
                      {"cost per million samples", number},
                      {"its interval", number}}};
  for (std::size_t i = 0; i < material.runs().size(); ++i) {
    const Run& run = material.runs()[i];
    for (const CaseRecord& c : run.cases) {
      if (!c.training || !is_measured(c.status) || !(c.training->samples_per_s > 0)) continue;
      const Training& training = *c.training;
      t.rows.push_back({material.names()[i], text_of(run.head.origin), subject(c.key), describe(c.key),
                        nodes_cell(c.key.nodes),
                        fmt::format("{} {}", rate(training.samples_per_s), rate_unit(training)),
                        cost_of_a_million(price_per_hour, c.key.nodes, training.samples_per_s),
                        costs_of_a_million(price_per_hour, c.key.nodes, training.samples_per_s_interval)});
    }
  }
  return t;
}

std::vector<Block> cost_blocks(const Material& material) {
  const auto price = material.options().price_per_hour;
  if (!price) return {};
  std::vector<Block> all{runs_costs(material, *price)};
  if (Table t = training_costs(material, *price); !t.rows.empty()) all.emplace_back(std::move(t));
  all.emplace_back(Paragraph{fmt::format(
      "Computed at {:.10g} per node-hour (--price-per-hour), in the currency of that price: price x nodes x "
      "hours. A node counts whole, however few of its ranks a case uses. A run takes the wall time of its "
      "record, without the time that its nodes were allocated before and after it. A million samples of "
      "training take a million over the rate. Costs of simulated and imported runs are as good as their "
      "times: simulated times, or those of another program.",
      *price)});
  return all;
}

}  // namespace

}  // namespace busbar::report

namespace busbar {

extern const report::Section cost{.name = "cost", .title = "Cost", .blocks = report::cost_blocks};

}  // namespace busbar
