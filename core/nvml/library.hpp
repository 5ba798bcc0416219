// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "core/nvml/abi.hpp"

namespace busbar::nvml {

/// NVIDIA's management library, opened at run time and initialised; closed with the object. Its functions may be called
/// from several threads at once, as the NVML API Reference says.
class Library {
 public:
  /// What opening came to: the library, or why there is none.
  struct Opened {
    std::shared_ptr<const Library> library;
    std::string problem;  ///< empty where there is a library
  };
  /// `file`: a path, or a name that the dynamic loader looks for. Takes some milliseconds, or far more where the driver
  /// has to wake a GPU: not for programs that were asked for no GPU.
  [[nodiscard]] static Opened open(const std::string& file = "libnvidia-ml.so.1");

  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  [[nodiscard]] const abi::Calls& calls() const { return calls_; }
  /// "550.54.15"
  [[nodiscard]] std::optional<std::string> driver_version() const;
  /// GPUs that this process may ask about; a container may show fewer than there are.
  [[nodiscard]] unsigned devices() const;

 private:
  explicit Library(void* loaded);
  [[nodiscard]] std::string start();

  void* loaded_;
  bool started_ = false;
  abi::Calls calls_;
};

}  // namespace busbar::nvml
