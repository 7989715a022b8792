#include "reports/site_model.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "base/ascii.hpp"

namespace jrpcheck::reports {
namespace {

using result::Run;
using targets::Group;

// In the order of the enum, and behind it what nobody has described.
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kGroups = {
    {{"libraries", "Libraries"},
     {"products", "Products"},
     {"mcp", "MCP servers"},
     {"lsp", "Language servers"},
     {"ethereum", "Ethereum nodes"},
     {"clients", "Clients"},
     {"others", "Others"}}};

std::size_t group_index(const SiteSubject& subject) {
  const auto& latest = subject.latest();
  return latest.is_described ? static_cast<std::size_t>(latest.about.group) : kGroups.size() - 1;
}

std::vector<SiteSubject> subjects_of(const std::vector<SiteRecord>& records) {
  std::map<std::string, SiteSubject> by_name;
  for (const auto& record : records) {
    auto& subject = by_name[record.about.name];
    subject.name = record.about.name;
    subject.records.push_back(&record);
  }
  std::vector<SiteSubject> subjects;
  for (auto& [name, subject] : by_name) {
    std::ranges::stable_sort(subject.records,
                             [](const auto* a, const auto* b) { return a->round < b->round; });
    subjects.push_back(std::move(subject));
  }
  return subjects;
}

// What an address holds without being escaped.
std::string as_file_name(std::string_view text) {
  std::string name(text);
  for (char& c : name) {
    const bool is_plain = is_alphanumeric(c) || c == '-' || c == '_' || c == '.';
    if (!is_plain) c = '_';
  }
  return name;
}

// Subjects and runs in the order of the league.
void fill_group(SiteGroup& group) {
  std::vector<const Run*> runs;
  std::map<const Run*, const SiteSubject*> subject_of;
  for (const auto* subject : group.subjects) {
    runs.push_back(subject->run());
    subject_of[subject->run()] = subject;
  }
  group.comparison = league_of(std::move(runs));
  if (group.id == "clients") group.comparison.noun = "client";
  for (std::size_t i = 0; i < group.subjects.size(); ++i) {
    group.subjects[i] = subject_of.at(group.comparison.runs[i]);
  }
}

}  // namespace

const Run* SiteSubject::run_before() const {
  if (run() == nullptr) return nullptr;
  const auto before = std::find_if(records.rbegin() + 1, records.rend(),
                                   [](const auto* record) { return record->run.has_value(); });
  return before == records.rend() ? nullptr : &*(*before)->run;
}

std::vector<CaseChange> SiteSubject::changes() const {
  const Run* before = run_before();
  return before == nullptr ? std::vector<CaseChange>() : changes_between(*before, *run());
}

const SiteGroup* SiteModel::group_of(const SiteSubject& subject) const {
  const auto id = kGroups.at(group_index(subject)).first;
  const auto found =
      std::ranges::find_if(groups, [id](const SiteGroup& group) { return group.id == id; });
  return found == groups.end() ? nullptr : &*found;
}

SiteModel model_of_site(const std::vector<SiteRecord>& records) {
  SiteModel model;
  model.subjects = subjects_of(records);
  model.everybody = {"all", "All targets", {}, {}};
  std::vector<const Run*> all;
  for (std::size_t i = 0; i < kGroups.size(); ++i) {
    SiteGroup group{std::string(kGroups.at(i).first), std::string(kGroups.at(i).second), {}, {}};
    for (const auto& subject : model.subjects) {
      if (group_index(subject) == i && subject.run() != nullptr) group.subjects.push_back(&subject);
    }
    if (group.subjects.empty()) continue;
    fill_group(group);
    for (const auto* subject : group.subjects) {
      model.everybody.subjects.push_back(subject);
      all.push_back(subject->run());
    }
    model.groups.push_back(std::move(group));
  }
  model.everybody.comparison = side_by_side(std::move(all));
  model.everybody.comparison.noun = "target";
  for (const auto& subject : model.subjects) {
    if (subject.run() == nullptr) model.not_judged.push_back(&subject);
  }
  return model;
}

std::string SiteSubject::place() const { return "targets/" + as_file_name(name); }

std::string requirement_page(std::string_view id) {
  return "requirements/" + as_file_name(id) + ".html";
}

}  // namespace jrpcheck::reports
