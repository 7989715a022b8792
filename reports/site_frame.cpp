#include "reports/site_frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/bytes.hpp"
#include "reports/citation.hpp"
#include "reports/evidence.hpp"
#include "reports/html.hpp"

namespace jrpcheck::reports {
namespace {

using result::Verdict;

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kPlaces = {
    {{"index.html", "Overview"},
     {"matrix.html", "Matrix"},
     {"requirements.html", "Rules"},
     {"changes.html", "Changes"}}};

std::string navigation(const SiteFrame& frame) {
  std::string text = fmt::format(
      "<nav aria-label=\"Site\"><a class=\"brand\" href=\"{}index.html\"><b>jrpcheck</b> <span>the "
      "field</span></a><ul>",
      root_of(frame));
  for (const auto& [page, title] : kPlaces) {
    text += fmt::format("<li><a href=\"{}{}\"{}>{}</a></li>", root_of(frame), page,
                        page == frame.place ? " aria-current=\"page\"" : "", title);
  }
  return text + "</ul></nav>";
}

}  // namespace

std::string_view root_of(const SiteFrame& frame) { return frame.is_below ? "../" : ""; }

std::string site_page(const SiteFrame& frame, std::string_view body) {
  const auto root = root_of(frame);
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; base-uri 'none'; "
      "form-action 'none'; img-src 'self' data:; style-src 'self'; script-src 'self'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n<link rel=\"icon\" href=\"data:,\">\n"
      "<title>{0}</title>\n<link rel=\"stylesheet\" href=\"{1}assets/site.css\">\n"
      "<script defer src=\"{1}assets/index.js\"></script>\n"
      "<script defer src=\"{1}assets/site.js\"></script>\n</head>\n<body data-root=\"{1}\">\n"
      "<a class=\"skip\" href=\"#main\">Skip to the content</a>\n"
      "<div class=\"masthead\"><div class=\"wide\">{2}<div id=\"search\" "
      "role=\"search\"></div></div>"
      "</div>\n{3}"
      "<footer><div class=\"wide\">Made by jrpcheck from runs that anyone can repeat. What is not "
      "exercised is never counted as passed; there is no score.</div></footer>\n</body>\n</html>\n",
      site_text(frame.title), root, navigation(frame), body);
}

std::string site_text(std::string_view text, std::size_t longest) {
  return escape_xml(to_visible(text, longest));
}

std::string site_link(std::string_view address, std::string_view text) {
  return fmt::format("<a href=\"{}\">{}</a>", site_text(address), site_text(text));
}

std::string site_clause(const corpus::Requirement& requirement) {
  const std::string clause = requirement.cited_clause();
  if (clause.empty()) return "no document says it";
  const std::string address = clause_link(requirement);
  return address.empty() ? site_text(clause) : site_link(address, clause);
}

std::string site_head(std::string_view above, std::string_view title, std::string_view sentence,
                      std::string_view more) {
  return fmt::format(
      "<header class=\"head\"><div class=\"wide\">\n{}<div class=\"top\">{}</div>\n"
      "<p class=\"summary\">{}</p>\n{}</div></header>\n",
      above.empty() ? "" : fmt::format("<p class=\"above\">{}</p>\n", above), title, sentence,
      more);
}

std::string site_bytes(std::string_view label, std::string_view kind, std::string_view text,
                       std::string_view copied) {
  const std::string shown =
      copied.empty() ? site_text(text, 1500) : escape_xml(to_visible_lines(text));
  return fmt::format(
      "<div class=\"bytes {}\"><div class=\"label\"><span>{}</span></div><pre{}>{}</pre></div>\n",
      kind, label, copied.empty() ? "" : fmt::format(" data-copy=\"{}\"", site_text(copied)),
      text.empty() ? "<span class=\"quiet\">(nothing)</span>" : shown);
}

std::string day_of(const result::Run& run) {
  return site_text(run.started.substr(0, run.started.find('T')));
}

std::string site_count_cells(const result::Counts& counts) {
  const auto cell = [](Verdict verdict, std::size_t count) {
    return fmt::format(
        "<td class=\"n{0}\" data-value=\"{1}\"><span class=\"of\">{2} </span>{1}</td>",
        count == 0 ? " zero" : "", count, words_of(verdict));
  };
  return cell(Verdict::fail, counts.fail) + cell(Verdict::warn, counts.warn) +
         cell(Verdict::pass, counts.pass) + cell(Verdict::not_exercised, counts.not_exercised);
}

std::string site_trend(const SiteSubject& subject) {
  const auto changes = subject.changes();
  const auto count = [&changes](Change wanted) {
    return std::ranges::count_if(
        changes, [wanted](const CaseChange& each) { return each.change == wanted; });
  };
  const auto better = count(Change::fixed);
  const auto worse = count(Change::broken);
  std::string text;
  if (worse > 0) text = fmt::format("<span class=\"worse\">{} worse</span>", worse);
  if (better > 0) {
    text +=
        fmt::format("{}<span class=\"better\">{} better</span>", text.empty() ? "" : " ", better);
  }
  return text;
}

}  // namespace jrpcheck::reports
