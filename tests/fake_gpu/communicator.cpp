// SPDX-License-Identifier: Apache-2.0
#include "communicator.hpp"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "faults.hpp"
#include "reduction.hpp"
#include "runtime.hpp"

namespace fake_gpu {
namespace {

std::size_t times(std::size_t count, int ranks) { return count * static_cast<std::size_t>(ranks); }

std::span<std::byte> output_of(const Operation& operation, int rank, int ranks) {
  return {static_cast<std::byte*>(operation.output), outputs(operation, rank, ranks) * bytes_of(operation.type)};
}

// A large change in any type: flips the second highest bit of the element.
void spoil(std::span<std::byte> output, std::size_t element_bytes) {
  if (output.empty()) return;
  const auto middle = output.size() / element_bytes / 2;
  output[(middle + 1) * element_bytes - 1] ^= std::byte{0x40};
}

bool strikes(const char* kind, std::uint64_t number) {
  const auto* const found = fault(kind);
  return found != nullptr && found->call == number;
}

bool has_struck(const char* kind, std::uint64_t number) {
  const auto* const found = fault(kind);
  return found != nullptr && number >= found->call;
}

}  // namespace

std::size_t inputs(const Operation& operation, int rank, int ranks) {
  switch (operation.call) {
    case Call::all_reduce:
    case Call::reduce:
    case Call::all_gather:
    case Call::gather:
    case Call::send:
      return operation.count;
    case Call::reduce_scatter:
    case Call::all_to_all:
      return times(operation.count, ranks);
    case Call::broadcast:
      return rank == operation.root ? operation.count : 0;
    case Call::scatter:
      return rank == operation.root ? times(operation.count, ranks) : 0;
    case Call::receive:
      return 0;
  }
  throw std::logic_error("unknown call");
}

std::size_t outputs(const Operation& operation, int rank, int ranks) {
  switch (operation.call) {
    case Call::all_reduce:
    case Call::broadcast:
    case Call::reduce_scatter:
    case Call::scatter:
    case Call::receive:
      return operation.count;
    case Call::all_gather:
    case Call::all_to_all:
      return times(operation.count, ranks);
    case Call::reduce:
      return rank == operation.root ? operation.count : 0;
    case Call::gather:
      return rank == operation.root ? times(operation.count, ranks) : 0;
    case Call::send:
      return 0;
  }
  throw std::logic_error("unknown call");
}

namespace {

Label label_of(const Operation& operation, std::size_t bytes) {
  return {.what = static_cast<int>(operation.point_to_point() ? Call::send : operation.call),
          .type = operation.type,
          .op = operation.op < ncclNumOps ? static_cast<int>(operation.op) : static_cast<int>(ncclNumOps),
          .root = operation.point_to_point() ? 0 : operation.root,
          .bytes = bytes};
}

// Which part of its input a rank sends to `to`, in blocks of `block` bytes; empty: none.
std::span<const std::byte> part_for(const Operation& operation, std::span<const std::byte> input, std::size_t block,
                                    int rank, int to) {
  switch (operation.call) {
    case Call::all_reduce:
    case Call::all_gather:
      return input;
    case Call::broadcast:
      return rank == operation.root ? input : std::span<const std::byte>();
    case Call::reduce:
    case Call::gather:
      return to == operation.root ? input : std::span<const std::byte>();
    case Call::reduce_scatter:
    case Call::all_to_all:
      return input.subspan(static_cast<std::size_t>(to) * block, block);
    case Call::scatter:
      return rank == operation.root ? input.subspan(static_cast<std::size_t>(to) * block, block)
                                    : std::span<const std::byte>();
    case Call::send:
    case Call::receive:
      break;
  }
  throw std::logic_error("no collective");
}

bool reduces(Call call) { return call == Call::all_reduce || call == Call::reduce || call == Call::reduce_scatter; }

bool receives_from(const Operation& operation, int rank, int from) {
  switch (operation.call) {
    case Call::broadcast:
    case Call::scatter:
      return from == operation.root;
    case Call::reduce:
    case Call::gather:
      return rank == operation.root;
    case Call::all_reduce:
    case Call::all_gather:
    case Call::reduce_scatter:
    case Call::all_to_all:
      return true;
    case Call::send:
    case Call::receive:
      break;
  }
  throw std::logic_error("no collective");
}

Reduction reduction_of(const Operation& operation, int ranks) {
  if (!operation.factor) return {.op = operation.op, .ranks = ranks};
  const auto& factor = *operation.factor;
  return {
      .op = ncclSum, .factor = factor.on_device != nullptr ? factor.on_device : factor.given.data(), .ranks = ranks};
}

}  // namespace
}  // namespace fake_gpu

using namespace fake_gpu;

ncclResult_t ncclComm::join(const std::string& name) {
  try {
    if (fault("init_error") != nullptr) {
      SharedRanks::refuse(name, ranks);
      throw std::runtime_error("FAKE_GPU_FAULT has it fail");
    }
    shared = std::make_unique<SharedRanks>(name, rank, ranks, [this] { return aborted.load(); });
    if (setting("FAKE_NCCL_UNIQUE_GPUS", 0) != 0) expect_devices_differ();
  } catch (const std::exception& error) {
    fail(ncclSystemError, std::string("ncclCommInitRank: ") + error.what());
  } catch (const Abandoned&) {
    fail(ncclSystemError, "ncclCommInitRank: aborted");
  }
  return async_error;
}

/// As NCCL tells devices apart: by the host, which NCCL_HOSTID can name, and on it.
void ncclComm::expect_devices_differ() {
  const char* host = std::getenv("NCCL_HOSTID");
  const std::string name = (host != nullptr ? std::string(host) : "") + "/" + std::to_string(physical_device(device));
  const std::size_t own = std::hash<std::string>{}(name);
  std::vector<std::size_t> devices(static_cast<std::size_t>(ranks), own);
  std::vector<Send> sends;
  std::vector<Receive> receives;
  constexpr Label label = {.what = -2, .bytes = sizeof own};
  for (int peer = 0; peer < ranks; ++peer) {
    if (peer == rank) continue;
    auto& other = devices[static_cast<std::size_t>(peer)];
    sends.push_back({peer, label, std::as_bytes(std::span(&own, 1))});
    receives.push_back({peer, label, std::as_writable_bytes(std::span(&other, 1))});
  }
  exchange(*shared, sends, receives, [this] { return given_up(); });
  std::ranges::sort(devices);
  if (std::ranges::adjacent_find(devices) != devices.end())
    fail(ncclInvalidUsage, "Duplicate GPU detected: two ranks of the communicator use the same one");
}

void ncclComm::fail(ncclResult_t code, const std::string& text) {
  auto none = ncclSuccess;
  async_error.compare_exchange_strong(none, code);
  last_error(code, text);
}

bool ncclComm::given_up() {
  if (shared->aborted() && !aborted && async_error == ncclSuccess)
    fail(ncclRemoteError, "another rank aborted the communicator");
  return aborted;
}

void ncclComm::wait_for_turn(std::uint64_t turn) {
  for (int tries = 0; run_so_far != turn; ++tries) {
    if (given_up()) throw Abandoned{};
    relax(tries);
  }
}

void ncclComm::wait_until_idle() {
  for (int tries = 0; run_so_far < handed_over && !aborted; ++tries) relax(tries);
}

void ncclComm::wait_for_abort() {
  for (int tries = 0; !given_up(); ++tries) relax(tries);
  throw Abandoned{};
}

void ncclComm::run(const std::vector<Operation>& batch, std::uint64_t turn, std::uint64_t number) {
  try {
    wait_for_turn(turn);
    run_all(batch, number);
  } catch (const Abandoned&) {
  }
  ++run_so_far;
}

void ncclComm::run_all(const std::vector<Operation>& batch, std::uint64_t number) {
  std::vector<Operation> point_to_point;
  for (const auto& operation : batch) {
    if (operation.point_to_point())
      point_to_point.push_back(operation);
    else
      run_with_faults(operation, number++, [&] { move(operation); });
  }
  if (point_to_point.empty()) return;
  const auto receive = std::ranges::find(point_to_point, Call::receive, &Operation::call);
  const auto& struck = receive == point_to_point.end() ? point_to_point.front() : *receive;
  run_with_faults(struck, number, [&] { move_point_to_point(point_to_point); });
}

void ncclComm::run_with_faults(const Operation& operation, std::uint64_t number, const std::function<void()>& body) {
  if (has_struck("async_error", number)) {
    const bool remote = fault("async_error")->error != "system";
    fail(remote ? ncclRemoteError : ncclSystemError, "FAKE_GPU_FAULT has it fail");
    wait_for_abort();
  }
  if (has_struck("hang", number)) wait_for_abort();
  const auto output = output_of(operation, rank, ranks);
  const bool unwritten = strikes("nothing", number);
  const std::vector<std::byte> before(unwritten ? output.begin() : output.end(), output.end());
  try {
    body();
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "fake NCCL: rank %d: %s\n", rank, error.what());
    fail(ncclInvalidUsage, error.what());
    wait_for_abort();
  }
  if (unwritten) std::ranges::copy(before, output.begin());
  if (strikes("wrong_result", number)) spoil(output, bytes_of(operation.type));
}

void ncclComm::move(const Operation& operation) {
  const auto in = inputs(operation, rank, ranks) * bytes_of(operation.type);
  const auto block = operation.count * bytes_of(operation.type);
  const auto output = output_of(operation, rank, ranks);
  const auto* const first = static_cast<const std::byte*>(operation.input);
  std::vector<std::byte> input(first, first + in);  // a copy: the output may lie over it
  if (reduces(operation.call)) prepare(input, operation.type, reduction_of(operation, ranks));

  std::vector<std::vector<std::byte>> parts(static_cast<std::size_t>(ranks));
  std::vector<Send> sends;
  std::vector<Receive> receives;
  for (int peer = 0; peer < ranks; ++peer) {
    auto& part = parts[static_cast<std::size_t>(peer)];
    const bool wanted = receives_from(operation, rank, peer);
    const auto mine = receives_from(operation, peer, rank) ? part_for(operation, input, block, rank, peer)
                                                           : std::span<const std::byte>();
    if (peer == rank && wanted) part.assign(mine.begin(), mine.end());
    if (peer == rank) continue;
    // Empty messages too: this detects different calls even without data in this direction.
    sends.push_back({.to = peer, .label = label_of(operation, mine.size()), .data = mine});
    part.resize(wanted ? block : 0);
    receives.push_back({.from = peer, .label = label_of(operation, part.size()), .data = part});
  }
  exchange(*shared, sends, receives, [this] { return given_up(); });

  if (output.empty()) return;
  if (reduces(operation.call)) return reduce(parts, output, operation.type, reduction_of(operation, ranks));
  const bool from_root = operation.call == Call::broadcast || operation.call == Call::scatter;
  if (from_root) parts = {std::move(parts[static_cast<std::size_t>(operation.root)])};
  std::size_t at = 0;
  for (const auto& part : parts) {
    std::ranges::copy(part, output.begin() + static_cast<std::ptrdiff_t>(at));
    at += part.size();
  }
}

void ncclComm::move_point_to_point(const std::vector<Operation>& operations) {
  std::vector<Send> sends;
  std::vector<Receive> receives;
  for (const auto& operation : operations) {
    const auto bytes = operation.count * bytes_of(operation.type);
    const auto label = label_of(operation, bytes);
    if (operation.call == Call::send)
      sends.push_back({operation.root, label, {static_cast<const std::byte*>(operation.input), bytes}});
    else
      receives.push_back({operation.root, label, {static_cast<std::byte*>(operation.output), bytes}});
  }
  exchange(*shared, sends, receives, [this] { return given_up(); });
}
