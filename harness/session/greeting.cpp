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

// "[INFO] ready" begins as no message does.
bool Greeting::may_be(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n\xEF\xBB\xBF";  // a byte order mark
  const auto first = text.find_first_not_of(kBlank);
  if (first == text.npos) return false;
  if (text[first] != '{' && text[first] != '[') return true;
  const auto next = text.find_first_not_of(kBlank, first + 1);
  return next != text.npos && std::string_view("{[]}\"").find(text[next]) == std::string_view::npos;
}

bool Greeting::is(const std::string& text) const {
  const std::lock_guard lock(mutex_);
  return known_.contains(text);
}

std::size_t Greeting::count() const {
  const std::lock_guard lock(mutex_);
  return known_.size();
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
