// SPDX-License-Identifier: Apache-2.0
#include "core/mpi/algorithms.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <optional>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/error.hpp"
#include "core/mpi/check.hpp"
#include "core/mpi/communicator.hpp"
#include "core/mpi_library/algorithms.hpp"

namespace busbar {
namespace {

using AlgorithmCall = AlgorithmControl::AlgorithmCall;
using Names = AlgorithmControl::Names;
using Scope = AlgorithmControl::Scope;

std::string version_text() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  mpi_check(MPI_Get_library_version(text.data(), &length), "MPI_Get_library_version");
  return {text.data(), static_cast<std::size_t>(length)};
}

/// The linked library. Throws UsageError if busbar does not know how to ask it for algorithms.
const MpiLibrary& library_with_algorithms() {
  const auto known = parse_mpi_version(version_text());
  if (!known || known->library->algorithms == nullptr)
    throw UsageError(
        fmt::format("--algorithm: {} is not an MPI library that busbar can ask for algorithms: Open MPI, "
                    "MPICH, Intel MPI",
                    mpi_library_name(version_text())));
  return *known->library;
}

/// MPI's tool interface, from construction to destruction.
class ToolInterface {
 public:
  ToolInterface() {
    int provided = 0;
    mpi_check(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided), "MPI_T_init_thread");
  }
  ~ToolInterface() { MPI_T_finalize(); }
  ToolInterface(const ToolInterface&) = delete;
  ToolInterface& operator=(const ToolInterface&) = delete;
};

/// A control variable of the whole process that is an int, a bool or a text.
class ControlVariable {
 public:
  /// Throws UsageError if the library does not have it.
  explicit ControlVariable(const std::string& name) : name_(name) {
    int count = 0;
    if (MPI_T_cvar_get_index(name.c_str(), &index_) != MPI_SUCCESS ||
        MPI_T_cvar_handle_alloc(index_, nullptr, &handle_, &count) != MPI_SUCCESS)
      throw UsageError(fmt::format("--algorithm: this MPI library has no control variable {}", name));
  }
  ~ControlVariable() {
    if (handle_ != nullptr) MPI_T_cvar_handle_free(&handle_);
  }
  ControlVariable(const ControlVariable&) = delete;
  ControlVariable& operator=(const ControlVariable&) = delete;

  [[nodiscard]] int index() const { return index_; }
  [[nodiscard]] int read() const {
    Value value{};
    mpi_check(MPI_T_cvar_read(handle_, value.data()), "MPI_T_cvar_read");
    int number = 0;
    std::copy_n(value.data(), sizeof number, reinterpret_cast<char*>(&number));
    return number;
  }
  /// True for a number other than 0, and for a text that is not empty.
  [[nodiscard]] bool is_set() const {
    Value value{};
    mpi_check(MPI_T_cvar_read(handle_, value.data()), "MPI_T_cvar_read");
    return value[0] != 0;
  }
  /// Throws Unsupported if the library does not accept the value.
  void write(int number) {
    if (MPI_T_cvar_write(handle_, &number) != MPI_SUCCESS || read() != number)
      throw Unsupported(fmt::format("the MPI library does not accept {} = {} at run time", name_, number));
  }
  /// The names of its values, by value; a missing one is empty.
  [[nodiscard]] std::vector<std::string> names(Names where) const {
    const Info info = read_info();
    if (where == Names::description) return described_algorithms(info.description);
    std::vector<std::string> all;
    for (int i = 0; i < info.items; ++i) add_item(info.items_of, i, all);
    return all;
  }

 private:
  struct alignas(8) Value : std::array<char, 8192> {};  // longer than a path
  struct Info {
    std::string description;
    MPI_T_enum items_of = MPI_T_ENUM_NULL;
    int items = 0;
  };

  [[nodiscard]] Info read_info() const {
    std::array<char, 512> name{};
    std::array<char, 16384> description{};
    int name_length = name.size(), length = description.size(), verbosity = 0, binding = 0, scope = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    Info info;
    mpi_check(MPI_T_cvar_get_info(index_, name.data(), &name_length, &verbosity, &type, &info.items_of,
                                  description.data(), &length, &binding, &scope),
              "MPI_T_cvar_get_info");
    info.description = description.data();
    if (info.items_of == MPI_T_ENUM_NULL) return info;
    name_length = name.size();
    mpi_check(MPI_T_enum_get_info(info.items_of, &info.items, name.data(), &name_length), "MPI_T_enum_get_info");
    return info;
  }

  static void add_item(MPI_T_enum items, int i, std::vector<std::string>& all) {
    std::array<char, 256> name{};
    int length = name.size(), value = 0;
    mpi_check(MPI_T_enum_get_item(items, i, &value, name.data(), &length), "MPI_T_enum_get_item");
    if (value < 0 || value > 1000) return;
    const auto at = static_cast<std::size_t>(value);
    if (all.size() <= at) all.resize(at + 1);
    all[at] = name.data();
  }

  std::string name_;
  int index_ = 0;
  MPI_T_cvar_handle handle_ = nullptr;
};

/// By value; the first is the library's own choice.
std::vector<std::string> read_names(const AlgorithmControl& control, const AlgorithmCall& call) {
  if (control.names == Names::table) return {call.algorithms.begin(), call.algorithms.end()};
  auto names = ControlVariable(variable_of(control.variable, call)).names(control.names);
  for (std::string& name : names)
    if (std::ranges::find(control.left_out, name) != control.left_out.end()) name.clear();
  return names;
}

/// The value of a variable when this process first read it. All users in the process share these, as they share the
/// variables: one may read what another has set.
int start_value(const ControlVariable& variable) {
  static std::map<int, int> values;
  return values.try_emplace(variable.index(), variable.read()).first->second;
}

void set_variable(const std::string& name, int value) {
  ControlVariable variable(name);
  start_value(variable);
  variable.write(value);
}

void reset_variable(const std::string& name) {
  ControlVariable variable(name);
  if (const int value = start_value(variable); variable.read() != value) variable.write(value);
}

class LibraryAlgorithms final : public MpiAlgorithms {
 public:
  LibraryAlgorithms() : library_(library_with_algorithms()), control_(*library_.algorithms) {
    for (const AlgorithmCall& call : control_.calls) names_[call.call] = read_names(control_, call);
    const auto require = [](std::string_view name, bool set, std::string_view what) {
      if (!name.empty() && ControlVariable(std::string(name)).is_set() != set)
        throw UsageError(fmt::format("--algorithm: {} {}, so the MPI library takes no requests", name, what));
    };
    require(control_.must_be_true, true, "is false");
    require(control_.must_be_empty, false, "is set");
  }

  [[nodiscard]] const std::string& library() const override { return version_; }

  [[nodiscard]] std::vector<std::string> names(std::string_view call) const override {
    const auto all = names_.find(call);
    if (all == names_.end() || all->second.empty()) return {};
    std::vector<std::string> names(all->second.begin() + 1, all->second.end());
    std::erase(names, "");
    return names;
  }

  [[nodiscard]] std::string canonical(std::string_view text) const override {
    return text.empty() ? "" : parse_algorithm(control_, library_, text).text(control_);
  }

  [[nodiscard]] Communicator communicator(const Communicator& ranks, std::string_view call,
                                          const std::string& text) override {
    if (control_.scope != Scope::communicator) return ranks.duplicate();
    const Reset reset{*this, *find_call(control_, call)};
    set(reset.call, text);
    return ranks.duplicate_with(control_.info_key, control_.info_value);
  }

  void select(std::string_view call, const std::string& text) override {
    if (control_.scope != Scope::call) return;
    const AlgorithmCall* row = find_call(control_, call);
    if (selected_ != nullptr && selected_ != row) unset(*selected_);
    selected_ = row;
    if (row == nullptr) return;
    if (text.empty())
      unset(*row);
    else
      set(*row, text);
  }

  [[nodiscard]] std::string note() const override {
    const std::string_view how = control_.scope == Scope::communicator
                                     ? "each on a communicator of its own, set up with {}"
                                 : control_.scope == Scope::call ? "by {}, and without the device's own collectives"
                                                                 : "by {}, before MPI_Init";
    const auto at = how.find("{}");
    return fmt::format("algorithms of {} were requested {}{}{}; it does not report what its own choice is", version_,
                       how.substr(0, at), variable_of(control_.variable, {.name = "..."}), how.substr(at + 2));
  }

 private:
  /// Resets the variables of a collective, also after an exception.
  struct Reset {
    LibraryAlgorithms& all;
    const AlgorithmCall& call;
    Reset(LibraryAlgorithms& of, const AlgorithmCall& its_call) : all(of), call(its_call) {}
    Reset(const Reset&) = delete;
    Reset& operator=(const Reset&) = delete;
    ~Reset() { all.unset(call); }
  };

  /// Throws Unsupported for an unknown name.
  [[nodiscard]] int value_of(const AlgorithmCall& call, const std::string& name) const {
    const auto& all = names_.at(call.call);
    const auto at = std::ranges::find(all, name);
    if (at == all.end()) throw Unsupported(fmt::format("{} has no {} for {}", version_, name, call.call));
    return static_cast<int>(at - all.begin());
  }

  void set(const AlgorithmCall& call, const std::string& text) {
    const WantedAlgorithm wanted = parse_algorithm(control_, library_, text);
    set_variable(variable_of(control_.variable, call), value_of(call, wanted.name));
    for (const auto& [variable, value] : control_.with_request) set_variable(variable_of(variable, call), value);
    for (const auto& [name, value] : wanted.parameters)
      for (const auto& parameter : control_.parameters)
        if (parameter.name == name) set_variable(variable_of(parameter.variable, call), value);
  }

  void unset(const AlgorithmCall& call) {
    reset_variable(variable_of(control_.variable, call));
    for (const auto& [variable, value] : control_.with_request) reset_variable(variable_of(variable, call));
    for (const auto& parameter : control_.parameters) reset_variable(variable_of(parameter.variable, call));
  }

  const ToolInterface tool_;
  const MpiLibrary& library_;
  const AlgorithmControl& control_;
  const std::string version_ = mpi_library_name(version_text());
  std::map<std::string_view, std::vector<std::string>> names_;  ///< by Collective::call, then by value
  /// Of the last select(): calls share MPI's functions, as reduce_scatter and reduce_scatterv do.
  const AlgorithmCall* selected_ = nullptr;
};

/// Of a library that takes one request per launch: the variables of all collectives that have the algorithm.
std::vector<std::pair<std::string, std::string>> variables_of_launch(const MpiLibrary& library,
                                                                     std::span<const std::string_view> calls,
                                                                     std::span<const std::string> algorithms) {
  const AlgorithmControl& control = *library.algorithms;
  if (algorithms.size() != 1 || algorithms[0] == "all")
    throw UsageError(
        fmt::format("--algorithm: {} reads {} in MPI_Init only, so a launch has one algorithm; alternate launches: "
                    "busbar repeat -- mpirun ... --algorithm A -- mpirun ... --algorithm B",
                    library.name, variable_of(control.variable, {.name = "..."})));
  const std::string name = parse_algorithm(control, library, algorithms[0]).name;
  std::vector<std::pair<std::string, std::string>> variables;
  for (const std::string_view call : calls) {
    const AlgorithmCall* row = find_call(control, call);
    if (row == nullptr) continue;
    const auto at = std::ranges::find(row->algorithms, name);
    if (at == row->algorithms.end()) continue;
    const std::string variable = variable_of(control.variable, *row);
    const std::string value = std::to_string(at - row->algorithms.begin());
    if (const char* set = std::getenv(variable.c_str()); set != nullptr && set != value)
      throw UsageError(fmt::format("--algorithm {}: {} is set to {} already; unset it", name, variable, set));
    variables.emplace_back(variable, value);
  }
  return variables;
}

}  // namespace

std::unique_ptr<MpiAlgorithms> MpiAlgorithms::make() { return std::make_unique<LibraryAlgorithms>(); }

std::vector<std::pair<std::string, std::string>> variables_for_algorithms(std::span<const std::string_view> calls,
                                                                          std::span<const std::string> algorithms) {
  if (algorithms.empty()) return {};
  const MpiLibrary& library = library_with_algorithms();
  if (library.algorithms->scope == Scope::launch) return variables_of_launch(library, calls, algorithms);
  std::vector<std::pair<std::string, std::string>> variables;
  for (const auto& [variable, value] : library.algorithms->before_init) variables.emplace_back(variable, value);
  return variables;
}

std::pair<std::string, std::vector<MpiAlgorithmNames>> algorithms_of_library() {
  const std::string version = version_text();
  std::pair<std::string, std::vector<MpiAlgorithmNames>> all{mpi_library_name(version), {}};
  const auto known = parse_mpi_version(version);
  if (!known || known->library->algorithms == nullptr) return all;
  const ToolInterface tool;
  for (const AlgorithmCall& call : known->library->algorithms->calls) {
    std::vector<std::string> names = read_names(*known->library->algorithms, call);
    if (names.size() < 2) continue;
    names.erase(names.begin());
    std::erase(names, "");
    all.second.push_back({.call = call.call, .names = std::move(names)});
  }
  return all;
}

}  // namespace busbar
