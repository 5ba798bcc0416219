// SPDX-License-Identifier: Apache-2.0
// The module "cudnn", loaded by busbar-train for --compute cudnn.
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include <dlfcn.h>
#include <fmt/core.h>

#include "core/cuda/device_memory.hpp"
#include "core/nccl/communicator.hpp"
#include "core/nccl/types.hpp"
#include "workloads/compute/cudnn/trainee.hpp"
#include "workloads/train/gpu_training.hpp"

namespace busbar::gpu {
namespace {

struct DeviceMemory {
  std::size_t free = 0, all = 0;
};
DeviceMemory device_memory() {
  DeviceMemory m;
  cuda::check(cudaMemGetInfo(&m.free, &m.all), "cudaMemGetInfo");
  return m;
}

/// Formats 91900 as "9.19.0".
std::string version_text(std::size_t v) { return fmt::format("{}.{}.{}", v / 10000, v % 10000 / 100, v % 100); }

BackendFacts with_libraries(const cuda::Device& device) {
  BackendFacts facts = cuda::facts_of(device);
  facts.libraries["nccl"] = to_string(nccl_version());
  facts.libraries["cudnn"] = version_text(cudnnGetVersion());
  facts.libraries["cublaslt"] = version_text(cublasLtGetVersion());
  return facts;
}

/// cuDNN opens CUDA's runtime compiler by name; if that fails, plans compiled at run time are silently missing. CUDA's
/// folder is often not on the loader's path, so this opens the compiler first, from cuBLASLt's folder. Returns a note
/// for the report if that fails.
std::optional<std::string> open_runtime_compiler() {
  const std::string name = fmt::format("libnvrtc.so.{}", CUDART_VERSION / 1000);
  Dl_info cublas{};
  const bool known = ::dladdr(reinterpret_cast<const void*>(&cublasLtGetVersion), &cublas) != 0;
  const auto beside = std::filesystem::path(known ? cublas.dli_fname : "").parent_path() / name;
  if (::dlopen(name.c_str(), RTLD_NOW) != nullptr || ::dlopen(beside.c_str(), RTLD_NOW) != nullptr) return std::nullopt;
  return fmt::format("no {} on the loader's path or in {}: cuDNN's plans that are compiled at run time are missing",
                     name, beside.parent_path().string());
}

class Training final : public GpuTraining {
 public:
  Training(Group& group, const GpuTrainingSetup& setup)
      : setup_(setup), rank_(group.rank()), device_(cuda::choose_device(group, setup.share)) {
    const auto devices = group.all_gather(device_.uuid), names = group.all_gather(device_.name);
    on_device_ = static_cast<int>(std::ranges::count(devices, device_.uuid));
    if (device_.shared) let_ranks_share_a_gpu(rank_);
    computed_on_ = names.front();
    facts_ = with_libraries(device_);
    const std::set<std::string> kinds(names.begin(), names.end());
    if (kinds.size() > 1) facts_.notes.push_back(fmt::format("ranks have {} kinds of GPUs", kinds.size()));
    if (auto note = open_runtime_compiler()) facts_.notes.push_back(*std::move(note));
    before_bytes_ = device_memory().all - device_memory().free;
  }

  [[nodiscard]] const std::string& computed_on() const override { return computed_on_; }
  [[nodiscard]] const BackendFacts& facts() const override { return facts_; }

  void require_memory(const std::vector<TrainCase>& plan, int rank) const override {
    std::set<int> batches;
    for (const TrainCase& c : plan)
      for (const auto& job : c.jobs)
        if (std::ranges::find(job, rank) != job.end()) batches.insert(c.batch);
    double bytes = 0;
    for (const int batch : batches) bytes += bytes_to_train(*setup_.network, engine_setup(batch));
    bytes *= on_device_;
    if (const auto free = static_cast<double>(device_memory().free); bytes > free)
      throw UsageError(fmt::format("--batch: rank {} needs about {:.1f} GB on its GPU ({}{}); {:.1f} GB are free", rank,
                                   bytes * 1e-9, device_.name,
                                   on_device_ > 1 ? fmt::format(", {} ranks", on_device_) : "", free * 1e-9));
  }

  [[nodiscard]] std::unique_ptr<Trainee> make(const TrainCase& plan, std::unique_ptr<Group> team) override {
    require_engines(*team, plan.batch);
    return make_trainee(engines_.at(plan.batch), std::move(team),
                        {.fusion = setup_.fusion,
                         .overlap = plan.key.training->overlap == "stream",
                         .graphs = setup_.graphs,
                         .time_layers = setup_.time_layers,
                         .timeout_s = setup_.timeout_s,
                         .before_bytes = before_bytes_});
  }

 private:
  [[nodiscard]] EngineSetup engine_setup(int batch) const {
    return {.batch = batch,
            .precision = setup_.precision,
            .wire = setup_.wire,
            .rule = setup_.rule,
            .seed = setup_.seed,
            .rank = rank_,
            .norm = setup_.norm};
  }

  /// Creates the engine on all ranks of the team or on none, since later steps are collective. A rank that fails throws
  /// its own reason; the others throw Unsupported, which agree() ranks lower. Collective over `team`.
  void require_engines(Group& team, int batch) {
    auto& engine = engines_[batch];
    const Verdict mine = attempt([&] {
      if (!engine) engine = std::make_shared<NetworkEngine>(*setup_.network, engine_setup(batch));
    });
    const Verdict all = agree(team, mine);
    if (!mine.ok()) throw Error(mine.reason);
    if (!all.ok()) throw Unsupported(all.reason);
  }

  const GpuTrainingSetup setup_;
  const int rank_;
  const cuda::Device device_;
  int on_device_ = 1;  ///< number of ranks on this GPU
  std::string computed_on_;
  BackendFacts facts_;
  std::uint64_t before_bytes_ = 0;
  std::map<int, std::shared_ptr<NetworkEngine>> engines_;  ///< keyed by batch size
};

std::unique_ptr<GpuTraining> make(Group& group, const GpuTrainingSetup& setup) {
  return std::make_unique<Training>(group, setup);
}

}  // namespace
}  // namespace busbar::gpu

extern "C" {
[[gnu::visibility("default")]] extern const busbar::GpuTrainingMaker busbar_gpu_training;
const busbar::GpuTrainingMaker busbar_gpu_training{.make = busbar::gpu::make};
}
