// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/profile.hpp"

#include <algorithm>
#include <numeric>
#include <ostream>
#include <set>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/error.hpp"

namespace busbar {
namespace {

template <class Event>
double sum_us(const std::vector<Event>& events) {
  return std::accumulate(events.begin(), events.end(), 0.0, [](double sum, const Event& e) { return sum + e.us; });
}

std::string option(std::string_view key, const std::optional<std::uint64_t>& bytes) {
  return bytes ? fmt::format(" {}={}", key, *bytes) : "";
}

}  // namespace

double forward_s(const Profile& profile) { return sum_us(profile.forward) * 1e-6; }
double backward_s(const Profile& profile) { return sum_us(profile.backward) * 1e-6; }

double step_s(const Profile& profile) { return forward_s(profile) + backward_s(profile) + profile.optimiser_us * 1e-6; }

double samples_per_s(const Profile& profile) { return profile.batch / step_s(profile); }

std::uint64_t gradient_elements(const Profile& profile) {
  std::uint64_t sum = 0;
  for (const BackwardEvent& e : profile.backward) sum = std::accumulate(e.gradients.begin(), e.gradients.end(), sum);
  return sum;
}

std::uint64_t gradient_bytes(const Profile& profile) {
  return gradient_elements(profile) * static_cast<std::uint64_t>(profile.element_bytes);
}

Profile part(const Profile& profile, std::size_t begin, std::size_t end) {
  if (begin >= end || end > profile.forward.size())
    throw Error(fmt::format("layers [{}, {}) are no part of {}, which has {}", begin, end, profile.model,
                            profile.forward.size()));
  Profile stage = profile;
  stage.forward = {profile.forward.begin() + static_cast<std::ptrdiff_t>(begin),
                   profile.forward.begin() + static_cast<std::ptrdiff_t>(end)};
  std::set<std::string_view> layers;
  for (const ForwardEvent& e : stage.forward) layers.insert(e.layer);
  std::erase_if(stage.backward, [&](const BackwardEvent& e) { return !layers.contains(e.layer); });
  if (const auto all = gradient_elements(profile); all > 0)
    stage.optimiser_us *= static_cast<double>(gradient_elements(stage)) / static_cast<double>(all);
  return stage;
}

void write_profile(std::ostream& out, const Profile& p) {
  out << "busbar-profile 1\n"
      << fmt::format("model {}\ndevice {}\nprecision {}\nbatch {}\nsample {}\n", p.model, p.device, p.precision,
                     p.batch, p.sample);
  if (p.image) out << fmt::format("image {}\n", *p.image);
  if (p.heads) out << fmt::format("heads {}\n", *p.heads);
  out << fmt::format("element_bytes {}\nprovenance {}\nsource {}\n", p.element_bytes, p.provenance, p.source);
  for (const ForwardEvent& e : p.forward)
    out << fmt::format("F {} {:.3f}{}{}\n", e.layer, e.us, option("cut", e.cut_bytes),
                       option("allreduce", e.allreduce_bytes));
  for (const BackwardEvent& e : p.backward)
    out << fmt::format("B {} {:.3f}{}{}{}\n", e.layer, e.us, e.gradients.empty() ? "" : " ",
                       fmt::join(e.gradients, " "), option("allreduce", e.allreduce_bytes));
  out << fmt::format("O {:.3f}\n", p.optimiser_us);
}

}  // namespace busbar
