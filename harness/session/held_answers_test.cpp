#include "session/held_answers.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "session/stream_survival_for_testing.hpp"

namespace jrpcheck::session {
namespace held_answers_test {

using testing::answer;
using testing::answer_calls;
using testing::call;
using testing::events_of;
using testing::id_in;
using testing::is_control;
using testing::Pieces;
using testing::Script;
using testing::step;
using testing::texts_of;
using Texts = std::vector<std::string>;

// Answers to what is no control call leave when the next message has come: so many of them.
Script holding_back(int answers) {
  return [answers, held = Pieces{}](const std::string& line) mutable {
    Pieces said = std::exchange(held, {});
    auto& now = !is_control(line) && !id_in(line).empty() && answers-- > 0 ? held : said;
    for (auto& each : answer_calls(line)) now.push_back(std::move(each));
    return said;
  };
}

class HeldAnswersTest : public testing::StreamSurvivalTest {
 protected:
  void converse_with(Script script) {
    peer_ = &testing::StreamSurvivalTest::converse_with({std::move(script)});
    exchange(step({testing::kNotification}, testing::silence()));  // from here on it is up
    before_ = peer_->stream().lines().size();
  }
  void converse_watched(Script script) {
    converse_with(std::move(script));
    patience_.held_answers().watch();
  }
  Texts lines() {
    const auto& all = peer_->stream().lines();
    return {all.begin() + static_cast<std::ptrdiff_t>(before_), all.end()};
  }

  testing::ScriptedPeer* peer_ = nullptr;
  std::size_t before_ = 0;
};

TEST_F(HeldAnswersTest, AnswerThatComesOnlyBehindAnotherMessageIsKnown) {
  converse_watched(holding_back(1000));
  const auto got = exchange(step({call("7")}));
  EXPECT_EQ(got.held_until_more,
            "nothing in 0.4 s, and the answer as soon as a control call was sent, again and again");
  EXPECT_EQ(texts_of(got.replies), Texts{answer("7")}) << "which is judged as any other";
  EXPECT_EQ(lines().size(), 6U) << "the call and the control call behind it, three times";
  EXPECT_EQ(lines()[2], call("7"));
  EXPECT_EQ(events_of(transcript_, dialogue::Direction::quiet).front(),
            "no answer in 0.4 s, with nothing sent behind it");
}

TEST_F(HeldAnswersTest, NextOneOfItsKindIsKnownByThat) {
  converse_watched(holding_back(1000));
  exchange(step({call("7")}));
  EXPECT_NE(exchange(step({call("8")})).held_until_more, "");
  EXPECT_EQ(lines().size(), 8U);
}

// It was late by accident, or slow.
TEST_F(HeldAnswersTest, AnswerThatComesByItselfTheSecondTimeStands) {
  converse_watched(holding_back(1));
  const auto got = exchange(step({call("7")}));
  EXPECT_EQ(got.held_until_more, "");
  EXPECT_EQ(texts_of(got.replies), Texts{answer("7")});
  EXPECT_EQ(events_of(transcript_, dialogue::Direction::aside).size(), 1U);
}

// What it says beside does not end the wait: the second answer is not left to the next message.
TEST_F(HeldAnswersTest, AnswerBehindANotificationIsTaken) {
  converse_watched([calls = 0, held = Pieces{}](const std::string& line) mutable {
    Pieces said = is_control(line) ? std::exchange(held, {}) : Pieces{};
    if (is_control(line)) {
      said.push_back(answer(id_in(line)));
    } else if (!id_in(line).empty() && ++calls == 1) {
      held = answer_calls(line);
    } else if (calls == 2) {
      said = {testing::kNotification + "\n", answer(id_in(line))};
    }
    return said;
  });
  EXPECT_EQ(exchange(step({call("7")})).held_until_more, "");
  EXPECT_EQ(events_of(transcript_, dialogue::Direction::aside),
            Texts{answer("7").substr(0, answer("7").size() - 1)});
}

TEST_F(HeldAnswersTest, KindThatHasComeByItselfIsAskedForOnce) {
  converse_watched([calls = 0, held = Pieces{}](const std::string& line) mutable {
    if (is_control(line)) {
      Pieces said = std::exchange(held, {});
      said.push_back(answer(id_in(line)));
      return said;
    }
    if (!id_in(line).empty() && ++calls != 2) {
      held = answer_calls(line);
      return Pieces{};
    }
    return answer_calls(line);
  });
  exchange(step({call("7")}));
  EXPECT_EQ(exchange(step({call("8")})).held_until_more, "");
  EXPECT_EQ(lines().size(), 5U);
}

TEST_F(HeldAnswersTest, ServerThatAnswersNothingTwiceHoldsNothingBack) {
  converse_watched([seen = Texts{}, held = Pieces{}](const std::string& line) mutable {
    Pieces said = is_control(line) ? std::exchange(held, {}) : Pieces{};
    if (is_control(line)) {
      said.push_back(answer(id_in(line)));
    } else if (seen.empty()) {
      seen.push_back(line);
      held = answer_calls(line);
    }
    return said;
  });
  EXPECT_EQ(exchange(step({call("7")})).held_until_more, "");
}

TEST_F(HeldAnswersTest, NothingIsSentTwiceBeforeItIsLookedFor) {
  converse_with(holding_back(1000));
  EXPECT_EQ(exchange(step({call("7")})).held_until_more, "");
  EXPECT_EQ(lines().size(), 2U);
}

}  // namespace held_answers_test
}  // namespace jrpcheck::session
