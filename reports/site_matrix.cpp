#include <fmt/format.h>

#include "base/names.hpp"
#include "reports/html.hpp"
#include "reports/site_frame.hpp"
#include "reports/site_pages.hpp"
#include "reports/summary.hpp"

namespace jrpcheck::reports {
namespace {

using result::Verdict;

// One letter each, for there are tens of thousands of cells.
std::string_view sign_class(Verdict verdict) { return name_at({"p", "w", "f", "x", "a"}, verdict); }

std::string_view sign_of(Verdict verdict) {
  return name_at({"\u2713", "!", "\u2715", "\u2013", "\u00b7"}, verdict);
}

// What fails or warns leads to its evidence.
std::string sign_cell(const result::RequirementResult* one, const std::string& name,
                      const std::string& page, bool begins_group) {
  const std::string_view begin = begins_group ? " g" : "";
  if (one == nullptr) return begins_group ? "<td class=g>" : "<td>";
  if (one->verdict != Verdict::fail && one->verdict != Verdict::warn) {
    return fmt::format("<td class=\"{}{}\">{}", sign_class(one->verdict), begin,
                       sign_of(one->verdict));
  }
  return fmt::format("<td class=\"{}{}\"><a href=\"{}#{}\" aria-label=\"{}\">{}</a>",
                     sign_class(one->verdict), begin, page, name, result::name_of(one->verdict),
                     sign_of(one->verdict));
}

std::string sign_row(const SiteModel& model, const SiteGroup& group,
                     const ComparedRequirement& row) {
  const auto& requirement = *row.requirement;
  const std::size_t fails = row.count(Verdict::fail);
  const std::size_t warns = row.count(Verdict::warn);
  const std::string page = requirement_page(requirement.id);
  std::string text = fmt::format(
      "<tr id=\"{0}\" data-class=\"{1}\" data-harm=\"{2}\"{3}><th scope=\"row\"><a href=\"{4}\">{0}"
      "</a><span class=\"text\">{5}</span></th><td class=\"n{6}\">{7}</td>",
      site_text(requirement.id), site_text(requirement.class_name),
      fails > 0   ? "fail"
      : warns > 0 ? "warn"
                  : "none",
      fails + warns == 0 ? " hidden" : "", page, site_text(requirement.text),
      fails == 0 ? " zero" : "", fails);
  const SiteGroup* before = nullptr;
  for (std::size_t i = 0; i < row.results.size(); ++i) {
    const auto* of = model.group_of(*group.subjects[i]);
    text +=
        sign_cell(row.results[i], site_text(group.subjects[i]->name), page, i > 0 && of != before);
    before = of;
  }
  return text + "</tr>\n";
}

std::string matrix_choice(const SiteModel& model, const SiteGroup& group) {
  std::string text = "<nav class=\"jump\" aria-label=\"Matrices\">";
  const auto link = [&](const SiteGroup& each, std::string_view title) {
    text += fmt::format("<a href=\"{}\"{}>{} <span class=\"quiet\">{}</span></a>",
                        matrix_page(each), each.id == group.id ? " aria-current=\"true\"" : "",
                        title, each.subjects.size());
  };
  link(model.everybody, "Everybody");
  for (const auto& each : model.groups) link(each, each.title);
  return text + "</nav>\n";
}

std::string sign_heads(const SiteModel& model, const SiteGroup& group) {
  std::string text;
  const SiteGroup* before = nullptr;
  for (std::size_t i = 0; i < group.subjects.size(); ++i) {
    const auto& subject = *group.subjects[i];
    const auto* of = model.group_of(subject);
    text += fmt::format("<th scope=\"col\" class=\"server{}\"><a href=\"{}\">{}</a></th>",
                        i > 0 && of != before ? " g" : "", subject.page(), site_text(subject.name));
    before = of;
  }
  return text;
}

std::string sign_legend() {
  std::string text = "<ul class=\"legend\" aria-label=\"Signs\">";
  for (const Verdict verdict : {Verdict::fail, Verdict::warn, Verdict::pass, Verdict::not_exercised,
                                Verdict::not_applicable}) {
    text += fmt::format("<li><span class=\"sign {}\">{}</span> {}</li>", sign_class(verdict),
                        sign_of(verdict), words_of(verdict));
  }
  return text + "<li>an empty cell: the rule is of another protocol</li></ul>\n";
}

}  // namespace

std::string matrix_page(const SiteGroup& group) {
  return group.id == "all" ? "matrix.html" : "matrix-" + group.id + ".html";
}

std::string site_matrix(const SiteModel& model, const SiteGroup& group) {
  std::string body = site_head("", fmt::format("<h1>Matrix: {}</h1>", group.title),
                               site_text(summary_of(group.comparison)));
  body +=
      "<main id=\"main\" class=\"wide full\" tabindex=\"-1\">\n" + matrix_choice(model, group) +
      "<div id=\"matrix-filter\"></div>\n" + sign_legend() +
      "<div class=\"panel matrix-panel\" tabindex=\"0\" role=\"group\" aria-label=\"Matrix\">"
      "<table class=\"matrix signs\"><thead><tr><th scope=\"col\" class=\"corner\">rule</th><th "
      "scope=\"col\" class=\"n\">fail</th>" +
      sign_heads(model, group) + "</tr></thead><tbody>\n";
  for (const auto* row : worst_first(group.comparison)) body += sign_row(model, group, *row);
  body += "</tbody></table></div></main>\n";
  return site_page({"Matrix: " + group.title + " - jrpcheck", "matrix.html", false}, body);
}

}  // namespace jrpcheck::reports
