// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/nvml/abi.hpp"

namespace busbar::nvml {

/// Field id of the time of software thermal slowdown, in ns; those of hardware thermal slowdown and of the power brake
/// are the next two. Empty: a driver without these counters, or of which it is not known. The ids moved: 570 has
/// settings of power smoothing at 251; nvml.h of CUDA 12.9 and 13.0.39 and nvidia-ml-py 12.575.51 and 13.580.65 have
/// the counters at 251 and power smoothing at 269; nvml.h of CUDA 13.0.87 and later and nvidia-ml-py from 13.580.82
/// have them the other way round. `driver`: "580.95.05".
[[nodiscard]] std::optional<unsigned> first_thermal_time(std::string_view driver);

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
  /// first_thermal_time() of this driver.
  [[nodiscard]] std::optional<unsigned> thermal_time_fields() const { return thermal_time_fields_; }
  /// GPUs that this process may ask about; a container may show fewer than there are.
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
