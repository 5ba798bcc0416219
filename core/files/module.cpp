// SPDX-License-Identifier: Apache-2.0
#include "core/files/module.hpp"

#include <filesystem>

#include <dlfcn.h>
#include <fmt/core.h>

#include "core/base/build_info.hpp"
#include "core/files/own_place.hpp"

namespace busbar {

Module Module::open(std::string_view name) {
  const std::string file = own_prefix() / "lib" / "busbar" / fmt::format("busbar-{}.so", name);
  if (!std::filesystem::exists(file)) {
    const std::string_view missing = missing_for_module(name);
    throw UsageError(missing.empty()
                         ? fmt::format("{} is not there; build all targets, or busbar_module_{}", file, name)
                         : fmt::format("this build has no part for it: {}", missing));
  }
  void* const handle = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw UsageError(fmt::format("cannot be loaded: {}", ::dlerror()));
  Module module(file, handle);
  using Revision = std::string_view (*)();
  if (const std::string_view build = module.symbol<Revision>("busbar_module_revision")(); build != git_revision())
    throw UsageError(fmt::format("{} is of another build ({}) than this program ({})", file, build, git_revision()));
  return module;
}

const void* Module::find(const char* name) const {
  const void* const found = ::dlsym(handle_, name);
  if (found == nullptr) throw UsageError(fmt::format("{} has no '{}'; it is of another build", file_, name));
  return found;
}

}  // namespace busbar
