// SPDX-License-Identifier: Apache-2.0
// Whether MPI runs the algorithms that busbar requests, on 4 ranks. Each adds floats in an order of its own, so the
// bits of a sum show which one ran. Prints the orders seen; exit code 1 if one is not that of the requested algorithm.
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "core/backend/backend.hpp"
#include "core/backend/collective.hpp"
#include "core/mpi/algorithms.hpp"
#include "core/mpi/group.hpp"
#include "core/mpi_library/algorithms.hpp"
#include "core/record/software.hpp"
#include "reports/explain/tuning.hpp"

namespace {

constexpr int ranks = 4;

/// A value whose sums are rounded.
float value_of(int rank, std::size_t element) {
  const auto mixed = static_cast<std::uint32_t>(element * 2654435761U + static_cast<std::size_t>(rank) * 40503U);
  return 0.1F + static_cast<float>(mixed % 1000003U) / 997.0F;
}

/// Sums of one element over all ranks.
struct Order {
  std::string_view name;
  float (*sum)(std::size_t element, std::size_t count);
};
constexpr Order orders[] = {
    {"linear",
     [](std::size_t i, std::size_t) { return ((value_of(3, i) + value_of(2, i)) + value_of(1, i)) + value_of(0, i); }},
    {"tree",
     [](std::size_t i, std::size_t) { return (value_of(0, i) + value_of(1, i)) + (value_of(2, i) + value_of(3, i)); }},
    {"hosts",  // of two hosts with ranks 0 and 2, 1 and 3
     [](std::size_t i, std::size_t) { return (value_of(0, i) + value_of(2, i)) + (value_of(1, i) + value_of(3, i)); }},
    {"ring",
     [](std::size_t i, std::size_t count) {
       const auto from = static_cast<int>(i / (count / ranks));  // the rank at which this block starts
       float sum = value_of(from, i);
       for (int step = 1; step < ranks; ++step) sum += value_of((from + step) % ranks, i);
       return sum;
     }},
};

std::string_view order_of(const std::vector<float>& sums) {
  for (const Order& order : orders) {
    bool all = true;
    for (std::size_t i = 0; i < sums.size() && all; ++i) all = sums[i] == order.sum(i, sums.size());
    if (all) return order.name;
  }
  return "unknown";
}

struct Expected {
  std::string_view library;
  std::vector<std::pair<std::string, std::string_view>> orders;  ///< of algorithms
};

const Expected& expected_of(std::string_view library) {
  static const std::vector<Expected> all{
      {"Open MPI", {{"basic_linear", "linear"}, {"recursive_doubling", "tree"}, {"ring", "ring"}}},
      {"MPICH", {{"recursive_doubling", "tree"}}},
      {"Intel MPI", {{"preset_1", "tree"}}},
  };
  for (const Expected& one : all)
    if (library.starts_with(one.library)) return one;
  return all.front();
}

/// Components of Open MPI, on two hosts.
const Expected by_components{"Open MPI", {{"han", "hosts"}, {"recursive_doubling", "tree"}}};

/// Sums by `algorithm`, in calls that alternate with those of the others.
std::vector<float> sums(busbar::Backend& backend, int rank, const std::string& algorithm, std::size_t count,
                        bool first) {
  std::vector<float> mine(count), all(count);
  for (std::size_t i = 0; i < count; ++i) mine[i] = value_of(rank, i);
  const busbar::Collective& what = *busbar::try_find<busbar::Collective>("allreduce");
  const busbar::Call call{.rank = rank,
                          .ranks = ranks,
                          .count = count,
                          .send = std::as_bytes(std::span(mine)),
                          .recv = std::as_writable_bytes(std::span(all)),
                          .algorithm = algorithm};
  backend.prepare(what, call);
  if (first) backend.try_out(what, call);
  (backend.*backend.find_call(what.call))(call);
  return all;
}

std::unique_ptr<busbar::Backend> make_backend(busbar::Group& group, const std::vector<std::string>& algorithms) {
  return busbar::try_find<busbar::BackendFactory>("mpi")->make(group, {.algorithms = algorithms});
}

/// Names that differ from those of busbar's table.
int wrong_names(const std::string& library) {
  const busbar::AlgorithmControl& control = *busbar::find_mpi_library(library).algorithms;
  int wrong = 0;
  for (const auto& [call, names] : busbar::algorithms_of_library().second) {
    const auto known = busbar::find_call(control, call)->algorithms;
    for (std::size_t i = 0; i < names.size() && !known.empty(); ++i)
      if (busbar::find_component(control, call, names[i]) == nullptr &&
          (i + 1 >= known.size() || known[i + 1] != names[i])) {
        fmt::print("{}: {} {} is {}, not in busbar's table\n", library, call, i + 1, names[i]);
        ++wrong;
      }
  }
  return wrong;
}

/// `wanted`: null for those of the library.
int probe_requests(int argc, char** argv, const Expected* wanted) {
  constexpr std::string_view calls[] = {"allreduce"};
  const std::vector<std::string> common{"preset_1"};  // of Intel MPI; others get theirs later
  for (const auto& [variable, value] : busbar::variables_for_algorithms(calls, common))
    ::setenv(variable.c_str(), value.c_str(), 1);
  const auto group = busbar::join_mpi(argc, argv);
  if (group->size() != ranks) return 2;
  const std::string library = busbar::algorithms_of_library().first;
  const Expected& expected = wanted != nullptr ? *wanted : expected_of(library);
  std::vector<std::string> names;
  for (const auto& [name, order] : expected.orders) names.push_back(name);
  const auto backend = make_backend(*group, names);
  int wrong = wrong_names(library);
  for (int round = 0; round < 2; ++round)
    for (const auto& [name, order] : expected.orders) {
      const std::string_view seen = order_of(sums(*backend, group->rank(), name, 16384, round == 0));
      if (group->rank() == 0) fmt::print("{}: {} adds in order {}\n", library, name, seen);
      wrong += seen != order;
    }
  return wrong == 0 ? 0 : 1;
}

busbar::CaseKey key_at(std::uint64_t bytes) {
  return {.collective = "allreduce", .backend = "mpi", .bytes = bytes, .ranks = ranks};
}

int write_rules(const char* file) {
  busbar::explain::ComparedAlgorithms all;
  for (const unsigned bytes : {8U, 16384U, 65536U, 131072U}) all.keys.push_back(key_at(bytes));
  all.faster.push_back({.key = key_at(16384), .algorithm = "basic_linear", .interval = {}, .choice = ""});
  all.faster.push_back({.key = key_at(65536), .algorithm = "ring", .interval = {}, .choice = ""});
  const auto tuning = busbar::explain::tuning_of(*busbar::try_find<busbar::MpiLibrary>("Open MPI"), "Open MPI", all);
  std::ofstream(file) << tuning.text;
  return 0;
}

int probe_rules(int argc, char** argv) {
  const auto group = busbar::join_mpi(argc, argv);
  if (group->size() != ranks) return 2;
  const auto backend = make_backend(*group, {});
  int wrong = 0;
  for (const auto& [count, order] : {std::pair<std::size_t, std::string_view>{4096, "linear"}, {16384, "ring"}}) {
    const std::string_view seen = order_of(sums(*backend, group->rank(), "", count, false));
    if (group->rank() == 0) fmt::print("{} elements are added in order {}\n", count, seen);
    wrong += seen != order;
  }
  return wrong == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  if (what == "write" && argc > 2) return write_rules(argv[2]);
  if (what == "read") return probe_rules(argc, argv);
  return probe_requests(argc, argv, what == "components" ? &by_components : nullptr);
}
