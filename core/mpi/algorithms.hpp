// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace busbar {

class Communicator;

/// The algorithms that one collective of the linked MPI library has.
struct MpiAlgorithmNames {
  std::string_view call;           ///< Collective::call
  std::vector<std::string> names;  ///< without the library's own choice
};

/// Requests algorithms of MPI's collectives, most of them through MPI's tool interface (MPI 3.1, chapter 14). An
/// algorithm is a text "ring" or "segmented_ring/segsize=64K"; the empty one is the library's own choice.
class MpiAlgorithms {
 public:
  virtual ~MpiAlgorithms() = default;
  /// Collective over the communicator of all ranks that will call. Throws UsageError, naming --algorithm, if the
  /// library does not take requests, or not in this launch.
  [[nodiscard]] static std::unique_ptr<MpiAlgorithms> make(const Communicator& ranks);

  /// The library and its version: "Open MPI 4.1.4".
  [[nodiscard]] virtual const std::string& library() const = 0;
  /// Empty if it has none to choose from for this Collective::call. Without those that these ranks cannot run.
  [[nodiscard]] virtual std::vector<std::string> names(std::string_view call) const = 0;
  /// This version of the library is known to crash with the algorithm.
  [[nodiscard]] virtual bool crashes(std::string_view call, std::string_view name) const = 0;
  /// Why these ranks cannot run an algorithm that the library has: "han needs several hosts, and this job has one".
  /// Empty for others.
  [[nodiscard]] virtual std::string obstacle(std::string_view name) const = 0;
  /// `text` with its parameters in the usual order and form. Throws UsageError for a wrong parameter.
  [[nodiscard]] virtual std::string canonical(std::string_view text) const = 0;
  /// Collective over the communicator. The same ranks; collectives on it use the algorithm, if it belongs to
  /// communicators. Throws Unsupported if the library does not accept the request.
  [[nodiscard]] virtual Communicator communicator(const Communicator& ranks, std::string_view call,
                                                  const std::string& text) = 0;
  /// Local. Calls of this rank use the algorithm from now on, if it does not belong to communicators. Throws
  /// Unsupported.
  virtual void select(std::string_view call, const std::string& text) = 0;
  /// One sentence for the record: how requests are made, and what the library does not tell.
  [[nodiscard]] virtual std::string note() const = 0;
};

/// Environment variables to set before MPI_Init, for requests of `algorithms` (BackendOptions::algorithms) in calls
/// (Collective::call). Throws UsageError if the library takes no requests, or not this many in one launch.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> variables_for_algorithms(
    std::span<const std::string_view> calls, std::span<const std::string> algorithms);

/// The linked library ("Open MPI 4.1.4"), and its algorithms of all collectives. Empty if it takes no requests. Works
/// without MPI_Init, and not before it: MPI_Init of Open MPI 5.0.11 crashes after MPI_T_finalize.
[[nodiscard]] std::pair<std::string, std::vector<MpiAlgorithmNames>> algorithms_of_library();

}  // namespace busbar
