// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/mpi_library/mpi_library.hpp"

namespace busbar {

/// How an MPI library is asked for the algorithms of its collectives, as data. In texts, {} is AlgorithmCall::name.
struct AlgorithmControl {
  enum class Scope {
    communicator,  ///< a communicator keeps the algorithms that are set when it is made
    call,          ///< a call takes what is set at that time
    launch,        ///< set before MPI_Init, once per launch
  };
  /// Where a running library says which algorithms it has. A value is an algorithm's place in its list.
  enum class Names {
    enumerator,   ///< in the enumeration of the control variable
    description,  ///< in the description of the control variable, one a line: "ring - Force ring algorithm"
    table,        ///< nowhere: AlgorithmCall::algorithms
  };
  struct AlgorithmCall {
    std::string_view call;                         ///< Collective::call: "broadcast"
    std::string_view name;                         ///< the library's: "bcast"
    std::span<const std::string_view> algorithms;  ///< by value; the first is the library's own choice
    int number = 0;                                ///< of the collective in the library's tuning file
  };
  /// A parameter of algorithms: "segsize=64K". Rows with the same name are set together.
  struct Parameter {
    std::string_view name, variable;
    bool is_size = false;  ///< in bytes
  };
  struct Value {
    std::string_view variable;
    int value = 0;
  };
  /// A component with an algorithm of its own, which is requested by its name. It combines the ranks of each host
  /// first, so it needs several hosts, and several ranks on at least one.
  struct Component {
    std::string_view name;                    ///< also the value of the info key
    std::span<const std::string_view> calls;  ///< AlgorithmCall::call
    std::string_view variable;                ///< a control variable of every library that has the component
    std::string_view use;                     ///< mpirun's options with which it serves calls of all sizes
  };
  /// An algorithm that ends the job in some versions of the library: "all" leaves it out, its name requests it.
  struct Crash {
    std::string_view call, algorithm;
    std::span<const std::string_view> versions;
  };

  Scope scope;
  Names names;
  std::string_view variable;  ///< a control variable of MPI's tool interface; for Scope::launch of the environment
  std::span<const AlgorithmCall> calls;
  /// Names in the library's list that cannot be requested.
  std::span<const std::string_view> left_out = {};
  std::span<const Parameter> parameters;
  /// Set before MPI_Init so that the library takes requests.
  std::span<const MpiLibrary::Setting> before_init;
  /// Control variables that are set with each request, and reset with the library's own choice.
  std::span<const Value> with_request;
  /// Control variables that must be true, or empty, for requests to have an effect; empty: none.
  std::string_view must_be_true, must_be_empty;
  std::span<const Component> components = {};
  std::span<const Crash> crashes = {};
  /// Info of communicators (key and value) that makes the component of these algorithms serve them; empty: none.
  const char* info_key = "";
  const char* info_value = "";
};

/// The row of a Collective::call; null if the library has no algorithms for it.
[[nodiscard]] const AlgorithmControl::AlgorithmCall* find_call(const AlgorithmControl&, std::string_view call);

/// The component of this name that serves a Collective::call; null if there is none.
[[nodiscard]] const AlgorithmControl::Component* find_component(const AlgorithmControl&, std::string_view call,
                                                                std::string_view name);

/// `text` with {} replaced by the library's name of the collective.
[[nodiscard]] std::string variable_of(std::string_view text, const AlgorithmControl::AlgorithmCall&);

/// "segmented_ring/segsize=64K" in parts.
struct WantedAlgorithm {
  std::string name;
  std::vector<std::pair<std::string_view, int>> parameters;  ///< in the order of AlgorithmControl::parameters

  /// Canonical: parameters in that order, sizes as "64K".
  [[nodiscard]] std::string text(const AlgorithmControl&) const;
};

/// Parses NAME[/PARAMETER=VALUE]... Throws UsageError, naming --algorithm, if the library has no such parameter or the
/// value is none. Any name passes.
[[nodiscard]] WantedAlgorithm parse_algorithm(const AlgorithmControl&, const MpiLibrary&, std::string_view text);

/// The names in the description of a control variable (Names::description), by value.
[[nodiscard]] std::vector<std::string> described_algorithms(std::string_view description);

}  // namespace busbar
