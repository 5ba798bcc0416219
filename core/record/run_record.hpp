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
  std::string id;  ///< unlike any other run's: start time and a random part
  /// Id of the record that this launch went on with (--resume); empty: it began one of its own.
  std::optional<std::string> resumes;
  Origin origin = Origin::measured;
  Tool tool;
  std::vector<std::string> argv;              ///< empty where not known
  std::optional<std::string> start_utc;       ///< "2026-01-31T12:00:00Z"
  std::map<std::string, std::string> labels;  ///< the user's own: platform=vm
  int ranks = 0;                              ///< 0: not known, of an imported launch that failed before it said so
  std::optional<int> nodes;
  bool anonymised = false;  ///< names of machines are aliases (core/journal/anonymiser.hpp)
  Method method;
  std::optional<Mpi> mpi;
  std::map<std::string, std::string> libraries;    ///< versions: {"nccl", "2.28.9"}
  std::vector<Host> hosts;                         ///< facts of each host, core/environment/environment.hpp
  std::vector<RankPlace> placement;                ///< a row a rank, in order
  std::map<std::string, std::string> environment;  ///< variables from the allow-list only
  std::optional<Timer> timer;                      ///< of rank 0's clock
  std::optional<ClockFacts> clock;                 ///< how ranks came to one time
  std::vector<Noise> noise;                        ///< a row a rank, in order; empty where not measured
  std::optional<std::string> source;               ///< imported: file it came from
  std::optional<Simulation> simulation;            ///< of a run whose origin is simulated
  std::vector<std::string> notes;  ///< what a reader should know: warnings of the run or of the importer
};

/// Its numbers are a simulation's: never drawn or compared as if they were measured.
[[nodiscard]] inline bool is_simulated(const RunRecord& run) { return run.origin == Origin::simulated; }

/// "8 ranks on 2 nodes"; "8 ranks", "unknown ranks" where no more is known.
[[nodiscard]] std::string scale_text(const RunRecord&);

}  // namespace busbar
