// SPDX-License-Identifier: Apache-2.0
#include "core/environment/facts.hpp"

namespace busbar::facts {

std::vector<std::string> hypervisor_signatures() { return {}; }

}  // namespace busbar::facts
