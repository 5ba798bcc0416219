// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/nvml/abi.hpp"

namespace busbar::nvml {

/// Field id of the time of software thermal slowdown, in ns; hardware thermal slowdown and power brake have the next
/// two ids. Empty if the driver lacks these counters or is unknown. The ids changed: 570 has power smoothing settings
/// at 251; nvml.h of CUDA 12.9 and 13.0.39 and nvidia-ml-py 12.575.51 and 13.580.65 have the counters at 251 and power
/// smoothing at 269; nvml.h of CUDA 13.0.87 and later and nvidia-ml-py from 13.580.82 swap them. `driver`: "580.95.05".
[[nodiscard]] std::optional<unsigned> first_thermal_time(std::string_view driver);

/// NVIDIA's management library, opened and initialised at run time, and closed with the object. Its functions are
/// thread-safe, according to the NVML API Reference.
class Library {
 public:
  /// Result of opening: the library, or the reason for failure.
  struct Opened {
    std::shared_ptr<const Library> library;
    std::string problem;  ///< empty on success
  };
  /// `file`: a path, or a name that the dynamic loader searches for. Takes some milliseconds, or far more if the driver
  /// must wake a GPU, so call it only if a GPU was requested.
  [[nodiscard]] static Opened open(const std::string& file = "libnvidia-ml.so.1");

  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  [[nodiscard]] const abi::Calls& calls() const { return calls_; }
  /// "550.54.15"
  [[nodiscard]] std::optional<std::string> driver_version() const;
  /// first_thermal_time() for this driver.
  [[nodiscard]] std::optional<unsigned> thermal_time_fields() const { return thermal_time_fields_; }
  /// GPUs visible to this process; a container may hide some.
  [[nodiscard]] unsigned devices() const;

 private:
  explicit Library(void* loaded);
  [[nodiscard]] std::string start();

  void* loaded_;
  bool started_ = false;
  abi::Calls calls_;
  std::optional<unsigned> thermal_time_fields_;
};

}  // namespace busbar::nvml
