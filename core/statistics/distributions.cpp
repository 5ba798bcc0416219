// SPDX-License-Identifier: Apache-2.0
#include "core/statistics/distributions.hpp"

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

namespace busbar {
namespace {

/// Computes in double: Boost would use long double for the last digits, which valgrind does not emulate.
using InDouble = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
using Normal = boost::math::normal_distribution<double, InDouble>;
using Binomial = boost::math::binomial_distribution<double, InDouble>;
using StudentsT = boost::math::students_t_distribution<double, InDouble>;

/// Of infinitely many degrees; NaN counts as that.
bool is_normal(double degrees) { return !(degrees <= 1e6); }

}  // namespace

double upper_tail(double t, double degrees) {
  if (is_normal(degrees)) return boost::math::cdf(boost::math::complement(Normal(), t));
  return boost::math::cdf(boost::math::complement(StudentsT(degrees), t));
}

double upper_quantile(double tail, double degrees) {
  if (is_normal(degrees)) return boost::math::quantile(boost::math::complement(Normal(), tail));
  return boost::math::quantile(boost::math::complement(StudentsT(degrees), tail));
}

double binomial_at_least(std::size_t k, std::size_t n, double p) {
  if (k == 0) return 1;
  if (k > n) return 0;
  return boost::math::cdf(boost::math::complement(Binomial(static_cast<double>(n), p), static_cast<double>(k - 1)));
}

}  // namespace busbar
