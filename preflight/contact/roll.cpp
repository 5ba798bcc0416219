// SPDX-License-Identifier: Apache-2.0
#include "preflight/contact/roll.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <optional>
#include <thread>

#include <fmt/core.h>

#include "core/machine/local_clock.hpp"
#include "core/mpi/check.hpp"

namespace busbar::preflight {
namespace {

enum Tag : int { word = 1, swapped_word = 2, first_report = 3 };

int as_int(std::size_t n) {
  if (n > 1'000'000'000) throw Error("a message between ranks exceeds 1 GB");
  return static_cast<int>(n);
}

bool done(MPI_Request& request) {
  int flag = 0;
  mpi_check(MPI_Test(&request, &flag, MPI_STATUS_IGNORE), "MPI_Test");
  return flag != 0;
}

/// A message that can be received.
struct Arrival {
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Status status{};
};
bool has_come(int source, int tag, Arrival& arrival) {
  int flag = 0;
  mpi_check(MPI_Improbe(source, tag, MPI_COMM_WORLD, &flag, &arrival.message, &arrival.status), "MPI_Improbe");
  return flag != 0;
}

/// Polls `finished`, first busily, then with growing sleeps, since ranks may share a CPU. False if `over` came first.
bool poll(const std::function<bool()>& finished, const std::function<bool()>& over) {
  auto nap = std::chrono::microseconds(0);
  for (int looks = 0; !finished(); ++looks) {
    if (over()) return false;
    if (looks < 100)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(nap = std::min(nap + std::chrono::microseconds(20), std::chrono::microseconds(2000)));
  }
  return true;
}

/// Waits without limit; the alarm ends this process.
void wait_for_rank_0(const std::function<bool()>& finished) {
  (void)poll(finished, [] { return false; });
}

}  // namespace

Roll::Roll(int& argc, char**& argv, Alarm& alarm) : alarm_(alarm) {
  alarm_.at("in MPI_Init");
  mpi_check(MPI_Init(&argc, &argv), "MPI_Init");
  mpi_check(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  mpi_check(MPI_Comm_rank(MPI_COMM_WORLD, &rank_), "MPI_Comm_rank");
  mpi_check(MPI_Comm_size(MPI_COMM_WORLD, &size_), "MPI_Comm_size");
}

Roll::~Roll() { MPI_Finalize(); }

bool Roll::wait(const std::function<bool()>& finished) {
  return poll(finished, [&] { return alarm_.over(); });
}

std::string Roll::receive_text(MPI_Message message, MPI_Status status) {
  int count = 0;
  mpi_check(MPI_Get_count(&status, MPI_CHAR, &count), "MPI_Get_count");
  std::string text(static_cast<std::size_t>(count), '\0');
  MPI_Request request = MPI_REQUEST_NULL;
  mpi_check(MPI_Imrecv(text.data(), count, MPI_CHAR, &message, &request), "MPI_Imrecv");
  if (!wait([&] { return done(request); })) throw Silence({status.MPI_SOURCE});
  return text;
}

std::vector<std::string> Roll::gather(const std::string& mine) {
  const int report = first_report + gathered_++;  // a faster rank may already send its next report
  if (rank_ != 0) {
    MPI_Request request = MPI_REQUEST_NULL;
    mpi_check(MPI_Isend(mine.data(), as_int(mine.size()), MPI_CHAR, 0, report, MPI_COMM_WORLD, &request), "MPI_Isend");
    wait_for_rank_0([&] { return done(request); });
    return {};
  }
  std::vector<std::optional<std::string>> got(static_cast<std::size_t>(size_));
  got[0] = mine;
  for (int left = size_ - 1; left > 0; --left) {
    Arrival arrival;
    if (!wait([&] { return has_come(MPI_ANY_SOURCE, report, arrival); })) break;
    got[static_cast<std::size_t>(arrival.status.MPI_SOURCE)] = receive_text(arrival.message, arrival.status);
  }
  std::vector<int> silent;
  std::vector<std::string> all;
  for (std::size_t r = 0; r < got.size(); ++r) {
    if (!got[r]) silent.push_back(static_cast<int>(r));
    all.push_back(got[r].value_or(""));
  }
  if (!silent.empty()) throw Silence(silent);
  return all;
}

std::string Roll::tell(const std::string& text) {
  if (rank_ != 0) {
    Arrival arrival;
    wait_for_rank_0([&] { return has_come(0, word, arrival); });
    return receive_text(arrival.message, arrival.status);
  }
  std::vector<MPI_Request> requests(static_cast<std::size_t>(size_), MPI_REQUEST_NULL);
  for (int r = 1; r < size_; ++r)
    mpi_check(MPI_Isend(text.data(), as_int(text.size()), MPI_CHAR, r, word, MPI_COMM_WORLD,
                        &requests[static_cast<std::size_t>(r)]),
              "MPI_Isend");
  std::vector<int> silent;
  (void)wait([&] {
    silent.clear();
    for (int r = 1; r < size_; ++r)
      if (!done(requests[static_cast<std::size_t>(r)])) silent.push_back(r);
    return silent.empty();
  });
  if (!silent.empty()) throw Silence(silent);
  return text;
}

std::optional<std::vector<std::byte>> Roll::swap(int other, std::span<const std::byte> send, double limit_s) {
  // MPI may still write to these after the limit, so they are leaked then.
  auto out = std::make_unique<std::vector<std::byte>>(send.begin(), send.end());
  auto in = std::make_unique<std::vector<std::byte>>(send.size());
  MPI_Request requests[2];
  mpi_check(MPI_Irecv(in->data(), as_int(in->size()), MPI_BYTE, other, swapped_word, MPI_COMM_WORLD, &requests[0]),
            "MPI_Irecv");
  mpi_check(MPI_Isend(out->data(), as_int(out->size()), MPI_BYTE, other, swapped_word, MPI_COMM_WORLD, &requests[1]),
            "MPI_Isend");
  const std::int64_t began = steady_ns();
  const auto finished = [&] {
    int flag = 0;
    mpi_check(MPI_Testall(2, requests, &flag, MPI_STATUSES_IGNORE), "MPI_Testall");
    return flag != 0;
  };
  if (poll(finished, [&] { return seconds_since(began) > limit_s; })) return std::move(*in);
  (void)out.release();
  (void)in.release();
  return std::nullopt;
}

void Roll::end_job(int code) {
  MPI_Abort(MPI_COMM_WORLD, code);
  std::_Exit(code);
}

}  // namespace busbar::preflight
