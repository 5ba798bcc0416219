// SPDX-License-Identifier: Apache-2.0
#include "core/journal/alias_key.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/error.hpp"
#include "core/base/privacy.hpp"
#include "core/base/terminal_text.hpp"
#include "core/files/descriptor.hpp"
#include "core/files/output_file.hpp"
#include "core/files/sha256.hpp"

namespace busbar {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t least_bytes = 16, most_bytes = 4096;

[[noreturn]] void fail_on_key_file(const fs::path& file, std::string_view what, int why) {
  throw UsageError(fmt::format("--anonymise: cannot {} the key {}: {}; BUSBAR_ANONYMISE_KEY=FILE names another", what,
                               file.string(), std::strerror(why)));
}

std::string read_key(const fs::path& file) {
  std::error_code problem;
  if (fs::is_directory(file, problem)) fail_on_key_file(file, "read", EISDIR);
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  std::string key(most_bytes + 1, '\0');
  in.read(key.data(), static_cast<std::streamsize>(key.size()));
  if (in.bad() || (!in.eof() && in.gcount() == 0)) fail_on_key_file(file, "read", errno == 0 ? EIO : errno);
  key.resize(static_cast<std::size_t>(in.gcount()));
  key.erase(key.find_last_not_of(" \t\r\n") + 1);
  if (key.size() < least_bytes || key.size() > most_bytes)
    throw UsageError(fmt::format("--anonymise: the key {} has {} {} bytes; head -c 32 /dev/urandom | base64 makes one",
                                 file.string(), key.size() < least_bytes ? "less than" : "more than",
                                 key.size() < least_bytes ? least_bytes : most_bytes));
  return key;
}

std::string new_key() {
  std::array<char, 64> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw UsageError(fmt::format("--anonymise: cannot make a key: {}", std::strerror(errno)));
  return sha256_hex({bytes.data(), bytes.size()});
}

/// Writes a temporary file and links it to its final name: readers see it complete, and the first of several writers
/// wins.
void make_key(const fs::path& file) {
  const FreshFile fresh = create_fresh(file, 0600);
  if (!fresh.file.is_open()) fail_on_key_file(file, "make", errno);
  const std::string text = new_key() + "\n";
  const bool whole = write_all(fresh.file.get(), text) == text.size() && ::fsync(fresh.file.get()) == 0;
  int why = whole ? 0 : errno;
  if (whole && ::link(fresh.name.c_str(), file.c_str()) != 0 && errno != EEXIST) why = errno;
  ::unlink(fresh.name.c_str());
  if (why != 0) fail_on_key_file(file, "make", why);
}

void make_private_folders(const fs::path& folder) {
  if (folder.empty() || ::mkdir(folder.c_str(), 0700) == 0 || errno != ENOENT)
    return;  // opening the file will report the error
  make_private_folders(folder.parent_path());
  ::mkdir(folder.c_str(), 0700);
}

}  // namespace

fs::path alias_key_file() {
  const auto set = [](const char* variable) {
    const char* value = std::getenv(variable);
    return std::string(value == nullptr ? "" : value);
  };
  if (const std::string named = set("BUSBAR_ANONYMISE_KEY"); !named.empty()) return named;
  if (const std::string config = set("XDG_CONFIG_HOME"); config.starts_with('/'))
    return fs::path(config) / "busbar" / "anonymise.key";
  std::string home = set("HOME");
  if (!home.starts_with('/') && !this_person().homes.empty()) home = this_person().homes.front();
  if (!home.starts_with('/'))
    throw UsageError("--anonymise: no home folder for the key; set BUSBAR_ANONYMISE_KEY=FILE");
  return fs::path(home) / ".config" / "busbar" / "anonymise.key";
}

std::string read_or_make_alias_key(const fs::path& file, std::string_view program) {
  struct stat status{};
  if (::stat(file.c_str(), &status) != 0) {
    if (errno != ENOENT) fail_on_key_file(file, "read", errno);
    make_private_folders(file.parent_path());
    make_key(file);
    print_message(program, fmt::format("--anonymise: created the key {}; keep it secret: with it, names can be guessed "
                                       "from aliases",
                                       file.string()));
  }
  return read_key(file);
}

}  // namespace busbar
