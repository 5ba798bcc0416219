// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <fmt/core.h>

#include "core/record/method.hpp"
#include "core/record/run_record.hpp"
#include "reports/compare/fields.hpp"
#include "reports/text.hpp"

namespace busbar::compare {
namespace {

std::string number(const std::optional<int>& n) { return n ? std::to_string(*n) : ""; }
std::string yes_or_no(const std::optional<bool>& b) { return b ? (*b ? "yes" : "no") : ""; }

std::string buffers(const RunRecord& r) {
  if (!r.method.buffers) return "";
  const BufferPlace& b = *r.method.buffers;
  return fmt::format("aligned to {} B, send offset {} B, recv offset {} B", b.alignment_bytes, b.send_offset_bytes,
                     b.recv_offset_bytes);
}

constexpr std::array method_rows{
    MethodField{"cadence", [](const RunRecord& r) -> std::string { return r.method.cadence; }},
    MethodField{"rank_rule", [](const RunRecord& r) -> std::string { return r.method.rank_rule; }},
    MethodField{"size_rule", [](const RunRecord& r) -> std::string { return r.method.size_rule; }},
    MethodField{"statistic", [](const RunRecord& r) -> std::string { return r.method.statistic; }},
    MethodField{"warmup", [](const RunRecord& r) -> std::string { return number(r.method.warmup_iterations); }},
    MethodField{"aggregated", [](const RunRecord& r) -> std::string { return number(r.method.aggregated_iterations); }},
    MethodField{"clock", [](const RunRecord& r) -> std::string { return r.method.clock.value_or(""); }},
    MethodField{"graph", [](const RunRecord& r) -> std::string { return r.method.graph_calls ? "yes" : "no"; }},
    MethodField{"registered", [](const RunRecord& r) -> std::string { return yes_or_no(r.method.registered_buffers); }},
    MethodField{
        "comm_split",
        [](const RunRecord& r) -> std::string { return r.method.split_communicators.value_or(false) ? "yes" : "no"; }},
    MethodField{"nonblocking", [](const RunRecord& r) -> std::string { return yes_or_no(r.method.nonblocking_calls); }},
    MethodField{"share_gpu",
                [](const RunRecord& r) -> std::string { return r.method.shared_gpu.value_or(false) ? "yes" : "no"; }},
    MethodField{"settled", [](const RunRecord& r) -> std::string { return yes_or_no(r.method.settled); }},
    MethodField{"buffers", buffers},
    MethodField{"lab", [](const RunRecord& r) -> std::string { return report::is_lab(r) ? "yes" : "no"; }},
    MethodField{"simulated", [](const RunRecord& r) -> std::string { return report::is_simulated(r) ? "yes" : "no"; }},
};

}  // namespace

std::span<const MethodField> method_fields() { return method_rows; }

}  // namespace busbar::compare
