// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/backend/backend.hpp"
#include "core/backend/collective.hpp"
#include "core/mpi/algorithms.hpp"
#include "core/mpi/communicator.hpp"

namespace busbar {

inline constexpr const char* name_of_data_plane = "busbar data";

/// The algorithms that a launch requests of the MPI library (--algorithm): communicators over which calls use them.
class RequestedAlgorithms {
 public:
  /// `ranks`: serves calls without a request; must outlive this object. `library`: null if none will be requested.
  RequestedAlgorithms(const Communicator& ranks, std::unique_ptr<MpiAlgorithms> library)
      : ranks_(ranks), library_(std::move(library)) {}

  /// For the record; empty if no algorithm will be requested.
  [[nodiscard]] std::optional<std::string> note() const;
  [[nodiscard]] const std::string& library() const { return library_->library(); }

  /// As Backend::expand_algorithms().
  [[nodiscard]] std::vector<std::vector<std::string>> expand(std::span<const Collective* const>,
                                                             const std::vector<std::string>& requested) const;

  /// Makes the communicator for a requested algorithm. Collective.
  void add(const Collective&, const std::string& algorithm);

  /// Sets the library up for a call and returns its communicator. `algorithm`: empty for the library's own choice.
  /// Throws Unsupported if the library does not have it for this collective.
  [[nodiscard]] MPI_Comm choose(const Collective&, const std::string& algorithm);

 private:
  [[nodiscard]] bool has(std::string_view call, std::string_view algorithm) const;
  void require(const Collective&, const std::string& algorithm) const;
  [[nodiscard]] std::vector<std::string> expand(const Collective&, const std::vector<std::string>& requested,
                                                std::set<std::string>& unknown) const;
  [[noreturn]] void throw_unknown(std::span<const Collective* const>, const std::string& text) const;

  const Communicator& ranks_;
  const std::unique_ptr<MpiAlgorithms> library_;
  /// By Collective::call and algorithm; empty until the library accepted the request.
  std::map<std::pair<std::string, std::string>, std::optional<Communicator>> communicators_;
};

}  // namespace busbar
