// SPDX-License-Identifier: Apache-2.0
// Runs under mpirun with one communicator over all ranks. Compares collectives of the fake NCCL with plain loops.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include <cuda_runtime_api.h>
#include <mpi.h>
#include <nccl.h>

#include "core/nccl/choice.hpp"

namespace {

void check(cudaError_t code) {
  if (code != cudaSuccess) throw std::runtime_error(cudaGetErrorString(code));
}

void check(ncclResult_t code) {
  if (code != ncclSuccess)
    throw std::runtime_error(std::string(ncclGetErrorString(code)) + ": " + ncclGetLastError(nullptr));
}

void expect(bool holds, const std::string& what) {
  if (!holds) throw std::runtime_error("not so: " + what);
}

struct Ranks {
  int rank = 0;
  int ranks = 0;
  ncclComm_t comm = nullptr;
  cudaStream_t stream = nullptr;
};

// Small values, so that sums, products and means of few ranks are exact in every type.
double value(int rank, std::size_t index) { return 1 + (rank + static_cast<int>(index)) % 2; }

template <class T>
constexpr ncclDataType_t nccl_type = ncclNumTypes;  // no such type
template <>
constexpr ncclDataType_t nccl_type<std::int8_t> = ncclInt8;
template <>
constexpr ncclDataType_t nccl_type<std::uint8_t> = ncclUint8;
template <>
constexpr ncclDataType_t nccl_type<std::int32_t> = ncclInt32;
template <>
constexpr ncclDataType_t nccl_type<std::uint32_t> = ncclUint32;
template <>
constexpr ncclDataType_t nccl_type<std::int64_t> = ncclInt64;
template <>
constexpr ncclDataType_t nccl_type<std::uint64_t> = ncclUint64;
template <>
constexpr ncclDataType_t nccl_type<__half> = ncclFloat16;
template <>
constexpr ncclDataType_t nccl_type<float> = ncclFloat32;
template <>
constexpr ncclDataType_t nccl_type<double> = ncclFloat64;
template <>
constexpr ncclDataType_t nccl_type<__nv_bfloat16> = ncclBfloat16;
template <>
constexpr ncclDataType_t nccl_type<__nv_fp8_e4m3> = ncclFloat8e4m3;
template <>
constexpr ncclDataType_t nccl_type<__nv_fp8_e5m2> = ncclFloat8e5m2;

template <class T>
T cast(double number) {
  return static_cast<T>(static_cast<float>(number));
}

template <class T>
double plain(T number) {
  return static_cast<double>(static_cast<float>(number));
}

// Memory of the device with a host's view of it, by copies on the ranks' stream.
template <class T>
class Buffer {
 public:
  Buffer(const Ranks& ranks, std::size_t count) : stream_(ranks.stream), host_(count) {
    check(cudaMalloc(reinterpret_cast<void**>(&device_), std::max<std::size_t>(1, count * sizeof(T))));
  }
  ~Buffer() { cudaFree(device_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  T* device() const { return device_; }

  void fill(const std::function<double(std::size_t)>& of_index) {
    for (std::size_t i = 0; i < host_.size(); ++i) host_[i] = cast<T>(of_index(i));
    check(cudaMemcpyAsync(device_, host_.data(), host_.size() * sizeof(T), cudaMemcpyHostToDevice, stream_));
  }

  void expect_values(const std::string& what, const std::function<double(std::size_t)>& of_index) {
    check(cudaMemcpyAsync(host_.data(), device_, host_.size() * sizeof(T), cudaMemcpyDeviceToHost, stream_));
    check(cudaStreamSynchronize(stream_));
    for (std::size_t i = 0; i < host_.size(); ++i) {
      const auto wanted = plain(cast<T>(of_index(i)));
      if (plain(host_[i]) == wanted) continue;
      expect(false, what + ", element " + std::to_string(i) + ": " + std::to_string(plain(host_[i])) + " instead of " +
                        std::to_string(wanted));
    }
  }

 private:
  cudaStream_t stream_;
  T* device_ = nullptr;
  std::vector<T> host_;
};

double reduced(ncclRedOp_t op, int ranks, const std::function<double(int)>& of_rank, bool whole) {
  double result = of_rank(0);
  for (int r = 1; r < ranks; ++r) {
    const double next = of_rank(r);
    if (op == ncclSum || op == ncclAvg) result += next;
    if (op == ncclProd) result *= next;
    if (op == ncclMax) result = std::max(result, next);
    if (op == ncclMin) result = std::min(result, next);
  }
  if (op != ncclAvg) return result;
  return whole ? static_cast<double>(static_cast<int>(result) / ranks) : result / ranks;
}

template <class T>
void reductions(const Ranks& r, std::size_t count) {
  const auto type = nccl_type<T>;
  const auto n = static_cast<std::size_t>(r.ranks);
  for (const auto op : {ncclSum, ncclProd, ncclMax, ncclMin, ncclAvg}) {
    const auto name = "type " + std::to_string(type) + ", operation " + std::to_string(op);
    const auto wanted = [&](std::size_t i) {
      return reduced(op, r.ranks, [&](int rank) { return value(rank, i); }, std::is_integral_v<T>);
    };
    Buffer<T> in(r, count * n);
    Buffer<T> out(r, count);
    in.fill([&](std::size_t i) { return value(r.rank, i); });
    check(ncclAllReduce(in.device(), out.device(), count, type, op, r.comm, r.stream));
    out.expect_values("allreduce, " + name, wanted);
    check(ncclReduceScatter(in.device(), out.device(), count, type, op, r.comm, r.stream));
    out.expect_values("reduce-scatter, " + name,
                      [&](std::size_t i) { return wanted(i + count * static_cast<std::size_t>(r.rank)); });
    out.fill([](std::size_t) { return 0; });
    check(ncclReduce(in.device(), out.device(), count, type, op, r.ranks - 1, r.comm, r.stream));
    out.expect_values("reduce, " + name, [&](std::size_t i) { return r.rank == r.ranks - 1 ? wanted(i) : 0; });
    check(ncclAllReduce(in.device(), in.device(), count, type, op, r.comm, r.stream));
    check(cudaMemcpyAsync(out.device(), in.device(), count * sizeof(T), cudaMemcpyDeviceToDevice, r.stream));
    out.expect_values("allreduce in place, " + name, wanted);
  }
}

template <class T>
void copies(const Ranks& r, std::size_t count) {
  const auto type = nccl_type<T>;
  const auto n = static_cast<std::size_t>(r.ranks);
  const auto self = static_cast<std::size_t>(r.rank);
  const int root = r.ranks - 1;
  // The same bytes in every type: a block's owner and receiver are in the value.
  const auto owner = [&](std::size_t block) { return static_cast<double>(block + 1); };
  Buffer<T> many(r, count * n);
  Buffer<T> more(r, count * n);
  Buffer<T> one(r, count);

  one.fill([&](std::size_t) { return owner(self); });
  check(ncclAllGather(one.device(), many.device(), count, type, r.comm, r.stream));
  many.expect_values("all-gather", [&](std::size_t i) { return owner(i / count); });
  many.fill([](std::size_t) { return 0; });
  check(ncclGather(one.device(), many.device(), count, type, root, r.comm, r.stream));
  many.expect_values("gather", [&](std::size_t i) { return r.rank == root ? owner(i / count) : 0; });
  check(ncclBroadcast(one.device(), one.device(), count, type, root, r.comm, r.stream));
  one.expect_values("broadcast", [&](std::size_t) { return owner(n - 1); });
  many.fill([&](std::size_t i) { return owner(i / count); });
  check(ncclScatter(many.device(), one.device(), count, type, root, r.comm, r.stream));
  one.expect_values("scatter", [&](std::size_t) { return owner(self); });
  many.fill([&](std::size_t i) { return static_cast<double>(self * 2 + i / count); });
  check(ncclAlltoAll(many.device(), more.device(), count, type, r.comm, r.stream));
  more.expect_values("all-to-all", [&](std::size_t i) { return static_cast<double>(i / count * 2 + self); });
}

template <class T>
void premultiplied(const Ranks& r) {
  T factor = cast<T>(r.rank + 1);
  ncclRedOp_t op = ncclSum;
  Buffer<T> data(r, 10);
  data.fill([](std::size_t) { return 2; });
  check(ncclRedOpCreatePreMulSum(&op, &factor, nccl_type<T>, ncclScalarHostImmediate, r.comm));
  check(ncclAllReduce(data.device(), data.device(), 10, nccl_type<T>, op, r.comm, r.stream));
  check(ncclRedOpDestroy(op, r.comm));
  data.expect_values("premultiplied sum", [&](std::size_t) { return r.ranks * (r.ranks + 1); });
}

// Everyone with everyone, itself too, several messages each, more than a channel holds.
void point_to_point(const Ranks& r) {
  constexpr std::size_t count = 300000;
  const auto n = static_cast<std::size_t>(r.ranks);
  Buffer<float> out(r, 2 * n * count);
  Buffer<float> in(r, 2 * n * count);
  out.fill([&](std::size_t i) { return static_cast<double>(r.rank * 100) + static_cast<double>(i / count); });
  check(ncclGroupStart());
  for (std::size_t block = 0; block < 2 * n; ++block) {
    const int peer = static_cast<int>(block / 2);
    check(ncclSend(out.device() + block * count, count, ncclFloat32, peer, r.comm, r.stream));
    check(ncclRecv(in.device() + block * count, count, ncclFloat32, peer, r.comm, r.stream));
  }
  check(ncclGroupEnd());
  in.expect_values("send and receive", [&](std::size_t i) {
    const auto block = i / count;
    return static_cast<double>(block / 2 * 100 + static_cast<std::size_t>(r.rank) * 2 + block % 2);
  });
}

// Launches a graph several times; it has a collective on a second stream that is forked and joined.
void captured(const Ranks& r) {
  cudaStream_t side = nullptr;
  cudaEvent_t fork = nullptr;
  cudaEvent_t join = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t launched = nullptr;
  check(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking));
  check(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  check(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  Buffer<float> data(r, 1000);
  data.fill([](std::size_t) { return 1; });
  check(cudaStreamBeginCapture(r.stream, cudaStreamCaptureModeThreadLocal));
  check(cudaEventRecord(fork, r.stream));
  check(cudaStreamWaitEvent(side, fork, 0));
  check(ncclAllReduce(data.device(), data.device(), 1000, ncclFloat32, ncclSum, r.comm, side));
  check(cudaEventRecord(join, side));
  check(cudaStreamWaitEvent(r.stream, join, 0));
  check(cudaStreamEndCapture(r.stream, &graph));
  check(cudaGraphInstantiate(&launched, graph, 0));
  data.expect_values("captured, not launched", [](std::size_t) { return 1; });
  for (int i = 0; i < 3; ++i) check(cudaGraphLaunch(launched, r.stream));
  data.expect_values("launched three times", [&](std::size_t) { return r.ranks * r.ranks * r.ranks; });
  check(cudaGraphExecDestroy(launched));
  check(cudaGraphDestroy(graph));
  check(cudaEventDestroy(fork));
  check(cudaEventDestroy(join));
  check(cudaStreamDestroy(side));
}

void split(const Ranks& r) {
  Ranks part = r;
  check(ncclCommSplit(r.comm, r.rank % 2, -r.rank, &part.comm, nullptr));
  check(ncclCommCount(part.comm, &part.ranks));
  check(ncclCommUserRank(part.comm, &part.rank));
  expect(part.ranks == (r.ranks + 1 - r.rank % 2) / 2, "ranks of a part");
  expect(part.rank == part.ranks - 1 - r.rank / 2, "rank in a part, whose keys fall");
  Buffer<int> data(r, 1);
  data.fill([&](std::size_t) { return r.rank % 2 + 1; });
  check(ncclAllReduce(data.device(), data.device(), 1, ncclInt32, ncclSum, part.comm, r.stream));
  data.expect_values("sum in a part", [&](std::size_t) { return (r.rank % 2 + 1) * part.ranks; });
  check(ncclCommDestroy(part.comm));
}

template <class... T>
void all_types(const Ranks& r, std::size_t count) {
  (reductions<T>(r, count), ...);
  (copies<T>(r, count), ...);
  (premultiplied<T>(r), ...);
}

void collectives(const Ranks& r) {
  for (const std::size_t count : {std::size_t{1}, std::size_t{1021}})
    all_types<std::int8_t, std::uint8_t, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, __half, float,
              double, __nv_bfloat16, __nv_fp8_e4m3, __nv_fp8_e5m2>(r, count);
  reductions<float>(r, 400000);
  copies<double>(r, 200000);
  point_to_point(r);
  captured(r);
  split(r);
}

void wait(ncclComm_t comm) {
  auto state = ncclInProgress;
  while (state == ncclInProgress) check(ncclCommGetAsyncError(comm, &state));
  check(state);
}

// Every third call stays in progress (FAKE_NCCL_IN_PROGRESS=3): its work is not on the stream yet.
void not_blocking(const Ranks& r) {
  Buffer<int> data(r, 100);
  int seen = 0;
  for (int i = 0; i < 9; ++i) {
    data.fill([](std::size_t) { return 1; });
    const auto code = ncclAllReduce(data.device(), data.device(), 100, ncclInt32, ncclSum, r.comm, r.stream);
    if (code == ncclInProgress) {
      ++seen;
      expect(
          ncclAllReduce(data.device(), data.device(), 100, ncclInt32, ncclSum, r.comm, r.stream) == ncclInvalidArgument,
          "a call is refused while another is in progress");
      wait(r.comm);
    } else {
      check(code);
    }
    data.expect_values("sum", [&](std::size_t) { return r.ranks; });
  }
  expect(seen == 3, "three of nine calls stayed in progress");
}

// The asynchronous error of a sum that does not end; then the last rank aborts, and the others see that or their own
// error.
std::string ends_of_a_hang(const Ranks& r) {
  auto error = ncclSuccess;
  check(ncclCommGetAsyncError(r.comm, &error));
  std::string seen = error == ncclSuccess ? "hangs" : ncclGetErrorString(error);
  MPI_Barrier(MPI_COMM_WORLD);
  if (r.rank < r.ranks - 1) {
    const double deadline = MPI_Wtime() + 5;
    while (error == ncclSuccess && MPI_Wtime() < deadline) check(ncclCommGetAsyncError(r.comm, &error));
    seen += std::string(", then ") + ncclGetErrorString(error);
    expect(cudaStreamQuery(r.stream) == cudaErrorNotReady, "work waits for its own rank to abort");
  }
  check(ncclCommAbort(r.comm));
  check(cudaStreamSynchronize(r.stream));
  return seen;
}

// With a fault on rank 1: what each rank sees of four sums, up to one that does not end, then the asynchronous error.
// `disagree`: in the third, ranks give counts of their own.
std::string outcomes(const Ranks& r, bool disagree) {
  std::string seen;
  for (int i = 0; i < 4; ++i) {
    Buffer<float> data(r, 100);
    data.fill([](std::size_t) { return 1; });
    const auto count = static_cast<std::size_t>(disagree && i == 2 ? 100 - r.rank : 100);
    check(ncclAllReduce(data.device(), data.device(), count, ncclFloat32, ncclSum, r.comm, r.stream));
    const double deadline = MPI_Wtime() + 0.5;
    auto state = cudaErrorNotReady;
    while (state == cudaErrorNotReady && MPI_Wtime() < deadline) state = cudaStreamQuery(r.stream);
    if (state == cudaErrorNotReady) {
      return seen + ends_of_a_hang(r);
    }
    try {
      data.expect_values("sum", [&](std::size_t) { return r.ranks; });
      seen += "right ";
    } catch (const std::exception&) {
      seen += "wrong ";
    }
  }
  check(ncclCommDestroy(r.comm));
  return seen;
}

std::string as_text(const std::optional<busbar::nccl_choice::NcclChoice>& choice) {
  if (!choice) return "nothing";
  return choice->function + " " + choice->algorithm + " " + choice->protocol + " " +
         std::to_string(choice->channels.value_or(0));
}

// The choice that NCCL reports: of a collective, of one made of sends, of no call, and without a request.
std::string choices(Ranks& r) {
  void* data = nullptr;
  check(cudaMalloc(&data, 4096));
  const auto sum = [&] { return ncclAllReduce(data, data, 16, ncclInt32, ncclSum, r.comm, r.stream); };
  const auto all_to_all = [&] {
    return ncclAlltoAll(data, static_cast<char*>(data) + 2048, 16, ncclInt32, r.comm, r.stream);
  };
  const auto told = [&](const std::function<ncclResult_t()>& call, bool asked) {
    if (asked) busbar::nccl_choice::arm();
    if (call) check(call());
    check(cudaStreamSynchronize(r.stream));
    return as_text(busbar::nccl_choice::take_choice());
  };
  return told(sum, true) + ", " + told(all_to_all, true) + ", " + told({}, true) + ", " + told(sum, false);
}

int run(const std::string& what) {
  Ranks r;
  std::string refused;
  if (what == "choice") refused = busbar::nccl_choice::offer().value_or("");
  MPI_Comm_rank(MPI_COMM_WORLD, &r.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &r.ranks);
  ncclUniqueId id;
  if (r.rank == 0) check(ncclGetUniqueId(&id));
  MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD);
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  config.blocking = what == "not_blocking" ? 0 : 1;
  const auto code = ncclCommInitRankConfig(&r.comm, r.ranks, id, r.rank, &config);
  if (what == "init") {
    std::printf("rank %d: %s\n", r.rank, ncclGetErrorString(code));
    return 0;
  }
  expect((code == ncclInProgress) == (what == "not_blocking"), "a call that does not block is in progress");
  if (code == ncclInProgress)
    wait(r.comm);
  else
    check(code);
  check(cudaStreamCreateWithFlags(&r.stream, cudaStreamNonBlocking));
  if (what == "collectives") collectives(r);
  if (what == "not_blocking") not_blocking(r);
  if (what == "choice") {
    std::printf("rank %d: %s%s%s\n", r.rank, refused.c_str(), refused.empty() ? "" : "; ", choices(r).c_str());
    return 0;
  }
  if (what == "outcomes" || what == "disagree") {
    std::printf("rank %d: %s\n", r.rank, outcomes(r, what == "disagree").c_str());
    return 0;
  }
  check(cudaStreamSynchronize(r.stream));
  if (what == "not_blocking") {
    expect(ncclCommFinalize(r.comm) == ncclInProgress, "finalizing is in progress");
    wait(r.comm);
  }
  check(ncclCommDestroy(r.comm));
  std::printf("rank %d: ok\n", r.rank);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int code = 1;
  try {
    code = run(argc > 1 ? argv[1] : "collectives");
  } catch (const std::exception& error) {
    std::printf("failed: %s\n", error.what());
    std::fflush(stdout);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return code;
}
