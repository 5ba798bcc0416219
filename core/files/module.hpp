// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "core/base/error.hpp"

namespace busbar {

/// A shared library of busbar, loaded on demand so that programs start without the libraries it needs. Its file is in
/// lib/busbar/ beside the program's bin/. It stays loaded until the program ends.
class Module {
 public:
  /// `name`: "nccl" for busbar-nccl.so. Throws UsageError if the module was not built (with the reason), if a library
  /// it needs is missing, or if it is from another build.
  [[nodiscard]] static Module open(std::string_view name);

  /// The extern "C" object `name` of the module. Throws UsageError if there is none.
  template <class T>
  [[nodiscard]] const T& symbol(const char* name) const& {
    return *static_cast<const T*>(find(name));
  }
  /// Deleted: on a temporary, compilers warn about a dangling reference (-Wdangling-reference).
  template <class T>
  const T& symbol(const char* name) const&& = delete;

 private:
  Module(std::string file, void* handle) : file_(std::move(file)), handle_(handle) {}
  [[nodiscard]] const void* find(const char* name) const;
  std::string file_;
  void* handle_;
};

}  // namespace busbar
