// SPDX-License-Identifier: Apache-2.0
#include "core/mpi/control_variable.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/mpi/check.hpp"

namespace busbar {
namespace {

/// What names may be read from.
struct VariableInfo {
  std::string description;
  MPI_T_enum items_of = MPI_T_ENUM_NULL;
  int items = 0;
};

VariableInfo read_info(int index) {
  std::array<char, 512> name{};
  std::array<char, 16384> description{};
  int name_length = name.size(), length = description.size(), verbosity = 0, binding = 0, scope = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  VariableInfo info;
  mpi_check(MPI_T_cvar_get_info(index, name.data(), &name_length, &verbosity, &type, &info.items_of, description.data(),
                                &length, &binding, &scope),
            "MPI_T_cvar_get_info");
  info.description = description.data();
  if (info.items_of == MPI_T_ENUM_NULL) return info;
  name_length = name.size();
  mpi_check(MPI_T_enum_get_info(info.items_of, &info.items, name.data(), &name_length), "MPI_T_enum_get_info");
  return info;
}

void add_item(MPI_T_enum items, int i, std::vector<std::string>& all) {
  std::array<char, 256> name{};
  int length = name.size(), value = 0;
  mpi_check(MPI_T_enum_get_item(items, i, &value, name.data(), &length), "MPI_T_enum_get_item");
  if (value < 0 || value > 1000) return;
  const auto at = static_cast<std::size_t>(value);
  if (all.size() <= at) all.resize(at + 1);
  all[at] = name.data();
}

}  // namespace

ToolInterface::ToolInterface() {
  int provided = 0;
  mpi_check(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided), "MPI_T_init_thread");
}

ToolInterface::~ToolInterface() { MPI_T_finalize(); }

ControlVariable::ControlVariable(const std::string& name) : name_(name) {
  int count = 0;
  if (MPI_T_cvar_get_index(name.c_str(), &index_) != MPI_SUCCESS ||
      MPI_T_cvar_handle_alloc(index_, nullptr, &handle_, &count) != MPI_SUCCESS)
    throw UsageError(fmt::format("--algorithm: this MPI library has no control variable {}", name));
}

ControlVariable::~ControlVariable() {
  if (handle_ != nullptr) MPI_T_cvar_handle_free(&handle_);
}

bool ControlVariable::exists(const std::string& name) {
  int index = 0;
  return MPI_T_cvar_get_index(name.c_str(), &index) == MPI_SUCCESS;
}

ControlVariable::Value ControlVariable::read_value() const {
  Value value{};
  mpi_check(MPI_T_cvar_read(handle_, value.data()), "MPI_T_cvar_read");
  return value;
}

int ControlVariable::read() const {
  const Value value = read_value();
  int number = 0;
  std::copy_n(value.data(), sizeof number, reinterpret_cast<char*>(&number));
  return number;
}

bool ControlVariable::is_set() const { return read_value()[0] != 0; }

void ControlVariable::write(int number) {
  if (MPI_T_cvar_write(handle_, &number) != MPI_SUCCESS || read() != number)
    throw Unsupported(fmt::format("the MPI library does not accept {} = {} at run time", name_, number));
}

std::vector<std::string> ControlVariable::names(AlgorithmControl::Names where) const {
  const VariableInfo info = read_info(index_);
  if (where == AlgorithmControl::Names::description) return described_algorithms(info.description);
  std::vector<std::string> all;
  for (int i = 0; i < info.items; ++i) add_item(info.items_of, i, all);
  return all;
}

}  // namespace busbar
