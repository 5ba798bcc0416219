// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/backend.hpp"

namespace busbar {

/// What every backend that communicates from host memory shares.
class HostBackend : public Backend {
 public:
  [[nodiscard]] std::string_view memory() const override { return "host"; }
  [[nodiscard]] Buffer allocate(std::size_t bytes) override;
  void fill(Bytes to, const Periodic& with) override;
  void poison(Bytes to, DType type) override;
  [[nodiscard]] std::optional<std::size_t> first_difference(ConstBytes in, const Periodic& expected, std::string& found,
                                                            DType type) override;
};

}  // namespace busbar
