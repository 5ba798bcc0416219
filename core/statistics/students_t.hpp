// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Student's t distribution. Above a million degrees of freedom, including infinity, it uses the normal distribution,
/// which is the same in double precision.
namespace busbar {

/// P(T > t), `degrees` > 0.
[[nodiscard]] double upper_tail(double t, double degrees);

/// The t with P(T > t) = `tail`, 0 < tail < 1, `degrees` > 0.
[[nodiscard]] double upper_quantile(double tail, double degrees);

}  // namespace busbar
