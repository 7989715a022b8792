#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.hpp"
#include "base/names.hpp"
#include "reports/evidence.hpp"
#include "reports/html.hpp"

namespace jrpcheck::reports {
namespace {

using Parts = std::array<std::pair<std::string_view, std::string_view>, 7>;

// Marks look like @name@. One pass: what is put in is never looked through for marks again.
std::string fill(std::string_view shell, const Parts& parts) {
  std::string page;
  while (true) {
    const auto open = shell.find('@');
    page += shell.substr(0, open);
    if (open == std::string_view::npos) return page;
    const auto close = shell.find('@', open + 1);
    const auto name = shell.substr(open + 1, close - open - 1);
    for (const auto& [part, text] : parts) {
      if (part == name) page += text;
    }
    shell.remove_prefix(close + 1);
  }
}

void append_escape(std::string& out, unsigned int code_point) {
  out += "\\u";
  for (const unsigned int shift : {12U, 8U, 4U, 0U})
    out += kHexDigits[(code_point >> shift) & 0xFU];
}

}  // namespace

std::string json_for_script(std::string_view json) {
  std::string out;
  out.reserve(json.size() + json.size() / 8);
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    const std::string_view three = json.substr(i, 3);
    if (c == '<' || c == '>' || c == '&' || c == '\x7f') {
      append_escape(out, static_cast<unsigned char>(c));
    } else if (three == "\xE2\x80\xA8" || three == "\xE2\x80\xA9") {  // line separators
      append_escape(out, three.back() == '\xA8' ? 0x2028 : 0x2029);
      i += 2;
    } else if (c == '\xC2' && three.size() > 1 && static_cast<unsigned char>(three[1]) < 0xA0) {
      append_escape(out, static_cast<unsigned char>(three[1]));  // C1 controls
      ++i;
    } else {
      out += c;
    }
  }
  return out;
}

std::string html_document(std::string_view title, std::string_view body, std::string_view data) {
  const HtmlPage page = html_page();
  const std::string escaped_title = escape_xml(title);
  const std::string island = json_for_script(data);
  return fill(page.shell, {{{"title", escaped_title},
                            {"style", page.style},
                            {"style-hash", page.style_hash},
                            {"script", page.script},
                            {"script-hash", page.script_hash},
                            {"body", body},
                            {"data", island}}});
}

std::string html_bar(const result::Counts& counts) {
  using result::Verdict;
  const std::pair<Verdict, std::size_t> shares[] = {{Verdict::fail, counts.fail},
                                                    {Verdict::warn, counts.warn},
                                                    {Verdict::pass, counts.pass},
                                                    {Verdict::not_exercised, counts.not_exercised}};
  constexpr double kWidth = 1000;
  double all = 0;
  for (const auto& [verdict, count] : shares) all += static_cast<double>(count);
  std::string text =
      "<svg class=\"bar\" viewBox=\"0 0 1000 8\" preserveAspectRatio=\"none\" "
      "aria-hidden=\"true\">";
  double at = 0;
  for (const auto& [verdict, count] : shares) {
    if (count == 0) continue;
    const double width = kWidth * static_cast<double>(count) / all;
    text += fmt::format("<rect class=\"{}\" x=\"{:.1f}\" width=\"{:.1f}\" height=\"8\"/>",
                        result::name_of(verdict), at, width);
    at += width;
  }
  return text + "</svg>\n";
}

std::string words_of(result::Verdict verdict) {
  std::string words(result::name_of(verdict));
  std::replace(words.begin(), words.end(), '-', ' ');
  return words;
}

std::string html_verdict(result::Verdict verdict) {
  return fmt::format("<span class=\"verdict {}\">{}</span>", result::name_of(verdict),
                     words_of(verdict));
}

std::string html_verdict(result::RunVerdict verdict) {
  const std::string name(result::name_of(verdict));
  return "<span class=\"verdict " + name + "\">" + name + "</span>";
}

std::string html_verdict(Change change) {
  return fmt::format("<span class=\"verdict {}\">{}</span>",
                     name_at({"fail", "pass", "warn", "not-exercised", "not-exercised"}, change),
                     name_of(change));
}

}  // namespace jrpcheck::reports
