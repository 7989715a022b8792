#include "session/reply_count.hpp"

#include <algorithm>
#include <limits>

namespace jrpcheck::session {
namespace {

std::size_t replies_of(const corpus::Outcome& outcome) {
  using Shape = corpus::Outcome::Shape;
  if (outcome.shape == Shape::responses) return outcome.responses.size() + (outcome.array ? 1 : 0);
  return outcome.shape == Shape::response || outcome.shape == Shape::batch ? 1 : 0;
}

// What shows without waiting for silence, or cannot come over a stream at all.
bool says_itself(corpus::Outcome::Shape shape) {
  using Shape = corpus::Outcome::Shape;
  return shape == Shape::refused || shape == Shape::status || shape == Shape::closed ||
         shape == Shape::exited;
}

}  // namespace

ReplyCount count_replies(const corpus::Step& step) {
  if (step.accept.empty()) return {1, 1};
  ReplyCount count{std::numeric_limits<std::size_t>::max(), 0};
  for (const auto& outcome : step.accept) {
    if (outcome.verdict == corpus::Verdict::fail || says_itself(outcome.shape)) continue;
    const std::size_t replies = replies_of(outcome);
    count = {std::min(count.least, replies), std::max(count.most, replies)};
  }
  count.least = std::min(count.least, count.most);
  return count;
}

}  // namespace jrpcheck::session
