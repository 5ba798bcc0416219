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
                    std::pair("by_rules", &Curve::by_rules), std::pair("at_once", &Curve::at_once),
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
      std::pair("rules", &Sweep::rules), std::pair("element_bytes", &Sweep::element_bytes),
      std::pair("launches", &Sweep::launches), std::pair("points", &Sweep::points));
}

constexpr auto fields(const Observation*) {
  return std::tuple(std::pair("launch", &Observation::launch), std::pair("scale", &Observation::scale),
                    std::pair("bytes", &Observation::bytes), std::pair("time_s", &Observation::time_s),
                    std::pair("choice", &Observation::choice), std::pair("reported", &Observation::reported));
}
constexpr auto fields(const SweepFit*) {
  return std::tuple(std::pair("sweep", &SweepFit::sweep), std::pair("regions", &SweepFit::regions),
                    std::pair("by_message", &SweepFit::by_message), std::pair("problem", &SweepFit::problem));
}
constexpr auto fields(const Fit*) {
  return std::tuple(std::pair("sweeps", &Fit::sweeps), std::pair("left_out", &Fit::left_out),
                    std::pair("remarks", &Fit::remarks), std::pair("assumed_launch_spread", &Fit::assumed_spread));
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
  report::require(s.element_bytes > 0 && s.element_bytes <= 16, "an element has an invalid size");
  for (const Observation& o : s.points) {
    report::require(o.scale.nodes > 0 && o.scale.ranks >= o.scale.nodes && o.scale.ranks <= 1'000'000'000,
                    "a point has invalid numbers of ranks and nodes");
    report::require(o.bytes > 0 && finite(o.time_s) && o.time_s > 1e-30, "a point has no size or no time");
    report::require(o.launch < s.launches.size(), "a point belongs to no launch");
  }
}

}  // namespace

void from_json(const Json& j, SweepFit& f) {
  busbar::from_json<SweepFit>(j, f);
  check_sweep(f.sweep);
  f.setups = setups_of(f.sweep);
  check_regions(f.regions, f.sweep);
  for (const ByMessage& b : f.by_message) {
    report::require(!b.regions.empty(), "an algorithm has no region");
    check_regions(b.regions, f.sweep);
  }
}

Json json_of(const Fit& fit) {
  Json j = fit;
  j["format"] = format.name;
  j["version"] = format.version;
  j["terms"] = {"s a call", "s a step", "s a byte of volume"};
  j["loggp"] = loggp_of(fit);
  return j;
}

Fit parse_fit(std::string_view text, std::string_view file) {
  Fit fit;
  report::parse_json_file(text, file, format, [&fit](const Json& j) {
    j.get_to(fit);
    report::require(finite(fit.assumed_spread) && fit.assumed_spread >= 0, "the assumed spread is not a number");
  });
  return fit;
}

Fit read_fit(const std::filesystem::path& path) { return parse_fit(report::read_text(path), path.string()); }

}  // namespace busbar::fit
