#include "fuzz/pipelined_stream.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "session/stream_for_testing.hpp"

namespace jrpcheck::fuzz {
namespace pipelined_stream_test {

using session::testing::answer;
using session::testing::answer_calls;
using session::testing::call;
using session::testing::id_in;
using session::testing::is_control;
using session::testing::kNotification;
using session::testing::Pieces;
using session::testing::response;
using session::testing::Script;
using session::testing::ScriptedStream;
using session::testing::silence;
using session::testing::step;
using session::testing::texts_of;
using Texts = std::vector<std::string>;

// As much as a scripted stream lets anybody wait.
constexpr milliseconds kWait{900};

class PipelinedStreamTest : public ::testing::Test {
 protected:
  void serve(Script script) {
    server_.emplace(std::move(script));
    stream_.emplace(*server_, binding_);
  }
  dialogue::Exchange exchange(const corpus::Step& one) {
    const Deadline deadline = Deadline::in(kWait);
    stream_->send(together_.begin_alone(one, *stream_), deadline);
    auto observed = together_.take_alone(*stream_, deadline, milliseconds(5));
    events_ = std::move(observed.events);
    return std::move(observed.exchange);
  }
  Texts replies_to(const corpus::Step& one) { return texts_of(exchange(one).replies); }

  const wire::Binding& binding_ = wire::known_binding("lines");
  PipelinedStream together_{binding_, session::ControlCall{"control", ""}};
  std::optional<ScriptedStream> server_;
  std::optional<session::FramedStream> stream_;
  std::vector<dialogue::Event> events_;  // of the last exchange
};

// What a server makes of a message, said only behind its answer to the control call.
Script answers_control_call_first(Script script) {
  return [script = std::move(script), held = Pieces{}](const std::string& line) mutable {
    Pieces pieces = script(line);
    if (is_control(line)) {
      for (auto& piece : std::exchange(held, {})) pieces.push_back(std::move(piece));
      return pieces;
    }
    held = std::move(pieces);
    return Pieces{};
  };
}

TEST_F(PipelinedStreamTest, AnswersInOrderAreNotCalledOutOfOrder) {
  serve(answer_calls);
  EXPECT_EQ(replies_to(step({call("7")})), Texts{answer("7")});
  EXPECT_EQ(replies_to(step({kNotification}, silence())), Texts{});
  EXPECT_FALSE(together_.is_out_of_order());
}

TEST_F(PipelinedStreamTest, AnswerBehindThatToTheControlCallIsTaken) {
  serve(answers_control_call_first(answer_calls));
  EXPECT_EQ(replies_to(step({call("7")})), Texts{answer("7")});
  EXPECT_TRUE(together_.is_out_of_order());
  const auto got = exchange(step({call("8")}));
  EXPECT_TRUE(got.control_answered);
  EXPECT_EQ(texts_of(got.replies), Texts{answer("8")});
}

TEST_F(PipelinedStreamTest, ControlCallAnsweredFirstHidesNoWrongId) {
  serve(answers_control_call_first([](const std::string& line) {
    return is_control(line) ? answer_calls(line) : Pieces{answer("99")};
  }));
  EXPECT_EQ(replies_to(step({call("7")})), Texts{answer("99")});
}

TEST_F(PipelinedStreamTest, ControlCallAnsweredFirstHidesNoIdWithinWhatCannotBeRead) {
  serve(answers_control_call_first([](const std::string& line) {
    return is_control(line) ? answer_calls(line) : Pieces{answer("7")};
  }));
  EXPECT_EQ(replies_to(step({call("7")})), Texts{answer("7")});
  EXPECT_EQ(replies_to(step({R"({"id":7,)"}, response(), silence())), Texts{answer("7")});
}

// Once it is known that answers are overtaken.
TEST_F(PipelinedStreamTest, ControlCallAnsweredFirstHidesNoAnswerToANotification) {
  serve(answers_control_call_first([](const std::string& line) {
    return id_in(line).empty() ? Pieces{answer("null")} : answer_calls(line);
  }));
  replies_to(step({call("7")}));
  EXPECT_EQ(replies_to(step({kNotification}, silence())), Texts{answer("null")});
}

// Answers the first control call under that id.
Script answers_first_control_call_under(const std::string& id) {
  return [id, is_first = true](const std::string& line) mutable {
    if (is_control(line) && std::exchange(is_first, false)) return Pieces{answer(id)};
    return answer_calls(line);
  };
}

TEST_F(PipelinedStreamTest, AnswerToTheControlCallUnderAnotherIdIsNoneToTheMessage) {
  for (const auto& one : {step({call("7")}), step({kNotification}, silence())}) {
    serve(answers_first_control_call_under("777"));
    const std::size_t due = corpus::count_replies(one).least;
    const auto got = exchange(one);
    EXPECT_TRUE(got.control_answered);
    EXPECT_EQ(got.replies.size(), due);
    ASSERT_EQ(events_.size(), 1U);
    EXPECT_EQ(events_.front().note, dialogue::kOtherIdNote);
    EXPECT_EQ(replies_to(step({call("8")})), Texts{answer("8")});
    EXPECT_TRUE(events_.empty());
  }
}

TEST_F(PipelinedStreamTest, AnswerToTheControlCallUnderNoIdIsNoneToTheMessage) {
  serve(answers_first_control_call_under("null"));
  EXPECT_EQ(replies_to(step({call("7")})), Texts{answer("7")});
  ASSERT_EQ(events_.size(), 1U);
  EXPECT_EQ(events_.front().note, dialogue::kOtherIdNote);
}

TEST_F(PipelinedStreamTest, AnswerUnderAnotherIdBeforeThatToTheControlCallIsTheMessagesOwn) {
  serve([](const std::string& line) {
    return is_control(line) ? answer_calls(line) : Pieces{answer("777")};
  });
  EXPECT_EQ(replies_to(step({kNotification}, silence())), Texts{answer("777")});
  EXPECT_TRUE(events_.empty());
}

// What may be answered in any way, and with an id that is spelled otherwise.
TEST_F(PipelinedStreamTest, CallThatTellsWhoseAnAnswerIsLeavesNothingBehind) {
  serve([](const std::string& line) {
    return is_control(line) ? answer_calls(line) : Pieces{answer("777"), answer("778")};
  });
  for (int i = 0; i < 2; ++i) {
    const auto got = exchange(step({kNotification}, silence()));
    EXPECT_TRUE(got.control_answered);
    EXPECT_EQ(texts_of(got.replies), (Texts{answer("777"), answer("778")}));
    EXPECT_TRUE(events_.empty());
  }
}

TEST_F(PipelinedStreamTest, NoAnswerBehindThatToTheControlCallIsMissing) {
  serve([](const std::string& line) { return is_control(line) ? answer_calls(line) : Pieces{}; });
  const auto got = exchange(step({call("7")}));
  EXPECT_TRUE(got.control_answered);
  EXPECT_TRUE(got.replies.empty());
  EXPECT_FALSE(together_.is_out_of_order());
}

}  // namespace pipelined_stream_test
}  // namespace jrpcheck::fuzz
