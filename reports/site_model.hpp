// What the pages of the site are made from.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/comparison.hpp"
#include "reports/site.hpp"

namespace jrpcheck::reports {

/// One target and all that is known of it, the oldest round first.
struct SiteSubject {
  std::string name;
  std::vector<const SiteRecord*> records;

  const SiteRecord& latest() const { return *records.back(); }
  /// Of the latest round; null where it could not be judged then.
  const result::Run* run() const { return latest().run ? &*latest().run : nullptr; }
  /// That of the round before in which it was judged; null where there is none.
  const result::Run* run_before() const;
  /// What changed between the two; empty where one is missing.
  std::vector<CaseChange> changes() const;
  /// Where its page is, without ".html".
  std::string place() const;
  std::string page() const { return place() + ".html"; }
};

/// One table: targets of one kind that were judged, the best first.
struct SiteGroup {
  std::string id;     ///< "mcp"
  std::string title;  ///< "MCP servers"
  std::vector<const SiteSubject*> subjects;
  Comparison comparison;  ///< of their runs, in the same order
};

struct SiteModel {
  std::vector<SiteSubject> subjects;  ///< by name
  std::vector<SiteGroup> groups;      ///< those that have somebody in them
  SiteGroup everybody;                ///< group by group
  std::vector<const SiteSubject*> not_judged;

  const SiteGroup* group_of(const SiteSubject& subject) const;
};

SiteModel model_of_site(const std::vector<SiteRecord>& records);

/// Where the page of a requirement is, whatever its id holds.
std::string requirement_page(std::string_view id);

}  // namespace jrpcheck::reports
