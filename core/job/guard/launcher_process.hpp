// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace busbar::guarding {

/// The mpirun on this host that started this rank, itself or by its daemons. It waits for its daemons on other hosts to
/// answer, for minutes where their network is gone; and now and then, when a rank has ended within MPI_Init, it waits
/// for itself for ever (Open MPI 4.1.4 with PMIx 4.2.2, in PMIx_server_finalize). Its job waits with it.
class LauncherProcess {
 public:
  LauncherProcess();
  /// There is one, and it still runs.
  [[nodiscard]] bool running() const;
  [[nodiscard]] const std::string& name() const { return name_; }
  /// Makes its standard error this process's, and nothing where there is no launcher.
  void take_over_stderr() const;
  /// Kills it. Its daemons end when they find it gone.
  void kill() const;

 private:
  int pid_;
  std::string name_;
  std::string started_;  ///< when, by which it is told from a later process of the same number
};

}  // namespace busbar::guarding
