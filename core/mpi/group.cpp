// SPDX-License-Identifier: Apache-2.0
#include "core/mpi/group.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <thread>

#include <dlfcn.h>
#include <fmt/core.h>

#include "core/environment/environment.hpp"
#include "core/files/kernel_files.hpp"
#include "core/mpi/check.hpp"
#include "core/mpi/communicator.hpp"
#include "core/mpi/messages.hpp"
#include "core/mpi_library/mpi_library.hpp"
#include "core/ranks/launcher.hpp"
#include "core/record/software.hpp"

namespace busbar {
namespace {

constexpr std::string_view asked_by_busbar = "busbar: more ranks than CPUs";

/// Value of a variable when this process was started, even if it has changed since.
std::optional<std::string> started_with(std::string_view name) {
  const std::string variables = facts::read_text("/proc/self/environ").value_or("");
  for (const std::string_view variable : facts::split(variables, '\0'))
    if (variable.starts_with(name) && variable.substr(name.size()).starts_with('='))
      return std::string(variable.substr(name.size() + 1));
  return std::nullopt;
}

/// The library's version text, before or after MPI_Init.
std::string said_by_library() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  mpi_check(MPI_Get_library_version(text.data(), &length), "MPI_Get_library_version");
  return {text.data(), static_cast<std::size_t>(length)};
}

/// Null if the table lacks it.
const MpiLibrary* linked_library() {
  const auto known = parse_mpi_version(said_by_library());
  return known ? known->library : nullptr;
}

/// mpirun passes on the user's environment, or sets variables from --mca. It counts slots, not CPUs; a hostfile or
/// --host can claim more slots than there are CPUs.
std::string_view who_asked_to_yield(const MpiLibrary& library) {
  if (started_with(library.yield.front().variable)) return "the user";
  if (library.yield_by_launcher != nullptr && started_with(library.yield_by_launcher) == "1")
    return "mpirun: more ranks than slots";
  const auto ranks = local_launch_size(), cpus = cpus_of_job(), bound_to = cpus_of_ranks();
  const bool too_many = ranks && ((cpus && *ranks > *cpus) || (bound_to && *ranks > *bound_to));
  return too_many ? asked_by_busbar : "nobody";
}

/// Requests yielding if there are more ranks than CPUs and nobody decided otherwise.
void ask_to_yield() {
  const MpiLibrary* library = linked_library();
  if (library == nullptr || who_asked_to_yield(*library) != asked_by_busbar) return;
  for (const auto& [variable, value] : library->yield) ::setenv(variable, value, 0);
}

/// Reads the setting through MPI's tool interface (MPI 3.1, chapter 14); empty if the library lacks it.
std::optional<bool> ask_tool_interface(const MpiLibrary& library) {
  int provided = 0, index = 0, count = 0;
  mpi_check(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided), "MPI_T_init_thread");
  std::optional<bool> yields;
  MPI_T_cvar_handle handle = nullptr;
  if (MPI_T_cvar_get_index(library.yield_control, &index) == MPI_SUCCESS &&
      MPI_T_cvar_handle_alloc(index, nullptr, &handle, &count) == MPI_SUCCESS) {
    std::array<unsigned char, 64> value{};  // a bool in Open MPI 4, previously an int
    if (count == 1 && MPI_T_cvar_read(handle, value.data()) == MPI_SUCCESS)
      yields = std::ranges::any_of(value, [](auto byte) { return byte != 0; });
    MPI_T_cvar_handle_free(&handle);
  }
  MPI_T_finalize();
  return yields;
}

/// True if the library yields. Requires MPI_Init.
std::optional<bool> library_yields(const MpiLibrary& library) {
  const void* flag = library.yield_flag != nullptr ? ::dlsym(RTLD_DEFAULT, library.yield_flag) : nullptr;
  if (flag != nullptr) return *static_cast<const unsigned char*>(flag) != 0;
  return ask_tool_interface(library);
}

/// Calls MPI_Init and MPI_Finalize.
class Session {
 public:
  Session(int& argc, char**& argv, Threading threading) {
    ask_to_yield();
    const int wanted = threading == Threading::single ? MPI_THREAD_SINGLE : MPI_THREAD_SERIALIZED;
    int provided = 0;
    mpi_check(MPI_Init_thread(&argc, &argv, wanted, &provided), "MPI_Init_thread");
    offers_ = provided >= wanted;
  }
  ~Session() { MPI_Finalize(); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  [[nodiscard]] bool offers() const { return offers_; }

 private:
  bool offers_ = false;
};

/// In every collective method each rank sends and receives equally many messages of the same sizes: none has a root.
/// With Open MPI 4.1 over shared memory, one extra message in one direction slows down a later 8-byte allreduce of two
/// ranks: by 10 % in a fast machine state, by 100 % in a slow one. Even one MPI_Bcast before the loop does. The control
/// plane must not disturb measurements like that; scripts/compare-bare-loop checks it. Of the library's collectives it
/// uses only barriers, which carry no data.
class MpiGroup final : public Group {
 public:
  MpiGroup(std::unique_ptr<Session> session, Communicator communicator, LastWords last_words)
      : session_(std::move(session)),
        last_words_(std::move(last_words)),
        communicator_(std::move(communicator)),
        comm_(communicator_.handle()),
        messages_(comm_),
        rank_(communicator_.rank()),
        size_(communicator_.size()) {}

  [[nodiscard]] const Communicator& communicator() const { return communicator_; }
  [[nodiscard]] const LastWords& last_words() const { return last_words_; }
  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }

  void barrier() override { mpi_check(MPI_Barrier(comm_), "MPI_Barrier"); }

  void barrier_asleep() override {
    MPI_Request request = MPI_REQUEST_NULL;
    mpi_check(MPI_Ibarrier(comm_, &request), "MPI_Ibarrier");
    auto nap = std::chrono::milliseconds(1);  // grows, because each check costs about 30 us of a core
    for (int done = 0; done == 0;) {
      mpi_check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
      if (done != 0) break;
      std::this_thread::sleep_for(nap);
      nap = std::min(2 * nap, std::chrono::milliseconds(10));
    }
  }

  void sleep_in_waits(bool sleeps) override { messages_.sleep_in_waits(sleeps); }

  using Group::all_gather;
  [[nodiscard]] std::vector<double> all_gather(std::span<const double> mine) override {
    const auto bytes = messages_.all_gather(std::as_bytes(mine));
    std::vector<double> all(mine.size() * static_cast<std::size_t>(size_));
    std::ranges::copy(bytes, std::as_writable_bytes(std::span(all)).begin());
    return all;
  }

  [[nodiscard]] std::vector<std::string> all_gather(const std::string& mine) override {
    const auto lengths = all_gather(static_cast<double>(mine.size()));
    const auto longest = static_cast<std::size_t>(*std::ranges::max_element(lengths));
    std::string padded = mine;
    padded.resize(longest);
    const auto joined = messages_.all_gather(std::as_bytes(std::span(padded)));
    std::vector<std::string> all;
    for (std::size_t r = 0; r < lengths.size(); ++r)
      all.emplace_back(reinterpret_cast<const char*>(joined.data() + r * longest),
                       static_cast<std::size_t>(lengths[r]));
    return all;
  }

  [[nodiscard]] std::string broadcast(std::string text, int root) override {
    const auto length =
        static_cast<std::size_t>(all_gather(static_cast<double>(text.size()))[static_cast<std::size_t>(root)]);
    std::string bits = rank_ == root ? std::move(text) : std::string(length, '\0');
    messages_.bit_or(std::as_writable_bytes(std::span(bits)));
    return bits;
  }

  void max(std::span<double> values) override { messages_.max(values); }

  void send(int to, double value) override { mpi_check(MPI_Send(&value, 1, MPI_DOUBLE, to, 0, comm_), "MPI_Send"); }
  [[nodiscard]] double receive(int from) override {
    double value = 0;
    mpi_check(MPI_Recv(&value, 1, MPI_DOUBLE, from, 0, comm_, MPI_STATUS_IGNORE), "MPI_Recv");
    return value;
  }

 private:
  void do_abort(std::string_view why) noexcept override {
    if (last_words_)
      last_words_(why);
    else
      std::fprintf(stderr, "busbar: rank %d: %.*s\n", rank_, static_cast<int>(why.size()), why.data());
    MPI_Abort(MPI_COMM_WORLD, static_cast<int>(Exit::aborted));
  }

  std::unique_ptr<Session> session_;  // null for a part of the job
  LastWords last_words_;
  Communicator communicator_;
  MPI_Comm comm_;
  Messages messages_;
  int rank_, size_;
};

}  // namespace

std::unique_ptr<Group> join_mpi(int& argc, char**& argv, Threading threading, LastWords last_words) {
  auto session = std::make_unique<Session>(argc, argv, threading);
  if (!session->offers())
    throw UsageError("this MPI lets one thread of a process call it; --overlap thread and --gpus-per-rank need more");
  return std::make_unique<MpiGroup>(std::move(session), Communicator::world(), std::move(last_words));
}

std::unique_ptr<Group> group_of(Communicator communicator, const Group& job) {
  return std::make_unique<MpiGroup>(nullptr, std::move(communicator), dynamic_cast<const MpiGroup&>(job).last_words());
}

Communicator communicator_of(const Group& group) {
  return dynamic_cast<const MpiGroup&>(group).communicator().duplicate();
}

static Yielding ask_about_yielding() {
  const MpiLibrary* library = linked_library();
  if (library == nullptr) return {.yields = {}, .asked_by = "nobody"};
  return {.yields = library_yields(*library), .asked_by = std::string(who_asked_to_yield(*library))};
}

Yielding yielding() {
  static const Yielding once = ask_about_yielding();  // MPI's tool interface is for one thread at a time
  return once;
}

Mpi mpi_facts() {
  int version = 0, subversion = 0, level = 0;
  mpi_check(MPI_Get_version(&version, &subversion), "MPI_Get_version");
  mpi_check(MPI_Query_thread(&level), "MPI_Query_thread");
  static constexpr std::array levels{std::pair(MPI_THREAD_SINGLE, "single"), std::pair(MPI_THREAD_FUNNELED, "funneled"),
                                     std::pair(MPI_THREAD_SERIALIZED, "serialized"),
                                     std::pair(MPI_THREAD_MULTIPLE, "multiple")};
  Mpi facts{.library = mpi_library_name(said_by_library()), .standard = fmt::format("{}.{}", version, subversion)};
  for (const auto& [value, name] : levels)
    if (value == level) facts.thread_level = name;
  return facts;
}

}  // namespace busbar
