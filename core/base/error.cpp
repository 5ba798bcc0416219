// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.hpp"

#include <new>

namespace busbar {

Verdict attempt(const std::function<void()>& step) {
  try {
    step();
    return {};
  } catch (const Unsupported& e) {
    return {Severity::skipped, e.what()};
  } catch (const std::bad_alloc&) {
    return {Severity::skipped, "out of memory"};
  } catch (const Error& e) {
    return {Severity::failed, e.what()};
  }
}

}  // namespace busbar
