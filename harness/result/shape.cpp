#include "result/shape.hpp"

#include <algorithm>
#include <set>
#include <string_view>

namespace jrpcheck::result {
namespace {

bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }

// Numbers become #; what is quoted comes from the server or from the case; what stands behind a
// colon are particulars.
std::string without_particulars(std::string_view message) {
  std::string text;
  for (std::size_t i = 0; i < message.size(); ++i) {
    const char c = message[i];
    if (c == ':') break;
    if (is_ascii_digit(c)) {
      if (text.empty() || text.back() != '#') text += '#';
    } else if (c == '"') {
      const auto end = message.find('"', i + 1);
      if (end == std::string_view::npos) break;
      text += "...";
      i = end;
    } else {
      text += c;
    }
  }
  while (!text.empty() && (text.back() == '.' || text.back() == ' ')) text.pop_back();
  return text;
}

// What comes back is often cut in its middle, so that it is looked through and not parsed.
std::set<std::string> error_codes(std::string_view actual) {
  constexpr std::string_view kCode = "\"code\"";
  std::set<std::string> codes;
  for (auto at = actual.find(kCode); at != std::string_view::npos; at = actual.find(kCode, at)) {
    at = actual.find_first_not_of(" \t", at + kCode.size());
    if (at == std::string_view::npos || actual[at] != ':') continue;
    at = actual.find_first_not_of(" \t", at + 1);
    if (at == std::string_view::npos) break;
    const auto end = actual.find_first_not_of("-0123456789", at);
    const std::string_view code = actual.substr(at, end - at);
    if (!code.empty() && code.size() <= 12) codes.emplace(code);
    at = std::min(end, actual.size());
  }
  return codes;
}

}  // namespace

std::string shape_of(const judge::Finding& finding) {
  std::string shape = without_particulars(finding.message);
  std::string codes;
  for (const auto& code : error_codes(finding.actual)) codes += (codes.empty() ? "" : ", ") + code;
  if (!codes.empty()) shape += " (error " + codes + ")";
  return shape;
}

}  // namespace jrpcheck::result
