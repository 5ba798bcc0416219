// SPDX-License-Identifier: Apache-2.0
#include "bench/backends/nccl/communicators.hpp"

#include <cstdlib>
#include <optional>

namespace busbar {
namespace {

/// A variable of this process for as long as this lives; "*" leaves it as it is.
class Variable {
 public:
  Variable(const char* name, std::string_view value) : name_(name) {
    if (value == "*") return;
    if (const char* was = std::getenv(name)) before_ = was;
    ::setenv(name, std::string(value).c_str(), 1);
    set_ = true;
  }
  ~Variable() {
    if (!set_) return;
    if (before_)
      ::setenv(name_, before_->c_str(), 1);
    else
      ::unsetenv(name_);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  bool set_ = false;
  std::optional<std::string> before_;
};

/// "ring/simple" is both, "ring" the first.
std::string_view first_word(std::string_view text) { return text.empty() ? "*" : text.substr(0, text.find('/')); }
std::string_view second_word(std::string_view text) {
  const auto slash = text.find('/');
  return slash == std::string_view::npos ? "*" : text.substr(slash + 1);
}

}  // namespace

NcclCommunicators::NcclCommunicators(Group& group, const std::vector<std::string>& algorithms,
                                     const NcclCommunicator::Settings& settings) {
  for (const std::string& algorithm : algorithms.empty() ? std::vector<std::string>{""} : algorithms) {
    const Variable name("NCCL_ALGO", first_word(algorithm)), protocol("NCCL_PROTO", second_word(algorithm));
    members_.emplace(algorithm, std::make_unique<Member>(group, settings));
  }
}

NcclCommunicators::Member& NcclCommunicators::of(std::string_view algorithm) {
  return *members_.find(algorithm)->second;
}

}  // namespace busbar
