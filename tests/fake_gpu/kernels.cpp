// SPDX-License-Identifier: Apache-2.0
#include "kernels.hpp"

#include <cstdio>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>

#include <cuda_runtime_api.h>
#include <cxxabi.h>
#include <dlfcn.h>
#include <stdlib.h>

#include "runtime.hpp"

namespace fake_gpu {
namespace {

struct Functions {
  std::mutex mutex;
  std::map<const void*, Function> of;
};

Functions& functions() {
  static auto* const all = new Functions;
  return *all;
}

std::string demangle(const char* name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&free)> text(abi::__cxa_demangle(name, nullptr, nullptr, &status), &free);
  return status == 0 ? text.get() : name;
}

// As __cxa_demangle writes a kernel's own name. Inside a template argument it writes a function's parameters only where
// the function is an instance of a template:
// "fake_gpu::Tag<&(void fill<float>(float*))>" -> "void fill<float>(float*)"
// "fake_gpu::Tag<&fill>", "void (float*)" -> "fill(float*)"
std::string signature_of(const EmulatedKernel& kernel) {
  const auto text = demangle(kernel.tag);
  const auto first = text.find("<&");
  const auto last = text.rfind('>');
  if (first == std::string::npos || last == std::string::npos) return text;
  const auto inner = text.substr(first + 2, last - first - 2);
  if (inner.front() == '(') return inner.substr(1, inner.rfind(')') - 1);
  const auto type = demangle(kernel.type);
  return inner + type.substr(type.find('('));
}

void add_library(const std::string& path, std::map<std::string, const EmulatedKernel*>& kernels) {
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* const symbol = library == nullptr ? nullptr : dlsym(library, kernels_symbol);
  if (symbol == nullptr) {
    std::fprintf(stderr, "fake GPU: FAKE_GPU_KERNELS: %s\n", dlerror());
    return;
  }
  std::size_t count = 0;
  const auto* const first = reinterpret_cast<KernelsFunction>(symbol)(&count);
  for (std::size_t i = 0; i < count; ++i) kernels[signature_of(first[i])] = &first[i];
}

std::map<std::string, const EmulatedKernel*> load() {
  std::map<std::string, const EmulatedKernel*> kernels;
  const char* paths = getenv("FAKE_GPU_KERNELS");
  std::istringstream text(paths == nullptr ? "" : paths);
  for (std::string path; std::getline(text, path, ':');)
    if (!path.empty()) add_library(path, kernels);
  return kernels;
}

}  // namespace

Function& function_of(const void* host_function) {
  const std::scoped_lock lock(functions().mutex);
  const auto found = functions().of.find(host_function);
  require(found != functions().of.end(), cudaErrorInvalidDeviceFunction);
  return found->second;
}

const EmulatedKernel* emulation_of(const std::string& name) {
  static const auto* const all = new std::map<std::string, const EmulatedKernel*>(load());
  const auto found = all->find(name);
  return found == all->end() ? nullptr : found->second;
}

}  // namespace fake_gpu

using namespace fake_gpu;

// What nvcc's code calls when a module is loaded. The runtime's internal headers declare these; ours need no more.
extern "C" {

void** __cudaRegisterFatBinary(void* binary) { return new void*(binary); }
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void** handle) { delete handle; }
char __cudaInitModule(void**) { return 1; }
void __cudaRegisterVar(void**, char*, char*, const char*, int, size_t, int, int) {}

void __cudaRegisterFunction(void**, const char* host_function, char*, const char* name, int, uint3*, uint3*, dim3*,
                            dim3*, int*) {
  const std::scoped_lock lock(functions().mutex);
  functions().of[host_function] = {.name = demangle(name)};
}

}  // extern "C"
