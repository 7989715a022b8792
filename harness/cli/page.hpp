// A page of text for a terminal: a heading, then labelled entries, wrapped.
#pragma once

#include <string>
#include <string_view>

namespace jrpcheck::cli {

/// Grows from top to bottom. What is not a sentence (messages, shell lines) is never wrapped, so
/// that it can be copied.
class Page {
 public:
  explicit Page(const std::string& heading) : text_(heading + "\n") {}

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
  void add(std::string_view label, const std::string& text, bool wrap);

  std::string text_;
};

}  // namespace jrpcheck::cli
