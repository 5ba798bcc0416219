// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/build_info.hpp"
#include "core/environment/environment.hpp"
#include "core/machine/noise.hpp"
#include "core/machine/timer.hpp"
#include "core/record/clock_facts.hpp"
#include "core/record/method.hpp"
#include "core/record/rank_place.hpp"
#include "core/record/simulation.hpp"
#include "core/record/software.hpp"
#include "core/record/status.hpp"

namespace busbar {

struct RunRecord {
  int schema = schema_version;
  std::string id;  ///< unique: start time and a random part
  /// Id of the record that this launch resumed (--resume); empty if it started a new one.
  std::optional<std::string> resumes;
  Origin origin = Origin::measured;
  Tool tool;
  std::vector<std::string> argv;              ///< empty if unknown
  std::optional<std::string> start_utc;       ///< "2026-01-31T12:00:00Z"
  std::map<std::string, std::string> labels;  ///< from the user: platform=vm
  int ranks = 0;                              ///< 0: unknown, for an imported launch that failed before printing it
  std::optional<int> nodes;
  bool anonymised = false;  ///< machine names are aliases (core/journal/anonymiser.hpp)
  Method method;
  std::optional<Mpi> mpi;
  std::map<std::string, std::string> libraries;    ///< versions: {"nccl", "2.28.9"}
  std::vector<Host> hosts;                         ///< facts of each host, core/environment/environment.hpp
  std::vector<RankPlace> placement;                ///< one per rank, in order
  std::map<std::string, std::string> environment;  ///< variables on the allow-list only
  std::optional<Timer> timer;                      ///< of rank 0's clock
  std::optional<ClockFacts> clock;                 ///< synchronisation of the ranks' clocks
  std::vector<Noise> noise;                        ///< one per rank, in order; empty if not measured
  std::optional<std::string> source;               ///< imported: its source file
  std::optional<Simulation> simulation;            ///< if origin is simulated
  std::vector<std::string> notes;                  ///< warnings of the run or the importer
};

/// True for simulated numbers, which must not be drawn or compared as if measured.
[[nodiscard]] inline bool is_simulated(const RunRecord& run) { return run.origin == Origin::simulated; }

/// "8 ranks on 2 nodes"; "8 ranks" or "unknown ranks" if that is all that is known.
[[nodiscard]] std::string scale_text(const RunRecord&);

}  // namespace busbar
