// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/table.hpp"
#include "core/environment/host.hpp"

/// Facts from files beside a log. Each kind of file is one file in this folder and one word in its CMake list.
namespace busbar {

/// What a file says of the run of a log beside it. A member is empty if the file does not say.
struct CompanionFacts {
  std::map<std::string, std::string> environment;  ///< variables that a record may contain
  std::optional<int> ranks, nodes;
  std::vector<std::string> hosts;                ///< distinct names
  std::map<std::string, std::string> libraries;  ///< versions of linked libraries, by the names in a record
  std::map<std::string, std::string> loaded;     ///< the same of loaded modules, which a program may not use
  std::optional<int> gpus;                       ///< of a node
  std::optional<GpuLinks> gpu_links;
  std::vector<std::string> remarks;  ///< what a record has no other place for: "openmpi/4.1.5 loaded"
};

/// A kind of file.
struct Companion {
  std::string_view name;   ///< as used in messages
  std::string_view about;  ///< file names, for the docs
  /// By the name without folders, in lower case.
  bool (*is_named)(std::string_view file_name);
  /// Empty if the text is something else. Nothing of a person or secret is kept: no user, account or path.
  std::optional<CompanionFacts> (*read)(std::string_view text);
};

/// The dotted version at the beginning of a text: "2.18.3" of "2.18.3-cuda12.2"; empty if there is none.
[[nodiscard]] std::string dotted_version(std::string_view text);

/// The kind of a file by its name; nullptr if it is none.
[[nodiscard]] const Companion* companion_named(std::string_view file_name);

}  // namespace busbar
