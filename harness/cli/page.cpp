#include "cli/page.hpp"

#include <vector>

namespace jrpcheck::cli {
namespace {

constexpr std::size_t kMargin = 2;
constexpr std::size_t kLabelWidth = 13;
constexpr std::size_t kPageWidth = 96;

// Breaks only at single spaces: several in a row stand in quoted text, which is not ours to change.
std::vector<std::string> words_of(std::string_view sentence) {
  while (!sentence.empty() && sentence.back() == ' ') sentence.remove_suffix(1);
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < sentence.size(); ++i) {
    const bool beside_space =
        (i > 0 && sentence[i - 1] == ' ') || (i + 1 < sentence.size() && sentence[i + 1] == ' ');
    if (sentence[i] == ' ' && !beside_space) {
      words.emplace_back();
    } else {
      words.back() += sentence[i];
    }
  }
  return words;
}

std::string wrapped(const std::string& sentence, std::size_t indent) {
  std::string text;
  std::size_t column = indent;
  for (const auto& word : words_of(sentence)) {
    if (column > indent && column + 1 + word.size() > kPageWidth) {
      text += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      text += " ";
      ++column;
    }
    text += word;
    column += word.size();
  }
  return text;
}

}  // namespace

void Page::paragraph(const std::string& sentence) {
  text_ += std::string(kMargin, ' ') + wrapped(sentence, kMargin) + "\n";
}

void Page::entry(std::string_view label, const std::string& sentence) {
  if (!sentence.empty()) add(label, sentence, true);
}

void Page::verbatim(std::string_view label, const std::string& line) { add(label, line, false); }

void Page::add(std::string_view label, const std::string& text, bool wrap) {
  std::string start = std::string(kMargin, ' ') + std::string(label);
  start.resize(kMargin + kLabelWidth, ' ');
  text_ += start + (wrap ? wrapped(text, start.size()) : text) + "\n";
}

}  // namespace jrpcheck::cli
