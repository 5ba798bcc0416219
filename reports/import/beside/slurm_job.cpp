// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "reports/import/beside/companion.hpp"
#include "reports/import/beside/host_names.hpp"
#include "reports/import/importer.hpp"
#include "reports/import/text_lines.hpp"

namespace busbar {
namespace {

/// Sizes and hosts of a job; any other key is left unread: users, accounts, names and paths.
struct SlurmSizes {
  std::set<std::string_view> jobs, nodes, ranks, hosts;

  void add(std::string_view key, std::string_view value) {
    if (key == "JobId") jobs.insert(value);
    if (key == "NumNodes" || key == "SLURM_JOB_NUM_NODES" || key == "SLURM_NNODES") nodes.insert(value);
    if (key == "NumTasks" || key == "SLURM_NTASKS") ranks.insert(value);
    if (key == "NodeList" || key == "SLURM_JOB_NODELIST" || key == "SLURM_NODELIST") hosts.insert(value);
  }
};

std::optional<int> only_count(const std::set<std::string_view>& values) {
  if (values.size() != 1) return std::nullopt;
  const auto count = small_integer(*values.begin());
  return count && *count > 0 && *count <= most_stated_ranks ? count : std::nullopt;
}

std::optional<CompanionFacts> read_slurm_job(std::string_view text) {
  SlurmSizes sizes;
  LogLines lines(text);
  while (const auto line = lines.next()) {
    for (const Word& word : words(line->text))
      if (const std::size_t equals = word.text.find('='); equals != std::string_view::npos)
        sizes.add(word.text.substr(0, equals), word.text.substr(equals + 1));
  }
  CompanionFacts facts;
  if (sizes.jobs.size() > 1) return facts;  // which of them is the log's?
  facts.nodes = only_count(sizes.nodes);
  facts.ranks = only_count(sizes.ranks);
  if (sizes.hosts.size() == 1)
    if (const auto hosts = expand_hosts(*sizes.hosts.begin())) facts.hosts = distinct_hosts(*hosts);
  if (facts.nodes && !facts.hosts.empty() && facts.hosts.size() != static_cast<std::size_t>(*facts.nodes))
    facts.hosts.clear();
  return facts;
}

}  // namespace

extern const Companion slurm_job{
    .name = "Slurm job",
    .about = "slurm-*.out without a log in it, *scontrol*: output of scontrol show job",
    .is_named =
        [](std::string_view file) {
          return (file.starts_with("slurm-") && file.ends_with(".out")) || holds(file, "scontrol");
        },
    .read = read_slurm_job,
};

}  // namespace busbar
