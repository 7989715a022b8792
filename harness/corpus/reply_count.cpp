#include "corpus/reply_count.hpp"

#include <algorithm>
#include <limits>

namespace jrpcheck::corpus {
namespace {

std::size_t replies_of(const Outcome& outcome) {
  if (outcome.shape == Outcome::Shape::responses)
    return outcome.responses.size() + (outcome.array ? 1 : 0);
  const bool is_one = outcome.shape == Outcome::Shape::response ||
                      outcome.shape == Outcome::Shape::batch ||
                      outcome.shape == Outcome::Shape::anything;
  return is_one ? 1 : 0;
}

// What shows without waiting for silence, or cannot come over a stream at all.
bool says_itself(Outcome::Shape shape) {
  return shape == Outcome::Shape::refused || shape == Outcome::Shape::status ||
         shape == Outcome::Shape::closed || shape == Outcome::Shape::exited;
}

}  // namespace

ReplyCount count_replies(const Step& step) {
  if (step.accept.empty()) return {1, 1};
  ReplyCount count{std::numeric_limits<std::size_t>::max(), 0};
  for (const auto& outcome : step.accept) {
    if (outcome.verdict == Verdict::fail || says_itself(outcome.shape)) continue;
    const std::size_t replies = replies_of(outcome);
    const bool may_be_none = outcome.shape == Outcome::Shape::anything;
    count = {std::min(count.least, may_be_none ? 0 : replies), std::max(count.most, replies)};
  }
  count.least = std::min(count.least, count.most);
  return count;
}

}  // namespace jrpcheck::corpus
