// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Student's t distribution. Above a million degrees of freedom, infinity included, it is the normal distribution, from
/// which a double cannot tell it.
namespace busbar {

/// P(T > t) for `degrees` > 0 of freedom.
[[nodiscard]] double upper_tail(double t, double degrees);

/// The t with P(T > t) = `tail`, 0 < tail < 1, for `degrees` > 0 of freedom.
[[nodiscard]] double upper_quantile(double tail, double degrees);

}  // namespace busbar
