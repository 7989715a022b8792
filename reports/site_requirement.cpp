#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reports/citation.hpp"
#include "reports/evidence.hpp"
#include "reports/html.hpp"
#include "reports/site_frame.hpp"
#include "reports/site_pages.hpp"

namespace jrpcheck::reports {
namespace {

using corpus::Requirement;
using result::Verdict;

std::size_t asked_of(const ComparedRequirement& row) {
  return row.count(Verdict::fail) + row.count(Verdict::warn) + row.count(Verdict::pass);
}

std::string rule_line(const ComparedRequirement& row) {
  const auto& requirement = *row.requirement;
  const auto fails = row.count(Verdict::fail);
  return fmt::format(
      "<tr data-class=\"{0}\"><th scope=\"row\" data-value=\"{1}\"><a href=\"{2}\">{1}</a><span "
      "class=\"text\">{3}</span></th><td class=\"clause\" data-value=\"{4}\">{4}</td><td "
      "data-value=\"{5}\">{5}</td><td data-value=\"{0}\">{0}</td><td class=\"n{6}\" "
      "data-value=\"{7}\">{7}<span class=\"quiet\"> of {8}</span></td></tr>\n",
      site_text(requirement.class_name), site_text(requirement.id),
      requirement_page(requirement.id), site_text(requirement.text),
      site_text(requirement.cited_clause()), corpus::name_of(requirement.level),
      fails == 0 ? " zero" : "", fails, asked_of(row));
}

// Those to whom it happened, each with the gravest that was seen.
std::string who_breaks_it(const SiteModel& model, const ComparedRequirement& row, Verdict verdict) {
  std::string text;
  bool is_first = true;
  for (std::size_t i = 0; i < row.results.size(); ++i) {
    if (row.results[i] == nullptr || row.results[i]->verdict != verdict) continue;
    const auto& subject = *model.everybody.subjects[i];
    const auto& id = row.requirement->id;
    const auto charge = gravest_charge(*subject.run(), id);
    const auto* group = model.group_of(subject);
    text += fmt::format(
        "<details class=\"panel card is-{0}\" id=\"{1}\"{2}><summary>{3}<h3>{1} <span "
        "class=\"tag\">{4}</span></h3><span class=\"where\"><span>{5}</span></span></summary><div "
        "class=\"inside\">",
        result::name_of(verdict), site_text(subject.name), is_first ? " open" : "",
        html_verdict(verdict), group == nullptr ? "" : group->title,
        charge ? site_text(judge::sentence_of(*charge->finding), 200) : "");
    is_first = false;
    if (charge) {
      text += fmt::format("<p class=\"lead\"><code>{}</code> {}</p>", site_text(charge->one->id),
                          site_text(charge->one->title));
      text += site_bytes("Sent", "sent", sent_for(*charge->one, *charge->finding)) +
              "<div class=\"pair\">" +
              site_bytes("Expected", "expected", charge->finding->expected) +
              site_bytes("Got", "got", charge->finding->actual) + "</div>";
    }
    text += fmt::format("<p class=\"about\"><a href=\"../{0}\">All that {1} does</a></p>",
                        site_text(subject.page()), site_text(subject.name));
    text += "</div></details>\n";
  }
  return text;
}

std::string the_others(const SiteModel& model, const ComparedRequirement& row, Verdict verdict) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < row.results.size(); ++i) {
    if (row.results[i] == nullptr || row.results[i]->verdict != verdict) continue;
    const auto& subject = *model.everybody.subjects[i];
    names.push_back("<li>" + site_link("../" + subject.page(), subject.name) + "</li>");
  }
  if (names.empty()) return "";
  return fmt::format(
      "<div class=\"reason\"><p>{} <span class=\"quiet\">{}</span></p><ul "
      "class=\"links\">{}</ul></div>\n",
      html_verdict(verdict), names.size(), fmt::join(names, ""));
}

std::string seen_elsewhere(const Requirement& requirement) {
  if (requirement.seen.empty()) return "";
  std::string text =
      "<section aria-labelledby=\"seen\"><h2 id=\"seen\">Seen elsewhere</h2><div class=\"panel "
      "reason\"><ul class=\"seen\">";
  for (const auto& each : requirement.seen) {
    const auto link = thread_link(each);
    const auto end = link.empty() ? 0 : std::min(each.find(':'), each.size());
    text += "<li>" + (end == 0 ? "" : site_link(link, each.substr(0, end))) +
            site_text(each.substr(end)) + "</li>";
  }
  return text + "</ul></div></section>\n";
}

}  // namespace

std::string site_requirements(const SiteModel& model) {
  const auto& rows = model.everybody.comparison.requirements;
  const auto broken =
      std::ranges::count_if(rows, [](const auto& row) { return row.count(Verdict::fail) > 0; });
  std::string body =
      site_head("", "<h1>Rules</h1>",
                fmt::format("{} of {} rules are broken by somebody.", broken, rows.size()));
  body +=
      "<main id=\"main\" class=\"wide\" tabindex=\"-1\">\n<div id=\"rules-filter\"></div>\n<div "
      "class=\"panel\"><table class=\"rules sortable\"><thead><tr><th scope=\"col\">rule</th><th "
      "scope=\"col\">clause</th><th scope=\"col\">level</th><th scope=\"col\">class</th><th "
      "scope=\"col\" class=\"n\">broken by</th></tr></thead><tbody>\n";
  for (const auto& row : rows) body += rule_line(row);
  body += "</tbody></table></div></main>\n";
  return site_page({"Rules - jrpcheck", "requirements.html", false}, body);
}

std::string site_requirement(const SiteModel& model, const ComparedRequirement& row) {
  const auto& requirement = *row.requirement;
  const auto fails = row.count(Verdict::fail);
  const auto warns = row.count(Verdict::warn);
  std::string more =
      fmt::format("<p class=\"leading\">{} \u00b7 {} \u00b7 {}</p>\n", site_clause(requirement),
                  corpus::name_of(requirement.level), site_text(requirement.class_name));
  if (!requirement.why.empty()) {
    more += "<p class=\"why\"><b>Why it matters</b> " + site_text(requirement.why) + "</p>\n";
  }
  const std::string title = fmt::format("<h1><code>{}</code></h1>", site_text(requirement.id));
  std::string body = site_head(site_link("../requirements.html", "Rules"), title,
                               site_text(requirement.text), more);
  body += fmt::format(
      "<main id=\"main\" class=\"wide\" tabindex=\"-1\">\n<section aria-labelledby=\"who\"><h2 "
      "id=\"who\">Who breaks it <span class=\"quiet\">{} of {} that were asked{}</span></h2>\n",
      fails, asked_of(row), warns == 0 ? "" : fmt::format(", {} more get a warning", warns));
  const std::string cards =
      who_breaks_it(model, row, Verdict::fail) + who_breaks_it(model, row, Verdict::warn);
  body += cards.empty() ? "<p class=\"panel empty\">Nobody who was asked.</p>" : cards;
  const std::string others = the_others(model, row, Verdict::pass) +
                             the_others(model, row, Verdict::not_exercised) +
                             the_others(model, row, Verdict::not_applicable);
  body += "</section>\n";
  if (!others.empty()) {
    body +=
        "<section aria-labelledby=\"others\"><h2 id=\"others\">The others</h2><div "
        "class=\"panel\">" +
        others + "</div></section>\n";
  }
  body += seen_elsewhere(requirement) + "</main>\n";
  return site_page({requirement.id + " - jrpcheck", "requirements.html", true}, body);
}

}  // namespace jrpcheck::reports
