// For tests: conversations with servers that stop serving, scripted ones or programs.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "session/stream_conversation.hpp"
#include "session/stream_for_testing.hpp"
#include "transport/guardian.hpp"

namespace jrpcheck::session::testing {

class StreamSurvivalTest : public ::testing::Test {
 protected:
  // What a test waits for in vain costs these; what is awaited from a real program may need them.
  explicit StreamSurvivalTest(microseconds timeout = milliseconds(400),
                              microseconds start_up = Patience::kStartUp)
      : patience_(timeout, start_up) {}

  void SetUp() override {
    transport::ignore_broken_pipes();
    patience_.note_first_answer();
  }

  void converse(std::shared_ptr<transport::Peer> peer) {
    StreamSettings settings;
    settings.control = {"control", ""};
    conversation_ = make_stream_conversation(std::move(peer), std::move(settings), patience_);
    ASSERT_TRUE(conversation_->open(transcript_));
    conversation_->begin_case(kFirstControlId);
  }
  ScriptedPeer& converse_with(std::vector<Script> scripts) {
    auto peer = std::make_shared<ScriptedPeer>(std::move(scripts));
    auto& scripted = *peer;
    converse(std::move(peer));
    return scripted;
  }
  void converse_with_shell(const std::string& script) {
    auto guardian = transport::Guardian::start();
    ASSERT_TRUE(guardian);
    guardian_ = *std::move(guardian);
    converse(transport::make_program_peer({"/bin/sh", "-c", script}, *guardian_));
  }

  dialogue::Exchange exchange(const corpus::Step& one) {
    return conversation_->exchange(one, transcript_);
  }
  dialogue::SurvivalCheck check() { return conversation_->check_survival(transcript_); }
  bool serves() { return exchange(step({call("9")})).replies.size() == 1; }

  Patience patience_;
  std::unique_ptr<transport::Guardian> guardian_;
  std::unique_ptr<Conversation> conversation_;
  dialogue::Transcript transcript_;
};

/// With one that will not come back.
class HopelessServerTest : public StreamSurvivalTest {
 protected:
  HopelessServerTest() : StreamSurvivalTest(milliseconds(100), microseconds(1)) {}
};

}  // namespace jrpcheck::session::testing
