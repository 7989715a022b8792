#include "reports/wrap.hpp"

#include <algorithm>
#include <vector>

#include "base/utf8.hpp"

namespace jrpcheck::reports {
namespace {

// The byte at which so many columns are full; the size where there are fewer.
std::size_t byte_at(std::string_view text, std::size_t columns) {
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    if (!is_continuation(text[at]) && columns-- == 0) return at;
  }
  return at;
}

// Where a line that has room for `room` columns ends.
std::size_t break_in(std::string_view text, std::size_t room) {
  const std::size_t end = byte_at(text, room);
  if (end == text.size()) return end;
  const auto space = text.rfind(' ', end);
  if (space != std::string_view::npos && space > 0) return space;
  const auto mark = text.substr(0, end).find_last_of(",;:}]/&");
  return mark != std::string_view::npos && mark + 1 >= end / 2 ? mark + 1 : end;
}

std::string_view without_leading_spaces(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return text;
}

// The words of a line of shell, each with its quotes.
std::vector<std::string> shell_words(std::string_view line) {
  std::vector<std::string> words(1);
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote == 0 && c == ' ') {
      if (!words.back().empty()) words.emplace_back();
      continue;
    }
    if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == quote) {
      quote = 0;
    }
    words.back().push_back(c);
    if (c == '\\' && quote != '\'' && i + 1 < line.size()) words.back().push_back(line[++i]);
  }
  return words;
}

}  // namespace

std::size_t columns_of(std::string_view text) { return code_points_in(text); }

std::string wrap(std::string_view first, std::string_view text, std::size_t width) {
  std::string wrapped(first);
  const std::size_t indent = columns_of(first);
  const std::size_t room = width > indent + 10 ? width - indent : 10;
  while (true) {
    const std::size_t end = break_in(text, room);
    wrapped += text.substr(0, end);
    wrapped += '\n';
    text = without_leading_spaces(text.substr(end));
    if (text.empty()) return wrapped;
    wrapped.append(indent, ' ');
  }
}

std::string wrap_shell(std::string_view first, std::string_view line, std::size_t width) {
  const std::size_t indent = columns_of(first);
  std::string wrapped(first);
  std::size_t column = indent;
  for (const auto& word : shell_words(line)) {
    const std::size_t size = columns_of(word);
    if (indent + size + 2 > width) return {};
    if (column > indent && column + 1 + size + 2 > width) {
      wrapped += " \\\n" + std::string(indent, ' ');
      column = indent;
    }
    if (column > indent) {
      wrapped += ' ';
      ++column;
    }
    wrapped += word;
    column += size;
  }
  return wrapped + "\n";
}

std::string shortened(std::string_view text, std::size_t width) {
  if (columns_of(text) <= width) return std::string(text);
  constexpr std::string_view kMore = " ...";
  const auto end = text.rfind(' ', byte_at(text, width - std::min(width, kMore.size())));
  if (end == std::string_view::npos) return std::string(kMore.substr(1));
  return std::string(text.substr(0, end)) + std::string(kMore);
}

}  // namespace jrpcheck::reports
