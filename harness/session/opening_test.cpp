#include "session/opening.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "corpus/corpus.hpp"
#include "session/stream_conversation.hpp"
#include "session/stream_for_testing.hpp"
#include "transport/guardian.hpp"

namespace jrpcheck::session {
namespace opening_test {

using testing::answer;
using testing::answer_calls;
using testing::call;
using testing::id_in;
using testing::Pieces;
using testing::Script;
using Texts = std::vector<std::string>;

Texts messages_of(const std::string& name) {
  const auto opening = load_opening(name);
  return opening ? opening->messages : Texts{opening.error().message};
}

class OpeningFileTest : public ::testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(file_); }

  std::string file_of(const std::string& text) {
    std::ofstream(file_, std::ios::binary) << text;
    return file_;
  }

  const std::string file_ =
      ::testing::TempDir() + "opening-" + std::to_string(::getpid()) + ".json";
};

TEST(Opening, OfAProfileIsARequestAndANotification) {
  std::size_t count = 0;
  for (const auto& profile : corpus::embedded_profiles()) {
    const auto& messages = profile.opening;
    const auto& name = profile.name;
    if (messages.empty()) continue;
    ++count;
    ASSERT_EQ(messages.size(), 2U) << name;
    EXPECT_EQ(dialogue::id_keys_of(dialogue::Message(messages[0])).size(), 1U) << name;
    EXPECT_EQ(dialogue::id_keys_of(dialogue::Message(messages[1])).size(), 0U) << name;
    EXPECT_TRUE(is_well_formed(messages[0]) && is_well_formed(messages[1])) << name;
  }
  EXPECT_GE(count, 2U);
}

TEST_F(OpeningFileTest, HoldsMessagesWhoseNumbersAreSentAsTheyAreSpelled) {
  EXPECT_EQ(messages_of(file_of(R"([ {"method": "hello", "id": 1.0}, [] ])")),
            (Texts{R"({"method":"hello","id":1.0})", "[]"}));
}

TEST_F(OpeningFileTest, ThatIsNoJsonIsAnErrorWithItsLine) {
  const std::string file = file_of("[\n{,}]");
  EXPECT_EQ(messages_of(file)[0].substr(0, file.size() + 13), file + ":2: not JSON:");
}

TEST_F(OpeningFileTest, ThatIsNoArrayOfMessagesIsAnError) {
  const std::string wanted = ": an opening is a JSON Array of at least one message";
  EXPECT_EQ(messages_of(file_of("{}"))[0], file_ + wanted);
  EXPECT_EQ(messages_of(file_of("[]"))[0], file_ + wanted);
}

TEST_F(OpeningFileTest, ThatIsNotThereIsAnErrorThatNamesIt) {
  EXPECT_EQ(messages_of(file_)[0],
            "the file '" + file_ + "' cannot be read: No such file or directory");
}

// Takes every opening message.
Pieces welcome(const std::string& line) {
  const std::string id = id_in(line);
  if (id.empty()) return {};
  return {R"({"jsonrpc":"2.0","result":{},"id":)" + id + "}\n"};
}

class HandshakeTest : public ::testing::Test {
 protected:
  Result<bool> open(std::shared_ptr<transport::Peer> peer, Texts messages) {
    transport::ignore_broken_pipes();
    StreamSettings settings;
    settings.opening.messages = std::move(messages);
    settings.control = {"control", ""};
    conversation_ = make_stream_conversation(std::move(peer), std::move(settings), patience_);
    return conversation_->open(transcript_);
  }
  Result<bool> open(Script script, Texts messages) {
    peer_ = std::make_shared<testing::ScriptedPeer>(std::vector<Script>{std::move(script)});
    return open(peer_, std::move(messages));
  }
  // But for the control calls.
  Texts lines() {
    Texts lines = peer_->stream().lines();
    std::erase_if(lines, [](const auto& each) { return each.find("control") != each.npos; });
    return lines;
  }

  Patience patience_{milliseconds(50), milliseconds(50)};
  std::shared_ptr<testing::ScriptedPeer> peer_;
  std::unique_ptr<Conversation> conversation_;
  dialogue::Transcript transcript_;
};

const std::string kReady = R"({"jsonrpc":"2.0","method":"ready"})";

TEST_F(HandshakeTest, NotificationFollowsTheAnswerToTheRequest) {
  ASSERT_TRUE(open(welcome, {call("1"), kReady}));
  EXPECT_EQ(lines(), (Texts{call("1"), kReady}));
  const auto received = testing::events_of(transcript_, dialogue::Direction::received);
  ASSERT_EQ(received.size(), 1U);
  EXPECT_EQ(received[0] + "\n", welcome(call("1")).front());
}

TEST_F(HandshakeTest, WhatElseTheServerSaysIsNoAnswer) {
  const std::string request = R"({"jsonrpc":"2.0","method":"ask","id":1})";
  ASSERT_TRUE(open(
      [&](const std::string& line) {
        return line != call("1")
                   ? Pieces{}
                   : Pieces{"starting\n", request + "\n", answer("2"), welcome(call("1")).front()};
      },
      {call("1"), kReady}));
  EXPECT_EQ(testing::events_of(transcript_, dialogue::Direction::noise), Texts{"starting"});
  EXPECT_EQ(testing::events_of(transcript_, dialogue::Direction::aside).size(), 1U);
  EXPECT_EQ(testing::events_of(transcript_, dialogue::Direction::unasked), Texts{request});
  EXPECT_EQ(testing::events_of(transcript_, dialogue::Direction::received),
            Texts{welcome(call("1")).front().substr(0, welcome(call("1")).front().size() - 1)});
}

// There is one call that it can answer.
TEST_F(HandshakeTest, AnswerWithAnotherIdIsTheAnswerWhereNoneFollows) {
  const auto opened = open(
      [&](const std::string& line) { return id_in(line).empty() ? Pieces{} : Pieces{answer("2")}; },
      {call("1"), kReady});
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().message.find("was refused: " + answer("2").substr(0, 30)),
            std::string::npos)
      << opened.error().message;
  EXPECT_EQ(testing::events_of(transcript_, dialogue::Direction::received).size(), 1U);
}

TEST_F(HandshakeTest, AnswerMayBeABatchAndSpellItsNumberInAnotherWay) {
  EXPECT_TRUE(open([](const std::string&) { return Pieces{"[" + answer("1.0")}; }, {kReady}));
  EXPECT_TRUE(open(
      [](const std::string&) {
        return Pieces{R"([{"result":1,"id":1.0}])"
                      "\n"};
      },
      {"[" + call("1") + "]"}));
}

TEST_F(HandshakeTest, RepeatsOnEachNewStream) {
  ASSERT_TRUE(open(welcome, {call("1"), kReady}));
  ASSERT_TRUE(conversation_->open(transcript_));
  EXPECT_EQ(conversation_->server_generation(), 2U);
  EXPECT_EQ(lines(), (Texts{call("1"), kReady}));
}

TEST_F(HandshakeTest, WhatAnswersItsLastNotificationIsHeardBeforeTheFirstStep) {
  const std::string refusal = R"({"jsonrpc":"2.0","error":{"code":-32601,"message":""},"id":null})";
  ASSERT_TRUE(open(
      [&](const std::string& line) {
        return line == kReady ? Pieces{refusal + "\n"} : welcome(line);
      },
      {call("1"), kReady}));
  EXPECT_EQ(testing::events_of(transcript_, dialogue::Direction::received).back(), refusal);
  EXPECT_EQ(transcript_.whole().back().bytes, refusal);
}

TEST_F(HandshakeTest, AnErrorIsARefusalThatIsToldWithItsText) {
  const std::string error =
      R"({"jsonrpc":"2.0","error":{"code":-32602,"message":"Unsupported version"},"id":1})";
  const auto opened = open([&](const std::string&) { return Pieces{error + "\n"}; }, {call("1")});
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().message, "the opening message " + call("1") + " was refused: " + error);
}

TEST(ShownOpening, SaysWhatIsLeftOutOfALongOne) {
  EXPECT_EQ(shown_opening(call("1")), "the opening message " + call("1"));
  const std::string shown =
      shown_opening(R"({"jsonrpc":"2.0","id":3000001,"method":"initialize","params":{"name":")" +
                    std::string(200, 'n') + "\"}}");
  EXPECT_NE(shown.find(R"("method":"initialize")"), std::string::npos) << shown;
  EXPECT_NE(shown.find("bytes left out"), std::string::npos) << shown;
}

TEST_F(HandshakeTest, AServerThatAsksFirstIsAnswered) {
  const std::string request = R"({"jsonrpc":"2.0","method":"roots/list","id":"r"})";
  const std::string unknown =
      R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":"r"})";
  ASSERT_TRUE(open(
      [&](const std::string& line) {
        return line == unknown ? welcome(call("1")) : Pieces{request + "\n"};
      },
      {call("1")}));
  EXPECT_EQ(lines(), (Texts{call("1"), unknown}));
}

TEST_F(HandshakeTest, SilenceIsAnErrorThatNamesTheMessage) {
  const auto opened = open([](const std::string&) { return Pieces{}; }, {call("1")});
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().message,
            "the opening message " + call("1") +
                " was not answered in 50 ms; --start-timeout gives it more\n");
}

// It may have been at work coming up.
TEST_F(HandshakeTest, AnAnswerThatComesTooLateIsNoneToWhatNobodyHasAsked) {
  ASSERT_FALSE(open(
      [held = Pieces{}, is_first = true](const std::string& line) mutable {
        if (std::exchange(is_first, false)) {
          held = welcome(line);
          return Pieces{};
        }
        Pieces said = welcome(line);
        if (testing::is_control(line)) said.push_back(std::exchange(held, {}).at(0));
        return said;
      },
      {call("1")}));
  conversation_->begin_case(testing::kFirstControlId);
  conversation_->check_survival(transcript_);
  conversation_->exchange(testing::step({call("7")}), transcript_);
  EXPECT_EQ(testing::events_of(transcript_, dialogue::Direction::unasked), Texts{});
  EXPECT_EQ(testing::events_of(transcript_, dialogue::Direction::aside),
            Texts{R"({"jsonrpc":"2.0","result":{},"id":1})"});
}

TEST_F(HandshakeTest, WhatCameInPlaceOfAnAnswerIsTold) {
  const auto opened =
      open([](const std::string&) { return Pieces{"\x1b[1mReady\n"}; }, {call("1")});
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().message.find("what came begins with \\x1b[1mReady"), std::string::npos)
      << opened.error().message;
}

TEST_F(HandshakeTest, AnAnswerInAnotherFramingNamesIt) {
  const std::string proper = R"({"jsonrpc":"2.0","result":{},"id":1})";
  const std::string framed =
      "Content-Length: " + std::to_string(proper.size()) + "\r\n\r\n" + proper;
  const auto opened = open([&](const std::string&) { return Pieces{framed}; }, {call("1")});
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().message.find("sent as lines and answered as content-length: {"),
            std::string::npos)
      << opened.error().message;
  EXPECT_NE(opened.error().message.find("--framing content-length"), std::string::npos);
}

TEST_F(HandshakeTest, AnAnswerBehindAHeadThatCannotBeReadNamesNoFraming) {
  const std::string proper = R"({"jsonrpc":"2.0","result":{},"id":1})";
  const std::string framed =
      "Content-Length : " + std::to_string(proper.size()) + "\r\n\r\n" + proper;
  const auto opened = open([&](const std::string&) { return Pieces{framed}; }, {call("1")});
  ASSERT_FALSE(opened);
  const std::string& told = opened.error().message;
  EXPECT_NE(told.find("answered behind a head that cannot be read: Content-Length : "),
            std::string::npos)
      << told;
  EXPECT_EQ(told.find("--framing"), std::string::npos) << told;
}

// A log that happens to be JSON answers nothing.
TEST_F(HandshakeTest, AnAnswerToSomethingElseTellsNoFraming) {
  const std::string other = R"({"jsonrpc":"2.0","result":{},"id":77})";
  const std::string framed = "Content-Length: " + std::to_string(other.size()) + "\r\n\r\n" + other;
  const auto opened = open([&](const std::string&) { return Pieces{framed}; }, {call("1")});
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().message.find("--framing"), std::string::npos) << opened.error().message;
}

TEST_F(HandshakeTest, DeathIsAnErrorWithTheProgramsStandardError) {
  auto guardian = transport::Guardian::start();
  ASSERT_TRUE(guardian);
  const auto opened =
      open(transport::make_program_peer(
               {"/bin/sh", "-c", "read line; echo 'no licence' >&2; exit 4"}, **guardian),
           {call("1")});
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().message, "the opening message " + call("1") +
                                        " was not answered: the program exited with code 4\n"
                                        "no licence\n");
  conversation_.reset();
}

TEST_F(HandshakeTest, EndlessFloodIsAnErrorAndNotListenedToForEver) {
  auto guardian = transport::Guardian::start();
  ASSERT_TRUE(guardian);
  EXPECT_FALSE(open(transport::make_program_peer({"yes"}, **guardian), {call("1")}));
  EXPECT_LT(transcript_.events().size(), 20'000U);
  conversation_.reset();
}

}  // namespace opening_test
}  // namespace jrpcheck::session
