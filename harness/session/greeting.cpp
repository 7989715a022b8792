#include "session/greeting.hpp"

namespace jrpcheck::session {
namespace {

// Of who says something else each time nothing is known.
constexpr std::size_t kMostKnown = 10;
constexpr std::size_t kLongest = 10'000;

void keep(const std::string& text, std::set<std::string>& texts) {
  if (texts.size() < kMostKnown && text.size() <= kLongest) texts.insert(text);
}

}  // namespace

bool Greeting::may_be(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const auto first = text.find_first_not_of(" \t\r\n");
  return first != text.npos && text[first] != '{' && text[first] != '[';
}

bool Greeting::is(const std::string& text) const {
  const std::lock_guard lock(mutex_);
  return known_.contains(text);
}

bool Greeting::is_known() const {
  const std::lock_guard lock(mutex_);
  return !known_.empty();
}

void Greeting::note_before_anything(const std::string& text) {
  const std::lock_guard lock(mutex_);
  keep(text, known_);
}

void Greeting::note_before_answer(const std::string& text) {
  const std::lock_guard lock(mutex_);
  keep(text, came_once_.contains(text) ? known_ : came_once_);
}

}  // namespace jrpcheck::session
