// SPDX-License-Identifier: Apache-2.0
/// oneCCL's collectives on host memory.
#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <busbar/backend.h>
#include <oneapi/ccl.hpp>

namespace {

struct Context {
  const busbar_job* job = nullptr;
  std::optional<ccl::communicator> comm;
  std::vector<ccl::event> started;
  std::string problem, version;

  // The prepared call.
  ccl::datatype type = ccl::datatype::int8;
  ccl::reduction op = ccl::reduction::none;
  void (*make)(Context&, const busbar_call&) = nullptr;
  const char* function = nullptr;
};

Context& of(void* context) { return *static_cast<Context*>(context); }

/// Runs `work`, and keeps the text of what it throws. Exceptions must not leave a plug-in.
template <class Work>
int guarded(Context& c, Work work) {
  try {
    work();
    return 0;
  } catch (const std::exception& e) {
    c.problem = e.what();
    return 1;
  }
}

// Start and end

/// oneCCL reads these when it starts. Ranks find each other through busbar, so oneCCL needs neither MPI nor a launcher.
void set_environment(const busbar_job& job) {
  const auto set = [](const char* name, const std::string& value) { setenv(name, value.c_str(), 0); };
  set("CCL_ATL_TRANSPORT", "ofi");
  set("CCL_PROCESS_LAUNCHER", "none");
  set("CCL_LOCAL_RANK", std::to_string(job.local_rank));
  set("CCL_LOCAL_SIZE", std::to_string(job.local_ranks));
  set("CCL_LOG_LEVEL", "error");
}

/// Rank 0 makes the store in which ranks find each other; the others get its address.
ccl::shared_ptr_class<ccl::kvs> make_store(const busbar_job& job) {
  ccl::kvs::address_type address{};
  ccl::shared_ptr_class<ccl::kvs> store;
  if (job.rank == 0) {
    store = ccl::create_main_kvs();
    address = store->get_address();
  }
  std::vector<ccl::kvs::address_type> all(static_cast<std::size_t>(job.ranks));
  if (job.exchange(job.channel, address.data(), sizeof(address), all.data()) != 0)
    throw std::runtime_error("ranks cannot exchange the address of oneCCL's store");
  return job.rank == 0 ? store : ccl::create_kvs(all.front());
}

int open_context(const busbar_job* job, void** context) {
  auto* c = new Context{};
  *context = c;
  c->job = job;
  if (job->number_of_options > 0) {
    c->problem = "it has no options; its own are environment variables: CCL_ALLREDUCE, CCL_WORKER_COUNT, ...";
    return BUSBAR_UNSUPPORTED;
  }
  return guarded(*c, [&] {
    set_environment(*job);
    ccl::init();
    c->version = ccl::get_library_version().full;
    c->comm.emplace(ccl::create_communicator(job->ranks, job->rank, make_store(*job)));
  });
}

void close_context(void* context) { delete static_cast<Context*>(context); }

const char* error_text(void* context, int /*code*/) { return of(context).problem.c_str(); }

// Calls

void add(Context& c, ccl::event event) { c.started.push_back(std::move(event)); }

const std::map<std::string, void (*)(Context&, const busbar_call&)>& makers() {
  static const std::map<std::string, void (*)(Context&, const busbar_call&)> all{
      {"allreduce",
       [](Context& c, const busbar_call& k) {
         add(c, ccl::allreduce(k.send, k.recv, k.count, c.type, c.op, *c.comm));
       }},
      {"allgather",
       [](Context& c, const busbar_call& k) { add(c, ccl::allgather(k.send, k.recv, k.count, c.type, *c.comm)); }},
      {"broadcast",
       [](Context& c, const busbar_call& k) {
         void* from = c.job->rank == k.root ? const_cast<void*>(k.send) : k.recv;
         add(c, ccl::broadcast(from, k.recv, k.count, c.type, k.root, *c.comm));
       }},
      {"reduce_scatter_block",
       [](Context& c, const busbar_call& k) {
         add(c, ccl::reduce_scatter(k.send, k.recv, k.count, c.type, c.op, *c.comm));
       }},
      {"alltoall",
       [](Context& c, const busbar_call& k) { add(c, ccl::alltoall(k.send, k.recv, k.count, c.type, *c.comm)); }},
      {"reduce",
       [](Context& c, const busbar_call& k) {
         add(c, ccl::reduce(k.send, k.recv, k.count, c.type, c.op, k.root, *c.comm));
       }},
      {"barrier", [](Context& c, const busbar_call& /*k*/) { add(c, ccl::barrier(*c.comm)); }},
  };
  return all;
}

// Its send and recv work on GPUs only.
constexpr std::array calls{"allreduce", "allgather", "broadcast", "reduce_scatter_block",
                           "alltoall",  "reduce",    "barrier",   static_cast<const char*>(nullptr)};

const std::map<std::string, ccl::datatype> types{
    {"int8", ccl::datatype::int8},     {"uint8", ccl::datatype::uint8},   {"int32", ccl::datatype::int32},
    {"uint32", ccl::datatype::uint32}, {"int64", ccl::datatype::int64},   {"uint64", ccl::datatype::uint64},
    {"fp16", ccl::datatype::float16},  {"bf16", ccl::datatype::bfloat16}, {"fp32", ccl::datatype::float32},
    {"fp64", ccl::datatype::float64},
};
const std::map<std::string, ccl::reduction> operations{{"sum", ccl::reduction::sum},
                                                       {"prod", ccl::reduction::prod},
                                                       {"min", ccl::reduction::min},
                                                       {"max", ccl::reduction::max}};

int refuse(Context& c, const std::string& why, const char** reason) {
  c.problem = why;
  *reason = c.problem.c_str();
  return BUSBAR_UNSUPPORTED;
}

int prepare(void* context, const busbar_call* call, const char** reason) {
  Context& c = of(context);
  const auto type = types.find(call->type);
  if (call->algorithm != nullptr) return refuse(c, "oneCCL's algorithms are set by CCL_ALLREDUCE, ...", reason);
  if (type == types.end()) return refuse(c, std::string("oneCCL has no ") + call->type, reason);
  c.type = type->second;
  if (call->op != nullptr) {
    const auto op = operations.find(call->op);
    if (op == operations.end()) return refuse(c, std::string("oneCCL has no ") + call->op + " on CPUs", reason);
    c.op = op->second;
  }
  const auto maker = makers().find(call->name);
  c.make = maker->second;
  c.function = maker->first.c_str();
  return 0;
}

int start(void* context, const busbar_call* call) {
  Context& c = of(context);
  return guarded(c, [&] { c.make(c, *call); });
}

int wait_for_all(void* context, double timeout_s) {
  using Clock = std::chrono::steady_clock;
  constexpr int spins = 1000;
  Context& c = of(context);
  const auto end = Clock::now() + std::chrono::duration<double>(timeout_s > 0 ? timeout_s : 1e9);
  return guarded(c, [&] {
    for (ccl::event& event : c.started)
      for (int tries = 0; !event.test(); ++tries) {
        if (tries < spins) continue;
        std::this_thread::yield();  // oneCCL's worker may need this CPU
        if (Clock::now() > end) throw std::runtime_error("no end within " + std::to_string(timeout_s) + " s");
      }
    c.started.clear();
  });
}

const char* fact(void* context, const char* name) {
  return std::strcmp(name, "version") == 0 ? of(context).version.c_str() : nullptr;
}

const char* function_of(void* context) {
  static thread_local std::string name;
  name = std::string("ccl::") + of(context).function;
  return name.c_str();
}

}  // namespace

const busbar_plugin* busbar_backend() {
  static const busbar_plugin plugin = [] {
    busbar_plugin p{};
    p.version = BUSBAR_BACKEND_VERSION;
    p.size = sizeof(busbar_plugin);
    p.library = "oneCCL";
    p.calls = calls.data();
    p.open = open_context;
    p.close = close_context;
    p.error_text = error_text;
    p.prepare = prepare;
    p.start = start;
    p.wait = wait_for_all;
    p.fact = fact;
    p.function = function_of;
    return p;
  }();
  return &plugin;
}
