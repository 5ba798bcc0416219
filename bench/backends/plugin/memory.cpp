// SPDX-License-Identifier: Apache-2.0
#include "bench/backends/plugin/memory.hpp"

#include <new>

namespace busbar {

std::string PluginMemory::place() const {
  const std::string device = context_.fact("device_bus");
  return device.empty() ? std::string(context_.plugin().library()) + "'s memory" : "device " + device;
}

Buffer PluginMemory::allocate(std::size_t bytes) {
  void* memory = nullptr;
  const std::size_t whole = (bytes / page_bytes + 1) * page_bytes;
  if (context_.plugin().table().allocate(context_.handle(), whole, &memory) != 0 || memory == nullptr)
    throw std::bad_alloc();
  Buffer buffer(static_cast<std::byte*>(memory),
                [&context = context_](std::byte* p) { context.plugin().table().release(context.handle(), p); });
  write({buffer.get(), whole}, std::vector<std::byte>(whole));
  return buffer;
}

void PluginMemory::fill(Bytes to, const Periodic& with) {
  std::vector<std::byte> host(to.size());
  host_.fill(host, with);
  write(to, host);
}

void PluginMemory::poison(Bytes to, DType type, std::size_t every, std::size_t from) {
  std::vector<std::byte> host = copy_of(to);
  host_.poison(host, type, every, from);
  write(to, host);
}

std::optional<std::size_t> PluginMemory::first_difference(ConstBytes in, const Periodic& expected, std::string& found,
                                                          DType type, std::size_t every) {
  return host_.first_difference(copy_of(in), expected, found, type, every);
}

void PluginMemory::divide(Bytes values, DType type, int divisor) {
  std::vector<std::byte> host = copy_of(values);
  host_.divide(host, type, divisor);
  write(values, host);
}

std::vector<std::byte> PluginMemory::copy_of(ConstBytes device) const {
  std::vector<std::byte> host(device.size());
  context_.check(context_.plugin().table().read(context_.handle(), host.data(), device.data(), device.size()), "read");
  return host;
}

void PluginMemory::write(Bytes device, ConstBytes host) const {
  context_.check(context_.plugin().table().write(context_.handle(), device.data(), host.data(), host.size()), "write");
}

}  // namespace busbar
