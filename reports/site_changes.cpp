#include <fmt/format.h>

#include "reports/html.hpp"
#include "reports/site_frame.hpp"
#include "reports/site_pages.hpp"

namespace jrpcheck::reports {
namespace {

// Of the run before and of this one.
std::string versions_between(const SiteSubject& subject) {
  const SiteRecord* before = nullptr;
  for (const auto* record : subject.records) {
    if (record != subject.records.back() && record->run) before = record;
  }
  const std::string& old = before->about.judged_version();
  const std::string& now = subject.latest().about.judged_version();
  return old == now ? now : old + " \u2192 " + now;
}

std::string change_side(const result::CaseResult* one) {
  if (one == nullptr) return "<td class=\"quiet\">not there</td>";
  return fmt::format("<td>{} <span class=\"quiet\">{}</span></td>", html_verdict(one->verdict),
                     site_text(short_account(*one), 160));
}

std::string changes_of_subject(const SiteSubject& subject, const std::vector<CaseChange>& changes) {
  std::string text = fmt::format(
      "<section aria-labelledby=\"{0}\"><h2 id=\"{0}\">{1} <span class=\"quiet\">{2} \u00b7 {3} "
      "and "
      "{4}</span></h2>\n<div class=\"panel scroll\" tabindex=\"0\" role=\"group\" "
      "aria-labelledby=\"{0}\"><table class=\"changes\"><thead><tr><th scope=\"col\">case</th><th "
      "scope=\"col\">change</th><th scope=\"col\">before</th><th "
      "scope=\"col\">now</th></tr></thead>"
      "<tbody>\n",
      site_text(subject.name), site_link(subject.page(), subject.name),
      site_text(versions_between(subject)), day_of(*subject.run_before()), day_of(*subject.run()));
  for (const auto& each : changes) {
    text +=
        fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td>{}{}</tr>\n", site_text(each.id),
                    html_verdict(each.change), change_side(each.before), change_side(each.after));
  }
  return text + "</tbody></table></div></section>\n";
}

}  // namespace

std::string site_changes(const SiteModel& model) {
  std::string sections;
  std::size_t compared = 0;
  std::size_t changed = 0;
  for (const auto& subject : model.subjects) {
    if (subject.run_before() == nullptr) continue;
    ++compared;
    const auto changes = subject.changes();
    if (changes.empty()) continue;
    ++changed;
    sections += changes_of_subject(subject, changes);
  }
  const std::string sentence =
      compared == 0
          ? "There is one round so far: nothing to compare."
          : fmt::format("{} of {} targets that were judged twice changed.", changed, compared);
  return site_page({"Changes - jrpcheck", "changes.html", false},
                   site_head("", "<h1>What changed since the round before</h1>", sentence) +
                       "<main id=\"main\" class=\"wide\" tabindex=\"-1\">\n" + sections +
                       "</main>\n");
}

}  // namespace jrpcheck::reports
