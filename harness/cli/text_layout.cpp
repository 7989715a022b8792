#include "cli/text_layout.hpp"

#include <vector>

namespace jrpcheck::cli {
namespace {

constexpr std::size_t kMargin = 2;

// Breaks only at single spaces: several in a row stand in quoted text, which stays as it is.
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

}  // namespace

std::string wrapped(const std::string& sentence, std::size_t indent, std::size_t width) {
  std::string text;
  std::size_t column = indent;
  for (const auto& word : words_of(sentence)) {
    if (column > indent && column + 1 + word.size() > width) {
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

void TextLayout::paragraph(const std::string& sentence) {
  text_ += std::string(kMargin, ' ') + wrapped(sentence, kMargin, columns_.width) + "\n";
}

void TextLayout::entry(std::string_view label, const std::string& sentence) {
  if (!sentence.empty()) add(label, wrapped(sentence, columns_.text, columns_.width));
}

void TextLayout::verbatim(std::string_view label, const std::string& line) { add(label, line); }

// A label that leaves no room stands on a line of its own.
void TextLayout::add(std::string_view label, const std::string& text) {
  std::string start = std::string(kMargin, ' ') + std::string(label);
  if (start.size() + 2 > columns_.text) start += "\n" + std::string(columns_.text, ' ');
  if (start.size() < columns_.text) start.resize(columns_.text, ' ');
  text_ += start + text + "\n";
}

}  // namespace jrpcheck::cli
