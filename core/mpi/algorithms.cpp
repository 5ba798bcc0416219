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
#include "core/mpi/control_variable.hpp"
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

/// Does nothing if the library does not have the variable: not every collective has every parameter.
void reset_variable(const std::string& name) {
  if (!ControlVariable::exists(name)) return;
  ControlVariable variable(name);
  if (const int value = start_value(variable); variable.read() != value) variable.write(value);
}

/// How the ranks of the job are spread over hosts.
struct Spread {
  bool several_hosts = false;
  bool several_ranks_on_a_host = false;
};

/// Collective over the communicator.
Spread spread_of(const Communicator& ranks) {
  MPI_Comm on_host = MPI_COMM_NULL;
  mpi_check(MPI_Comm_split_type(ranks.handle(), MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &on_host),
            "MPI_Comm_split_type");
  int here = 1, most = 1;
  const int code = MPI_Comm_size(on_host, &here);
  MPI_Comm_free(&on_host);
  mpi_check(code, "MPI_Comm_size");
  mpi_check(MPI_Allreduce(&here, &most, 1, MPI_INT, MPI_MAX, ranks.handle()), "MPI_Allreduce");
  return {.several_hosts = here < ranks.size(), .several_ranks_on_a_host = most > 1};
}

/// Why no component can serve this job; empty if they can.
std::string_view obstacle_of(const Spread& spread) {
  if (!spread.several_hosts) return "needs several hosts, and this job has one";
  if (!spread.several_ranks_on_a_host) return "needs several ranks on a host, and this job has one on each";
  return {};
}

/// The components that this library has for a Collective::call.
std::vector<std::string> component_names(const AlgorithmControl& control, std::string_view call) {
  std::vector<std::string> names;
  for (const auto& component : control.components)
    if (find_component(control, call, component.name) != nullptr &&
        ControlVariable::exists(std::string(component.variable)))
      names.emplace_back(component.name);
  return names;
}

/// All that can be requested for a call, in the library's order. `names`: by value, as read_names() returns them.
std::vector<std::string> requestable_names(const AlgorithmControl& control, const AlgorithmCall& call,
                                           std::vector<std::string> names) {
  if (!names.empty()) names.erase(names.begin());
  std::erase(names, "");
  for (std::string& name : component_names(control, call.call)) names.push_back(std::move(name));
  return names;
}

class LibraryAlgorithms final : public MpiAlgorithms {
 public:
  explicit LibraryAlgorithms(const Communicator& ranks)
      : library_(library_with_algorithms()), control_(*library_.algorithms) {
    if (!control_.components.empty()) obstacle_ = obstacle_of(spread_of(ranks));
    for (const AlgorithmCall& call : control_.calls) {
      names_[call.call] = read_names(control_, call);
      requestable_[call.call] = requestable_names(control_, call, names_[call.call]);
      if (!obstacle_.empty())
        std::erase_if(requestable_[call.call],
                      [&](const auto& name) { return find_component(control_, call.call, name) != nullptr; });
    }
    const auto require = [](std::string_view name, bool set, std::string_view what) {
      if (!name.empty() && ControlVariable(std::string(name)).is_set() != set)
        throw UsageError(fmt::format("--algorithm: {} {}, so the MPI library takes no requests", name, what));
    };
    require(control_.must_be_true, true, "is false");
    require(control_.must_be_empty, false, "is set");
  }

  [[nodiscard]] const std::string& library() const override { return version_; }

  [[nodiscard]] std::vector<std::string> names(std::string_view call) const override {
    const auto all = requestable_.find(call);
    return all == requestable_.end() ? std::vector<std::string>() : all->second;
  }

  [[nodiscard]] bool crashes(std::string_view call, std::string_view name) const override {
    const std::string version = parse_mpi_version(version_text())->version;
    return std::ranges::any_of(control_.crashes, [&](const AlgorithmControl::Crash& crash) {
      return crash.call == call && crash.algorithm == name &&
             std::ranges::find(crash.versions, version) != crash.versions.end();
    });
  }

  [[nodiscard]] std::string obstacle(std::string_view name) const override {
    const bool is_component =
        std::ranges::find(control_.components, name, &AlgorithmControl::Component::name) != control_.components.end();
    return is_component && !obstacle_.empty() ? fmt::format("{} {}", name, obstacle_) : std::string();
  }

  [[nodiscard]] std::string canonical(std::string_view text) const override {
    return text.empty() ? "" : parse_algorithm(control_, library_, text).text(control_);
  }

  [[nodiscard]] Communicator communicator(const Communicator& ranks, std::string_view call,
                                          const std::string& text) override {
    if (control_.scope != Scope::communicator) return ranks.duplicate();
    if (find_component(control_, call, text) != nullptr) return ranks.duplicate_with(control_.info_key, text.c_str());
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
  std::map<std::string_view, std::vector<std::string>> names_;        ///< by Collective::call, then by value
  std::map<std::string_view, std::vector<std::string>> requestable_;  ///< by Collective::call
  std::string_view obstacle_;  ///< why no component can serve this job; empty if they can
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

std::unique_ptr<MpiAlgorithms> MpiAlgorithms::make(const Communicator& ranks) {
  return std::make_unique<LibraryAlgorithms>(ranks);
}

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
    std::vector<std::string> names =
        requestable_names(*known->library->algorithms, call, read_names(*known->library->algorithms, call));
    if (!names.empty()) all.second.push_back({.call = call.call, .names = std::move(names)});
  }
  return all;
}

}  // namespace busbar
