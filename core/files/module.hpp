// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "core/base/error.hpp"

namespace busbar {

/// A part of busbar that is loaded when it is asked for, so that programs start where its libraries are not. It lies in
/// lib/busbar/ beside the program's bin/, and stays loaded until the program ends.
class Module {
 public:
  /// `name`: "nccl" for busbar-nccl.so. Throws UsageError in one line: not built, and what was missing when this was
  /// built; a library that it needs is not there; or it is of another build.
  [[nodiscard]] static Module open(std::string_view name);

  /// What the module exports under this name (extern "C"). Throws UsageError where it does not.
  template <class T>
  [[nodiscard]] const T& symbol(const char* name) const& {
    return *static_cast<const T*>(find(name));
  }
  /// Of a module without a name: compilers take the reference for one into a temporary (-Wdangling-reference).
  template <class T>
  const T& symbol(const char* name) const&& = delete;

 private:
  Module(std::string file, void* handle) : file_(std::move(file)), handle_(handle) {}
  [[nodiscard]] const void* find(const char* name) const;
  std::string file_;
  void* handle_;
};

}  // namespace busbar
