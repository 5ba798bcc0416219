// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace busbar {

/// From now on a signal ends the process at once, with one line. SIGINT and SIGTERM: exit code 130; a call under way
/// can take minutes. SIGSEGV, SIGBUS, SIGABRT: exit code 3; some algorithms of SMPI crash. The record keeps the cases
/// that have ended. Call it after the Engine is made, which has handlers of its own.
void end_at_once_on_signals(const std::string& program);

}  // namespace busbar
