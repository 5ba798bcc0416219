// SPDX-License-Identifier: Apache-2.0
#include "core/simulation/memory.hpp"

#include <algorithm>
#include <functional>
#include <new>

#include <smpi/smpi.h>

#include "core/machine/host_memory.hpp"

namespace busbar {
namespace {

/// A rank's view of the shared pages. Buffers of one rank never overlap.
class SharedMemory final : public HostMemory {
 public:
  explicit SharedMemory(SharedPages& pages) : pages_(pages) {}
  [[nodiscard]] std::string place() const override { return "the simulated host"; }
  [[nodiscard]] std::optional<std::uint64_t> available() const override { return std::nullopt; }
  [[nodiscard]] bool directly_accessible() const override { return false; }
  [[nodiscard]] Buffer allocate(std::size_t bytes) override {
    taken_.push_back(pages_.find((bytes / page_bytes + 1) * page_bytes, taken_));
    return {taken_.back(), [this](std::byte* p) { std::erase(taken_, p); }};
  }
  void fill(Bytes /*to*/, const Periodic& /*with*/) override {}
  void poison(Bytes /*to*/, DType /*type*/, std::size_t /*every*/, std::size_t /*from*/) override {}
  void divide(Bytes /*values*/, DType /*type*/, int /*divisor*/) override {}

 private:
  SharedPages& pages_;
  std::vector<std::byte*> taken_;
};

/// SMPI copies what a message carries to where an algorithm keeps things aside, unless an end of it is a shared page.
/// Copies only what SMPI itself needs, such as the colours of MPI_Comm_split: numbers and pointers, one a message. With
/// no bytes to copy SMPI's function frees what it kept of the message.
void copy_short_message(simgrid::kernel::activity::ActivityImpl* message, void* from, std::size_t bytes) {
  constexpr std::size_t most_of_smpis_own = 64;
  auto* const same = reinterpret_cast<simgrid::kernel::activity::CommImpl*>(message);  // its first base
  smpi_comm_copy_buffer_callback(same, from, bytes <= most_of_smpis_own ? bytes : 0);
}

}  // namespace

bool SharedPages::has(const void* address) const {
  const auto* const at = static_cast<const std::byte*>(address);
  return std::ranges::any_of(stretches_, [at](const Stretch& s) {
    return std::greater_equal<>()(at, s.begin) && std::less<>()(at, s.begin + s.bytes);
  });
}

void SharedPages::clear() {
  for (const Stretch& s : stretches_) SMPI_SHARED_FREE(s.begin);
  stretches_.clear();
}

std::byte* SharedPages::find(std::size_t bytes, const std::vector<std::byte*>& taken) {
  for (const Stretch& s : stretches_)
    if (s.bytes >= bytes && std::ranges::find(taken, s.begin) == taken.end()) return s.begin;
  auto* begin = static_cast<std::byte*>(SMPI_SHARED_MALLOC(bytes));
  if (begin == nullptr) throw std::bad_alloc();
  stretches_.push_back({.begin = begin, .bytes = bytes});
  return begin;
}

std::unique_ptr<MemorySpace> simulated_memory(bool with_data, SharedPages& pages) {
  if (with_data) return std::make_unique<HostMemory>();
  smpi_comm_set_copy_data_callback(copy_short_message);
  return std::make_unique<SharedMemory>(pages);
}

}  // namespace busbar
