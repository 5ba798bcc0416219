// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <set>

#include <fmt/core.h>

#include "reports/import/beside/companion.hpp"
#include "reports/import/text_lines.hpp"

namespace busbar {
namespace {

constexpr std::array<std::string_view, 14> mpi_modules{
    "openmpi",      "ompi", "mpich",        "mvapich",       "mvapich2",
    "mvapich2-gdr", "impi", "intel-mpi",    "intelmpi",      "intel-oneapi-mpi",
    "cray-mpich",   "hpcx", "spectrum-mpi", "parastationmpi"};

/// The name in a record's `libraries`; empty for other modules.
std::string_view library_of_module(std::string_view module) {
  if (module == "nccl" || module == "cudnn") return module;
  return module == "cuda" ? "cuda_runtime" : "";
}

/// "2.18.3" of "2.18.3-cuda12.2"; empty if it does not begin with such a version.
std::string version_of_module(std::string_view text) {
  const std::string version = dotted_version(text);
  const std::string_view rest = text.substr(version.size());
  return rest.empty() || holds("-+(", rest.substr(0, 1)) ? version : "";
}

/// Loaded modules by name: {"nccl", {"2.18.3-cuda12.2"}}.
std::map<std::string, std::set<std::string>> loaded_modules(std::string_view text) {
  std::map<std::string, std::set<std::string>> loaded;
  LogLines lines(text);
  while (const auto line = lines.next()) {
    for (const Word& word : words(line->text)) {
      std::string_view module = word.text;
      if (const std::size_t slash = module.find('/'); slash == 0 || slash == std::string_view::npos) continue;
      if (const std::size_t number = module.find(')'); number != std::string_view::npos && number < module.find('/'))
        module.remove_prefix(number + 1);  // "1)openmpi/4.1.5"
      module = module.substr(0, module.find('('));
      const std::size_t slash = module.find('/');
      const std::string_view version = slash == std::string_view::npos ? "" : module.substr(slash + 1);
      if (is_name(module.substr(0, slash)) && is_name(version))
        loaded[std::string(module.substr(0, slash))].emplace(version);
    }
  }
  return loaded;
}

/// Words of commands that list modules to choose from, and of scripts that unload some.
constexpr std::array<std::string_view, 6> words_about_others{"avail", "unload", "swap", "purge", "spider", "module rm"};

std::optional<CompanionFacts> read_module_list(std::string_view text) {
  if (holds_any(text, words_about_others)) return std::nullopt;
  CompanionFacts facts;
  const auto loaded = loaded_modules(text);
  for (const auto& [module, versions] : loaded) {
    const std::string_view library = library_of_module(module);
    const bool is_mpi = is_one_of(mpi_modules, module);
    if ((library.empty() && !is_mpi) || versions.size() > 1) continue;
    facts.remarks.push_back(fmt::format("module {}/{} loaded", module, *versions.begin()));
    if (const std::string version = version_of_module(*versions.begin()); !library.empty() && !version.empty())
      facts.loaded.emplace(library, version);
  }
  return loaded.empty() ? std::nullopt : std::optional(facts);
}

}  // namespace

extern const Companion module_list{
    .name = "modules",
    .about = "modules, modules.txt, module_list*, module-list*",
    .is_named =
        [](std::string_view file) {
          return file == "modules" || file == "modules.txt" || file.starts_with("module_list") ||
                 file.starts_with("module-list");
        },
    .read = read_module_list,
};

}  // namespace busbar
