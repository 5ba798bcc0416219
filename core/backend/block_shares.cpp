// SPDX-License-Identifier: Apache-2.0
#include "core/backend/block_shares.hpp"

namespace busbar {

BlockShares::BlockShares(std::string name, const std::vector<std::vector<Weight>>& rows)
    : name_(std::move(name)), ranks_(static_cast<int>(rows.at(0).size())) {
  for (const auto& row : rows) {
    Weight sum = 0;
    sums_.push_back(sum);
    for (const Weight weight : row) sums_.push_back(sum += weight);
  }
}

std::span<const BlockShares::Weight> BlockShares::sums_of(int sender) const {
  const auto width = static_cast<std::size_t>(ranks_) + 1;
  const bool alike = sums_.size() == width;
  return std::span(sums_).subspan(alike ? 0 : static_cast<std::size_t>(sender) * width, width);
}

std::size_t BlockShares::start(int sender, int rank, std::size_t total) const {
  __extension__ using Wide = unsigned __int128;
  const auto sums = sums_of(sender);
  return static_cast<std::size_t>(static_cast<Wide>(total) * sums[static_cast<std::size_t>(rank)] / sums.back());
}

std::size_t BlockShares::received_before(int sender, int rank, std::size_t total) const {
  std::size_t elements = 0;
  for (int s = 0; s < sender; ++s) elements += count(s, rank, total);
  return elements;
}

}  // namespace busbar
