// How many messages a step lets the server send back.
#pragma once

#include <cstddef>

#include "corpus/case.hpp"

namespace jrpcheck::corpus {

/// The fewest and the most messages that the accepted outcomes of a step speak of.
struct ReplyCount {
  std::size_t least = 0;
  std::size_t most = 0;
};

/// Outcomes that fail do not count: what they describe is not waited for. A step that accepts
/// nothing in particular is a call with one answer.
ReplyCount count_replies(const Step& step);

}  // namespace jrpcheck::corpus
