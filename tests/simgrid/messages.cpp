// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include <simgrid/s4u.hpp>

/// messages PLATFORM BYTES FROM:TO...: sends that much between each of these pairs of hosts, all at once, in SimGrid,
/// and prints how long each took. Bandwidth and latency of links count as the platform has them: no correction factors,
/// no acknowledgements on the way back, no window of TCP.
namespace {

namespace sg = simgrid::s4u;

void describe(const sg::Engine& engine) {
  std::cout << engine.get_host_count() << " hosts\n";
  std::vector<sg::NetZone*> zones =
      engine.get_netzone_root()->get_children();  // of SimGrid 4; SimGrid 3 has the root alone
  zones.push_back(engine.get_netzone_root());
  for (const auto* zone : zones)
    for (const auto& [key, value] : *zone->get_properties()) std::cout << key << " = " << value << "\n";
}

void send(const std::string& pair, std::uint64_t bytes) {
  const auto colon = pair.find(':');
  auto* from = sg::Host::by_name(pair.substr(0, colon));
  auto* to = sg::Host::by_name(pair.substr(colon + 1));
  std::vector<sg::Link*> links;
  double latency = 0;
  from->route_to(to, links, &latency);
  std::cout << pair << " " << from->get_property("busbar.node") << " to " << to->get_property("busbar.node") << ", "
            << latency << " s:";
  for (const auto* link : links) std::cout << " " << link->get_cname();
  std::cout << "\n";
  sg::Actor::init(pair, from)->start([pair, bytes] {
    static int payload = 0;
    sg::Mailbox::by_name(pair)->put(&payload, bytes);
  });
  sg::Actor::init(pair, to)->start([pair] {
    sg::Mailbox::by_name(pair)->get<int>();
    std::cout << pair << " took " << sg::Engine::get_clock() << " s\n";
  });
}

}  // namespace

int main(int argc, char** argv) {
  sg::Engine engine(&argc, argv);
  for (const char* option : {"network/model:CM02", "network/TCP-gamma:0", "network/crosstraffic:0"})
    sg::Engine::set_config(option);
  if (argc < 3) return 2;
  engine.load_platform(argv[1]);
  std::cout.precision(9);
  describe(engine);
  for (int i = 3; i < argc; ++i) send(argv[i], std::strtoull(argv[2], nullptr, 10));
  engine.run();
}
