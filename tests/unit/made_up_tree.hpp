// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include <fmt/core.h>
#include <unistd.h>

#include "core/environment/environment.hpp"

namespace busbar::test {

using namespace std::string_literals;
namespace fs = std::filesystem;

/// A made-up root folder with /proc and /sys, gone with the object.
class Tree {
 public:
  Tree() {
    static int made = 0;
    root_ = fs::temp_directory_path() / fmt::format("busbar-test-{}-{}", ::getpid(), ++made);
    if (!fs::create_directory(root_)) throw std::runtime_error(root_.string() + " exists");
  }
  ~Tree() { fs::remove_all(root_); }
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  Tree& file(const fs::path& path, std::string_view content) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path, std::ios::binary) << content;
    return *this;
  }
  Tree& folder(const fs::path& path) {
    fs::create_directories(root_ / path);
    return *this;
  }
  Tree& link(const fs::path& path, const fs::path& target) {
    fs::create_directories((root_ / path).parent_path());
    fs::create_symlink(target, root_ / path);
    return *this;
  }
  Tree& dmi(std::string_view vendor, std::string_view product) {
    return file("sys/class/dmi/id/sys_vendor", vendor).file("sys/class/dmi/id/product_name", product);
  }
  Tree& x86(bool hypervisor) {
    return file("proc/cpuinfo", "processor\t: 0\nmodel name\t: Some CPU\nflags\t\t: fpu vme sse2"s +
                                    (hypervisor ? " hypervisor" : "") + " avx2\n");
  }
  [[nodiscard]] const fs::path& root() const { return root_; }
  [[nodiscard]] std::string virtualisation() const { return read_host(root_).virtualisation; }
  [[nodiscard]] std::string container() const { return read_host(root_).container.value_or("none"); }

 private:
  fs::path root_;
};

}  // namespace busbar::test
