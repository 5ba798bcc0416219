// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

namespace fake_gpu {

/// Whether the fake cuDNN has plans for a kind of graph, and what they compute.
enum class Offer {
  none,     ///< no plan
  right,    ///< "1"
  forward,  ///< of norms: plans forward, none backward
  wrong,    ///< values are 1/16 too large
  nothing,  ///< nothing is written
};

/// The word in an environment variable. An unknown one ends the process, so that a test with a wrong word fails.
inline Offer offer_of(const char* variable) {
  const char* const word = std::getenv(variable);
  const std::string text = word == nullptr ? "" : word;
  if (text.empty()) return Offer::none;
  if (text == "1") return Offer::right;
  if (text == "forward") return Offer::forward;
  if (text == "wrong") return Offer::wrong;
  if (text == "nothing") return Offer::nothing;
  std::fprintf(stderr, "%s: '%s' is not known; 1, forward, wrong, nothing are\n", variable, text.c_str());
  std::_Exit(2);
}

}  // namespace fake_gpu
