// SPDX-License-Identifier: Apache-2.0
#include "reports/board/site.hpp"

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>

#include <fmt/core.h>

#include "core/base/build_info.hpp"
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/parse_json.hpp"
#include "core/files/folders.hpp"
#include "core/files/output_file.hpp"
#include "core/files/sha256.hpp"
#include "core/record/run.hpp"
#include "reports/board/records.hpp"
#include "reports/drawing/page.hpp"
#include "reports/drawing/render.hpp"
#include "reports/runs/load.hpp"
#include "reports/sections/report_document.hpp"

namespace busbar::board {
namespace {

namespace fs = std::filesystem;
using Hashes = std::map<std::string, std::string>;  ///< of what a page was drawn from, by its address

constexpr const char* manifest_name = "site.json";
constexpr std::string_view run_folder = "runs/", group_folder = "groups/";

/// Letters, digits, '.', '-' and '_'; others become '-'.
std::string plain_name(std::string_view text) {
  std::string name;
  for (const char c : text) {
    const bool plain =
        (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '_';
    if (plain || (!name.empty() && name.back() != '-')) name += plain ? c : '-';
  }
  return name.substr(0, 80);
}

std::string drawn_by() { return fmt::format("{} {}", version(), git_revision()); }

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Of the last time; empty if there was none, or by another busbar, or if the file was changed.
Hashes read_manifest(const fs::path& out) {
  try {
    const nlohmann::json j = parse_json(content_of(out / manifest_name));
    if (j.at("busbar") == drawn_by()) return j.at("pages").get<Hashes>();
  } catch (const std::exception&) {
  }
  return {};
}

/// Draws what has changed.
class Site {
 public:
  explicit Site(fs::path out) : out_(std::move(out)), before_(read_manifest(out_)) {}

  /// `draw` returns nothing if there is no such page.
  void add(const std::string& address, const std::string& hash,
           const std::function<std::optional<std::string>()>& draw) {
    now_[address] = hash;
    const auto old = before_.find(address);
    std::error_code problem;
    if (old != before_.end() && old->second == hash) {
      ++written_.unchanged;
      return;
    }
    const auto page = draw();
    if (page) write_whole(out_ / address, *page, "-o");
    if (!page) fs::remove(out_ / address, problem);
    ++written_.drawn;
  }
  [[nodiscard]] std::string address_if_there(const std::string& address) const {
    std::error_code problem;
    return fs::exists(out_ / address, problem) ? address : "";
  }
  /// Removes pages of last time that this time has not, and remembers this time's.
  void finish() {
    for (const auto& [address, hash] : before_) {
      const bool ours = address.starts_with(run_folder) || address.starts_with(group_folder);
      std::error_code problem;
      if (ours && !now_.contains(address) && std::ranges::count(address, '/') == 1) fs::remove(out_ / address, problem);
    }
    const nlohmann::json j = {{"site", 1}, {"busbar", drawn_by()}, {"pages", now_}};
    write_whole(out_ / manifest_name, j.dump(1) + "\n", "-o");
  }
  [[nodiscard]] SiteWritten& written() { return written_; }

 private:
  fs::path out_;
  Hashes before_, now_;
  SiteWritten written_;
};

std::string hash_of_group(const Group& group, const Hashes& of_files) {
  std::string all;
  for (const Run* run : group.launches) all += of_files.at(run->path) + run->head.id;
  return sha256_hex(all);
}

}  // namespace

std::string address_of_record(const fs::path& record) {
  const std::string stem = record.stem().string(), plain = plain_name(stem);
  return fmt::format("{}{}{}.html", run_folder, plain, plain == stem ? "" : "-" + sha256_hex(stem).substr(0, 8));
}

std::string address_of_group(const Group& group) {
  return fmt::format("{}{}-{}.html", group_folder, plain_name(group.name), sha256_hex(group.name).substr(0, 8));
}

std::string report_page(const fs::path& record) {
  const std::vector<Run> runs = report::load({record}, Detail::without_samples);
  return report::render_html(report::make_document("", runs), report::chart_bundle());
}

std::optional<std::string> trend_page(const Group& group) {
  std::vector<Run> runs;
  for (const Run* run : group.launches) runs.push_back(*run);
  const report::Document document = report::make_document(group.name, runs, {.sections = {"trend"}});
  if (document.chapters.empty()) return std::nullopt;
  return report::render_html(document, report::chart_bundle());
}

SiteWritten write_site(const fs::path& folder, const fs::path& out) {
  Records records(folder);
  (void)records.look();
  if (records.files().empty()) throw UsageError(folder.string() + ": no record (*.jsonl) in this folder");
  const std::vector<Run> runs = records.runs();
  const std::vector<Group> groups = make_groups(runs);
  for (const std::string_view inside : {run_folder, group_folder}) make_folders(out / inside);
  Site site(out);
  Hashes of_files;
  for (const fs::path& file : records.files()) {
    of_files[file.string()] = sha256_hex(content_of(file));
    site.add(address_of_record(file), of_files[file.string()], [&] { return std::optional(report_page(file)); });
  }
  for (const Group& group : groups)
    site.add(address_of_group(group), hash_of_group(group, of_files), [&] { return trend_page(group); });
  const Links links{.report = [](const Run& run) { return address_of_record(run.path); },
                    .trend = [&](const Group& group) { return site.address_if_there(address_of_group(group)); }};
  const Shell shell =
      board_page(folder.filename().empty() ? folder.parent_path().filename().string() : folder.filename().string(),
                 groups, links, records.problems(), "", false);
  write_whole(out / "index.html", html_of(shell), "-o");
  site.finish();
  site.written().summary = shell.summary;
  site.written().problems = records.problems();
  return site.written();
}

}  // namespace busbar::board
