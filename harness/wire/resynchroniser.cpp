#include "wire/resynchroniser.hpp"

#include "base/ascii.hpp"
#include "base/letter_case.hpp"
#include "wire/header_text.hpp"

namespace jrpcheck::wire {
namespace {

constexpr std::string_view kHeaderName = "Content-Length:";
constexpr std::size_t kLongestHeaderLine = 64;

bool is_space(char c) { return c == ' ' || c == '\t'; }

}  // namespace

// Only the first letter of the name is a C, so a failed candidate holds no other candidate within
// itself, and each byte is looked at no more than twice.
std::string Resynchroniser::take(std::string_view& bytes) {
  std::string passed;
  while (!bytes.empty() && !found_) {
    if (candidate_.empty()) {
      const std::string_view noise = bytes.substr(0, bytes.find_first_of("cC"));
      pass_over(noise, passed);
      bytes.remove_prefix(noise.size());
      if (bytes.empty()) break;
    }
    candidate_.push_back(bytes.front());
    const Match match = match_last_byte();
    if (match == Match::no) {
      candidate_.pop_back();
      pass_over(candidate_, passed);
      candidate_.clear();
    } else {
      bytes.remove_prefix(1);
      found_ = match == Match::whole;
    }
  }
  return passed;
}

Resynchroniser::Match Resynchroniser::match_last_byte() const {
  const std::size_t size = candidate_.size();
  const char last = candidate_.back();
  if (size <= kHeaderName.size()) {
    const bool same = same_ignoring_case({&last, 1}, kHeaderName.substr(size - 1, 1));
    if (!same) return Match::no;
    return size == kHeaderName.size() && at_line_start_ ? Match::whole : Match::partial;
  }
  const char before = candidate_[size - 2];
  if (last == '\n') return before == '\r' ? Match::whole : Match::no;
  const bool fits = (is_space(last) && (is_space(before) || before == ':')) ||
                    (is_digit(last) && before != '\r') || (last == '\r' && is_digit(before));
  return fits && size < kLongestHeaderLine ? Match::partial : Match::no;
}

void Resynchroniser::pass_over(std::string_view noise, std::string& passed) {
  if (noise.empty()) return;
  at_line_start_ = noise.back() == '\n';
  passed.append(noise);
}

}  // namespace jrpcheck::wire
