// SPDX-License-Identifier: Apache-2.0
// Compares what the running Open MPI chooses, as choice_watch sees it, with the rules of reports/libraries: all
// collectives, on communicators of 2 ranks to all, from 4 B to 1 MiB (--most). Exit code 77 if the library shows
// nothing.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>
#include <mpi.h>

#include "core/mpi_library/mpi_library.hpp"
#include "reports/libraries/mpi_choice.hpp"

namespace {

using busbar::libraries::MpiCall;

struct Buffers {
  std::vector<float> in, out;
};

struct Tried {
  std::string_view name;   ///< busbar's
  std::string_view calls;  ///< how Open MPI's functions begin
  bool of_blocks;          ///< a call's count is that of one rank's block
  void (*call)(Buffers&, int count, MPI_Comm);
};

std::vector<int> equal_counts(int count, MPI_Comm ranks) {
  int size = 0;
  MPI_Comm_size(ranks, &size);
  return std::vector<int>(static_cast<std::size_t>(size), count);
}

const Tried all_tried[] = {
    {"allreduce", "allreduce_intra_", false,
     [](Buffers& b, int n, MPI_Comm c) { MPI_Allreduce(b.in.data(), b.out.data(), n, MPI_FLOAT, MPI_SUM, c); }},
    {"allgather", "allgather_intra_", true,
     [](Buffers& b, int n, MPI_Comm c) { MPI_Allgather(b.in.data(), n, MPI_FLOAT, b.out.data(), n, MPI_FLOAT, c); }},
    {"reduce_scatter", "reduce_scatter_intra_", true,
     [](Buffers& b, int n, MPI_Comm c) {
       MPI_Reduce_scatter(b.in.data(), b.out.data(), equal_counts(n, c).data(), MPI_FLOAT, MPI_SUM, c);
     }},
    {"reduce_scatter_block", "reduce_scatter_block_", true,
     [](Buffers& b, int n, MPI_Comm c) {
       MPI_Reduce_scatter_block(b.in.data(), b.out.data(), n, MPI_FLOAT, MPI_SUM, c);
     }},
    {"broadcast", "bcast_intra_", false,
     [](Buffers& b, int n, MPI_Comm c) { MPI_Bcast(b.in.data(), n, MPI_FLOAT, 0, c); }},
    {"reduce", "reduce_intra_", false,
     [](Buffers& b, int n, MPI_Comm c) { MPI_Reduce(b.in.data(), b.out.data(), n, MPI_FLOAT, MPI_SUM, 0, c); }},
    {"alltoall", "alltoall_intra_", true,
     [](Buffers& b, int n, MPI_Comm c) { MPI_Alltoall(b.in.data(), n, MPI_FLOAT, b.out.data(), n, MPI_FLOAT, c); }},
    {"gather", "gather_intra_", true,
     [](Buffers& b, int n, MPI_Comm c) { MPI_Gather(b.in.data(), n, MPI_FLOAT, b.out.data(), n, MPI_FLOAT, 0, c); }},
    {"scatter", "scatter_intra_", true,
     [](Buffers& b, int n, MPI_Comm c) { MPI_Scatter(b.in.data(), n, MPI_FLOAT, b.out.data(), n, MPI_FLOAT, 0, c); }},
};

/// Function (after "allreduce_intra_") by the algorithm's name, where they differ.
const std::map<std::string_view, std::string_view> function_names{
    {"recursive_doubling", "recursivedoubling"},
    {"rabenseifner", "redscat_allgather"},
    {"two_proc", "two_procs"},
    {"neighbor", "neighborexchange"},
    {"non-overlapping", "nonoverlapping"},
    {"split_binary_tree", "split_bintree"},
    {"binary_tree", "bintree"},
    {"in-order_binary", "in_order_binary"},
    {"modified_bruck", "bruck"},
};

std::string function_of(const Tried& tried, const std::string& algorithm) {
  if (tried.name == "reduce" && algorithm == "rabenseifner") return "redscat_gather";
  if (algorithm == "recursive_halving")
    return tried.name == "reduce_scatter" ? "basic_recursivehalving" : "recursivehalving";
  if (algorithm == "linear" && tried.name != "allreduce") return "basic_linear";
  const auto other = function_names.find(algorithm);
  return std::string(other == function_names.end() ? algorithm : other->second);
}

/// The functions called since the last time, without those that many algorithms share.
class Seen {
 public:
  explicit Seen(const char* file) : in_(file) {}

  /// The last one that begins like this, without the beginning: an algorithm may have been replaced by another.
  std::optional<std::string> last(std::string_view beginning) {
    std::optional<std::string> found;
    in_.clear();
    for (std::string line; std::getline(in_, line);) {
      if (line == "bcast_intra_generic" || !line.starts_with(beginning)) continue;
      found = line.substr(beginning.size());
      if (found->starts_with("intra_")) found->erase(0, 6);  // reduce_scatter_block_basic_linear has none
    }
    return found;
  }

 private:
  std::ifstream in_;
};

/// Whether Open MPI may have called the expected function behind the one that was seen: from within one file, unseen.
/// Its Rabenseifner reduce calls the linear one for fewer elements than the power of two in the ranks
/// (coll_base_reduce.c); Debian's 5.0.7 does not show that call, 4.1.4 does.
bool may_be_behind(const Tried& tried, std::string_view found, std::string_view expected, int ranks, int count) {
  return tried.name == "reduce" && found == "redscat_gather" && expected == "basic_linear" && count < ranks;
}

struct Counts {
  int compared = 0, unseen = 0, wrong = 0;
};

void compare(const std::string& library, const Tried& tried, int ranks, int count, Seen& seen, Counts& counts) {
  const auto elements = static_cast<std::uint64_t>(tried.of_blocks ? count * ranks : count);
  const auto expected = busbar::libraries::mpi_choice(
      library,
      {.collective = tried.name, .ranks = ranks, .nodes = 1, .bytes = 4 * elements, .element_bytes = sizeof(float)});
  const auto found = seen.last(tried.calls);
  if (!found || !expected) {
    ++counts.unseen;
    return;
  }
  const std::string wanted = function_of(tried, expected->algorithm);
  if (may_be_behind(tried, *found, wanted, ranks, count)) {
    ++counts.unseen;
    return;
  }
  ++counts.compared;
  if (*found == wanted) return;
  ++counts.wrong;
  fmt::print("{} of {} B on {} ranks: by the rules {}, in fact {}\n", tried.name, 4 * elements, ranks,
             expected->algorithm, *found);
}

std::string library_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(text, &length);
  return busbar::mpi_library_name(std::string_view(text, static_cast<std::size_t>(length)));
}

std::vector<int> sizes_up_to(int all) {
  std::vector<int> some;
  for (const int n : {2, 3, 4, 5, 7, 8, 13, 16, 17, 20, 31, 32, 33, 48, 64, 65, 128, 130})
    if (n <= all) some.push_back(n);
  return some;
}

/// Counts of floats around the limits of the rules, which are powers of two in bytes.
std::vector<int> counts_up_to(std::size_t bytes) {
  std::vector<int> some{1};
  for (std::size_t limit = 8; limit <= bytes; limit *= 2) {
    some.push_back(static_cast<int>(limit / 4) - 1);
    some.push_back(static_cast<int>(limit / 4));
  }
  some.erase(std::unique(some.begin(), some.end()), some.end());
  return some;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, all = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  const std::size_t most = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1U << 16U;
  const char* file = std::getenv("BUSBAR_TEST_CHOICES");
  if (file == nullptr) return 2;
  if (rank == 0) std::ofstream{file};
  const std::string library = library_version();
  Seen seen(file);
  Counts counts;
  for (const int ranks : sizes_up_to(all)) {
    MPI_Comm some = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank < ranks ? 0 : MPI_UNDEFINED, rank, &some);
    if (some == MPI_COMM_NULL) continue;
    for (const Tried& tried : all_tried)
      for (const int count : counts_up_to(most)) {
        const auto elements = static_cast<std::size_t>(count) * static_cast<std::size_t>(ranks);
        Buffers buffers{.in = std::vector<float>(elements), .out = std::vector<float>(elements)};
        tried.call(buffers, count, some);
        if (rank == 0) compare(library, tried, ranks, count, seen, counts);
      }
    MPI_Comm_free(&some);
  }
  MPI_Finalize();
  if (rank != 0) return 0;
  fmt::print("{}: {} choices compared, {} wrong, {} not seen\n", library, counts.compared, counts.wrong, counts.unseen);
  if (counts.wrong > 0) return 1;
  return counts.compared == 0 ? 77 : 0;
}
