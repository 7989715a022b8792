// What all pages of the site have in common.
#pragma once

#include <string>
#include <string_view>

#include "reports/comparison.hpp"
#include "reports/site_model.hpp"

namespace jrpcheck::reports {

struct SiteFrame {
  std::string title;       ///< of the window
  std::string_view place;  ///< the page of the site that this is, or is below: "matrix.html"
  bool is_below = false;   ///< in a folder of the site
};

/// A whole page; `body` is HTML.
std::string site_page(const SiteFrame& frame, std::string_view body);

/// "../" on pages in a folder.
std::string_view root_of(const SiteFrame& frame);

/// Text as HTML, with what is invisible made visible.
std::string site_text(std::string_view text, std::size_t longest = 600);

/// A link to an address, with a text that is not HTML yet.
std::string site_link(std::string_view address, std::string_view text);

/// The clause that a requirement cites, with a link to where it can be read, as HTML.
std::string site_clause(const corpus::Requirement& requirement);

/// The head of a page: what stands above, the title as HTML, a sentence.
std::string site_head(std::string_view above, std::string_view title, std::string_view sentence,
                      std::string_view more = "");

/// <pre> under a label, with a button that copies it where `copied` says what it is.
std::string site_bytes(std::string_view label, std::string_view kind, std::string_view text,
                       std::string_view copied = "");

/// "2026-11-22" of the time at which a run began, as HTML.
std::string day_of(const result::Run& run);

/// Numbers of cases as cells of a table.
std::string site_count_cells(const result::Counts& counts);

/// How many got better and worse since the round before: "2 better, 1 worse"; empty: no round
/// before, or nothing.
std::string site_trend(const SiteSubject& subject);

}  // namespace jrpcheck::reports
