// SPDX-License-Identifier: Apache-2.0
// Only the libraries that need definitions: the others take most of the time of compiling main.cpp.
#include <boost/math/distributions/students_t.hpp>
#include <fmt/core.h>

#if !__has_include(<CLI/CLI.hpp>) || !__has_include(<nlohmann/json.hpp>)
#error "a folder is missing"
#endif

int main() {
  fmt::print("{{\"quantile\":{}}}\n", boost::math::quantile(boost::math::students_t_distribution<double>(5), 0.975));
}
