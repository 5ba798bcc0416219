// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace busbar {

/// True for a model of tf_cnn_benchmarks (models/model_config.py), torchvision.models or keras.applications, where the
/// benchmarks look the name up. Another name is a user's own, or torn.
[[nodiscard]] bool is_known_model(std::string_view lower_case_name);

}  // namespace busbar
