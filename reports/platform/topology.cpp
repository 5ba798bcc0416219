// SPDX-License-Identifier: Apache-2.0
#include "reports/platform/topology.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "reports/platform/max_flow.hpp"

namespace busbar::platform {
namespace {

constexpr int most_of_a_dimension = 1 << 20;

}  // namespace

std::string all_families() {
  std::string all;
  for (const Family* f : table<Family>()) all += (all.empty() ? "" : ", ") + std::string(f->words);
  return all;
}

int Topology::switches() const {
  int all = 0;
  for (const Level& level : levels_) all += level.switches;
  return all;
}

void refuse_too_many(double nodes) {
  if (nodes > most_nodes)
    throw UsageError(fmt::format("--nodes: {:.0f} is more than {}: the file would have {:.2g} routes, one per pair",
                                 nodes, most_nodes, nodes * (nodes - 1)));
}

const Family& family_of(std::string_view words) {
  if (const Family* family = try_find<Family>(words.substr(0, words.find(':')))) return *family;
  throw UsageError(fmt::format("--topology: unknown '{}'; known: {}", words, all_families()));
}

std::unique_ptr<Topology> make_topology(std::string_view words, Request request) {
  const Family& family = family_of(words);
  const std::size_t colon = words.find(':');
  refuse_too_many(request.nodes);
  request.shape = colon == std::string_view::npos ? "" : words.substr(colon + 1);
  if (colon != std::string_view::npos && request.shape.empty())
    throw UsageError(fmt::format("--topology: '{}' ends in a colon; use {}", words, family.words));
  return family.make(request);
}

std::vector<int> parse_shape(std::string_view shape, std::size_t least_count, std::size_t most_count,
                             std::string_view words) {
  std::vector<int> numbers;
  const char *at = shape.data(), *const end = shape.data() + shape.size();
  while (at <= end) {
    int number = 0;
    const auto [stop, problem] = std::from_chars(at, end, number);
    if (problem != std::errc{} || number < 1 || number > most_of_a_dimension || (stop != end && *stop != 'x')) break;
    numbers.push_back(number);
    at = stop + 1;
    if (stop == end) break;
  }
  if (at != end + 1 || numbers.size() < least_count || numbers.size() > most_count)
    throw UsageError(fmt::format("--topology: '{}' is not a valid shape; use {}", shape, words));
  return numbers;
}

Distances distances(const Topology& t) {
  Distances d{.least = std::numeric_limits<int>::max()};
  std::vector<Hop> way;
  double sum = 0;
  for (int from = 0; from < t.nodes(); ++from)
    for (int to = 0; to < t.nodes(); ++to) {
      if (from == to) continue;
      way.clear();
      t.append_way(from, to, way);
      const int switches = static_cast<int>(way.size()) + 1;
      d.least = std::min(d.least, switches);
      d.most = std::max(d.most, switches);
      sum += switches;
    }
  if (t.nodes() < 2) return {};
  d.mean = sum / (static_cast<double>(t.nodes()) * (t.nodes() - 1));
  return d;
}

Bisection bisection(const Topology& t) {
  const int source = t.switches(), sink = source + 1;
  std::vector<int> first(static_cast<std::size_t>(source)), second = first;
  Bisection result;
  for (int node = 0; node < t.nodes(); ++node) {
    const bool in_first = t.in_first_half(node);
    ++(in_first ? first : second)[static_cast<std::size_t>(t.switch_of(node))];
    result.nodes += in_first;
  }
  MaxFlow flow(sink + 1);
  for (const Cable& c : t.cables()) flow.add(c.a, c.b, 1, 1);
  for (int s = 0; s < source; ++s) {
    if (const int n = first[static_cast<std::size_t>(s)]) flow.add(source, s, n, 0);
    if (const int n = second[static_cast<std::size_t>(s)]) flow.add(s, sink, n, 0);
  }
  result.flow = flow.between(source, sink);
  return result;
}

}  // namespace busbar::platform
