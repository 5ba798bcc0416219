// SPDX-License-Identifier: Apache-2.0
#include "core/mpi/communicator.hpp"
#include "core/mpi/group.hpp"

namespace busbar {

std::unique_ptr<Group> split(const Group& group, std::optional<int> colour) {
  auto part = communicator_of(group).split(colour);
  return part ? group_of(std::move(*part), group) : nullptr;
}

}  // namespace busbar
