// SPDX-License-Identifier: Apache-2.0
#include "workloads/compute/cudnn/norm_chooser.hpp"

#include <algorithm>
#include <cmath>
#include <new>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/error.hpp"
#include "core/elements/float16.hpp"

namespace busbar::cudnn {
namespace {

/// Large arrays are sampled: evenly spaced pieces of piece_elements elements.
constexpr std::uint64_t sampled_pieces = 64, piece_elements = 16384;

/// Both libraries round once to 16 bits, a relative error of about 0.0016 in bf16 and 0.0002 in fp16. An engine that
/// also rounds intermediate values, or has another mask where y is near 0, differs by a few times that.
double tolerance(DType precision) { return precision == DType::f16 ? 0.002 : 0.01; }

double length(const std::vector<float>& v) {
  double sum = 0;
  for (const float x : v) sum += static_cast<double>(x) * static_cast<double>(x);
  return std::sqrt(sum);
}
double distance(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double d = static_cast<double>(a[i]) - static_cast<double>(b[i]);
    sum += d * d;
  }
  return std::sqrt(sum);
}

template <class Bits>
void widen(const std::vector<std::uint16_t>& from, std::vector<float>& to) {
  std::ranges::transform(from, std::back_inserter(to), [](std::uint16_t bits) { return to_float(Bits{bits}); });
}

std::string why_not(const NormTally& t, const char* slower) {
  std::vector<std::string> why;
  const auto add = [&](int passes, const char* reason) {
    if (passes > 0) why.push_back(fmt::format("{}: {}", passes, reason));
  };
  add(t.slower, slower);
  add(t.slower_than_sums, "slower than sums by convolutions");
  add(t.without_plan, "no plan");
  add(t.unlike, "results unlike ours");
  return why.empty() ? "" : fmt::format(" ({})", fmt::join(why, ", "));
}

}  // namespace

std::vector<float> NormChooser::sample(const Values& v) const {
  const bool wide = v.type == DType::f32;
  const std::uint64_t size = wide ? sizeof(float) : sizeof(std::uint16_t);
  const bool whole = v.elements <= sampled_pieces * piece_elements;
  const std::uint64_t pieces = whole ? 1 : sampled_pieces, elements = whole ? v.elements : piece_elements;
  std::vector<std::byte> bytes(pieces * elements * size);
  for (std::uint64_t i = 0; i < pieces; ++i) {
    const std::uint64_t begin = pieces == 1 ? 0 : (v.elements - elements) * i / (pieces - 1);
    cuda::copy(bytes.data() + i * elements * size, static_cast<const std::byte*>(v.at) + begin * size, elements * size,
               stream_);
  }
  stream_.wait();
  std::vector<float> values;
  values.reserve(pieces * elements);
  if (wide) {
    const auto* const floats = reinterpret_cast<const float*>(bytes.data());
    values.assign(floats, floats + pieces * elements);
    return values;
  }
  const auto* const words = reinterpret_cast<const std::uint16_t*>(bytes.data());
  const std::vector<std::uint16_t> bits(words, words + pieces * elements);
  if (v.type == DType::f16)
    widen<Half>(bits, values);
  else
    widen<BFloat16>(bits, values);
  return values;
}

NormChooser::Samples NormChooser::sample(const std::vector<NormResult>& results) const {
  Samples samples;
  for (const NormResult& r : results) samples.push_back(sample(r.values));
  return samples;
}

/// Fills results with NaN first to detect unwritten ones; a distance that is NaN never agrees.
bool NormChooser::agrees(const std::function<void()>& work, const std::vector<NormResult>& results,
                         const Samples& expected) const {
  for (const NormResult& r : results)
    cuda::check(cudaMemsetAsync(const_cast<void*>(r.values.at), 0xFF,
                                r.values.elements * (r.values.type == DType::f32 ? 4 : 2), stream_.handle()),
                "cudaMemsetAsync");
  work();
  const Samples found = sample(results);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const NormResult& r = results[i];
    double size = length(expected[i]);
    if (r.factor > 0) {
      const std::vector<float> beside = sample(r.beside);
      size += r.factor * length(beside) / std::sqrt(static_cast<double>(beside.size()));
    }
    if (!(distance(found[i], expected[i]) <= tolerance(precision_) * size)) return false;
  }
  return true;
}

std::function<void()> NormChooser::work_of(const NormPass& pass, const std::shared_ptr<const Ready>& ready) const {
  std::vector<Place> places;
  for (const Place& p : pass.places)
    if (std::ranges::find(ready->operands, static_cast<NormOperand>(p.id)) != ready->operands.end())
      places.push_back(p);
  const auto execution = std::make_shared<const Execution>(ready->plan, places, ready->workspace.data());
  return [this, ready, execution, before = pass.before] {
    if (before) before();
    execution->run(handle_);
  };
}

/// Compares results before and after the timed runs: a plan may rely on the initial contents of its workspace.
void NormChooser::try_plan(std::shared_ptr<const Ready> ready, const NormPass& pass, const Samples& expected,
                           Decision& best) {
  const auto work = work_of(pass, ready);
  const bool first = agrees(work, pass.results, expected);
  const double took_s = first ? least_time(stream_, work) : 0;
  if (!first || !agrees(work, pass.results, expected)) {
    if (!best.ready) best.counts = &NormTally::unlike;
  } else if (!best.ready || took_s < best.seconds) {
    best = {.ready = std::move(ready), .counts = &NormTally::by_cudnn, .seconds = took_s};
  }
}

void NormChooser::try_graph(const NormPass& pass, Decision& best) {
  NormGraph said = pass.graph();
  const OperationGraph graph(handle_, std::move(said.parts), std::move(said.operations));
  pass.own();
  const Samples expected = sample(pass.results);
  int tried = 0;
  for (Descriptor& configuration : configurations(handle_, graph)) {
    if (tried++ == most_plans) return;
    try {
      auto plan = Plan::make(handle_, std::move(configuration), most_workspace);
      if (!plan) continue;
      cuda::DeviceArray<std::byte> workspace(plan->workspace_bytes());
      if (workspace.bytes() > 0)
        cuda::check(cudaMemsetAsync(workspace.data(), 0, workspace.bytes(), stream_.handle()), "cudaMemsetAsync");
      try_plan(std::make_shared<const Ready>(Ready{std::move(*plan), said.operands, std::move(workspace)}), pass,
               expected, best);
    } catch (const Error&) {           // the plan fails to run
    } catch (const std::bad_alloc&) {  // not enough memory for a workspace
    }
  }
}

NormChooser::Decision NormChooser::decide(const NormPass& pass) {
  Decision best;
  try {
    if (pass.graph) try_graph(pass, best);
  } catch (const Error&) {  // cuDNN rejects the graph
  }
  if (best.ready && library_ == NormLibrary::fastest && least_time(stream_, pass.own) <= best.seconds)
    best = {.ready = nullptr, .counts = &NormTally::slower};
  return best;
}

std::function<void()> NormChooser::choose(const NormPass& pass, NormTally& tally) {
  auto known = decisions_.find(pass.what);
  if (known == decisions_.end()) known = decisions_.emplace(pass.what, decide(pass)).first;
  ++tally.passes;
  ++(tally.*known->second.counts);
  return known->second.ready ? work_of(pass, known->second.ready) : pass.own;
}

int NormTally::* NormChooser::decide(const SumsPass& pass) const {
  if (!pass.fused) return &NormTally::without_plan;
  pass.separate();
  if (!agrees(pass.fused, pass.results, sample(pass.results))) return &NormTally::unlike;
  if (library_ != NormLibrary::fastest) return &NormTally::by_cudnn;
  const double separate_s = least_time(stream_, pass.separate), fused_s = least_time(stream_, pass.fused);
  return fused_s < separate_s ? &NormTally::by_cudnn : &NormTally::slower;
}

bool NormChooser::prefers_fused(const SumsPass& pass, NormTally& tally) {
  auto known = sums_.find(pass.what);
  if (known == sums_.end()) known = sums_.emplace(pass.what, decide(pass)).first;
  ++tally.passes;
  ++(tally.*known->second);
  return known->second == &NormTally::by_cudnn;
}

std::string describe_sums(const NormTally& sums) {
  return fmt::format("batch norm: sums by cuDNN's convolutions in {} of {} layers{}", sums.by_cudnn, sums.passes,
                     why_not(sums, "slower than separate kernels"));
}

std::string describe(const NormTally& forward, const NormTally& backward) {
  constexpr const char* slower = "slower than ours";
  return fmt::format("batch norm: cuDNN's in {} of {} layers forward{}, {} of {} backward{}", forward.by_cudnn,
                     forward.passes, why_not(forward, slower), backward.by_cudnn, backward.passes,
                     why_not(backward, slower));
}

}  // namespace busbar::cudnn
