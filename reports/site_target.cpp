#include <fmt/format.h>

#include "base/names.hpp"
#include "base/number_of.hpp"
#include "reports/evidence.hpp"
#include "reports/html.hpp"
#include "reports/site_frame.hpp"
#include "reports/site_pages.hpp"
#include "reports/summary.hpp"
#include "reports/target_words.hpp"
#include "result/cause.hpp"

namespace jrpcheck::reports {
namespace {

using result::Cause;
using result::Harm;
using result::Run;
using targets::Target;

constexpr std::size_t kOpenCards = 3;
constexpr std::size_t kRoundsShown = 12;

std::string fact(std::string_view name, const std::string& html) {
  return html.empty() ? "" : fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", name, html);
}

std::string facts_of(const SiteSubject& subject) {
  const auto& about = subject.latest().about;
  std::string text =
      "<section aria-labelledby=\"facts\"><h2 id=\"facts\">What was judged</h2>\n<dl "
      "class=\"panel meta\">";
  if (subject.latest().is_described) {
    text += fact("home", about.home.starts_with("https://") ? site_link(about.home, about.home)
                                                            : site_text(about.home)) +
            fact("licence", site_text(about.licence)) +
            fact("version", site_text(about.judged_version())) +
            fact("packages", site_text(packages_of(about)));
  }
  if (const Run* run = subject.run()) {
    text += fact("reached over", site_text(binding_text(run->target))) +
            fact("profile", site_text(run->profile)) + fact("judged on", day_of(*run)) +
            fact("verdict rests on", must_text(*run)) +
            fact("jrpcheck", site_text(run->tool_version)) +
            fact("corpus", fmt::format("{}, {}", number_of(run->corpus_cases, "case"),
                                       site_text(run->corpus_hash.substr(0, 12))));
  }
  text += "</dl>\n";
  if (!about.limits.empty()) {
    text += "<ul class=\"notes\" aria-label=\"Known limits\">";
    for (const auto& each : about.limits) text += "<li>" + site_text(each) + "</li>";
    text += "</ul>\n";
  }
  return text + "</section>\n";
}

std::string how_to_repeat(const SiteSubject& subject) {
  const auto& about = subject.latest().about;
  if (!subject.latest().is_described) return "";
  std::string text =
      "<section aria-labelledby=\"repeat\"><h2 id=\"repeat\">Do it again</h2>\n<div class=\"panel "
      "reason\">" +
      site_bytes("With the sources of jrpcheck", "", "scripts/targets " + subject.name,
                 "the command") +
      site_bytes("By hand", "", lines_to_start(about), "the commands");
  if (!about.wrapper.empty()) {
    text += fmt::format(
        "<p class=\"about\">{} is a file of jrpcheck's own, a few lines that put "
        "methods behind it.</p>",
        site_text(about.wrapper));
  }
  return text + "</div></section>\n";
}

std::string_view words_of_harm(Harm harm) {
  return name_at({"dies", "hangs", "goes deaf", "loses or mixes up answers"}, harm);
}

std::string cited_rule(const corpus::Requirement& requirement) {
  return fmt::format(
      "<p class=\"asks\">{}</p><p class=\"about\">{} \u00b7 {} \u00b7 {} \u00b7 <a "
      "href=\"../{}\">who else "
      "breaks it</a></p>",
      site_text(requirement.text), site_clause(requirement), corpus::name_of(requirement.level),
      site_text(requirement.class_name), requirement_page(requirement.id));
}

std::string evidence_of(const result::Charge& charge) {
  const auto& [one, finding] = charge;
  std::string text = fmt::format("<p class=\"lead\"><code>{}</code> {}</p>", site_text(one->id),
                                 site_text(one->title)) +
                     site_bytes("Sent", "sent", sent_for(*one, *finding)) + "<div class=\"pair\">" +
                     site_bytes("Expected", "expected", finding->expected) +
                     site_bytes("Got", "got", finding->actual) + "</div>";
  if (!one->reproduce.empty() && one->reproduce.size() < 3000) {
    text += site_bytes("Try it yourself", "try", one->reproduce, "the command of " + one->id);
  }
  return text;
}

std::string the_same_way(const std::vector<std::string>& ids) {
  if (ids.empty()) return "";
  std::string text = fmt::format("<p class=\"about\">The same way in {}:</p><ul class=\"links\">",
                                 number_of(ids.size(), "more case"));
  for (const auto& id : ids) text += "<li><code>" + site_text(id) + "</code></li>";
  return text + "</ul>";
}

std::string cause_card(const Run& run, const Cause& cause, std::size_t place) {
  const auto& finding = cause.first();
  const bool is_warning = cause.harm == Harm::warning;
  const auto harm = words_of_harm(cause.harm);
  std::string text = fmt::format(
      "<details class=\"panel card is-{0}\" id=\"finding-{1}\"{2}><summary>{3}<h3>{4}{5}</h3><span "
      "class=\"where\"><code>{6}</code><span>{7}</span></span></summary><div class=\"inside\">",
      is_warning ? "warn" : "fail", place + 1, place < kOpenCards ? " open" : "",
      html_verdict(is_warning ? result::Verdict::warn : result::Verdict::fail),
      site_text(cause.failure.empty() ? judge::sentence_of(finding)
                                      : cause.failure + " in place of answers."),
      harm.empty() ? "" : fmt::format("<span class=\"harm\">{}</span>", harm),
      cause.failure.empty() ? site_text(finding.requirement) : "", cause.cases_in_words());
  const auto* requirement = run.find_requirement(finding.requirement);
  if (requirement != nullptr && cause.failure.empty()) text += cited_rule(*requirement);
  return text + evidence_of(cause.charges.front()) + the_same_way(other_cases(cause.charges)) +
         "</div></details>\n";
}

std::string section_of_findings(std::string_view id, std::string_view title,
                                std::string_view beside, const std::string& body) {
  return fmt::format(
      "<section aria-labelledby=\"{0}\"><h2 id=\"{0}\">{1} <span "
      "class=\"quiet\">{2}</span></h2>\n{3}</section>\n",
      id, title, beside, body);
}

constexpr std::string_view kNothing =
    "<p class=\"panel empty\">Nothing that was exercised fails or warns.</p>";

std::string findings_of(const Run& run, std::string_view id, std::string_view title,
                        const std::string& before = {}) {
  const auto causes = result::causes_of(run);
  if (causes.empty()) return section_of_findings(id, title, "", before + std::string(kNothing));
  std::string cards;
  for (std::size_t i = 0; i < causes.size(); ++i) cards += cause_card(run, causes[i], i);
  return section_of_findings(id, title, "what hurts most comes first", before + cards);
}

// How much was tried stands in the notes of a campaign, and why nothing could be: a campaign that
// finds nothing means little without.
std::string fuzzing_of(const Run& campaign) {
  std::string told;
  for (const auto& note : campaign.notes) told += fmt::format("<p>{}</p>\n", site_text(note));
  const auto& counts = campaign.counts;
  return counts.pass + counts.warn + counts.fail > 0
             ? findings_of(campaign, "fuzzing", "What fuzzing found", told)
             : section_of_findings("fuzzing", "Fuzzing", "was tried in vain", told);
}

// One line a round, the newest first.
std::string history_of(const SiteSubject& subject) {
  std::string text =
      "<section aria-labelledby=\"history\"><h2 id=\"history\">History</h2>\n<div "
      "class=\"panel\"><table class=\"league history\"><thead><tr><th scope=\"col\">judged on</th>"
      "<th scope=\"col\">verdict</th><th scope=\"col\">cases</th><th scope=\"col\" "
      "class=\"n\">fail</th><th scope=\"col\" class=\"n\">warn</th><th scope=\"col\" "
      "class=\"n\">pass</th><th scope=\"col\" class=\"n\">not exercised</th></tr></thead><tbody>\n";
  std::size_t shown = 0;
  for (auto each = subject.records.rbegin(); each != subject.records.rend(); ++each) {
    if (shown++ == kRoundsShown) break;
    const auto& record = **each;
    const std::string& version = record.about.found;
    if (!record.run) {
      text += fmt::format(
          "<tr><th scope=\"row\">{}</th><td colspan=\"6\" class=\"quiet\">not judged: {}"
          "</td></tr>\n",
          site_text(record.round.substr(0, 10)), site_text(record.about.not_judged, 200));
      continue;
    }
    text += fmt::format(
        "<tr><th scope=\"row\"><b>{}</b><code>{}</code></th><td class=\"word\">{}</td><td "
        "class=\"share\">{}</td>{}</tr>\n",
        day_of(*record.run),
        site_text((version.empty() ? "" : version + " \u00b7 ") + "jrpcheck " +
                  record.run->tool_version),
        html_verdict(record.run->verdict), html_bar(record.run->counts),
        site_count_cells(record.run->counts));
  }
  text += "</tbody></table></div>\n";
  const auto trend = site_trend(subject);
  if (!trend.empty()) {
    text += fmt::format(
        "<p class=\"about\">Since the round before: {}. <a href=\"../changes.html#{}\">"
        "What changed</a></p>\n",
        trend, site_text(subject.name));
  }
  return text + "</section>\n";
}

std::string badge_of(const SiteSubject& subject) {
  return fmt::format(
             "<section aria-labelledby=\"badge\"><h2 id=\"badge\">Badge</h2>\n<div class=\"panel "
             "reason\"><p><img src=\"../{0}.svg\" height=\"20\" alt=\"JSON-RPC 2.0: {1}\"></p>",
             subject.place(), result::name_of(subject.run()->verdict)) +
         site_bytes("Markdown, with the address of this site in front", "",
                    fmt::format("[![JSON-RPC]({0}.svg)]({0}.html)", subject.place()), "the badge") +
         "</div></section>\n";
}

std::string numbers_of(const Run& run) {
  std::string text = "<ul class=\"numbers\" aria-label=\"Cases\">";
  const auto number = [&text](result::Verdict verdict, std::size_t count) {
    text += fmt::format("<li><span class=\"number{}\"><b>{}</b> {}</span></li>",
                        count == 0 ? " zero" : "", count, html_verdict(verdict));
  };
  number(result::Verdict::fail, run.counts.fail);
  number(result::Verdict::warn, run.counts.warn);
  number(result::Verdict::pass, run.counts.pass);
  number(result::Verdict::not_exercised, run.counts.not_exercised);
  return text + "</ul>\n" + html_bar(run.counts);
}

std::string target_head(const SiteModel& model, const SiteSubject& subject) {
  const Run* run = subject.run();
  const auto* group = model.group_of(subject);
  std::string above = site_link("../index.html", "Overview");
  if (group != nullptr) above += " / " + site_link("../index.html#" + group->id, group->title);
  const auto& about = subject.latest().about;
  const std::string title = fmt::format(
      "{}<h1><b>{}</b>{}</h1>",
      run == nullptr ? "<span class=\"verdict not-exercised\">not judged</span>"
                     : html_verdict(run->verdict),
      site_text(subject.name),
      about.about.empty() ? "" : " <span class=\"quiet\">" + site_text(about.about) + "</span>");
  if (run == nullptr) return site_head(above, title, site_text(about.not_judged, 400));
  const std::string leading = result::leading_cause(*run, result::causes_of(*run));
  return site_head(
      above, title, site_text(summary_of(*run)),
      (leading.empty() ? "" : "<p class=\"leading\">" + site_text(leading) + ".</p>\n") +
          numbers_of(*run));
}

}  // namespace

std::string site_target(const SiteModel& model, const SiteSubject& subject) {
  std::string body =
      target_head(model, subject) + "<main id=\"main\" class=\"wide\" tabindex=\"-1\">\n";
  const Run* run = subject.run();
  if (run != nullptr) {
    body += fmt::format(
        "<nav class=\"jump\" aria-label=\"Sections\"><a href=\"#findings\">Findings</a>{}<a "
        "href=\"#history\">History</a><a "
        "href=\"#badge\">Badge</a><a href=\"../{}-run.html\">The whole run: every case and "
        "transcript</a></nav>\n",
        subject.latest().is_described ? "<a href=\"#repeat\">Do it again</a>" : "",
        subject.place());
    body += findings_of(*run, "findings", "Findings");
    if (subject.latest().fuzzed) {
      body += fuzzing_of(*subject.latest().fuzzed);
    }
  }
  body += how_to_repeat(subject) + facts_of(subject) + history_of(subject);
  if (run != nullptr) body += badge_of(subject);
  return site_page({subject.name + " - jrpcheck", "index.html", true}, body + "</main>\n");
}

}  // namespace jrpcheck::reports
