// SPDX-License-Identifier: Apache-2.0
#include "bench/backends/mpi_group.hpp"

#include <array>
#include <cstdio>
#include <numeric>

#include "bench/backends/mpi_check.hpp"

namespace busbar {
namespace {

class MpiGroup final : public Group {
 public:
  MpiGroup(int& argc, char**& argv) {
    int provided = 0;
    mpi_check(MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread");
    mpi_check(MPI_Comm_dup(MPI_COMM_WORLD, &comm_), "MPI_Comm_dup");
    mpi_check(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    mpi_check(MPI_Comm_rank(comm_, &rank_), "MPI_Comm_rank");
    mpi_check(MPI_Comm_size(comm_, &size_), "MPI_Comm_size");
  }
  ~MpiGroup() override {
    MPI_Comm_free(&comm_);
    MPI_Finalize();
  }

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }

  void barrier() override { mpi_check(MPI_Barrier(comm_), "MPI_Barrier"); }

  [[nodiscard]] std::vector<double> all_gather(std::span<const double> mine) override {
    std::vector<double> all(mine.size() * static_cast<std::size_t>(size_));
    const int n = static_cast<int>(mine.size());
    mpi_check(MPI_Allgather(mine.data(), n, MPI_DOUBLE, all.data(), n, MPI_DOUBLE, comm_), "MPI_Allgather");
    return all;
  }

  [[nodiscard]] std::vector<std::string> all_gather(const std::string& mine) override {
    std::vector<int> lengths(static_cast<std::size_t>(size_));
    const int length = static_cast<int>(mine.size());
    mpi_check(MPI_Allgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, comm_), "MPI_Allgather");
    std::vector<int> starts(lengths.size());
    std::exclusive_scan(lengths.begin(), lengths.end(), starts.begin(), 0);
    std::string joined(static_cast<std::size_t>(starts.back() + lengths.back()), '\0');
    mpi_check(
        MPI_Allgatherv(mine.data(), length, MPI_CHAR, joined.data(), lengths.data(), starts.data(), MPI_CHAR, comm_),
        "MPI_Allgatherv");
    std::vector<std::string> all;
    for (std::size_t r = 0; r < lengths.size(); ++r)
      all.push_back(joined.substr(static_cast<std::size_t>(starts[r]), static_cast<std::size_t>(lengths[r])));
    return all;
  }

  [[nodiscard]] std::string broadcast(std::string text, int root) override {
    int length = static_cast<int>(text.size());
    mpi_check(MPI_Bcast(&length, 1, MPI_INT, root, comm_), "MPI_Bcast");
    text.resize(static_cast<std::size_t>(length));
    mpi_check(MPI_Bcast(text.data(), length, MPI_CHAR, root, comm_), "MPI_Bcast");
    return text;
  }

  void max(std::span<double> values) override {
    mpi_check(MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_MAX, comm_),
              "MPI_Allreduce");
  }

 private:
  void do_abort(std::string_view why) noexcept override {
    std::fprintf(stderr, "busbar: rank %d: %.*s\n", rank_, static_cast<int>(why.size()), why.data());
    MPI_Abort(comm_, static_cast<int>(Exit::aborted));
  }

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
};

/// "Open MPI 4.1.4" of "Open MPI v4.1.4, package: Debian OpenMPI, ..."; MPICH's first line or two.
std::string short_library_name(std::string text) {
  text = text.substr(0, text.find_first_of(",\n"));
  if (const auto v = text.find(" v"); v != std::string::npos) text.erase(v + 1, 1);
  for (char& c : text)
    if (c == '\t') c = ' ';
  return text;
}

}  // namespace

std::unique_ptr<Group> join_mpi(int& argc, char**& argv) { return std::make_unique<MpiGroup>(argc, argv); }

Mpi mpi_facts() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> library{};
  int length = 0, version = 0, subversion = 0, level = 0;
  mpi_check(MPI_Get_library_version(library.data(), &length), "MPI_Get_library_version");
  mpi_check(MPI_Get_version(&version, &subversion), "MPI_Get_version");
  mpi_check(MPI_Query_thread(&level), "MPI_Query_thread");
  static constexpr std::array levels{std::pair(MPI_THREAD_SINGLE, "single"), std::pair(MPI_THREAD_FUNNELED, "funneled"),
                                     std::pair(MPI_THREAD_SERIALIZED, "serialized"),
                                     std::pair(MPI_THREAD_MULTIPLE, "multiple")};
  Mpi facts{.library = short_library_name({library.data(), static_cast<std::size_t>(length)}),
            .standard = fmt::format("{}.{}", version, subversion)};
  for (const auto& [value, name] : levels)
    if (value == level) facts.thread_level = name;
  return facts;
}

}  // namespace busbar
