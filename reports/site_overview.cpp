#include <fmt/format.h>

#include <algorithm>

#include "base/number_of.hpp"
#include "reports/html.hpp"
#include "reports/site_frame.hpp"
#include "reports/site_pages.hpp"
#include "reports/summary.hpp"

namespace jrpcheck::reports {
namespace {

using result::RunVerdict;
using result::Verdict;

constexpr std::size_t kMostBroken = 12;

bool any_trend(const SiteGroup& group) {
  return std::ranges::any_of(group.subjects,
                             [](const auto* subject) { return !site_trend(*subject).empty(); });
}

std::string league_line(const SiteSubject& subject, std::size_t place, bool with_trend) {
  const auto& run = *subject.run();
  const auto& about = subject.latest().about;
  const auto must = result::must_coverage(run);
  std::string below = about.judged_version();
  if (!about.door.empty()) below += (below.empty() ? "" : " \u00b7 ") + about.door;
  return fmt::format(
      "<tr><td class=\"rank\" data-value=\"{0}\">{0}</td><th scope=\"row\" data-value=\"{1}\"><a "
      "href=\"{2}\">{1}</a><code>{3}</code></th><td class=\"word\" data-value=\"{4}\">{5}</td>"
      "<td class=\"share\">{6}</td>{7}<td class=\"n\" data-value=\"{8}\"><span class=\"of\">must "
      "</span>{8}/{9}</td>{10}</tr>\n",
      place, site_text(subject.name), site_text(subject.page()), site_text(below),
      static_cast<int>(run.verdict), html_verdict(run.verdict), html_bar(run.counts),
      site_count_cells(run.counts), must.exercised, must.applicable,
      with_trend ? "<td class=\"trend\">" + site_trend(subject) + "</td>" : "");
}

std::string group_table(const SiteGroup& group) {
  std::string text = fmt::format(
      "<section aria-labelledby=\"{0}\"><div class=\"heading\"><h2 id=\"{0}\">{1} <span "
      "class=\"quiet\">fewest failures first</span></h2><a href=\"{2}\">Who breaks which rule</a>"
      "</div>\n<p class=\"says\">{3}</p>\n<div class=\"panel\"><table class=\"league sortable\">"
      "<thead><tr><th scope=\"col\"><span class=\"away\">place</span></th><th scope=\"col\">name"
      "</th><th scope=\"col\">verdict</th><th scope=\"col\" class=\"plain-head share\">cases</th>",
      group.id, group.title, matrix_page(group), site_text(summary_of(group.comparison)));
  for (const std::string_view head : {"fail", "warn", "pass", "not exercised", "must tried"}) {
    text += fmt::format("<th scope=\"col\" class=\"n\">{}</th>", head);
  }
  const bool with_trend = any_trend(group);
  text += with_trend ? "<th scope=\"col\" class=\"plain-head\">change</th>" : "";
  text += "</tr></thead><tbody>\n";
  for (std::size_t i = 0; i < group.subjects.size(); ++i) {
    text += league_line(*group.subjects[i], i + 1, with_trend);
  }
  return text + "</tbody></table></div></section>\n";
}

std::size_t count_with(const SiteModel& model, RunVerdict verdict) {
  const auto& runs = model.everybody.comparison.runs;
  return static_cast<std::size_t>(
      std::ranges::count_if(runs, [verdict](const auto* run) { return run->verdict == verdict; }));
}

std::string verdict_numbers(const SiteModel& model) {
  std::string text = "<ul class=\"numbers\" aria-label=\"Targets\">";
  for (const auto verdict : {RunVerdict::conforms, RunVerdict::partial, RunVerdict::fails}) {
    const auto count = count_with(model, verdict);
    text += fmt::format("<li><span class=\"number{}\"><b>{}</b> {}</span></li>",
                        count == 0 ? " zero" : "", count, html_verdict(verdict));
  }
  if (!model.not_judged.empty()) {
    text += fmt::format(
        "<li><a class=\"number\" href=\"#not-judged\"><b>{}</b> <span class=\"verdict "
        "not-exercised\">not judged</span></a></li>",
        model.not_judged.size());
  }
  return text + "</ul>\n";
}

// "79 servers and 13 clients"
std::string who_is_there(const SiteModel& model) {
  std::size_t clients = 0;
  for (const auto& group : model.groups) {
    if (group.id == "clients") clients = group.subjects.size();
  }
  const std::size_t servers = model.everybody.subjects.size() - clients;
  std::string text = number_of(servers, "server");
  if (clients > 0) text += " and " + number_of(clients, "client");
  return text;
}

std::string group_jumps(const SiteModel& model) {
  std::string text = "<nav class=\"jump\" aria-label=\"Tables\">";
  for (const auto& group : model.groups) {
    text += fmt::format("<a href=\"#{}\">{} <span class=\"quiet\">{}</span></a>", group.id,
                        group.title, group.subjects.size());
  }
  return text + "<a href=\"#most-broken\">Most broken rules</a></nav>\n";
}

std::string most_broken_rules(const SiteModel& model) {
  std::string text =
      "<section aria-labelledby=\"most-broken\"><div class=\"heading\"><h2 id=\"most-broken\">Most "
      "broken rules</h2><a href=\"requirements.html\">All rules</a></div>\n<ol class=\"panel "
      "broken\">\n";
  std::size_t shown = 0;
  for (const auto* row : worst_first(model.everybody.comparison)) {
    const auto fails = row->count(Verdict::fail);
    if (fails == 0 || shown++ == kMostBroken) break;
    const auto asked = fails + row->count(Verdict::warn) + row->count(Verdict::pass);
    text += fmt::format(
        "<li><span class=\"tally\"><b>{}</b> of {}</span><span><a href=\"{}\">{}</a> "
        "{}</span></li>\n",
        fails, asked, requirement_page(row->requirement->id), site_text(row->requirement->id),
        site_text(row->requirement->text));
  }
  return text + "</ol></section>\n";
}

std::string those_not_judged(const SiteModel& model) {
  if (model.not_judged.empty()) return "";
  std::string text =
      "<section aria-labelledby=\"not-judged\"><h2 id=\"not-judged\">Not judged <span "
      "class=\"quiet\">could not be installed or started</span></h2>\n<ul class=\"panel "
      "unjudged\">";
  for (const auto* subject : model.not_judged) {
    text += fmt::format("<li>{} <span class=\"quiet\">{}</span></li>\n",
                        site_link(subject->page(), subject->name),
                        site_text(subject->latest().about.not_judged, 300));
  }
  return text + "</ul></section>\n";
}

std::string last_day(const SiteModel& model) {
  std::string day;
  for (const auto* run : model.everybody.comparison.runs) day = std::max(day, day_of(*run));
  return day;
}

}  // namespace

std::string site_overview(const SiteModel& model) {
  const std::string who = who_is_there(model);
  std::string body = site_head(
      "", fmt::format("<h1>{}, judged by the protocols they speak</h1>", who),
      site_text(summary_of(model.everybody.comparison)),
      verdict_numbers(model) +
          fmt::format("<p class=\"leading\">Last judged <time>{0}</time>. Every finding shows what "
                      "was sent, what came back and a line that repeats it.</p>\n",
                      last_day(model)));
  body += "<main id=\"main\" class=\"wide\" tabindex=\"-1\">\n" + group_jumps(model);
  for (const auto& group : model.groups) body += group_table(group);
  body += most_broken_rules(model) + those_not_judged(model) + "</main>\n";
  return site_page({"The field: " + who + " - jrpcheck", "index.html", false}, body);
}

}  // namespace jrpcheck::reports
