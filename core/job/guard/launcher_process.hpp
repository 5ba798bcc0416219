// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace busbar::guarding {

/// The mpirun on this host that started this rank, directly or through daemons. mpirun may wait minutes for daemons
/// whose network is gone. Sometimes it waits for itself for ever after a rank has ended within MPI_Init (Open MPI 4.1.4
/// with PMIx 4.2.2, in PMIx_server_finalize). The job then waits too.
class LauncherProcess {
 public:
  LauncherProcess();
  /// True if a launcher was found and still runs.
  [[nodiscard]] bool running() const;
  [[nodiscard]] const std::string& name() const { return name_; }
  /// Redirects this process's standard error to the launcher's, or to /dev/null if there is none.
  void take_over_stderr() const;
  /// Kills it. Its daemons end when they notice.
  void kill() const;

 private:
  int pid_;
  std::string name_;
  std::string started_;  ///< start time, to recognise a reused process number
};

}  // namespace busbar::guarding
