// SPDX-License-Identifier: Apache-2.0
#include "workloads/train/replay_worker.hpp"

namespace busbar {
namespace {

class ReplayWorker final : public Worker {
 public:
  ReplayWorker(const Profile& profile, int rank, Pace pace) : compute_(profile, rank, pace) {}
  [[nodiscard]] Compute& compute() override { return compute_; }

 private:
  ReplayCompute compute_;
};

}  // namespace

std::unique_ptr<Worker> make_replay_worker(const Profile& profile, int rank, Pace pace) {
  return std::make_unique<ReplayWorker>(profile, rank, pace);
}

}  // namespace busbar
