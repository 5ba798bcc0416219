// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include "grid.hpp"

namespace fake_gpu {

/// Its type's name holds the kernel's, with namespaces and template arguments.
template <auto Function>
struct Tag {};

template <class... Parameters>
struct Binder {
  template <void (*function)(Parameters...), std::size_t... i>
  static std::function<void()> bind(void** arguments, const Shape& shape, std::index_sequence<i...>) {
    std::tuple<std::remove_cv_t<Parameters>...> copied(*static_cast<std::remove_cv_t<Parameters>*>(arguments[i])...);
    return [copied = std::move(copied), shape] { simt::run(shape, [&] { std::apply(function, copied); }); };
  }
};

template <auto Function, class... Parameters>
EmulatedKernel entry_of(void (*)(Parameters...)) {
  return {.tag = typeid(Tag<Function>).name(),
          .type = typeid(void(Parameters...)).name(),
          .bind = [](void** arguments, const Shape& shape) {
            return Binder<Parameters...>::template bind<Function>(arguments, shape,
                                                                  std::index_sequence_for<Parameters...>());
          }};
}

/// entry<&fill<float>>(): the kernel as the fake runtime looks for it.
template <auto Function>
EmulatedKernel entry() {
  return entry_of<Function>(Function);
}

}  // namespace fake_gpu
