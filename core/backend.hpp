// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
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

/// When something began and ended on this rank, by the steady clock of its host.
struct Stretch {
  std::int64_t begin_ns = 0, end_ns = 0;

  [[nodiscard]] double seconds() const { return static_cast<double>(end_ns - begin_ns) * 1e-9; }
};

/// One invocation of a collective, as one rank sees it.
struct Call {
  int rank = 0, ranks = 1, root = 0;
  DType type = DType::f32;
  Op op = Op::sum;
  std::size_t count = 0;  ///< elements, as MPI's count argument: of the whole buffer, or of one rank's block
  bool in_place = false;  ///< send and recv lie in one buffer, as MPI_IN_PLACE wants them
  ConstBytes send;        ///< what this rank contributes; empty on ranks that contribute nothing
  Bytes recv;             ///< what this rank ends up with; empty on ranks that get nothing
  int repeat = 1;         ///< how many times in a row, timed as one
};

/// Elements that repeat with a period: a table, and where in it the first element is.
struct Periodic {
  ConstBytes table;       ///< one period
  std::size_t width = 1;  ///< bytes an element
  std::size_t start = 0;  ///< element of the table that comes first, below the period
};

/// Data plane: what is measured. A call may return before it is complete; complete() waits for it.
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
  /// Waits until this rank's last call (with its repetitions) is complete; when it began and ended, the clock read
  /// right beside it.
  [[nodiscard]] virtual Stretch complete() = 0;

  /// Throws std::bad_alloc. Local, never timed, as the three below.
  [[nodiscard]] virtual Buffer allocate(std::size_t bytes) = 0;
  virtual void fill(Bytes to, const Periodic& with) = 0;
  /// Gives every `every`-th element, from element `from` on, a value that no result has: NaN in floating types, the
  /// lowest int8 in every byte of integers.
  virtual void poison(Bytes to, DType type, std::size_t every, std::size_t from) = 0;
  /// Looks at every `every`-th element from the first on: index in `in` of the first that differs, bit by bit; its
  /// value is then in `found`.
  [[nodiscard]] virtual std::optional<std::size_t> first_difference(ConstBytes in, const Periodic& expected,
                                                                    std::string& found, DType type,
                                                                    std::size_t every) = 0;
};

struct BackendFactory {
  std::string_view name;
  std::string_view about;
  std::unique_ptr<Backend> (*make)(Group&);
};

}  // namespace busbar
