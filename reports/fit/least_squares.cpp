// SPDX-License-Identifier: Apache-2.0
#include "reports/fit/least_squares.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>
#include <vector>

namespace busbar::fit {
namespace {

using Wanted = std::array<bool, terms>;

constexpr int rounds = 40;
constexpr double least_pivot = 1e-9;  ///< minimum residual of a unit-length column after eliminating the others

/// The problem linearised around a solution: ln(t / f) = y - x c, with rows divided by the fitted time f.
struct Weighted {
  std::vector<Terms> x;
  std::vector<double> y;  ///< 1 + residual
  std::vector<double> w;
  double ridge = 0;         ///< penalty on launch offsets: row variance over launch variance
  Terms prior{};            ///< the row of the prior: 1 / its value, in its term
  double prior_weight = 0;  ///< row variance over the prior's
};

/// Weighted sums over all rows of a launch.
struct LaunchSum {
  double w = 0, wy = 0;
  Terms wx{};
};

std::map<std::size_t, LaunchSum> count_launches(const Weighted& p, std::span<const Row> rows) {
  std::map<std::size_t, LaunchSum> all;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    LaunchSum& sum = all[rows[i].launch];
    sum.w += p.w[i];
    sum.wy += p.w[i] * p.y[i];
    for (std::size_t a = 0; a < terms; ++a) sum.wx[a] += p.w[i] * p.x[i][a];
  }
  return all;
}

/// X' V^-1 X and X' V^-1 y, multiplied by the variance of a row.
struct Normal {
  Matrix m{};
  Terms v{};
};

Normal normal(const Weighted& p, std::span<const Row> rows) {
  Normal n;
  const auto add = [&n](const Terms& x, double y, double weight) {
    for (std::size_t a = 0; a < terms; ++a) {
      n.v[a] += weight * x[a] * y;
      for (std::size_t b = 0; b < terms; ++b) n.m[a][b] += weight * x[a] * x[b];
    }
  };
  for (std::size_t i = 0; i < rows.size(); ++i) add(p.x[i], p.y[i], p.w[i]);
  if (p.prior_weight > 0) add(p.prior, 1, p.prior_weight);
  for (const auto& [launch, sum] : count_launches(p, rows)) {
    Terms mean = sum.wx;
    for (double& x : mean) x /= sum.w;
    add(mean, sum.wy / sum.w, -sum.w * sum.w / (sum.w + p.ridge));
  }
  return n;
}

/// Inverse over the terms in `set`, 0 elsewhere: Gauss-Jordan on a matrix scaled to a unit diagonal. Empty if singular.
std::optional<Matrix> inverse(const Matrix& m, const Wanted& set) {
  Matrix left{}, right{};
  Terms scale{};
  for (std::size_t a = 0; a < terms; ++a) {
    if (set[a] && !(m[a][a] > 0)) return std::nullopt;
    scale[a] = set[a] ? 1 / std::sqrt(m[a][a]) : 0;
    right[a][a] = 1;
  }
  for (std::size_t a = 0; a < terms; ++a)
    for (std::size_t b = 0; b < terms; ++b) left[a][b] = set[a] && set[b] ? m[a][b] * scale[a] * scale[b] : a == b;
  for (std::size_t k = 0; k < terms; ++k) {  // positive definite: no pivoting needed
    const double pivot = left[k][k];
    if (!(pivot > least_pivot)) return std::nullopt;
    for (std::size_t b = 0; b < terms; ++b) left[k][b] /= pivot, right[k][b] /= pivot;
    for (std::size_t a = 0; a < terms; ++a) {
      if (a == k) continue;
      const double factor = left[a][k];
      for (std::size_t b = 0; b < terms; ++b) left[a][b] -= factor * left[k][b], right[a][b] -= factor * right[k][b];
    }
  }
  for (std::size_t a = 0; a < terms; ++a)
    for (std::size_t b = 0; b < terms; ++b) right[a][b] *= scale[a] * scale[b];  // 0 outside the set
  return right;
}

Terms times(const Matrix& m, const Terms& v) {
  Terms out{};
  for (std::size_t a = 0; a < terms; ++a) out[a] = dot(m[a], v);
  return out;
}

/// The best non-negative coefficients.
std::optional<Terms> solve(const Normal& n, const Wanted& wanted) {
  std::optional<Terms> best;
  double least = std::numeric_limits<double>::infinity();
  for (unsigned bits = 1; bits < 1U << terms; ++bits) {
    Wanted set{};
    bool allowed = true;
    for (std::size_t a = 0; a < terms; ++a) {
      set[a] = (bits >> a & 1U) != 0;
      allowed = allowed && (!set[a] || wanted[a]);
    }
    const auto inv = allowed ? inverse(n.m, set) : std::nullopt;
    if (!inv) continue;
    const Terms c = times(*inv, n.v);
    if (std::ranges::any_of(c, [](double x) { return x < 0; })) continue;
    const double cost = quadratic(n.m, c) - 2 * dot(n.v, c);
    if (cost < least) least = cost, best = c;
  }
  return best;
}

double weight_of(double residual, double scatter) {
  const double z = residual / scatter;
  return (tail_degrees + 1) / (tail_degrees + z * z);
}

double log_density(double residual, double scatter) {
  const double z = residual / scatter, n = tail_degrees;
  return std::lgamma((n + 1) / 2) - std::lgamma(n / 2) - 0.5 * std::log(n * M_PI) - std::log(scatter) -
         (n + 1) / 2 * std::log1p(z * z / n);
}

/// Limit on the ratio of fitted to measured time during the search, which bounds steps. Final curves beyond it are
/// rejected.
constexpr double most_off = 10;

double fitted(const Row& row, const Terms& c) {
  return std::clamp(dot(row.x, c), row.time_s / most_off, row.time_s * most_off);
}

bool holds(std::span<const Row> rows, const Terms& c) {
  return std::ranges::all_of(rows, [&](const Row& row) { return fitted(row, c) == dot(row.x, c); });
}

/// Linearises the problem around coefficients c.
Weighted weigh_around(std::span<const Row> rows, const Terms& c, Weighted before) {
  Weighted p = std::move(before);
  p.x.clear(), p.y.clear();
  for (const Row& row : rows) {
    const double f = fitted(row, c);
    Terms x = row.x;
    for (double& v : x) v /= f;
    p.x.push_back(x);
    p.y.push_back(1 + std::log(row.time_s / f));
  }
  return p;
}

/// Offset of each launch: its mean residual, shrunk towards 0 if it has few rows.
std::map<std::size_t, double> offsets(const Weighted& p, std::span<const Row> rows) {
  std::map<std::size_t, double> all;
  for (const auto& [launch, sum] : count_launches(p, rows)) all[launch] = (sum.wy - sum.w) / (sum.w + p.ridge);
  return all;
}

}  // namespace

double dot(const Terms& a, const Terms& b) {
  double sum = 0;
  for (std::size_t i = 0; i < terms; ++i) sum += a[i] * b[i];
  return sum;
}

double quadratic(const Matrix& m, const Terms& x) { return dot(x, times(m, x)); }

std::optional<LogFit> fit_logs(std::span<const Row> rows, const Wanted& wanted, double launch_spread,
                               const std::optional<Prior>& prior) {
  const auto k = static_cast<std::size_t>(std::ranges::count(wanted, true));
  const std::size_t known = rows.size() + (prior ? 1 : 0);
  if (known <= k || k == 0) return std::nullopt;
  LogFit fit{.scatter = 0.1, .degrees = static_cast<double>(known - k), .wanted = k};
  const auto ridge = [&fit, launch_spread] { return std::pow(fit.scatter / std::max(launch_spread, 1e-6), 2); };
  Weighted p{.y = std::vector<double>(rows.size(), 1), .w = std::vector<double>(rows.size(), 1), .ridge = ridge()};
  for (const Row& row : rows) {
    p.x.push_back(row.x);
    for (double& v : p.x.back()) v /= row.time_s;
  }
  const auto weigh_prior = [&] {
    if (!prior) return;
    const double off = (fit.coefficients[prior->term] / prior->value - 1) / prior->spread;
    p.prior[prior->term] = 1 / prior->value;
    p.prior_weight = std::pow(fit.scatter / prior->spread, 2) * 2 / (1 + off * off);
  };
  if (prior) fit.coefficients[prior->term] = prior->value;
  weigh_prior();
  std::map<std::size_t, double> off;
  for (int round = 0; round < rounds; ++round) {
    const Normal n = normal(p, rows);
    const auto c = inverse(n.m, wanted) ? solve(n, wanted) : std::nullopt;
    if (!c) return std::nullopt;
    fit.coefficients = *c;
    p = weigh_around(rows, *c, std::move(p));
    off = offsets(p, rows);
    double sum = 0;
    std::vector<double> own;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      own.push_back(p.y[i] - 1 - off[rows[i].launch]);
      sum += p.w[i] * own[i] * own[i];
    }
    const double before = std::exchange(fit.scatter, std::max(least_scatter, std::sqrt(sum / fit.degrees)));
    for (std::size_t i = 0; i < rows.size(); ++i) p.w[i] = weight_of(own[i], fit.scatter);
    p.ridge = ridge();
    weigh_prior();
    if (round > 2 && std::abs(before - fit.scatter) < 1e-6 * before) break;
  }
  const auto inv = inverse(normal(p, rows).m, wanted);
  if (!inv || !holds(rows, fit.coefficients)) return std::nullopt;
  const double inflation = fit.scatter * fit.scatter * (tail_degrees + 3) / (tail_degrees + 1);
  for (std::size_t a = 0; a < terms; ++a)
    for (std::size_t b = 0; b < terms; ++b) fit.covariance[a][b] = (*inv)[a][b] * inflation;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    fit.residuals.push_back(p.y[i] - 1);
    fit.log_likelihood += log_density(p.y[i] - 1 - off[rows[i].launch], fit.scatter);
  }
  if (prior) {
    const double off_by = (fit.coefficients[prior->term] / prior->value - 1) / prior->spread;
    fit.log_likelihood -= std::log1p(off_by * off_by);
  }
  for (const auto& [launch, by] : off) fit.log_likelihood -= 0.5 * std::pow(by / std::max(launch_spread, 1e-6), 2);
  return fit;
}

}  // namespace busbar::fit
