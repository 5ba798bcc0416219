// SPDX-License-Identifier: Apache-2.0
#include "core/job/program.hpp"

int main(int argc, char** argv) { return busbar::rank_main(argc, argv); }
