// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "core/base/error.hpp"
#include "core/base/fields.hpp"
#include "reports/fit/fit.hpp"
#include "reports/fit/loggp.hpp"
#include "reports/fit/scale_fields.hpp"
#include "reports/runs/json_file.hpp"

namespace busbar::fit {

constexpr auto fields(const LaunchSpread*) {
  return std::tuple(std::pair("value", &LaunchSpread::value), std::pair("degrees", &LaunchSpread::degrees));
}
constexpr auto fields(const Curve*) {
  return std::tuple(std::pair("algorithm", &Curve::algorithm), std::pair("told", &Curve::told),
                    std::pair("step_known", &Curve::step_known), std::pair("coefficients", &Curve::coefficients),
                    std::pair("covariance", &Curve::covariance), std::pair("scatter", &Curve::scatter),
                    std::pair("degrees", &Curve::degrees), std::pair("weight", &Curve::weight));
}
constexpr auto fields(const Region*) {
  return std::tuple(std::pair("first_bytes", &Region::first), std::pair("last_bytes", &Region::last),
                    std::pair("curves", &Region::curves), std::pair("launch_spread", &Region::launches),
                    std::pair("points", &Region::points), std::pair("rms_residual", &Region::rms),
                    std::pair("worst_residual", &Region::worst), std::pair("worst_bytes", &Region::worst_bytes),
                    std::pair("choices", &Region::choices));
}
constexpr auto fields(const ByMessage*) {
  return std::tuple(std::pair("algorithm", &ByMessage::algorithm), std::pair("regions", &ByMessage::regions));
}
constexpr auto fields(const Sweep*) {
  return std::tuple(
      std::pair("collective", &Sweep::collective), std::pair("backend", &Sweep::backend),
      std::pair("kind", &Sweep::kind), std::pair("label", &Sweep::label), std::pair("details", &Sweep::details),
      std::pair("in_place", &Sweep::in_place), std::pair("origin", &Sweep::origin), std::pair("level", &Sweep::level),
      std::pair("library", &Sweep::library), std::pair("device", &Sweep::device), std::pair("cpu", &Sweep::cpu),
      std::pair("launches", &Sweep::launches), std::pair("points", &Sweep::points));
}

constexpr auto fields(const Estimate*) {
  return std::tuple(std::pair("value", &Estimate::value), std::pair("low", &Estimate::low),
                    std::pair("high", &Estimate::high));
}
constexpr auto fields(const LogGp*) {
  return std::tuple(std::pair("name", &LogGp::name), std::pair("level", &LogGp::level),
                    std::pair("latency_and_overhead_s", &LogGp::latency_and_overhead), std::pair("gap_s", &LogGp::gap),
                    std::pair("gap_per_byte_s", &LogGp::gap_per_byte), std::pair("from", &LogGp::from),
                    std::pair("unknown", &LogGp::unknown));
}

namespace {

using Json = nlohmann::json;

constexpr report::JsonFormat format{.name = "busbar fit", .what = "a fit", .writer = "busbar fit -o"};

bool finite(double x) { return std::isfinite(x) && std::abs(x) < 1e30; }

void check_curve(const Curve& c) {
  for (const double x : c.coefficients)
    report::require(finite(x) && x >= 0, "a coefficient is negative or not a number");
  for (const Terms& row : c.covariance)
    for (const double x : row) report::require(finite(x), "a covariance is not a number");
  report::require(finite(c.scatter) && c.scatter > 0, "a scatter is not positive");
  report::require(finite(c.degrees) && c.degrees > 0, "degrees of freedom are not positive");
  report::require(c.weight > 0 && c.weight <= 1, "a weight is not between 0 and 1");
  report::require(dot(c.coefficients, c.coefficients) > 0, "a curve has no positive coefficient");
}

void check_region(const Region& r, const Sweep& sweep) {
  report::require(r.first > 0 && r.first <= r.last, "the sizes of a region are not in order");
  report::require(!r.curves.empty(), "a region has no curve");
  report::require(finite(r.launches.value) && r.launches.value > 0 && r.launches.degrees >= 0,
                  "a spread is not positive");
  for (const Curve& c : r.curves) {
    check_curve(c);
    report::require(terms_of(sweep.collective, c.algorithm, {}, 1).has_value(), "an algorithm is unknown");
  }
}

void check_regions(const std::vector<Region>& all, const Sweep& sweep) {
  for (const Region& r : all) check_region(r, sweep);
  for (std::size_t i = 1; i < all.size(); ++i)
    report::require(all[i - 1].last < all[i].first, "regions are not in order");
}

void check_sweep(const Sweep& s) {
  report::require(!s.points.empty(), "a sweep has no points");
  for (const Observation& o : s.points) {
    report::require(o.scale.nodes > 0 && o.scale.ranks >= o.scale.nodes && o.scale.ranks <= 1'000'000'000,
                    "a point has invalid numbers of ranks and nodes");
    report::require(o.bytes > 0 && finite(o.time_s) && o.time_s > 1e-30, "a point has no size or no time");
    report::require(o.launch < s.launches.size(), "a point belongs to no launch");
  }
}

}  // namespace

void to_json(Json& j, const Observation& o) {
  j = {{"launch", o.launch}, {"scale", o.scale},   {"bytes", o.bytes},
       {"time_s", o.time_s}, {"choice", o.choice}, {"reported", o.reported}};
}

void from_json(const Json& j, Observation& o) {
  read(j, "launch", o.launch);
  read(j, "scale", o.scale);
  read(j, "bytes", o.bytes);
  read(j, "time_s", o.time_s);
  read(j, "choice", o.choice);
  read(j, "reported", o.reported);
}

void to_json(Json& j, const SweepFit& f) {
  j = {{"sweep", f.sweep}, {"regions", f.regions}, {"by_message", f.by_message}, {"problem", f.problem}};
}

void from_json(const Json& j, SweepFit& f) {
  read(j, "sweep", f.sweep);
  read(j, "regions", f.regions);
  read(j, "by_message", f.by_message);
  read(j, "problem", f.problem);
  check_sweep(f.sweep);
  f.setups = setups_of(f.sweep);
  check_regions(f.regions, f.sweep);
  for (const ByMessage& b : f.by_message) {
    report::require(!b.regions.empty(), "an algorithm has no region");
    check_regions(b.regions, f.sweep);
  }
}

Json json_of(const Fit& fit) {
  return {{"format", format.name},
          {"version", format.version},
          {"terms", {"s a call", "s a step", "s a byte of volume"}},
          {"assumed_launch_spread", fit.assumed_spread},
          {"left_out", fit.left_out},
          {"remarks", fit.remarks},
          {"sweeps", fit.sweeps},
          {"loggp", loggp_of(fit)}};
}

Fit parse_fit(std::string_view text, std::string_view file) {
  Fit fit;
  report::parse_json_file(text, file, format, [&fit](const Json& j) {
    read(j, "sweeps", fit.sweeps);
    read(j, "left_out", fit.left_out);
    read(j, "remarks", fit.remarks);
    read(j, "assumed_launch_spread", fit.assumed_spread);
    report::require(finite(fit.assumed_spread) && fit.assumed_spread >= 0, "the assumed spread is not a number");
  });
  return fit;
}

Fit read_fit(const std::filesystem::path& path) { return parse_fit(report::read_text(path), path.string()); }

}  // namespace busbar::fit
