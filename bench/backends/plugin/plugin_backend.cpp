// SPDX-License-Identifier: Apache-2.0
#include "bench/backends/plugin/plugin_backend.hpp"

#include <fmt/core.h>

#include "bench/backends/plugin/memory.hpp"
#include "bench/backends/plugin/plugin.hpp"
#include "core/backend/collective.hpp"
#include "core/machine/local_clock.hpp"
#include "core/ranks/here.hpp"

namespace busbar {
namespace {

class PluginBackend final : public Backend {
 public:
  /// Collective over the group.
  PluginBackend(const Plugin& plugin, Group& group, const BackendOptions& options)
      : timeout_s_(options.timeout_s),
        context_(plugin, group, options),
        memory_(make_memory(options)),
        wait_(plugin.optional(&busbar_plugin::wait)),
        poll_(plugin.optional(&busbar_plugin::poll)) {
    for (const char* const* name = plugin.table().calls; *name != nullptr; ++name)
      offers_.push_back(offer(*name, &PluginBackend::start, &PluginBackend::start));
  }

  [[nodiscard]] MemorySpace& memory() override { return *memory_; }
  [[nodiscard]] bool reduces_to_own_block() const override { return true; }
  [[nodiscard]] std::string_view library() const override { return table().library; }
  [[nodiscard]] std::span<const Offer> offers() const override { return offers_; }

  [[nodiscard]] BackendFacts facts() const override {
    const auto told = [this](const char* name) {
      std::string text = context_.fact(name);
      return text.empty() ? std::nullopt : std::optional(std::move(text));
    };
    BackendFacts facts{.device = told("device"), .device_bus = told("device_bus"), .device_uuid = told("device_uuid")};
    facts.libraries[table().library] = told("version").value_or("unknown");
    if (auto note = told("note")) facts.notes.push_back(std::move(*note));
    facts.notes.push_back(fmt::format("measured through the plug-in {}", context_.plugin().file()));
    return facts;
  }

  void prepare(const Collective& what, const Call& c) override {
    require_form(c);
    type_ = name(c.type);
    op_ = what.reduces ? name(c.op) : "";
    algorithm_ = c.algorithm;
    call_name_ = what.call;
    call_ = {.size = sizeof(busbar_call),
             .name = call_name_.c_str(),
             .type = type_.c_str(),
             .type_size = size_of(c.type),
             .op = op_.empty() ? nullptr : op_.c_str(),
             .algorithm = algorithm_.empty() ? nullptr : algorithm_.c_str(),
             .count = c.count,
             .root = c.root,
             .to = c.to,
             .from = c.from,
             .in_place = c.in_place ? 1 : 0};
    set_buffers(c);
    const char* reason = nullptr;
    const int code = table().prepare(context_.handle(), &call_, &reason);
    if (code == BUSBAR_UNSUPPORTED)
      throw Unsupported(reason != nullptr ? reason : fmt::format("{} has no such call", table().library));
    context_.check(code, "prepare");
  }

  [[nodiscard]] std::string reduction(DType /*type*/, Op op) const override {
    return fmt::format("{}'s {}", table().library, name(op));
  }

  [[nodiscard]] Stretch complete() override {
    if (wait_ != nullptr) {
      context_.check(wait_(context_.handle(), timeout_s_), "wait");
      last_.end_ns = steady_ns();
    }
    if (poll_ != nullptr) context_.check(poll_(context_.handle()), "poll");
    return last_;
  }

  [[nodiscard]] std::string_view library_call() const override {
    const auto told = context_.plugin().optional(&busbar_plugin::function);
    const char* text = told == nullptr ? nullptr : told(context_.handle());
    function_ = text == nullptr ? "" : text;
    return function_;
  }

  [[nodiscard]] std::optional<LibraryChoice> choice() override {
    const auto told = context_.plugin().optional(&busbar_plugin::choice);
    busbar_choice choice{.size = sizeof(busbar_choice)};
    if (told == nullptr) return std::nullopt;
    const int code = told(context_.handle(), &choice);
    if (code == BUSBAR_UNSUPPORTED || (code == 0 && choice.algorithm == nullptr)) return std::nullopt;
    context_.check(code, "choice");
    LibraryChoice chosen{.algorithm = choice.algorithm};
    if (choice.protocol != nullptr) chosen.protocol = choice.protocol;
    if (choice.channels > 0) chosen.channels = choice.channels;
    return chosen;
  }

 private:
  [[nodiscard]] const busbar_plugin& table() const { return context_.plugin().table(); }

  std::unique_ptr<MemorySpace> make_memory(const BackendOptions& options) {
    const bool own = context_.plugin().optional(&busbar_plugin::allocate) != nullptr;
    const std::string_view kind = own ? "device" : "host";
    if (options.memory && *options.memory != kind)
      throw UsageError(fmt::format("--memory {}: {} works on {} memory", *options.memory, table().library, kind));
    return own ? std::unique_ptr<MemorySpace>(std::make_unique<PluginMemory>(context_)) : here::memory(true);
  }

  /// The interface of plug-ins has start and wait, and no test.
  void require_form(const Call& c) const {
    if (c.form != CallForm::plain && wait_ == nullptr)
      throw Unsupported(
          fmt::format("the plug-in has no wait(): its calls are complete when start() returns, so {} has "
                      "no non-blocking form",
                      table().library));
    if (c.advance && *c.advance != Advance::library)
      throw Unsupported(fmt::format(
          "--overlap {}: plug-ins have no function that tests a call; --overlap library works", name(*c.advance)));
  }

  void set_buffers(const Call& c) {
    call_.send = c.send.empty() ? nullptr : c.send.data();
    call_.recv = c.recv.empty() ? nullptr : c.recv.data();
    call_.send_bytes = c.send.size();
    call_.recv_bytes = c.recv.size();
  }

  /// Nothing but the plug-in's start is between the clock reads.
  void start(const Call& c) {
    set_buffers(c);
    int code = 0, left = c.repeat;
    last_.begin_ns = begin_ns(c);
    do code = table().start(context_.handle(), &call_);
    while (code == 0 && --left > 0);
    if (code == 0 && c.beside != nullptr) c.beside->work_beside(never_tested_);
    last_.end_ns = steady_ns();
    context_.check(code, call_.name);
  }

  /// require_form() refuses what would test it.
  class NeverTested final : public Started {
    bool test() override { throw Error("plug-ins have no function that tests a call"); }
  };

  const double timeout_s_;
  PluginContext context_;
  std::unique_ptr<MemorySpace> memory_;
  decltype(busbar_plugin::wait) wait_;
  decltype(busbar_plugin::poll) poll_;
  std::vector<Offer> offers_;

  // The prepared call.
  std::string call_name_, type_, op_, algorithm_;
  busbar_call call_{};
  Stretch last_;
  NeverTested never_tested_;
  mutable std::string function_;  ///< of the plug-in's last answer
};

/// Throws UsageError for options that are not part of the interface.
void require_plugin_options(const BackendOptions& o) {
  const auto refuse = [](std::string_view flag) {
    throw UsageError(fmt::format("{}: plug-ins have no such option", flag));
  };
  if (o.graph_calls > 0) refuse("--graph");
  if (o.nonblocking) refuse("--nonblocking");
  if (o.comm_split) refuse("--comm-split");
  if (o.registered) refuse("--register");
  if (here::simulation() != nullptr) throw UsageError("a plug-in cannot be simulated");
}

std::unique_ptr<Backend> make_plugin_backend(Group& group, const BackendOptions& options) {
  require_plugin_options(options);
  return std::make_unique<PluginBackend>(Plugin::load(options.plugin), group, options);
}

}  // namespace

BackendFactory plugin_backend(std::string_view name) {
  return {.name = name, .about = "a plug-in", .make = make_plugin_backend};
}

}  // namespace busbar
