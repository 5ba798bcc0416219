// SPDX-License-Identifier: Apache-2.0
#include "reports/predict/gradients.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/record/case_record.hpp"
#include "reports/text/text.hpp"
#include "workloads/networks/data.hpp"

namespace busbar::predict {
namespace {

/// Of the request, or of the name in the record; empty if there is none.
std::optional<std::filesystem::path> find_file(const std::string& name, const std::string& requested) {
  if (!requested.empty()) return requested;
  const auto models = shipped_models();
  if (std::ranges::find(models, name) == models.end()) return std::nullopt;
  return find_model(name);
}

/// The share of backward in the compute time, as measured; empty if the record does not split its steps.
std::optional<double> measured_backward(const CaseRecord& c) {
  const auto& split = c.training->split;
  if (!split || !(split->step_s > split->exposed_s)) return std::nullopt;
  return split->backward_s / (split->step_s - split->exposed_s);
}

void set_fusion(Gradients& g, const report::Experiment& e, const std::optional<FusionLimits>& fusion) {
  g.fusion = usual_fusion;
  g.fusion_source = "assumed, as PyTorch's DistributedDataParallel has";
  if (e.cases.back()->training->buckets) {
    g.fusion = {.first = e.key().training->first_bucket_bytes, .others = e.key().training->bucket_bytes};
    g.fusion_source = "of the record";
  }
  if (!fusion) return;
  g.fusion = *fusion;
  g.fusion_source = "as given";
}

}  // namespace

std::uint64_t bytes_of(std::string_view type) {
  constexpr std::array<std::pair<std::string_view, std::uint64_t>, 4> known{
      {{"fp32", 4}, {"fp16", 2}, {"bf16", 2}, {"fp64", 8}}};
  for (const auto& [name, bytes] : known)
    if (name == type) return bytes;
  throw UsageError(fmt::format("--gradients: unknown '{}'; known: fp32, fp16, bf16, fp64", type));
}

Gradients gradients_of(const report::Experiment& e, const std::string& model_file,
                       const std::optional<FusionLimits>& fusion) {
  const CaseKey& key = e.key();
  Gradients g{.backward = 2.0 / 3, .type = key.type.value_or("")};
  if (const auto file = find_file(key.collective, model_file)) {
    const Model model = read_model(*file);
    g.all = model.gradients;
    g.elements = static_cast<double>(parameters(model));
    g.backward = model.backward_flop / (model.forward_flop + model.backward_flop);
    g.source = fmt::format("the tensors of {}", file->filename().string());
  }
  if (key.bytes > 0 && key.type && model_file.empty()) {
    const auto elements = static_cast<double>(key.bytes / bytes_of(*key.type));
    if (elements != g.elements) g.all = equal_gradients(elements);
    g.elements = elements;
    g.source = "the record";
  }
  if (!(g.elements > 0))
    throw UsageError(fmt::format("{}: its number of gradients is unknown; give a model file with --model",
                                 report::shortened(key.collective, 60)));
  g.backward = measured_backward(*e.cases.front()).value_or(g.backward);
  set_fusion(g, e, fusion);
  return g;
}

std::vector<GradientBucket> gradient_buckets(const std::vector<Gradient>& gradients, std::uint64_t bytes_per_element,
                                             FusionLimits limits) {
  std::vector<GradientBucket> all;
  auto last = gradients.begin();
  std::size_t end = 0;
  for (const Bucket& bucket : fuse(gradients, bytes_per_element, limits)) {
    GradientBucket& one = all.emplace_back();
    one.bytes = static_cast<double>(bucket.size() * bytes_per_element);
    for (; end < bucket.end; ++last) {
      end += last->elements;
      one.ready = last->ready;
    }
  }
  return all;
}

std::vector<Gradient> equal_gradients(double elements) {
  constexpr int pieces = 100;
  std::vector<Gradient> all;
  double before = 0;
  for (int i = 1; i <= pieces; ++i) {
    const double up_to = std::round(elements * i / pieces);
    all.push_back({.elements = static_cast<std::uint64_t>(up_to - before), .ready = i / double{pieces}});
    before = up_to;
  }
  return all;
}

double exposed_exchange_s(std::span<const GradientBucket> buckets, std::span<const double> times_s, double backward_s) {
  double end_s = 0;
  for (std::size_t i = 0; i < buckets.size(); ++i) end_s = std::max(end_s, buckets[i].ready * backward_s) + times_s[i];
  return std::max(0.0, end_s - backward_s);
}

Span exposed_exchange_s(std::span<const GradientBucket> buckets, const std::vector<Span>& times_s, double backward_s) {
  Span exposed_s;
  for (double Span::* const limit : {&Span::value, &Span::low, &Span::high}) {
    std::vector<double> some;
    for (const Span& time_s : times_s) some.push_back(time_s.*limit);
    exposed_s.*limit = exposed_exchange_s(buckets, some, backward_s);
  }
  return exposed_s;
}

}  // namespace busbar::predict
