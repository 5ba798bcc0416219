// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <thread>

#include <nccl.h>

#include "communicator.hpp"
#include "faults.hpp"
#include "profiler.hpp"
#include "reduction.hpp"
#include "runtime.hpp"
#include "stream.hpp"

namespace fake_gpu {
namespace {

using Comm = std::shared_ptr<ncclComm>;

struct Communicators {
  std::mutex mutex;
  std::map<ncclComm_t, Comm> all;
  std::array<char, 1024> last_error = {};
};

Communicators& communicators() {
  static auto* const all = new Communicators;  // never ended: stream threads outlive main
  return *all;
}

// Thrown inside an entry point, which returns the code.
struct Refusal {
  ncclResult_t code;
};

void check(bool holds, const std::string& otherwise, ncclResult_t code = ncclInvalidArgument) {
  if (!holds) throw Refusal{last_error(code, otherwise)};
}

template <class Body>
ncclResult_t entry_point(Body&& body) noexcept {
  try {
    return body();
  } catch (const Refusal& refusal) {
    return refusal.code;
  } catch (const Failure& failure) {
    remember(failure.code);
    return last_error(ncclUnhandledCudaError, "the fake CUDA runtime refused");
  } catch (const std::exception& error) {
    return last_error(ncclInternalError, error.what());
  }
}

Comm find(ncclComm_t comm) {
  const std::scoped_lock lock(communicators().mutex);
  const auto found = communicators().all.find(comm);
  check(found != communicators().all.end(), "no such communicator");
  return found->second;
}

// A communicator that is ready for calls: no call in progress, no error.
Comm find_ready(ncclComm_t comm) {
  auto found = find(comm);
  check(found->progress != ncclInProgress, "the communicator's last call is still in progress");
  check(found->async_error == ncclSuccess, "the communicator has failed", found->async_error);
  check(!found->finalized, "the communicator is finalized");
  return found;
}

// FAKE_NCCL_LACKS holds names, separated by commas.
bool lacks_algorithm() {
  const char* const wanted = std::getenv("NCCL_ALGO");
  const char* const lacking = std::getenv("FAKE_NCCL_LACKS");
  if (wanted == nullptr || lacking == nullptr) return false;
  return ("," + std::string(lacking) + ",").find("," + std::string(wanted) + ",") != std::string::npos;
}

Comm add(ncclComm_t* result, int ranks, int rank, const ncclConfig_t* config) {
  check(result != nullptr && ranks > 0 && rank >= 0 && rank < ranks, "ncclCommInitRank: bad rank or number of ranks");
  auto comm = std::make_shared<ncclComm>();
  comm->rank = rank;
  comm->ranks = ranks;
  comm->device = current_device();
  comm->blocking = config == nullptr || config->blocking != 0;  // undefined: it blocks
  comm->lacks_algorithm = lacks_algorithm();
  if (config != nullptr && config->CTAPolicy != NCCL_CONFIG_UNDEF_INT) comm->cta_policy = config->CTAPolicy;
  *result = comm.get();
  const std::scoped_lock lock(communicators().mutex);
  communicators().all[*result] = comm;
  profiler_opens(*comm);
  return comm;
}

// Runs a call that may wait: here, or in its own thread if the communicator is non-blocking.
ncclResult_t perform(const Comm& comm, const std::function<ncclResult_t()>& what) {
  if (comm->blocking) return what();
  comm->progress = ncclInProgress;
  std::thread([comm, what] {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));  // so that the caller sees ncclInProgress for sure
    const auto result = what();
    if (result != ncclSuccess) comm->fail(result, "a call that was in progress failed");
    comm->progress = ncclSuccess;
  }).detach();
  return ncclInProgress;
}

// --- Groups: what a thread has called since ncclGroupStart -----------------------------------------------------------

struct Group {
  int depth = 0;
  std::vector<std::pair<Comm, Operation>> operations;
  std::vector<std::function<ncclResult_t()>> joins;
};

Group& group() {
  static thread_local Group here;
  return here;
}

// How many calls this process has made, as faults count them: each collective, and all of a group's sends and receives.
std::uint64_t count_calls(const std::vector<Operation>& batch) {
  static std::atomic<std::uint64_t> made = 0;
  const auto collectives =
      std::ranges::count_if(batch, [](const auto& operation) { return !operation.point_to_point(); });
  const bool others = static_cast<std::size_t>(collectives) < batch.size();
  return made.fetch_add(static_cast<std::uint64_t>(collectives) + (others ? 1U : 0U)) + 1;
}

// All of one communicator's calls in a group run together, on the first one's stream; the others wait for it.
void hand_over(const Comm& comm, const std::vector<Operation>& batch) {
  const auto stream = batch.front().stream;
  for (const auto& operation : batch) order(operation.stream, stream);
  for (const auto& operation : batch) profiler_hears(*comm, operation);
  submit(stream, [comm, batch] {
    const auto turn = comm->handed_over++;
    return [comm, batch, turn, number = count_calls(batch)] { comm->run(batch, turn, number); };
  });
  for (const auto& operation : batch) order(stream, operation.stream);
}

bool stays_in_progress(const ncclComm& comm) {
  static std::atomic<std::uint64_t> calls = 0;
  static const auto every = setting("FAKE_NCCL_IN_PROGRESS", 0);
  return !comm.blocking && every != 0 && ++calls % every == 0;
}

ncclResult_t launch(const Comm& comm, const std::vector<Operation>& batch) {
  if (!stays_in_progress(*comm)) {
    hand_over(comm, batch);
    return ncclSuccess;
  }
  return perform(comm, [comm, batch, device = current_device()] {
    return entry_point([&] {
      cudaSetDevice(device);
      hand_over(comm, batch);
      return ncclSuccess;
    });
  });
}

ncclResult_t launch_all(const std::vector<std::pair<Comm, Operation>>& operations) {
  std::vector<Comm> comms;
  for (const auto& [comm, operation] : operations)
    if (std::ranges::find(comms, comm) == comms.end()) comms.push_back(comm);
  if (setting("FAKE_NCCL_LAUNCH_OF", comms.size()) != comms.size())
    return last_error(ncclInvalidUsage, "a launch for " + std::to_string(comms.size()) + " communicators");
  auto result = ncclSuccess;
  for (const auto& comm : comms) {
    std::vector<Operation> batch;
    for (const auto& [owner, operation] : operations)
      if (owner == comm) batch.push_back(operation);
    if (const auto code = launch(comm, batch); code != ncclSuccess) result = code;
  }
  return result;
}

ncclResult_t join_all(const std::vector<std::function<ncclResult_t()>>& joins) {
  std::vector<ncclResult_t> results(joins.size(), ncclSuccess);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < joins.size(); ++i) threads.emplace_back([&, i] { results[i] = joins[i](); });
  }
  for (const auto result : results)
    if (result != ncclSuccess) return result;
  return ncclSuccess;
}

// --- Calls that move data --------------------------------------------------------------------------------------------

void check_memory(const void* pointer, std::size_t bytes, const char* what) {
  if (bytes == 0) return;
  check(pointer != nullptr, std::string(what) + " is null");
  check(memory_of(pointer, bytes) != Memory::pageable, std::string(what) + " is not memory of a device");
}

/// Where the receive buffer begins in the send buffer, in bytes, if NCCL takes the call for one in place (its
/// documentation, "In-place Operations").
std::ptrdiff_t in_place_at(const Operation& operation, const ncclComm& comm) {
  const auto block = static_cast<std::ptrdiff_t>(operation.count * bytes_of(operation.type));
  if (operation.call == Call::reduce_scatter) return comm.rank * block;
  if (operation.call == Call::all_gather) return -comm.rank * block;
  if (operation.call == Call::scatter) return operation.root * block;
  return operation.call == Call::gather ? -operation.root * block : 0;
}

void check_overlap(const Operation& operation, const ncclComm& comm, std::size_t in_bytes, std::size_t out_bytes) {
  const auto* const in = static_cast<const std::byte*>(operation.input);
  const auto* const out = static_cast<const std::byte*>(operation.output);
  const bool overlap = in_bytes > 0 && out_bytes > 0 && in < out + out_bytes && out < in + in_bytes;
  check(!overlap || out - in == in_place_at(operation, comm), "buffers overlap, but not as NCCL's calls in place do");
}

void check_operation(const Operation& operation, const ncclComm& comm) {
  check(known(operation.type), "no such data type");
  check(operation.root >= 0 && operation.root < comm.ranks, "no such rank: " + std::to_string(operation.root));
  check(operation.op < ncclNumOps || operation.factor, "no such operation");
  const auto bytes = bytes_of(operation.type);
  const auto in_bytes = inputs(operation, comm.rank, comm.ranks) * bytes;
  const auto out_bytes = outputs(operation, comm.rank, comm.ranks) * bytes;
  check_memory(operation.input, in_bytes, "the send buffer");
  check_memory(operation.output, out_bytes, "the receive buffer");
  check_overlap(operation, comm, in_bytes, out_bytes);
}

std::shared_ptr<const Factor> factor_of(ncclComm& comm, ncclRedOp_t op) {
  const std::scoped_lock lock(comm.mutex);
  const auto found = comm.factors.find(op);
  return found == comm.factors.end() ? nullptr : found->second;
}

bool in_a_window(const ncclComm& comm, const void* pointer, std::size_t bytes) {
  const auto* const first = static_cast<const std::byte*>(pointer);
  return bytes == 0 || std::ranges::any_of(comm.windows, [&](auto window) {
           return window.data() <= first && first + bytes <= window.data() + window.size();
         });
}

// Why a test's settings refuse the operation on this communicator; empty: they do not.
std::string refusal(const Operation& operation, const ncclComm& comm) {
  const auto bytes = bytes_of(operation.type);
  if (comm.lacks_algorithm && !operation.point_to_point())
    return "no algorithm/protocol available; NCCL_ALGO was set to " + std::string(std::getenv("FAKE_NCCL_LACKS"));
  if (setting("FAKE_NCCL_SYMMETRIC", 0) != 0 &&
      !(in_a_window(comm, operation.input, inputs(operation, comm.rank, comm.ranks) * bytes) &&
        in_a_window(comm, operation.output, outputs(operation, comm.rank, comm.ranks) * bytes)))
    return "a buffer lies in no window";
  if (setting("FAKE_NCCL_CTA_POLICY", static_cast<std::uint64_t>(comm.cta_policy)) !=
      static_cast<std::uint64_t>(comm.cta_policy))
    return "the CTA policy is " + std::to_string(comm.cta_policy);
  return "";
}

ncclResult_t call(ncclComm_t handle, Operation operation) {
  return entry_point([&] {
    const auto comm = find_ready(handle);
    operation.factor = factor_of(*comm, operation.op);
    check_operation(operation, *comm);
    if (const std::string why = refusal(operation, *comm); !why.empty()) {
      if (!comm->blocking) comm->fail(ncclInvalidUsage, why);
      return last_error(ncclInvalidUsage, why);
    }
    if (group().depth == 0) return launch_all({{comm, operation}});
    group().operations.emplace_back(comm, operation);
    return ncclSuccess;
  });
}

void forget(ncclComm_t comm) {
  const std::scoped_lock lock(communicators().mutex);
  if (communicators().all.erase(comm) != 0) profiler_closes();
}

ncclResult_t join(ncclComm_t* result, int ranks, const ncclUniqueId& id, int rank, const ncclConfig_t* config) {
  return entry_point([&] {
    const auto comm = add(result, ranks, rank, config);
    const std::string name(id.internal);
    if (group().depth == 0) {
      const auto code = perform(comm, [comm, name] { return comm->join(name); });
      if (code == ncclSuccess || code == ncclInProgress) return code;
      forget(comm.get());
      *result = nullptr;
      return code;
    }
    group().joins.emplace_back([comm, name] { return comm->join(name); });
    return ncclSuccess;
  });
}

// --- Splitting -------------------------------------------------------------------------------------------------------

struct Choice {
  int color;
  int key;
  int rank;
  std::array<char, 100> name;
};

// Gathers a value of each rank, in the order of ranks; empty if the communicator was aborted. Collective.
template <class Said>
std::vector<Said> said_by_all(ncclComm& comm, const Said& own) {
  std::vector<Said> all(static_cast<std::size_t>(comm.ranks), own);
  std::vector<Send> sends;
  std::vector<Receive> receives;
  constexpr Label label = {.what = -1, .bytes = sizeof(Said)};
  for (int peer = 0; peer < comm.ranks; ++peer) {
    if (peer == comm.rank) continue;
    auto& other = all[static_cast<std::size_t>(peer)];
    sends.push_back({peer, label, std::as_bytes(std::span(&own, 1))});
    receives.push_back({peer, label, std::as_writable_bytes(std::span(&other, 1))});
  }
  const auto turn = comm.handed_over++;
  try {
    comm.wait_for_turn(turn);
    exchange(*comm.shared, sends, receives, [&] { return comm.given_up(); });
  } catch (const Abandoned&) {
    all.clear();
  }
  ++comm.run_so_far;
  return all;
}

ncclResult_t split(ncclComm& parent, int color, int key, const Comm& made) {
  Choice own = {.color = color, .key = key, .rank = parent.rank, .name = {}};
  const auto name = SharedRanks::new_name();
  std::ranges::copy(name.substr(0, own.name.size() - 1), own.name.begin());
  auto all = said_by_all(parent, own);
  if (all.empty()) return ncclInternalError;
  if (!made) return ncclSuccess;
  std::erase_if(all, [&](const Choice& each) { return each.color != color; });
  std::ranges::sort(all, {}, [](const Choice& each) { return std::pair(each.key, each.rank); });
  made->ranks = static_cast<int>(all.size());
  const auto mine = std::ranges::find(all, parent.rank, &Choice::rank);
  made->rank = static_cast<int>(mine - all.begin());
  return made->join(all.front().name.data());
}

}  // namespace

ncclResult_t last_error(ncclResult_t code, const std::string& text) {
  auto& all = communicators();
  const std::scoped_lock lock(all.mutex);
  std::snprintf(all.last_error.data(), all.last_error.size(), "%s", text.c_str());
  return code;
}

}  // namespace fake_gpu

using namespace fake_gpu;

extern "C" {

ncclResult_t ncclGetVersion(int* version) {
  if (version == nullptr) return ncclInvalidArgument;
  *version = static_cast<int>(setting("FAKE_NCCL_VERSION", NCCL_VERSION_CODE));
  return ncclSuccess;
}

const char* ncclGetLastError(ncclComm_t) { return communicators().last_error.data(); }

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  return entry_point([&] {
    check(id != nullptr, "ncclGetUniqueId: null");
    *id = {};
    std::snprintf(id->internal, sizeof id->internal, "%s", SharedRanks::new_name().c_str());
    return ncclSuccess;
  });
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t* comm, int ranks, ncclUniqueId id, int rank, ncclConfig_t* config) {
  return join(comm, ranks, id, rank, config);
}

ncclResult_t ncclCommInitRank(ncclComm_t* comm, int ranks, ncclUniqueId id, int rank) {
  return join(comm, ranks, id, rank, nullptr);
}

ncclResult_t ncclCommInitAll(ncclComm_t* comms, int count, const int* devices) {
  return entry_point([&] {
    check(comms != nullptr && count > 0, "ncclCommInitAll: bad argument");
    const int before = current_device();
    ncclUniqueId id;
    auto result = ncclGetUniqueId(&id);
    ncclGroupStart();
    for (int i = 0; i < count && result == ncclSuccess; ++i) {
      const bool there = cudaSetDevice(devices == nullptr ? i : devices[i]) == cudaSuccess;
      result = there ? ncclCommInitRank(&comms[i], count, id, i) : ncclInvalidArgument;
    }
    if (result != ncclSuccess) group().joins.clear();
    const auto joined = ncclGroupEnd();
    cudaSetDevice(before);
    return result == ncclSuccess ? joined : result;
  });
}

ncclResult_t ncclCommSplit(ncclComm_t comm, int color, int key, ncclComm_t* made, ncclConfig_t* config) {
  return entry_point([&] {
    check(made != nullptr, "ncclCommSplit: null");
    check(group().depth == 0, "ncclCommSplit in a group is not faked", ncclInvalidUsage);
    check(setting("FAKE_NCCL_NO_SPLIT", 0) == 0, "splitting is refused", ncclInvalidUsage);
    const auto parent = find_ready(comm);
    ncclConfig_t inherited = NCCL_CONFIG_INITIALIZER;
    inherited.blocking = parent->blocking ? 1 : 0;
    *made = nullptr;
    const auto child = color == NCCL_SPLIT_NOCOLOR ? Comm() : add(made, 1, 0, config == nullptr ? &inherited : config);
    return perform(child ? child : parent, [=] { return split(*parent, color, key, child); });
  });
}

ncclResult_t ncclCommFinalize(ncclComm_t comm) {
  return entry_point([&] {
    const auto found = find_ready(comm);
    found->finalized = true;
    return perform(found, [found] {
      found->wait_until_idle();
      return ncclSuccess;
    });
  });
}

ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  return entry_point([&] {
    const auto found = find(comm);
    check(found->progress != ncclInProgress, "the communicator's last call is still in progress");
    if (!found->finalized) found->wait_until_idle();
    forget(comm);
    return ncclSuccess;
  });
}

ncclResult_t ncclCommAbort(ncclComm_t comm) {
  return entry_point([&] {
    const auto found = find(comm);
    found->aborted = true;
    for (int tries = 0; found->progress == ncclInProgress; ++tries) relax(tries);
    if (found->shared) found->shared->abort();
    forget(comm);
    return ncclSuccess;
  });
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t* error) {
  return entry_point([&] {
    check(error != nullptr, "ncclCommGetAsyncError: null");
    const auto found = find(comm);
    const auto progress = found->progress.load();  // before the error, which is set first
    *error = found->async_error != ncclSuccess ? found->async_error.load() : progress;
    return ncclSuccess;
  });
}

ncclResult_t ncclCommCount(const ncclComm_t comm, int* count) {
  return entry_point([&] {
    check(count != nullptr, "ncclCommCount: null");
    *count = find(comm)->ranks;
    return ncclSuccess;
  });
}

ncclResult_t ncclCommCuDevice(const ncclComm_t comm, int* device) {
  return entry_point([&] {
    check(device != nullptr, "ncclCommCuDevice: null");
    *device = find(comm)->device;
    return ncclSuccess;
  });
}

ncclResult_t ncclCommUserRank(const ncclComm_t comm, int* rank) {
  return entry_point([&] {
    check(rank != nullptr, "ncclCommUserRank: null");
    *rank = find(comm)->rank;
    return ncclSuccess;
  });
}

ncclResult_t ncclGroupStart() {
  ++group().depth;
  return ncclSuccess;
}

ncclResult_t ncclGroupEnd() {
  return entry_point([&] {
    check(group().depth > 0, "ncclGroupEnd without ncclGroupStart", ncclInvalidUsage);
    if (--group().depth > 0) return ncclSuccess;
    const auto done = std::exchange(group(), {});
    if (const auto result = join_all(done.joins); result != ncclSuccess) return result;
    return launch_all(done.operations);
  });
}

ncclResult_t ncclAllReduce(const void* input, void* output, size_t count, ncclDataType_t type, ncclRedOp_t op,
                           ncclComm_t comm, cudaStream_t stream) {
  return call(comm, {Call::all_reduce, input, output, count, type, stream, op});
}

ncclResult_t ncclReduce(const void* input, void* output, size_t count, ncclDataType_t type, ncclRedOp_t op, int root,
                        ncclComm_t comm, cudaStream_t stream) {
  return call(comm, {Call::reduce, input, output, count, type, stream, op, root});
}

ncclResult_t ncclBroadcast(const void* input, void* output, size_t count, ncclDataType_t type, int root,
                           ncclComm_t comm, cudaStream_t stream) {
  return call(comm, {Call::broadcast, input, output, count, type, stream, ncclSum, root});
}

ncclResult_t ncclBcast(void* data, size_t count, ncclDataType_t type, int root, ncclComm_t comm, cudaStream_t stream) {
  return ncclBroadcast(data, data, count, type, root, comm, stream);
}

ncclResult_t ncclAllGather(const void* input, void* output, size_t count, ncclDataType_t type, ncclComm_t comm,
                           cudaStream_t stream) {
  return call(comm, {Call::all_gather, input, output, count, type, stream});
}

ncclResult_t ncclReduceScatter(const void* input, void* output, size_t count, ncclDataType_t type, ncclRedOp_t op,
                               ncclComm_t comm, cudaStream_t stream) {
  return call(comm, {Call::reduce_scatter, input, output, count, type, stream, op});
}

ncclResult_t ncclAlltoAll(const void* input, void* output, size_t count, ncclDataType_t type, ncclComm_t comm,
                          cudaStream_t stream) {
  return call(comm, {Call::all_to_all, input, output, count, type, stream});
}

ncclResult_t ncclGather(const void* input, void* output, size_t count, ncclDataType_t type, int root, ncclComm_t comm,
                        cudaStream_t stream) {
  return call(comm, {Call::gather, input, output, count, type, stream, ncclSum, root});
}

ncclResult_t ncclScatter(const void* input, void* output, size_t count, ncclDataType_t type, int root, ncclComm_t comm,
                         cudaStream_t stream) {
  return call(comm, {Call::scatter, input, output, count, type, stream, ncclSum, root});
}

ncclResult_t ncclSend(const void* data, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
  return call(comm, {Call::send, data, nullptr, count, type, stream, ncclSum, peer});
}

ncclResult_t ncclRecv(void* data, size_t count, ncclDataType_t type, int peer, ncclComm_t comm, cudaStream_t stream) {
  return call(comm, {Call::receive, nullptr, data, count, type, stream, ncclSum, peer});
}

ncclResult_t ncclRedOpCreatePreMulSum(ncclRedOp_t* op, void* scalar, ncclDataType_t type,
                                      ncclScalarResidence_t residence, ncclComm_t comm) {
  return entry_point([&] {
    check(op != nullptr && scalar != nullptr && known(type), "ncclRedOpCreatePreMulSum: bad argument");
    const auto found = find_ready(comm);
    const auto* const bytes = static_cast<const std::byte*>(scalar);
    Factor factor;
    if (residence == ncclScalarDevice)
      factor.on_device = scalar;
    else
      factor.given.assign(bytes, bytes + bytes_of(type));
    const std::scoped_lock lock(found->mutex);
    auto index = static_cast<int>(ncclNumOps);
    while (found->factors.contains(index)) ++index;
    found->factors[index] = std::make_shared<const Factor>(std::move(factor));
    *op = static_cast<ncclRedOp_t>(index);
    return ncclSuccess;
  });
}

ncclResult_t ncclRedOpDestroy(ncclRedOp_t op, ncclComm_t comm) {
  return entry_point([&] {
    const auto found = find(comm);
    const std::scoped_lock lock(found->mutex);
    check(found->factors.erase(op) == 1, "no such operation");
    return ncclSuccess;
  });
}

ncclResult_t ncclMemAlloc(void** pointer, size_t bytes) {
  return entry_point([&] {
    check(pointer != nullptr, "ncclMemAlloc: null");
    *pointer = allocate(bytes, current_device());
    return ncclSuccess;
  });
}

ncclResult_t ncclMemFree(void* pointer) {
  return entry_point([&] {
    if (pointer == nullptr) return ncclSuccess;
    synchronize_device(current_device());
    release(pointer);
    return ncclSuccess;
  });
}

// Registered memory is used as any other is: only the handles are kept apart from each other.
ncclResult_t ncclCommRegister(const ncclComm_t comm, void* buffer, size_t bytes, void** handle) {
  return entry_point([&] {
    check(handle != nullptr, "ncclCommRegister: null");
    find_ready(comm);
    check_memory(buffer, bytes, "the buffer");
    *handle = new std::byte;
    return ncclSuccess;
  });
}

ncclResult_t ncclCommDeregister(const ncclComm_t comm, void* handle) {
  return entry_point([&] {
    find(comm);
    delete static_cast<std::byte*>(handle);
    return ncclSuccess;
  });
}

// All ranks register windows of one size at a time, as symmetric ones want it.
ncclResult_t ncclCommWindowRegister(ncclComm_t comm, void* buffer, size_t bytes, ncclWindow_t* window, int) {
  return entry_point([&] {
    check(window != nullptr, "ncclCommWindowRegister: null");
    check(setting("FAKE_NCCL_NO_WINDOWS", 0) == 0, "windows are refused", ncclInvalidUsage);
    const auto found = find_ready(comm);
    check_memory(buffer, bytes, "the buffer");
    found->windows.emplace_back(static_cast<const std::byte*>(buffer), bytes);
    *window = reinterpret_cast<ncclWindow_t>(buffer);
    return perform(found, [found, bytes] {
      for (const std::size_t theirs : said_by_all(*found, bytes))
        if (theirs != bytes) return last_error(ncclInvalidArgument, "windows of unlike sizes");
      return ncclSuccess;
    });
  });
}

ncclResult_t ncclCommWindowDeregister(ncclComm_t comm, ncclWindow_t window) {
  return entry_point([&] {
    std::erase_if(find(comm)->windows, [&](auto span) { return span.data() == reinterpret_cast<std::byte*>(window); });
    return ncclSuccess;
  });
}

}  // extern "C"
