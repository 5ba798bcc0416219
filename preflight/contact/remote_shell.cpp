// SPDX-License-Identifier: Apache-2.0
#include "preflight/contact/remote_shell.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <thread>

#include <fmt/core.h>

#include "core/base/error.hpp"
#include "core/base/words.hpp"
#include "core/files/child.hpp"
#include "core/files/kernel_files.hpp"
#include "core/machine/local_clock.hpp"
#include "core/mpi_library/mpi_library.hpp"

namespace busbar::preflight {
namespace {

/// A host with a running remote command.
struct Asked {
  Answer answer;
  std::int64_t began_ns = 0;
  std::optional<Child> child;
};

std::string last_line(std::string_view text) {
  std::string last;
  for (const std::string_view line : facts::split(text, '\n'))
    if (const auto words = facts::clean(line)) last = *words;
  return last;
}

void start(Asked& a, std::vector<std::string> words, const std::string& command) {
  if (!is_host_name(a.answer.host)) {
    a.answer.problem = "unsafe host name for a remote shell; allowed: letters, digits, dots, - and _";
    return;
  }
  words.push_back(a.answer.host);
  words.push_back(command);
  a.began_ns = steady_ns();
  try {
    a.child.emplace(std::move(words));
  } catch (const Error& e) {
    a.answer.problem = e.what();
  }
}

/// Reads output and enforces the limit. True when the command has ended.
bool look_after(Asked& a, double limit_s) {
  if (!a.child) return true;
  a.answer.output += a.child->read();
  if (const auto code = a.child->ended()) {
    a.answer.output += a.child->read();
    if (*code != 0) a.answer.problem = fmt::format("exit code {}: {}", *code, last_line(a.answer.output));
    a.child.reset();
    return true;
  }
  if (seconds_since(a.began_ns) < limit_s) return false;
  a.answer.problem = fmt::format("no answer within {:.3g} s", limit_s);
  a.child.reset();
  return true;
}

/// The user's choice for launchers; null if no variable is set.
const char* named_by_launchers() {
  for (const MpiLibrary* library : table<MpiLibrary>())
    for (const char* variable : library->remote_shell)
      if (const char* value = std::getenv(variable)) return value;
  return nullptr;
}

}  // namespace

std::vector<std::string> find_remote_shell(double limit_s) {
  const char* const set = named_by_launchers();
  std::vector<std::string> words;
  // Open MPI accepts a list of agents and uses the first one that exists; this uses the first.
  const std::string agent = set == nullptr ? "ssh" : set;
  for (const std::string_view word : facts::split(facts::trimmed(facts::split(agent, ':').front()), ' '))
    if (!word.empty()) words.emplace_back(word);
  if (words.empty()) words = {"ssh"};
  if (std::filesystem::path(words[0]).filename() == "ssh")
    words.insert(words.end(), {"-x", "-o", "BatchMode=yes", "-o",
                               fmt::format("ConnectTimeout={}", std::max(1, static_cast<int>(std::ceil(limit_s))))});
  return words;
}

std::vector<Answer> ask_hosts(const std::vector<std::string>& hosts, const std::string& command, double limit_s) {
  constexpr std::size_t at_once = 32;
  std::vector<Asked> all;
  for (const std::string& host : hosts) all.push_back({.answer = {.host = host}});
  for (std::size_t from = 0; from < all.size(); from += at_once) {
    const auto some = std::span(all).subspan(from, std::min(at_once, all.size() - from));
    for (Asked& a : some) start(a, find_remote_shell(limit_s), command);
    while (std::ranges::count_if(some, [&](Asked& a) { return !look_after(a, limit_s); }) > 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  std::vector<Answer> answers;
  for (Asked& a : all) answers.push_back(std::move(a.answer));
  return answers;
}

}  // namespace busbar::preflight
