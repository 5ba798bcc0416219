// SPDX-License-Identifier: Apache-2.0
#include "reports/fleet/show.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>
#include <set>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/base/json.hpp"
#include "core/base/units.hpp"
#include "core/record/run.hpp"
#include "reports/explain/words.hpp"
#include "reports/text/text.hpp"

namespace busbar::fleet {
namespace {

using report::Block, report::ColumnKind, report::Paragraph, report::Table;

constexpr std::size_t most_rows = 20;

std::vector<std::string> names_of(const std::vector<std::size_t>& indices, const std::vector<std::string>& names) {
  std::vector<std::string> all;
  for (const std::size_t i : indices) all.push_back(names[i]);
  return all;
}

/// "node3", "node3, rail mlx5_1", "node1 and node4", "rail mlx5_1", "2026-11-01T10:00:00Z to ...".
std::string member_text(const Slow& s, const Fleet& f) {
  const auto hosts = names_of(s.hosts, f.data.hosts);
  const auto hosts_text = fmt::format("{}", fmt::join(hosts, hosts.size() == 2 ? " and " : ", "));
  switch (s.level) {
    case Level::host:
    case Level::link:
      return hosts_text;
    case Level::rail:
      return "rail " + f.data.rails[*s.rail];
    case Level::port:
      return fmt::format("{}, rail {}", hosts_text, f.data.rails[*s.rail]);
    case Level::launch:
      return fmt::format("{} ({})", f.data.launches[s.launches.front()].name, hosts_text);
    case Level::period:
      break;
  }
  std::set<std::string> starts;
  for (const std::size_t launch : s.launches) starts.insert(f.data.launches[launch].started.value_or(""));
  return fmt::format("{} to {}", *starts.begin(), *starts.rbegin());
}

std::string ratio_text(double ratio) { return fmt::format("{:.2f}x", ratio); }
std::string some_of(std::size_t some, std::size_t all) { return fmt::format("{} of {}", some, all); }

bool ran_once(const Slow& s) {
  return s.launches.size() == 1 && (s.level == Level::host || s.level == Level::port || s.level == Level::link);
}

/// Doubts about what is slow and what supports it, each with the number that it holds for.
std::vector<std::string> remarks_on(const std::vector<const Slow*>& all) {
  std::vector<std::string> remarks;
  const auto add = [&](bool (*holds)(const Slow&), const char* text) {
    const auto n = static_cast<std::size_t>(std::ranges::count_if(all, [&](const Slow* s) { return holds(*s); }));
    const std::string who = all.size() == 1   ? "It is"
                            : n == all.size() ? fmt::format("All {} are", n)
                                              : fmt::format("{} of {} are", n, all.size());
    if (n > 0) remarks.push_back(fmt::format("{} {}.", who, text));
  };
  add(ran_once, "slow in one launch only, which may have been disturbed");
  add([](const Slow& s) { return s.one_stretch; },
      "slow in launches that ran one after the other, so that it may have been the time");
  const auto is_troubled = [](const Slow* s) { return s->troubled > 0; };
  if (const auto first = std::ranges::find_if(all, is_troubled); first != all.end())
    remarks.push_back(
        fmt::format("Slow launches of {} of {} have messages such as: {} ({} of {} other launches have some).",
                    std::ranges::count_if(all, is_troubled), all.size(), report::shortened((*first)->trouble, 120),
                    (*first)->others_troubled, (*first)->others));
  return remarks;
}

std::string_view what_to_try(Level level) {
  switch (level) {
    case Level::host:
      return "Check links, clocks and CPUs of slow hosts with busbar-preflight; busbar explain --drain says which to "
             "drain.";
    case Level::rail:
      return "Check the switch of a slow rail.";
    case Level::port:
      return "Check slow adapters: rate and width (ibstat, ethtool), errors (perfquery), PCIe, cable.";
    case Level::period:
      return "Find what else ran at that time.";
    case Level::link:
      return "Measure slow links again; if they stay slow, check the path between their hosts.";
    case Level::launch:
      return "Measure these again; their hosts are as fast as usual in other launches.";
  }
  return "";
}

std::vector<const Slow*> slow_at(const Fleet& f, Level level) {
  std::vector<const Slow*> all;
  for (const Slow& s : f.slow)
    if (s.level == level) all.push_back(&s);
  return all;
}

Table slow_table(const Fleet& f, const std::string& title, const std::string& what,
                 const std::vector<const Slow*>& all) {
  Table t{.title = title,
          .columns = {{what, ColumnKind::name},
                      {"time over usual", ColumnKind::number},
                      {"tests", ColumnKind::number},
                      {"launches", ColumnKind::number},
                      {"certainty", ColumnKind::name},
                      {"slowest in"}}};
  for (const Slow* s : all | std::views::take(most_rows))
    t.rows.push_back({member_text(*s, f), ratio_text(s->ratio), some_of(s->views.size(), s->measured_in),
                      some_of(s->launches.size(), s->all_launches), std::string(name(s->certainty)),
                      f.data.views[s->views.front()].name});
  return t;
}

/// Views with the same groups.
std::map<std::vector<std::vector<std::size_t>>, std::vector<std::size_t>> groupings(const Fleet& f) {
  std::map<std::vector<std::vector<std::size_t>>, std::vector<std::size_t>> all;
  for (std::size_t v = 0; v < f.fits.size(); ++v)
    if (!f.fits[v].groups.hosts.empty()) all[f.fits[v].groups.hosts].push_back(v);
  return all;
}

double widest(const Fleet& f, const std::vector<std::size_t>& views) {
  double most = 1;
  for (const std::size_t v : views) most = std::max(most, f.fits[v].groups.between_over_within);
  return most;
}

void add_groups(const Fleet& f, std::vector<Block>& blocks) {
  constexpr double least = 1.05;
  for (const auto& [groups, views] : groupings(f)) {
    if (widest(f, views) < least) continue;
    std::vector<std::string> texts;
    for (const auto& group : groups)
      texts.push_back(fmt::format("{} hosts ({})", group.size(), report::list(names_of(group, f.data.hosts), 12)));
    const auto slowest =
        std::ranges::max(views, {}, [&](std::size_t v) { return f.fits[v].groups.between_over_within; });
    blocks.emplace_back(Paragraph{
        .text = fmt::format("Hosts form groups, such as those below one switch, in {} of {}: {}. Between them a "
                            "transfer takes up to {} as long as within ({}). Links are compared within their groups.",
                            views.size(), plural(f.fits.size(), "test"), fmt::join(texts, ", "),
                            ratio_text(widest(f, views)), f.data.views[slowest].name)});
  }
}

/// The median over views of a spread, a standard deviation of logarithms, as "1.2 %"; empty if none has it.
std::string usual_spread(const Fleet& f, std::optional<double> Spreads::* which) {
  std::vector<double> all;
  for (const Fit& fit : f.fits)
    if (const auto& s = fit.spreads.*which) all.push_back(*s);
  return all.empty() ? "" : explain::percent(std::expm1(explain::median_of(all)));
}

std::string spreads_text(const Fleet& f) {
  std::vector<std::string> parts;
  const auto add = [&parts](const char* between, const std::string& text) {
    if (!text.empty()) parts.push_back(fmt::format("{} differ by {}", between, text));
  };
  add("hosts", usual_spread(f, &Spreads::hosts));
  add("links", usual_spread(f, &Spreads::links));
  add("launches", usual_spread(f, &Spreads::launches));
  return parts.empty()
             ? ""
             : fmt::format(" Otherwise {} (standard deviation of times, median over tests).", fmt::join(parts, ", "));
}

std::string counted_failures(const Fleet& f) {
  std::string text = f.failed == 1 ? "one launch" : fmt::format("{} launches", f.failed);
  std::vector<std::string> hosts;
  for (const Failing& h : f.failing)
    hosts.push_back(fmt::format("{} of {} with {} ({} of {} without)", h.failed, h.launches, f.data.hosts[h.host],
                                h.others_failed, h.others));
  return hosts.empty() ? text : fmt::format("{}, {}", text, fmt::join(hosts, ", "));
}

/// "host node3 (1.40x)", "11 links (up to 2.40x)"; empty if there are none.
std::string counted(const Fleet& f, Level level, const char* one, const char* several) {
  const auto all = slow_at(f, level);
  if (all.empty()) return "";
  double most = 1;
  for (const Slow* s : all) most = std::max(most, s->ratio);
  if (all.size() > 3) return fmt::format("{} {} (up to {} the usual time)", all.size(), several, ratio_text(most));
  std::vector<std::string> texts;
  for (const Slow* s : all) texts.push_back(fmt::format("{} ({})", member_text(*s, f), ratio_text(s->ratio)));
  return fmt::format("{}{}{}", all.size() == 1 ? one : several, *one == 0 ? "" : " ", fmt::join(texts, ", "));
}

nlohmann::json json_of(const Slow& s, const Fleet& f) {
  std::vector<std::string> views, launches;
  for (const std::size_t v : s.views) views.push_back(f.data.views[v].name);
  for (const std::size_t l : s.launches) launches.push_back(f.data.launches[l].name);
  return {{"level", name(s.level)},
          {"hosts", names_of(s.hosts, f.data.hosts)},
          {"rail", s.rail ? nlohmann::json(f.data.rails[*s.rail]) : nlohmann::json()},
          {"certainty", name(s.certainty)},
          {"time_over_usual", s.ratio},
          {"slow_in", views},
          {"measured_in", s.measured_in},
          {"slow_launches", launches},
          {"launches", s.all_launches},
          {"evidence", remarks_on({&s})},
          {"try", what_to_try(s.level)}};
}

std::string reasons(const HostVerdict& v, const Fleet& f) {
  std::vector<std::string> own, links;
  for (const Failing& h : f.failing)
    if (h.host == v.host)
      own.push_back(fmt::format("{} of its {} launches failed, {} of {} without it", h.failed, h.launches,
                                h.others_failed, h.others));
  for (const std::size_t i : v.because) {
    const Slow& s = f.slow[i];
    if (s.level == Level::link)
      for (const std::size_t host : s.hosts) {
        if (host != v.host) links.push_back(fmt::format("{} ({})", f.data.hosts[host], ratio_text(s.ratio)));
      }
    else
      own.push_back(fmt::format("{} as long as usual{} in {} tests ({})", ratio_text(s.ratio),
                                s.rail ? " on rail " + f.data.rails[*s.rail] : "",
                                some_of(s.views.size(), s.measured_in), name(s.certainty)));
  }
  if (!links.empty()) own.push_back("slow with " + report::list(links, 4));
  return fmt::format("{}", fmt::join(own, "; "));
}

nlohmann::json json_of(const HostVerdict& v, const Fleet& f) {
  return {{"host", f.data.hosts[v.host]}, {"verdict", name(v.advice)}, {"because", reasons(v, f)}};
}

/// The hosts to drain or to check.
std::vector<const HostVerdict*> to_look_at(const Fleet& f) {
  std::vector<const HostVerdict*> all;
  for (const HostVerdict& v : f.verdicts)
    if (v.advice != Advice::fine) all.push_back(&v);
  return all;
}

}  // namespace

std::string summary_of(const Fleet& f) {
  std::vector<std::string> slow;
  const auto add = [&](Level level, const char* one, const char* several) {
    if (std::string t = counted(f, level, one, several); !t.empty()) slow.push_back(std::move(t));
  };
  add(Level::host, "host", "hosts");
  add(Level::rail, "", "");
  add(Level::port, "port", "ports");
  add(Level::period, "from", "periods from");
  add(Level::link, "link", "links");
  add(Level::launch, "launch", "launches");
  std::string text = fmt::format("{} in {} launches, {} on {}. ", plural(f.runs, "run"), f.data.launches.size(),
                                 plural(f.data.views.size(), "test"), plural(f.verdicts.size(), "host"));
  text += slow.empty() ? "Nothing is slow." : fmt::format("Slow: {}.", fmt::join(slow, "; "));
  if (f.failed > 0) text += fmt::format(" Failed: {}.", counted_failures(f));
  return text + spreads_text(f);
}

std::vector<Block> blocks_of(const Fleet& f) {
  std::vector<Block> blocks{Paragraph{.text = summary_of(f), .tone = report::Tone::plain}};
  add_groups(f, blocks);
  for (const Level level : {Level::host, Level::rail, Level::port, Level::period, Level::link, Level::launch}) {
    const auto all = slow_at(f, level);
    if (all.empty()) continue;
    const std::string word = text_of(level), plural_word = word + (level == Level::launch ? "es" : "s");
    const std::string title = all.size() > most_rows
                                  ? fmt::format("Slow {}: the first {} of {}", plural_word, most_rows, all.size())
                                  : fmt::format("Slow {}", plural_word);
    blocks.emplace_back(slow_table(f, title, word, all));
    std::string text = fmt::format("Tests, launches: how many of those with the {} are slow.", word);
    for (const std::string& remark : remarks_on(all)) text += " " + remark;
    blocks.emplace_back(Paragraph{.text = fmt::format("{} {}", text, what_to_try(level))});
  }
  return blocks;
}

nlohmann::json json_of(const Fleet& f) {
  nlohmann::json tests = nlohmann::json::array(), slow = nlohmann::json::array(), hosts = nlohmann::json::array();
  for (std::size_t v = 0; v < f.fits.size(); ++v) {
    const Fit& fit = f.fits[v];
    nlohmann::json groups = nlohmann::json::array();
    for (const auto& group : fit.groups.hosts) groups.push_back(names_of(group, f.data.hosts));
    tests.push_back(
        {{"name", f.data.views[v].name},
         {"observations", f.data.views[v].seen.size()},
         {"groups", groups},
         {"between_over_within", groups.empty() ? nlohmann::json() : nlohmann::json(fit.groups.between_over_within)},
         {"deviation_of_hosts", fit.spreads.hosts},
         {"deviation_of_links", fit.spreads.links},
         {"deviation_of_launches", fit.spreads.launches}});
  }
  for (const Slow& s : f.slow) slow.push_back(json_of(s, f));
  for (const HostVerdict& v : f.verdicts) hosts.push_back(json_of(v, f));
  return {{"runs", f.runs},
          {"launches", f.data.launches.size()},
          {"summary", summary_of(f)},
          {"tests", tests},
          {"slow", slow},
          {"hosts", hosts}};
}

Table drain_table(const Fleet& f) {
  Table t{.columns = {{"host", ColumnKind::name},
                      {"verdict", ColumnKind::name},
                      {"time over usual", ColumnKind::number},
                      {"because"}}};
  for (const HostVerdict* v : to_look_at(f))
    t.rows.push_back({f.data.hosts[v->host], std::string(name(v->advice)), ratio_text(v->ratio), reasons(*v, f)});
  return t;
}

std::vector<nlohmann::json> drain_json(const Fleet& f) {
  std::vector<nlohmann::json> lines;
  for (const HostVerdict* v : to_look_at(f)) lines.emplace_back(json_of(*v, f))["time_over_usual"] = v->ratio;
  return lines;
}

}  // namespace busbar::fleet
