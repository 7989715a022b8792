// JSON taken apart as text, one level deep. A tree would spell numbers and strings in its own way,
// and a mutant must change one thing and nothing else; also, some have to write what no tree can
// hold.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jrpcheck::reference {

/// An Object whose values are JSON texts, exactly as they were spelled.
struct ObjectText {
  std::vector<std::pair<std::string, std::string>> members;  ///< names decoded, values as texts

  /// The value of the last member of that name, which is the one that counts; else nullptr.
  const std::string* find(std::string_view name) const;
  bool has(std::string_view name) const { return find(name) != nullptr; }
  /// Whether the value of `name` is exactly this text.
  bool is(std::string_view name, std::string_view text) const;

  /// Gives the members of that name a value, where they stand, or adds one at the end.
  void set(std::string_view name, std::string value);
  void add(std::string_view name, std::string value);
  void remove(std::string_view name);
  void rename(std::string_view from, std::string_view to);

  std::string text() const;
};

/// The Object that `text` is; nothing when it is none. `text` must be JSON.
std::optional<ObjectText> object_of(std::string_view text);

/// Whether `text`, which must be JSON, is an Array; and its elements as texts.
bool is_array(std::string_view text);
std::vector<std::string> elements_of(std::string_view array);
std::string array_of(const std::vector<std::string>& elements);

/// Whether `text` is JSON that the reference server would read.
bool is_json(std::string_view text);

/// A JSON String as what it says, and the reverse.
bool is_string(std::string_view text);
std::string decoded(std::string_view string_text);
std::string encoded(std::string_view value);

/// How many characters there are in text of UTF-8.
std::size_t characters_in(std::string_view text);

/// `text` without the white space and the byte order mark around it.
std::string_view stripped(std::string_view text);

}  // namespace jrpcheck::reference
