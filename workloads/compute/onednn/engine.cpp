// SPDX-License-Identifier: Apache-2.0
// Runs a network's training step with oneDNN. primitives_2.cpp and primitives_3.cpp cover differences between versions.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>

#include <fmt/core.h>
#include <oneapi/dnnl/dnnl.hpp>

#include "core/base/error.hpp"
#include "core/machine/local_clock.hpp"
#include "workloads/compute/onednn.hpp"
#include "workloads/compute/onednn/pool.hpp"
#include "workloads/compute/onednn/primitives.hpp"
#include "workloads/compute/onednn/threads.hpp"
#include "workloads/networks/synthetic.hpp"

namespace busbar::onednn {
namespace {

using dnnl::algorithm;
using Tag = memory::format_tag;
using Type = memory::data_type;
using Arguments = std::unordered_map<int, memory>;

constexpr auto f32 = Type::f32;

/// A primitive and its arguments.
struct Step {
  dnnl::primitive primitive;
  Arguments arguments;
  bool reorder = false;
};

double run(const Step& step, dnnl::stream& stream) {
  const std::int64_t begin = steady_ns();
  step.primitive.execute(stream, step.arguments);
  stream.wait();
  return seconds_since(begin);
}

/// Copies from one layout to another.
Step reorder(const memory& from, const memory& to) {
  return {dnnl::reorder(from, to), {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}}, true};
}

memory::dims dims_of(int batch, const Shape& s) { return {batch, s.channels, s.height, s.width}; }

/// oneDNN reads nothing behind the last window, so the padding after is only what the windows need.
Window window_of(const Layer& l) {
  const auto after = [&](int in, int out) { return memory::dim{(out - 1) * l.stride + l.kernel - in - l.pad}; };
  return {.kernel = {l.kernel, l.kernel},
          .strides = {l.stride, l.stride},
          .before = {l.pad, l.pad},
          .after = {after(l.in.height, l.out.height), after(l.in.width, l.out.width)}};
}

class Engine final : public OnednnCompute {
 public:
  Engine(Network network, const OnednnSetup& setup)
      : network_(std::move(network)),
        batch_(setup.batch),
        threads_(limit_threads(setup.threads)),
        type_(setup.precision == DType::bf16 ? Type::bf16 : f32),
        nodes_(network_.layers.size()),
        diffs_(network_.layers.size()),
        times_(network_.layers.size()) {
    choose_layouts();
    lay_out_parameters();
    initialise(setup.seed);
    make_batch(synthetic_batch(network_, batch_, setup.seed, setup.rank));
    for (std::size_t i = 0; i < nodes_.size(); ++i) build_forward(network_.layers[i], nodes_[i]);
    begin_backward();
    for (std::size_t i = nodes_.size(); i-- > 0;) build_backward(i);
    sgd_.emplace(setup.rule, weights_.size());
    first_weights_ = weights_;
  }

  [[nodiscard]] const std::vector<Stripe>& stripes() const override { return stripes_; }
  [[nodiscard]] std::span<float> weights() override { return weights_; }
  [[nodiscard]] std::span<float> gradients() override { return gradients_; }
  [[nodiscard]] const std::vector<LayerTime>& times() const override { return times_; }
  void keep_times(bool keep) override { keep_times_ = keep; }
  [[nodiscard]] int steps() const override { return steps_; }
  [[nodiscard]] const OnednnFacts& facts() const override { return facts_; }

  std::optional<double> forward() override {
    if (keep_times_) ++steps_;
    for (std::size_t i = 0; i < nodes_.size(); ++i) run_all(nodes_[i].forward, times_[i], &LayerTime::forward_s);
    return loss();
  }

  void backward(const Ready& ready) override {
    for (std::size_t i = nodes_.size(); i-- > 0;) {
      run_all(nodes_[i].backward, times_[i], &LayerTime::backward_s);
      if (const auto& own = nodes_[i].stripes; !own.empty())
        ready(stripes_[own.back()].begin, stripes_[own.front()].begin + stripes_[own.front()].elements);
    }
  }

  void reset() override {
    weights_ = first_weights_;
    sgd_->reset();
  }

  void update(std::size_t begin, std::size_t end) override {
    sgd_->update(std::span(weights_).subspan(begin, end - begin), std::span(gradients_).subspan(begin, end - begin),
                 begin);
  }

 private:
  struct Node {
    memory output, mean, variance, workspace;
    std::vector<Step> forward, backward;
    dnnl::convolution_forward::primitive_desc convolution;
    dnnl::inner_product_forward::primitive_desc linear;
    memory::dims dims;                 ///< of the weights; convolution and linear layers only
    memory::desc matrix;               ///< layout of the weight matrix and its gradient
    memory::desc read;                 ///< the layer's weight layout: `matrix`, or 16-bit
    memory copy;                       ///< 16-bit copy of the weights, if any
    std::vector<std::size_t> stripes;  ///< indices into stripes_: weight, bias
  };

  // Build steps, in this order
  void choose_layouts();
  void choose_convolution(const Layer&, Node&);
  void choose_linear(const Layer&, Node&);
  void lay_out_parameters();
  void initialise(std::uint64_t seed);
  void make_batch(SyntheticBatch batch);
  void build_forward(const Layer&, Node&);
  void begin_backward();
  void build_backward(std::size_t layer);

  void forward_convolution(const Layer&, Node&);
  void forward_norm(const Layer&, Node&);
  void forward_add(const Layer&, Node&);
  void forward_pool(const Layer&, Node&);
  void forward_linear(const Layer&, Node&);

  // `diff`: gradient of the loss with respect to the layer's output
  void backward_convolution(const Layer&, Node&, const memory& diff);
  void backward_norm(const Layer&, Node&, const memory& diff);
  void backward_add(const Layer&, Node&, Pool::Lease diff);
  void backward_pool(const Layer&, Node&, const memory& diff);
  void backward_linear(const Layer&, Node&, const memory& diff);
  void gradient_of_input(const Layer&, Node&, const memory::desc& wanted, const memory::desc& made, Step step);
  [[nodiscard]] dnnl::convolution_backward_weights::primitive_desc fastest_weight_gradient(const Layer&, const Node&,
                                                                                           const memory::desc& diff);
  [[nodiscard]] Pool::Lease in_layout(const memory::desc& wanted, const memory& from, Node&);
  [[nodiscard]] memory read_weights(Node&);
  void gradient_of_weights(Node&, const memory::desc& made, Step step);
  void give(int layer, const Pool::Lease& diff, Node& by);

  void run_all(const std::vector<Step>& steps, LayerTime& time, double LayerTime::* pass_s) {
    for (const Step& step : steps) {
      const double took_s = run(step, stream_);
      if (!keep_times_) continue;
      time.*pass_s += took_s;
      if (step.reorder) time.reorder_s += took_s;
    }
  }
  [[nodiscard]] Node& node(int layer) { return nodes_[static_cast<std::size_t>(layer)]; }
  [[nodiscard]] const memory& input_of(const Layer& l) { return l.from < 0 ? images_ : node(l.from).output; }
  [[nodiscard]] memory::desc plain(const Shape& s, Type type) const { return {dims_of(batch_, s), type, Tag::nchw}; }
  [[nodiscard]] static memory::desc any(const memory::dims& dims, Type type) { return {dims, type, Tag::any}; }
  /// Vectors whose channels do not fill a block stay plain: a blocked layout would put padding between images.
  [[nodiscard]] memory::desc activation(const Shape& s) const {
    const bool padded_vector = s.height * s.width == 1 && s.channels % 16 != 0;
    return {dims_of(batch_, s), type_, padded_vector ? Tag::nchw : layout_};
  }
  /// The same memory under another layout name.
  [[nodiscard]] memory as(const memory& m, const memory::desc& desc) { return {desc, engine_, m.get_data_handle()}; }
  /// oneDNN's linear layers read a 1x1 image as a plain vector; the bytes are the same.
  [[nodiscard]] memory::desc linear_input(const Shape& s) const {
    return s.height * s.width == 1 ? plain(s, type_) : activation(s);
  }
  [[nodiscard]] memory keep(const memory::desc& desc) {
    facts_.activation_bytes += desc.get_size();
    return {desc, engine_};
  }
  /// View of a parameter or its gradient inside a flat array.
  [[nodiscard]] memory inside(std::vector<float>& flat, std::size_t stripe, const memory::desc& desc) {
    return {desc, engine_, flat.data() + stripes_[stripe].begin};
  }
  [[nodiscard]] static memory::desc vector_of(int n) { return {{n}, f32, Tag::a}; }
  [[nodiscard]] double loss();

  Network network_;
  int batch_;
  std::shared_ptr<void> threads_;
  Type type_;  ///< of activations, their gradients, and the matrices that layers read
  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  Pool pool_{engine_};
  Tag layout_ = Tag::nchw;  ///< of all activations except images and vectors
  memory images_;           ///< in the layout that the first layer prefers
  std::vector<int> labels_;
  std::vector<Node> nodes_;
  std::vector<Pool::Lease> diffs_;  ///< gradients of layer outputs, while backward is built
  Pool::Lease scores_diff_;
  std::vector<Stripe> stripes_;
  std::vector<float> weights_, gradients_, first_weights_;
  std::optional<Sgd> sgd_;
  bool keep_times_ = true;
  int steps_ = 0;
  std::vector<LayerTime> times_;
  OnednnFacts facts_;
};

/// Activations use the layout that oneDNN prefers for a 3x3 convolution with 64 channels, so no reorders are needed
/// between layers. Weights use the layout that the layer's forward pass prefers. If layers read 16-bit copies, weights
/// use the layout of their gradient.
void Engine::choose_layouts() {
  const memory::dims probe{batch_, 64, 28, 28};
  const memory::dims one{1, 1};
  const auto asked = make_convolution(engine_, any(probe, type_), any({64, 64, 3, 3}, type_), any(probe, type_),
                                      {{3, 3}, one, one, one});
  for (const Tag tag : {Tag::nChw16c, Tag::nChw8c, Tag::nhwc})
    if (asked.dst_desc() == memory::desc(probe, type_, tag)) layout_ = tag;

  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Layer& l = network_.layers[i];
    if (l.kind == LayerKind::convolution) choose_convolution(l, nodes_[i]);
    if (l.kind == LayerKind::linear) choose_linear(l, nodes_[i]);
  }
}

void Engine::choose_convolution(const Layer& l, Node& n) {
  const Window w = window_of(l);
  const auto from = l.from < 0 ? any(dims_of(batch_, l.in), type_) : activation(l.in);
  n.dims = {l.out.channels, l.in.channels, l.kernel, l.kernel};
  n.convolution = make_convolution(engine_, from, any(n.dims, type_), activation(l.out), w);
  n.matrix = n.read = n.convolution.weights_desc();
  if (type_ == f32) return;
  n.matrix = make_convolution_backward_weights(engine_, n.convolution.src_desc(), any(n.dims, f32), activation(l.out),
                                               w, n.convolution)
                 .diff_weights_desc();
}

/// Scores are fp32 in either precision. Stripes have no room for padding, so a padded layout falls back to a plain one.
void Engine::choose_linear(const Layer& l, Node& n) {
  const memory::dims out{batch_, l.out.channels};
  const auto bias = vector_of(l.out.channels);
  const auto elements = static_cast<std::size_t>(l.out.channels) * l.in.elements();
  const auto padded = [&](const memory::desc& desc, Type type) {
    return desc.get_size() != elements * memory::data_type_size(type);
  };
  n.dims = {l.out.channels, l.in.channels, l.in.height, l.in.width};
  const auto made = [&](const memory::desc& matrix) {
    return make_linear(engine_, linear_input(l.in), matrix, bias, {out, f32, Tag::nc});
  };
  n.linear = made(any(n.dims, type_));
  if (padded(n.linear.weights_desc(), type_)) n.linear = made({n.dims, type_, Tag::oihw});
  n.matrix = n.read = n.linear.weights_desc();
  if (type_ == f32) return;
  n.matrix =
      make_linear_backward_weights(engine_, linear_input(l.in), any(n.dims, f32), bias, {out, type_, Tag::nc}, n.linear)
          .diff_weights_desc();
  if (padded(n.matrix, f32)) n.matrix = {n.dims, f32, Tag::oihw};
}

void Engine::lay_out_parameters() {
  const auto parameters = network_.parameters();
  std::size_t floats = 0;
  for (auto p = parameters.rbegin(); p != parameters.rend(); ++p) {
    Node& n = node(p->layer);
    const bool matrix = n.matrix.get_size() > 0 && p->name.ends_with(".weight");
    const std::size_t elements = matrix ? n.matrix.get_size() / sizeof(float) : p->elements;
    n.stripes.insert(n.stripes.begin(), stripes_.size());
    stripes_.push_back({.name = p->name, .begin = floats, .elements = elements});
    floats += elements;
  }
  weights_.resize(floats);
  gradients_.resize(floats);
}

void Engine::initialise(std::uint64_t seed) {
  auto values = first_weights(network_, seed);
  const auto parameters = network_.parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Stripe& stripe = stripes_[parameters.size() - 1 - i];  // stripes are in reverse order
    const Node& n = node(parameters[i].layer);
    const memory::desc& matrix = n.matrix;
    if (matrix.get_size() == 0 || !parameters[i].name.ends_with(".weight")) {
      std::ranges::copy(values[i], weights_.begin() + static_cast<std::ptrdiff_t>(stripe.begin));
      continue;
    }
    const memory plain_matrix(memory::desc(n.dims, f32, Tag::oihw), engine_, values[i].data());
    run(reorder(plain_matrix, memory(matrix, engine_, weights_.data() + stripe.begin)), stream_);
  }
}

void Engine::make_batch(SyntheticBatch batch) {
  const memory values(plain(network_.image, f32), engine_, batch.images.data());
  const bool convolution = network_.layers.front().kind == LayerKind::convolution;
  images_ = keep(convolution ? nodes_.front().convolution.src_desc() : activation(network_.image));
  run(reorder(values, images_), stream_);
  labels_ = std::move(batch.labels);
}

void Engine::build_forward(const Layer& l, Node& n) {
  switch (l.kind) {
    case LayerKind::convolution:
      return forward_convolution(l, n);
    case LayerKind::norm:
      return forward_norm(l, n);
    case LayerKind::add:
      return forward_add(l, n);
    case LayerKind::max_pool:
    case LayerKind::average_pool:
      return forward_pool(l, n);
    case LayerKind::linear:
      return forward_linear(l, n);
  }
}

/// loss() writes the fp32 gradient of the scores; the last layer's backward pass starts from it.
void Engine::begin_backward() {
  const memory::desc scores = nodes_.back().output.get_desc();
  scores_diff_ = diffs_.back() = pool_.take(scores);
  if (type_ == f32) return;
  diffs_.back() = pool_.take({{batch_, network_.classes()}, type_, Tag::nc});
  nodes_.back().backward.push_back(reorder(*scores_diff_, *diffs_.back()));
}

void Engine::build_backward(std::size_t layer) {
  const Layer& l = network_.layers[layer];
  Node& n = nodes_[layer];
  Pool::Lease diff = std::move(diffs_[layer]);
  if (!diff) throw Error(fmt::format("the output of layer {} is used by none", l.name));
  switch (l.kind) {
    case LayerKind::convolution:
      return backward_convolution(l, n, *diff);
    case LayerKind::norm:
      return backward_norm(l, n, *diff);
    case LayerKind::add:
      return backward_add(l, n, std::move(diff));
    case LayerKind::max_pool:
    case LayerKind::average_pool:
      return backward_pool(l, n, *diff);
    case LayerKind::linear:
      return backward_linear(l, n, *diff);
  }
}

// Convolution

void Engine::forward_convolution(const Layer& l, Node& n) {
  n.output = keep(n.convolution.dst_desc());
  const memory weights = read_weights(n);
  n.forward.push_back({dnnl::convolution_forward(n.convolution),
                       {{DNNL_ARG_SRC, input_of(l)}, {DNNL_ARG_WEIGHTS, weights}, {DNNL_ARG_DST, n.output}}});
}

void Engine::backward_convolution(const Layer& l, Node& n, const memory& diff) {
  if (l.from >= 0) {
    const auto made = make_convolution_backward_data(engine_, activation(l.in), any(n.dims, type_), diff.get_desc(),
                                                     window_of(l), n.convolution);
    gradient_of_input(l, n, made.weights_desc(), made.diff_src_desc(),
                      {dnnl::convolution_backward_data(made), {{DNNL_ARG_DIFF_DST, diff}}});
  }
  const auto made = fastest_weight_gradient(l, n, diff.get_desc());
  const Pool::Lease in = in_layout(made.src_desc(), input_of(l), n);
  const Pool::Lease out = in_layout(made.diff_dst_desc(), diff, n);
  gradient_of_weights(n, made.diff_weights_desc(),
                      {dnnl::convolution_backward_weights(made), {{DNNL_ARG_SRC, *in}, {DNNL_ARG_DIFF_DST, *out}}});
}

/// With AVX2, oneDNN's blocked weight gradients need images that are at least as large as the window; for others it
/// takes its reference, which is hundreds of times slower. Its matrix product has no such limit, but wants other
/// layouts.
dnnl::convolution_backward_weights::primitive_desc Engine::fastest_weight_gradient(const Layer& l, const Node& n,
                                                                                   const memory::desc& diff) {
  const auto make = [&](const memory::desc& in, const memory::desc& out) {
    return make_convolution_backward_weights(engine_, in, any(n.dims, f32), out, window_of(l), n.convolution);
  };
  const auto made = make(input_of(l).get_desc(), diff);
  if (!std::string_view(made.impl_info_str()).starts_with("ref")) return made;
  return make(any(dims_of(batch_, l.in), type_), any(dims_of(batch_, l.out), type_));
}

/// `from` in layout `wanted`: itself, or a copy that a further step of the backward pass makes.
Pool::Lease Engine::in_layout(const memory::desc& wanted, const memory& from, Node& n) {
  if (from.get_desc() == wanted) return std::make_shared<memory>(from);
  Pool::Lease copy = pool_.take(wanted);
  n.backward.push_back(reorder(from, *copy));
  return copy;
}

/// Returns the weights as the layer reads them: the parameter, or a copy that each forward pass refreshes first.
memory Engine::read_weights(Node& n) {
  const memory own = inside(weights_, n.stripes[0], n.matrix);
  if (n.read == n.matrix) return own;
  n.copy = memory(n.read, engine_);
  facts_.copy_bytes += n.read.get_size();
  n.forward.push_back(reorder(own, n.copy));
  return n.copy;
}

/// `step` computes the input gradient in layout `made` and reads the weights in layout `wanted`.
void Engine::gradient_of_input(const Layer& l, Node& n, const memory::desc& wanted, const memory::desc& made,
                               Step step) {
  const Pool::Lease weights = in_layout(wanted, n.copy ? n.copy : inside(weights_, n.stripes[0], n.matrix), n);
  const Pool::Lease in = pool_.take(made);
  step.arguments.emplace(DNNL_ARG_WEIGHTS, *weights);
  step.arguments.emplace(DNNL_ARG_DIFF_SRC, *in);
  n.backward.push_back(std::move(step));
  give(l.from, in, n);
}

/// `step` computes the weight gradient in layout `made`.
void Engine::gradient_of_weights(Node& n, const memory::desc& made, Step step) {
  const memory gradient = inside(gradients_, n.stripes[0], n.matrix);
  if (made == n.matrix) {
    step.arguments.emplace(DNNL_ARG_DIFF_WEIGHTS, gradient);
    n.backward.push_back(std::move(step));
    return;
  }
  const Pool::Lease other = pool_.take(made);
  step.arguments.emplace(DNNL_ARG_DIFF_WEIGHTS, *other);
  n.backward.push_back(std::move(step));
  n.backward.push_back(reorder(*other, gradient));
}

// Batch norm with an optional ReLU

namespace {
dnnl::normalization_flags flags_of(const Layer& l) {
  using Flags = dnnl::normalization_flags;
  const Flags learned = Flags::use_scale | Flags::use_shift;
  return l.relu ? learned | Flags::fuse_norm_relu : learned;
}
}  // namespace

void Engine::forward_norm(const Layer& l, Node& n) {
  const auto made = make_norm(engine_, input_of(l).get_desc(), flags_of(l));
  const auto channels = vector_of(l.out.channels);
  n.output = keep(made.dst_desc());
  n.mean = keep(channels);
  n.variance = keep(channels);
  Arguments with{{DNNL_ARG_SRC, input_of(l)},
                 {DNNL_ARG_SCALE, inside(weights_, n.stripes[0], channels)},
                 {DNNL_ARG_SHIFT, inside(weights_, n.stripes[1], channels)},
                 {DNNL_ARG_MEAN, n.mean},
                 {DNNL_ARG_VARIANCE, n.variance},
                 {DNNL_ARG_DST, n.output}};
  if (l.relu) {
    n.workspace = keep(made.workspace_desc());
    with.emplace(DNNL_ARG_WORKSPACE, n.workspace);
  }
  n.forward.push_back({dnnl::batch_normalization_forward(made), std::move(with)});
}

void Engine::backward_norm(const Layer& l, Node& n, const memory& diff) {
  const auto data = input_of(l).get_desc();
  const auto channels = vector_of(l.out.channels);
  const auto made =
      make_norm_backward(engine_, diff.get_desc(), data, flags_of(l), make_norm(engine_, data, flags_of(l)));
  const Pool::Lease in = pool_.take(made.diff_src_desc());
  Arguments with{{DNNL_ARG_SRC, input_of(l)},
                 {DNNL_ARG_MEAN, n.mean},
                 {DNNL_ARG_VARIANCE, n.variance},
                 {DNNL_ARG_SCALE, inside(weights_, n.stripes[0], channels)},
                 {DNNL_ARG_DIFF_DST, diff},
                 {DNNL_ARG_DIFF_SRC, *in},
                 {DNNL_ARG_DIFF_SCALE, inside(gradients_, n.stripes[0], channels)},
                 {DNNL_ARG_DIFF_SHIFT, inside(gradients_, n.stripes[1], channels)}};
  if (norm_backward_takes_shift()) with.emplace(DNNL_ARG_SHIFT, inside(weights_, n.stripes[1], channels));
  if (l.relu) with.emplace(DNNL_ARG_WORKSPACE, n.workspace);
  n.backward.push_back({dnnl::batch_normalization_backward(made), std::move(with)});
  if (l.from >= 0) give(l.from, in, n);
}

// Residual sum with ReLU

void Engine::forward_add(const Layer& l, Node& n) {
  const auto desc = activation(l.out);
  n.output = keep(desc);
  n.forward.push_back(
      {dnnl::binary(make_sum(engine_, desc, true)),
       {{DNNL_ARG_SRC_0, input_of(l)}, {DNNL_ARG_SRC_1, node(l.second).output}, {DNNL_ARG_DST, n.output}}});
}

/// Both summands get the same gradient: the sum's gradient where the sum is positive.
void Engine::backward_add(const Layer& l, Node& n, Pool::Lease diff) {
  const auto desc = n.output.get_desc();
  const Pool::Lease in = diff.use_count() == 1 ? diff : pool_.take(desc);
  n.backward.push_back({dnnl::eltwise_backward(make_relu_backward(engine_, desc)),
                        {{DNNL_ARG_DST, n.output}, {DNNL_ARG_DIFF_DST, *diff}, {DNNL_ARG_DIFF_SRC, *in}}});
  give(l.from, in, n);
  give(l.second, in, n);
}

// Pools

namespace {
algorithm pooling_of(const Layer& l) {
  return l.kind == LayerKind::max_pool ? algorithm::pooling_max : algorithm::pooling_avg_exclude_padding;
}
}  // namespace

void Engine::forward_pool(const Layer& l, Node& n) {
  n.output = keep(activation(l.out));
  const auto made = make_pool(engine_, pooling_of(l), input_of(l).get_desc(), n.output.get_desc(), window_of(l));
  Arguments with{{DNNL_ARG_SRC, input_of(l)}, {DNNL_ARG_DST, n.output}};
  if (l.kind == LayerKind::max_pool) {
    n.workspace = keep(made.workspace_desc());
    with.emplace(DNNL_ARG_WORKSPACE, n.workspace);
  }
  n.forward.push_back({dnnl::pooling_forward(made), std::move(with)});
}

void Engine::backward_pool(const Layer& l, Node& n, const memory& diff) {
  const Window w = window_of(l);
  const auto from = input_of(l).get_desc(), out = n.output.get_desc();
  const auto made =
      make_pool_backward(engine_, pooling_of(l), from, out, w, make_pool(engine_, pooling_of(l), from, out, w));
  const Pool::Lease in = pool_.take(from);
  Arguments with{{DNNL_ARG_DIFF_DST, as(diff, out)}, {DNNL_ARG_DIFF_SRC, *in}};
  if (l.kind == LayerKind::max_pool) with.emplace(DNNL_ARG_WORKSPACE, n.workspace);
  n.backward.push_back({dnnl::pooling_backward(made), std::move(with)});
  if (l.from >= 0) give(l.from, in, n);
}

// Linear

void Engine::forward_linear(const Layer& l, Node& n) {
  n.output = keep(n.linear.dst_desc());
  const memory weights = read_weights(n);
  n.forward.push_back({dnnl::inner_product_forward(n.linear),
                       {{DNNL_ARG_SRC, as(input_of(l), linear_input(l.in))},
                        {DNNL_ARG_WEIGHTS, weights},
                        {DNNL_ARG_BIAS, inside(weights_, n.stripes[1], vector_of(l.out.channels))},
                        {DNNL_ARG_DST, n.output}}});
}

void Engine::backward_linear(const Layer& l, Node& n, const memory& diff) {
  if (l.from >= 0) {
    const auto made =
        make_linear_backward_data(engine_, linear_input(l.in), any(n.dims, type_), diff.get_desc(), n.linear);
    gradient_of_input(l, n, made.weights_desc(), made.diff_src_desc(),
                      {dnnl::inner_product_backward_data(made), {{DNNL_ARG_DIFF_DST, diff}}});
  }
  const auto bias = vector_of(l.out.channels);
  const auto made =
      make_linear_backward_weights(engine_, linear_input(l.in), any(n.dims, f32), bias, diff.get_desc(), n.linear);
  gradient_of_weights(n, made.diff_weights_desc(),
                      {dnnl::inner_product_backward_weights(made),
                       {{DNNL_ARG_SRC, as(input_of(l), linear_input(l.in))},
                        {DNNL_ARG_DIFF_DST, diff},
                        {DNNL_ARG_DIFF_BIAS, inside(gradients_, n.stripes[1], bias)}}});
}

/// Adds `diff` to the gradient of `layer`'s output. If it already has one, `by` gets a step that adds the two.
void Engine::give(int layer, const Pool::Lease& diff, Node& by) {
  Pool::Lease& all = diffs_[static_cast<std::size_t>(layer)];
  if (!all) {
    all = diff;
    return;
  }
  const auto desc = all->get_desc();
  const Pool::Lease both = diff.use_count() == 1 ? diff : pool_.take(desc);
  by.backward.push_back({dnnl::binary(make_sum(engine_, desc, false)),
                         {{DNNL_ARG_SRC_0, *diff}, {DNNL_ARG_SRC_1, *all}, {DNNL_ARG_DST, *both}}});
  all = both;
}

/// Returns the mean softmax cross-entropy and writes its gradient with respect to the scores.
double Engine::loss() {
  const auto classes = static_cast<std::size_t>(network_.classes());
  const auto* score = static_cast<const float*>(nodes_.back().output.get_data_handle());
  auto* diff = static_cast<float*>(scores_diff_->get_data_handle());
  double sum = 0;
  for (const int label : labels_) {
    const float most = *std::max_element(score, score + classes);
    double all = 0;
    for (std::size_t c = 0; c < classes; ++c) all += std::exp(static_cast<double>(score[c] - most));
    for (std::size_t c = 0; c < classes; ++c)
      diff[c] = static_cast<float>(std::exp(static_cast<double>(score[c] - most)) / all / batch_);
    diff[label] -= 1.0F / static_cast<float>(batch_);
    sum += std::log(all) - static_cast<double>(score[label] - most);
    score += classes;
    diff += classes;
  }
  return sum / batch_;
}

}  // namespace
}  // namespace busbar::onednn

namespace busbar {

std::string_view missing_for_onednn() { return {}; }

std::unique_ptr<OnednnCompute> make_onednn(const Network& network, const OnednnSetup& setup) {
  try {
    return std::make_unique<onednn::Engine>(network, setup);
  } catch (const dnnl::error& e) {
    throw Error(fmt::format("oneDNN cannot run {}: {}", network.name, e.what()));
  }
}

}  // namespace busbar
