// SPDX-License-Identifier: Apache-2.0
#include "reports/platform/max_flow.hpp"

#include <algorithm>
#include <limits>

namespace busbar::platform {

namespace {
std::size_t at(int vertex) { return static_cast<std::size_t>(vertex); }
}  // namespace

void MaxFlow::add(int a, int b, int there, int back) {
  out_[at(a)].push_back(edges_.size());
  edges_.push_back({.to = b, .left = there});
  out_[at(b)].push_back(edges_.size());
  edges_.push_back({.to = a, .left = back});
}

int MaxFlow::between(int source, int sink) {
  int all = 0;
  while (find_levels(source, sink)) {
    next_.assign(out_.size(), 0);
    while (const int more = push(source, sink, std::numeric_limits<int>::max())) all += more;
  }
  return all;
}

/// Sets each vertex's distance from the source over edges with free capacity. False if the sink is unreachable.
bool MaxFlow::find_levels(int source, int sink) {
  level_.assign(out_.size(), -1);
  level_[at(source)] = 0;
  std::vector<int> queue{source};
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const std::size_t e : out_[at(queue[i])])
      if (edges_[e].left > 0 && level_[at(edges_[e].to)] < 0) {
        level_[at(edges_[e].to)] = level_[at(queue[i])] + 1;
        queue.push_back(edges_[e].to);
      }
  return level_[at(sink)] >= 0;
}

/// Pushes up to `most` along one path of rising levels. Returns the amount pushed.
int MaxFlow::push(int from, int sink, int most) {
  if (from == sink) return most;
  for (std::size_t& i = next_[at(from)]; i < out_[at(from)].size(); ++i) {
    const std::size_t e = out_[at(from)][i];
    if (edges_[e].left <= 0 || level_[at(edges_[e].to)] != level_[at(from)] + 1) continue;
    const int sent = push(edges_[e].to, sink, std::min(most, edges_[e].left));
    if (sent == 0) continue;
    edges_[e].left -= sent;
    edges_[e ^ 1].left += sent;
    return sent;
  }
  return 0;
}

}  // namespace busbar::platform
