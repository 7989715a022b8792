// The parts that HTML reports are put together from.
#pragma once

#include <string>
#include <string_view>

#include "reports/comparison.hpp"
#include "result/run.hpp"

namespace jrpcheck::reports {

/// The files of reports/html, embedded at build time, with the hashes by which the page's
/// Content-Security-Policy knows its own style and script.
struct HtmlPage {
  std::string shell;
  std::string style;
  std::string style_hash;
  std::string script;
  std::string script_hash;
};

HtmlPage html_page();

/// The style and the script that all pages of the site share.
struct SitePage {
  std::string style;
  std::string script;
};

SitePage site_page_parts();

/// A whole page. `title` is text; `body` is HTML; `data` is JSON, which the script reads.
std::string html_document(std::string_view title, std::string_view body, std::string_view data);

/// JSON text as it may stand inside a script element: nothing in it ends the element, opens a
/// comment in it, or is a control character.
std::string json_for_script(std::string_view json);

/// A stacked bar of cases without words: what it shows stands beside it as numbers.
std::string html_bar(const result::Counts& counts);

/// "not exercised".
std::string words_of(result::Verdict verdict);

/// A verdict as a word with its class, which brings colour and symbol.
std::string html_verdict(result::Verdict verdict);
std::string html_verdict(result::RunVerdict verdict);
/// A change looks like the verdict that it is as good as.
std::string html_verdict(Change change);

}  // namespace jrpcheck::reports
