// Programs whose first words on a stream are no answer, and the next are.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "session/stream_for_testing.hpp"

namespace jrpcheck::session {
namespace first_words_test {

using testing::answer;
using testing::answer_calls;
using testing::call;
using testing::Pieces;
using testing::Script;
using testing::step;
using testing::texts_of;
using Texts = std::vector<std::string>;

// Each program of this peer says so in place of its first answer.
Script saying_first(const std::string& words) {
  return [=, is_first = true](const std::string& line) mutable {
    return std::exchange(is_first, false) ? Pieces{words} : answer_calls(line);
  };
}

using FirstWordsTest = testing::StreamTest;

// A wait that is longer than it takes to ask again would be an exception.
TEST_F(FirstWordsTest, ProgramThatIsStartedAgainServesByWhatItAnswersThen) {
  const std::string to_first = answer(std::to_string(testing::kFirstControlId));
  const std::string cut = to_first.substr(0, to_first.size() - 2) + "\n";
  for (const auto& words : {std::string("ready\n"), cut, "..." + to_first, answer("null")}) {
    converse(saying_first(words));
    peer_->stream().say({testing::kEnd});
    const auto got = exchange(step({call("7")}));
    EXPECT_EQ(texts_of(got.replies), Texts{answer("7")}) << words;
    EXPECT_EQ(got.detail, "") << words;
  }
}

}  // namespace first_words_test
}  // namespace jrpcheck::session
