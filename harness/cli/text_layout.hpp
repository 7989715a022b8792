// Text for a terminal: a heading, then labelled entries, wrapped.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace jrpcheck::cli {

/// Where the sentences begin, and how long a line may be.
struct Columns {
  std::size_t text;
  std::size_t width;
};

inline constexpr Columns kPageColumns{15, 80};

/// The sentence in lines of that width, the second and later ones indented.
std::string wrapped(const std::string& sentence, std::size_t indent, std::size_t width);

/// Grows from top to bottom. What is not a sentence (messages, shell lines) is never wrapped, so
/// that it can be copied.
class TextLayout {
 public:
  explicit TextLayout(std::string beginning, Columns columns = kPageColumns)
      : text_(std::move(beginning) + "\n"), columns_(columns) {}

  /// A paragraph without label.
  void paragraph(const std::string& sentence);
  /// `label` in the margin and the sentence beside it; an empty label goes on with the entry
  /// before. Nothing is added where there is no sentence.
  void entry(std::string_view label, const std::string& sentence);
  /// The same for what must stay on its line.
  void verbatim(std::string_view label, const std::string& line);
  void gap() { text_ += "\n"; }

  const std::string& text() const { return text_; }

 private:
  void add(std::string_view label, const std::string& text);

  std::string text_;
  Columns columns_;
};

}  // namespace jrpcheck::cli
