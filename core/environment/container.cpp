// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "core/environment/facts.hpp"

namespace busbar::facts {
namespace {

/// True if "/" is a whole disk, or the whole of a file system that a virtual machine shares with its host (virtiofs).
/// Both can hold a container runtime's marker files, if a container's image became the disk, or if the virtual machine
/// was started in a container. A container's root is a layered file system or a folder.
bool root_is_of_a_machine(const Path& root) {
  bool whole = false;
  const std::string mounts = read_text(root / "proc/self/mountinfo").value_or("");
  for (const std::string_view row : split(mounts, '\n')) {  // the last mount on "/" is the active one
    const auto fields = split(row, ' ');
    const auto separator = row.find(" - ");
    if (fields.size() < 5 || fields[4] != "/" || separator == std::string_view::npos) continue;
    const auto source = split(row.substr(separator + 3), ' ');
    const bool disk = source.size() >= 2 && source[1].starts_with("/dev/") && !source[1].starts_with("/dev/loop");
    whole = fields[3] == "/" && (disk || source[0] == "virtiofs");
  }
  return whole;
}

std::optional<std::string> by_marker(const Path& root) {
  if (root_is_of_a_machine(root)) return std::nullopt;
  if (is_there(root / ".singularity.d")) return "apptainer";
  if (is_there(root / "run/.containerenv")) return "podman";
  if (is_there(root / ".dockerenv")) return "docker";
  return std::nullopt;
}

/// The value of container=NAME, which the runtime sets for the first process (systemd's container interface).
std::optional<std::string> by_first_process(const Path& root) {
  const std::string variables = read_text(root / "proc/1/environ").value_or("");
  static constexpr std::string_view key = "container=";
  for (const std::string_view variable : split(variables, '\0'))
    if (variable.starts_with(key)) return clean(variable.substr(key.size()));
  return std::nullopt;
}

struct CgroupName {
  std::string_view part, name;
};
constexpr std::array<CgroupName, 5> cgroup_names{{{"kubepods", "kubernetes"},
                                                  {"libpod", "podman"},
                                                  {"/docker/", "docker"},
                                                  {"/docker-", "docker"},
                                                  {"/lxc", "lxc"}}};

std::optional<std::string> by_cgroup(const Path& root) {
  const std::string groups = read_text(root / "proc/1/cgroup").value_or("");
  for (const auto& row : cgroup_names)
    if (groups.find(row.part) != std::string::npos) return std::string(row.name);
  return std::nullopt;
}

bool in_kubernetes(const Path& root) {
  return is_there(root / "var/run/secrets/kubernetes.io") || is_there(root / "run/secrets/kubernetes.io");
}

/// The Windows Subsystem for Linux has a kernel of its own: "5.15.90.1-microsoft-standard-WSL2",
/// "4.4.0-19041-Microsoft".
bool in_wsl(const Path& root) {
  const std::string kernel = line(root / "proc/sys/kernel/osrelease").value_or("");
  return kernel.find("icrosoft") != std::string::npos;
}

}  // namespace

std::optional<std::string> container(const Path& root) {
  if (in_kubernetes(root)) return "kubernetes";
  const auto group = by_cgroup(root);
  if (group == "kubernetes") return group;
  if (auto marker = by_marker(root)) return marker;
  if (auto told = by_first_process(root)) return told;
  if (!group && in_wsl(root)) return "wsl";
  return group;
}

}  // namespace busbar::facts
