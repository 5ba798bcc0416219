// SPDX-License-Identifier: Apache-2.0
#include "core/environment/facts.hpp"

namespace busbar::facts {

std::optional<std::string> os_name(const Path& root) {
  auto release = read_text(root / "etc/os-release");
  if (!release) release = read_text(root / "usr/lib/os-release");
  if (!release) return std::nullopt;
  auto name = value_of(*release, "PRETTY_NAME", '=');
  if (!name) return std::nullopt;
  if (name->size() >= 2 && (name->front() == '"' || name->front() == '\'') && name->back() == name->front())
    name = name->substr(1, name->size() - 2);
  return clean(*name);
}

}  // namespace busbar::facts
