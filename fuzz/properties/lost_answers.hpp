// Answers that are lost now and then: what is shown by none of two messages, but by many.
#pragma once

#include <cstddef>
#include <string>

#include "fuzz/properties/test_session.hpp"
#include "judge/judgement.hpp"

namespace jrpcheck::properties {

struct AskedAgain {
  std::size_t answered = 0;
  std::size_t lost = 0;
  /// Lost several times, with others answered in between and behind.
  bool is_at_times = false;
  judge::Finding finding = {};  ///< of the last that was lost; its step is that of the session
};

/// Sends the same so many times at most. It is less where it is lost the first times, or is lost no
/// less from some time on: such a server has fallen silent.
AskedAgain ask_again(const std::string& message, std::size_t most, TestSession& session);

}  // namespace jrpcheck::properties
