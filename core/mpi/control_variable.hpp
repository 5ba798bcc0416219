// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <mpi.h>

#include "core/mpi_library/algorithms.hpp"

namespace busbar {

/// MPI's tool interface (MPI 3.1, chapter 14), from construction to destruction. Local.
class ToolInterface {
 public:
  ToolInterface();
  ~ToolInterface();
  ToolInterface(const ToolInterface&) = delete;
  ToolInterface& operator=(const ToolInterface&) = delete;
};

/// A control variable of the whole process that is an int, a bool or a text. Requires a ToolInterface. Local.
class ControlVariable {
 public:
  /// Throws UsageError if the library does not have it.
  explicit ControlVariable(const std::string& name);
  ~ControlVariable();
  ControlVariable(const ControlVariable&) = delete;
  ControlVariable& operator=(const ControlVariable&) = delete;

  [[nodiscard]] static bool exists(const std::string& name);

  [[nodiscard]] int index() const { return index_; }
  [[nodiscard]] int read() const;
  /// True for a number other than 0, and for a text that is not empty.
  [[nodiscard]] bool is_set() const;
  /// Throws Unsupported if the library does not accept the value.
  void write(int number);
  /// The names of its values, by value; a missing one is empty. `where`: enumerator or description.
  [[nodiscard]] std::vector<std::string> names(AlgorithmControl::Names where) const;

 private:
  struct alignas(8) Value : std::array<char, 8192> {};  // longer than a path

  [[nodiscard]] Value read_value() const;

  std::string name_;
  int index_ = 0;
  MPI_T_cvar_handle handle_ = nullptr;
};

}  // namespace busbar
