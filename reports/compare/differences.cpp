// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <map>
#include <set>

#include <fmt/ranges.h>

#include "core/record/case_record.hpp"
#include "core/record/run.hpp"
#include "core/record/run_record.hpp"
#include "reports/compare/document.hpp"
#include "reports/compare/fields.hpp"

namespace busbar::compare {
namespace {

using Heads = std::vector<const RunRecord*>;
using FactOfRun = std::function<std::string(const RunRecord&)>;

/// By side, the runs with a case on it.
std::vector<Heads> heads_of_sides(const std::vector<Run>& runs, const Request& request) {
  std::vector<Heads> sides(request.sides.size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (const CaseRecord& c : runs[i].cases) {
      const auto side = request.side_of(i, c);
      if (!side || (!sides[*side].empty() && sides[*side].back() == &runs[i].head)) continue;
      sides[*side].push_back(&runs[i].head);
    }
  }
  return sides;
}

class Differences {
 public:
  explicit Differences(std::vector<Heads> sides) : sides_(std::move(sides)) {}

  void look_at(const std::string& name, const FactOfRun& value) {
    Difference d{.name = name};
    std::set<std::string> apart;
    for (const Heads& side : sides_) {
      std::set<std::string> said;
      for (const RunRecord* head : side) {
        if (std::string v = value(*head); !v.empty()) said.insert(std::move(v));
      }
      d.values.push_back(said.empty() ? "unknown" : fmt::format("{}", fmt::join(said, " | ")));
      apart.insert(d.values.back());
    }
    if (apart.size() > 1) found_.push_back(std::move(d));
  }

  /// Compares each entry that any run has in a map.
  void look_at_each(std::map<std::string, std::string> RunRecord::* member, std::string_view before_name) {
    std::set<std::string> names;
    for (const Heads& side : sides_) {
      for (const RunRecord* head : side) {
        for (const auto& entry : head->*member) names.insert(entry.first);
      }
    }
    for (const std::string& name : names)
      look_at(std::string(before_name) + name, [&](const RunRecord& head) {
        const auto it = (head.*member).find(name);
        return it == (head.*member).end() ? std::string("not set") : it->second;
      });
  }

  void look_at_tier(Tier tier) {
    for (const FactField& field : fact_fields()) {
      if (field.tier == tier) look_at(std::string(field.name), field.value);
    }
  }

  [[nodiscard]] std::vector<Difference> take() { return std::move(found_); }

 private:
  std::vector<Heads> sides_;
  std::vector<Difference> found_;
};

}  // namespace

std::vector<Difference> differences(const std::vector<Run>& runs, const Request& request) {
  Differences all(heads_of_sides(runs, request));
  for (const MethodField& field : method_fields()) all.look_at(std::string(field.name), field.value);
  all.look_at_each(&RunRecord::labels, "label ");
  all.look_at_tier(Tier::machine);
  all.look_at_each(&RunRecord::libraries, "");
  all.look_at_tier(Tier::library);
  all.look_at_each(&RunRecord::environment, "");
  all.look_at_tier(Tier::setting);
  all.look_at_tier(Tier::system);
  return all.take();
}

}  // namespace busbar::compare
