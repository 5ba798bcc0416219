// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/record/run_record.hpp"
#include "reports/import/importer.hpp"
#include "reports/import/json/lenient_json.hpp"
#include "reports/import/json/nvbandwidth_run.hpp"
#include "reports/import/json/nvbandwidth_tests.hpp"

/// JSON of nvbandwidth -j (json_output.cpp of NVIDIA/nvbandwidth).
namespace busbar {
namespace {

Host host_of(const Members& file) {
  Host host{.name = "unknown", .gpu_driver = file.text("Driver Version")};
  if (const nlohmann::json* list = file.list("GPU Device list"))
    for (const auto& gpu : *list)
      if (gpu.is_string()) add_nvbandwidth_gpu(host, gpu.get_ref<const std::string&>());
  return host;
}

bool recognises_nvbandwidth(std::string_view text) { return first_json_key(text) == "nvbandwidth"; }

std::vector<ImportedRun> read_nvbandwidth(const ImportRequest& request) {
  constexpr std::size_t lists = 3;  // drop a truncated test
  const LenientJson json = parse_lenient(request.text, lists);
  const nlohmann::json* root = Members(json.value).object("nvbandwidth");
  if (root == nullptr)
    throw UsageError(fmt::format("{}: \"nvbandwidth\" is empty{}", request.source, json.cut ? "; " + *json.cut : ""));
  const Members file(*root);
  const auto error = file.text("error");
  const nlohmann::json* testcases = file.list("testcases");
  const std::vector<NvbandwidthTest> tests =
      testcases == nullptr ? std::vector<NvbandwidthTest>{} : read_nvbandwidth_tests(*testcases);
  if (tests.empty() && !error) throw UsageError(fmt::format("{}: no test in it", request.source));
  auto revision = file.text("git_version");
  if (revision && revision->empty()) revision.reset();
  NvbandwidthOutput out{.tests = tests,
                        .version = file.text("version"),
                        .revision = revision,
                        .cuda = file.small_count("CUDA Runtime Version"),
                        .warning = file.text("warning"),
                        .error = error,
                        .cut = json.cut};
  if (Host host = host_of(file); !host.gpus.empty() || host.gpu_driver) out.hosts = {std::move(host)};
  return {nvbandwidth_run(request, out)};
}

}  // namespace

extern const Importer nvbandwidth_json{
    .name = "nvbandwidth JSON",
    .about = "what NVIDIA's nvbandwidth writes with -j",
    .recognises = recognises_nvbandwidth,
    .read = read_nvbandwidth,
};

}  // namespace busbar
