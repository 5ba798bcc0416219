// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/dtype.hpp"
#include "core/group.hpp"
#include "core/redop.hpp"
#include "core/table.hpp"

namespace busbar {

using Bytes = std::span<std::byte>;
using ConstBytes = std::span<const std::byte>;

/// Memory that a backend can communicate from, page-aligned, every byte written once. Freed by who allocated it.
using Buffer = std::unique_ptr<std::byte[], std::function<void(std::byte*)>>;

/// One invocation of a collective, as one rank sees it.
struct Call {
  int rank = 0, ranks = 1, root = 0;
  DType type = DType::f32;
  Op op = Op::sum;
  std::size_t count = 0;  ///< elements, as MPI's count argument: of the whole buffer, or of one rank's block
  bool in_place = false;  ///< send and recv lie in one buffer, as MPI_IN_PLACE wants them
  ConstBytes send;        ///< what this rank contributes; empty on ranks that contribute nothing
  Bytes recv;             ///< what this rank ends up with; empty on ranks that get nothing
};

/// Elements that repeat with a period: a table, and where in it the first element is.
struct Periodic {
  ConstBytes table;       ///< one period
  std::size_t width = 1;  ///< bytes an element
  std::size_t start = 0;  ///< element of the table that comes first, below the period
};

/// Data plane: what is measured. A call may return before it is complete; elapsed_s() completes it.
/// Calls are collective over the ranks of the Group that the backend was made from. They throw Error.
class Backend {
 public:
  Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;
  virtual ~Backend() = default;

  [[nodiscard]] virtual std::string_view memory() const = 0;  ///< "host" or "device"

  /// Throws Unsupported for what this backend cannot do; makes ready what the call needs. Local, never timed.
  virtual void prepare(const Call& call, bool reduces) = 0;
  /// Who does the reduction of this call, for the record: "MPI_SUM", ...
  [[nodiscard]] virtual std::string reduction(DType type, Op op) const = 0;

  virtual void allreduce(const Call& call) = 0;
  virtual void allgather(const Call& call) = 0;
  virtual void broadcast(const Call& call) = 0;
  virtual void reduce_scatter(const Call& call) = 0;
  virtual void alltoall(const Call& call) = 0;
  virtual void reduce(const Call& call) = 0;
  virtual void gather(const Call& call) = 0;
  virtual void scatter(const Call& call) = 0;
  /// Sends to the next rank of the ring and receives from the one before.
  virtual void sendrecv(const Call& call) = 0;
  virtual void barrier(const Call& call) = 0;
  /// Waits until this rank's last call is complete; seconds it took, by the backend's own clock, read next to the call.
  [[nodiscard]] virtual double elapsed_s() = 0;

  /// Throws std::bad_alloc. Local, never timed, as the three below.
  [[nodiscard]] virtual Buffer allocate(std::size_t bytes) = 0;
  virtual void fill(Bytes to, const Periodic& with) = 0;
  /// Fills with a value that no result has: NaN in floating types, the lowest int8 in every byte of integers.
  virtual void poison(Bytes to, DType type) = 0;
  /// Index of the first element that differs, bit by bit; its value is then in `found`.
  [[nodiscard]] virtual std::optional<std::size_t> first_difference(ConstBytes in, const Periodic& expected,
                                                                    std::string& found, DType type) = 0;
};

struct BackendFactory {
  std::string_view name;
  std::string_view about;
  std::unique_ptr<Backend> (*make)(Group&);
};

}  // namespace busbar
