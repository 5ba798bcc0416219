// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "core/base/error.hpp"

namespace busbar::test {

/// The message of the error of this kind that `call` throws, or "no error".
template <class Thrown = UsageError, class Call>
std::string catch_error(Call call) {
  try {
    call();
  } catch (const Thrown& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace busbar::test
