// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <fmt/core.h>

#include "core/base/json.hpp"

int main(int count, char** words) {
  CLI::App app;
  double degrees = 1;
  app.add_option("--degrees", degrees);
  CLI11_PARSE(app, count, words);
  const nlohmann::json answer = {
      {"quantile", boost::math::quantile(boost::math::students_t_distribution<double>(degrees), 0.975)}};
  fmt::print("{}\n", answer.dump());
}
