// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/core.h>

#include "bench/replay/reading.hpp"

/// Traces of PyTorch's profiler (Kineto, Chrome's format). Calls are the kernels of NCCL whose arguments say what they
/// do, with their durations; without such kernels the host's "record_param_comms", without durations. Also PARAM's list
/// of such events ("Kineto unitrace").
namespace busbar::replay {
namespace {

using nlohmann::json;

constexpr double microsecond = 1e-6;

bool describes_call(const json& event) {
  if (!event.is_object() || !event.contains("args") || !event["args"].is_object()) return false;
  const json& args = event["args"];
  return args.contains("Collective name") || (args.contains("comms") && text_at(event, "name") == "record_param_comms");
}

std::string name_of_event(const json& event) {
  const std::string name = text_at(event["args"], "Collective name");
  return name.empty() ? text_at(event["args"], "comms") : name;
}

std::string group_of_event(Trace& trace, const json& args) {
  std::string name = text_at(args, "Process Group Name");
  if (name.empty() && args.contains("Process Group ID")) name = args["Process Group ID"].dump();
  if (name.empty() && !args.contains("Process Group Ranks")) return "";
  TracedGroup& group = trace.groups[name];
  if (group.about.empty()) group.about = text_at(args, "Process Group Description");
  if (const json ranks = list_in_text(args.value("Process Group Ranks", json())); group.ranks.empty() && !ranks.empty())
    group.ranks = ranks_of_group(ranks);
  if (!group.ranks.empty())
    group.size = static_cast<int>(group.ranks.size());
  else if (args.contains("Group size"))
    group.size = number_of_ranks(args["Group size"]);
  return name;
}

void set_times_of_event(const json& event, bool on_device, TracedCall& call) {
  if (event.contains("ts") && event["ts"].is_number()) call.start_s = event["ts"].get<double>() * microsecond;
  if (on_device && event.contains("dur") && event["dur"].is_number())
    call.duration_s = event["dur"].get<double>() * microsecond;
}

TracedCall call_of_event(Trace& trace, const json& event, bool on_device) {
  const json& args = event["args"];
  TracedCall call{.group = group_of_event(trace, args)};
  set_collective(call, name_of_event(event));
  const auto number = [&](const char* key, const char* params) {
    if (args.contains(key)) return elements_of(args[key]);
    return args.contains(params) ? elements_of(args[params]) : 0;
  };
  call.in = number("In msg nelems", "in_msg_size");
  call.out = number("Out msg nelems", "out_msg_size");
  set_type(call, text_at(args, "dtype"));
  call.in_split = scaled_split(
      list_in_text(args.contains("in_split") ? args["in_split"] : args.value("In split size", json())), call.in);
  call.out_split = scaled_split(
      list_in_text(args.contains("out_split") ? args["out_split"] : args.value("Out split size", json())), call.out);
  set_times_of_event(event, on_device, call);
  return call;
}

void read_job(Trace& trace, const json& document) {
  if (!document.contains("distributedInfo") || !document["distributedInfo"].is_object()) return;
  const json& job = document["distributedInfo"];
  if (job.contains("rank") && job["rank"].is_number_integer() && job["rank"] >= 0 && job["rank"] < most_traced_ranks)
    trace.rank = job["rank"].get<int>();
  if (job.contains("world_size")) trace.ranks = number_of_ranks(job["world_size"]);
  if (!job.contains("pg_config") || !job["pg_config"].is_array()) return;
  for (const json& group : job["pg_config"]) add_process_group(trace, group);
}

}  // namespace

Trace read_kineto_trace(const json& document) {
  Trace trace{.format = "Kineto trace"};
  in_entry("distributedInfo", [&] { read_job(trace, document); });
  const json& events = document.at("traceEvents");
  if (!events.is_array()) throw Error("its 'traceEvents' are no list");
  const auto is_kernel = [](const json& event) { return text_at(event, "cat") == "kernel"; };
  const bool by_kernels =
      std::ranges::any_of(events, [&](const json& event) { return describes_call(event) && is_kernel(event); });
  std::size_t number = 0, undescribed = 0;
  for (const json& event : events) {
    const std::string where = fmt::format("event {}", number++);
    if (!describes_call(event)) {
      const std::string name = text_at(event, "name");
      if (by_kernels ? is_kernel(event) && name.find("nccl") != std::string::npos : name == "record_param_comms")
        ++undescribed;
      continue;
    }
    const bool wanted = by_kernels ? is_kernel(event) : text_at(event, "name") == "record_param_comms";
    if (!wanted || is_bookkeeping(name_of_event(event))) continue;
    in_entry(where, [&] {
      TracedCall call = call_of_event(trace, event, by_kernels);
      call.entry = where;
      add_call(trace, std::move(call));
    });
  }
  std::ranges::stable_sort(trace.calls, {}, [](const TracedCall& c) { return c.start_s.value_or(0); });
  if (undescribed > 0 && trace.calls.empty())
    throw Error(fmt::format(
        "{} calls, and none says its collective and size: newer PyTorch writes them; an execution trace of the "
        "same job has them too",
        undescribed));
  if (undescribed > 0)
    trace.notes.push_back(
        fmt::format("{} of the trace's events do not say their collective: waits, or calls of which "
                    "nothing is known",
                    undescribed));
  return trace;
}

}  // namespace busbar::replay
