// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace busbar {

/// Removes members that are null or an empty list or map from a line of a journal, where an absent key reads the same.
/// In imported records they are most members, and half of the time to parse them. Other text stays as it is, also if it
/// is no JSON.
void drop_empty_members(std::string& line);

}  // namespace busbar
