// The parts of JSON that is too large for a tree, by the text they stand in. What is read so must
// be known to be JSON: `parse` with a `kept_depth` of 0 tells, and keeps nothing.
#pragma once

#include <cstddef>
#include <string_view>

namespace jrpcheck::json {

/// The text of the value that begins there.
std::string_view value_at(std::string_view text, std::size_t begin);

/// Walks over the members of an Object or the elements of an Array, in their order.
class Parts {
 public:
  /// `text`: of one value. What is neither an Object nor an Array has no parts.
  explicit Parts(std::string_view text);

  /// Goes on to the next part, which is the first at first; false where there is none.
  bool next();
  /// Whether the part at hand is a member of that name, however it is escaped.
  bool is_named(std::string_view name) const;
  /// The text of the part at hand, without white space around it.
  std::string_view text() const { return part_; }

 private:
  void skip(std::string_view bytes);
  std::string_view take_value();

  std::string_view text_;
  std::size_t at_ = 0;
  bool has_names_ = false;
  std::string_view name_;  // with its quotation marks
  std::string_view part_;
};

/// The text of the last member of that name, as Value::find has it; empty where there is none.
std::string_view member_text(std::string_view object, std::string_view name);

}  // namespace jrpcheck::json
