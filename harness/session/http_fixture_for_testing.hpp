// For tests: a conversation with a scripted HTTP server.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "session/http_conversation.hpp"
#include "session/http_script_for_testing.hpp"
#include "session/stream_for_testing.hpp"
#include "transport/byte_stream.hpp"

namespace jrpcheck::session::testing {

inline transport::Target target_of(const std::string& url) {
  auto target = transport::parse_target(url);
  if (!target) throw std::runtime_error(target.error().message);
  return *std::move(target);
}

/// The head of a response that is an event stream, and an event of it with a message.
inline const std::string kEventStreamHead =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";

inline std::string message_event(const std::string& data) {
  return wire::http_chunk("event: message\ndata: " + data + "\n\n");
}

inline corpus::Step call_seven() {
  corpus::Step step;
  step.messages.emplace_back(R"({"jsonrpc":"2.0","method":"a","id":7})");
  return step;
}

class HttpTest : public ::testing::Test {
 protected:
  /// What a test waits for in vain costs these.
  explicit HttpTest(microseconds timeout = std::chrono::seconds(20),
                    microseconds start_up = microseconds(1))
      : patience_(timeout, start_up) {
    transport::ignore_broken_pipes();
    patience_.note_first_answer();
  }

  void converse(ScriptedHttpServer::Serve serve, HttpSettings settings = {}) {
    script_.emplace(std::move(serve));
    reach(script_->url("/rpc"), std::move(settings));
    const auto opened = conversation_->open(transcript_);
    ASSERT_TRUE(opened) << opened.error().message;
  }

  void reach(const std::string& url, HttpSettings settings = {}) {
    settings.target = target_of(url);
    settings.control = {"control", ""};
    peer_ = transport::make_server_peer(settings.target.place());
    conversation_ = make_http_conversation(peer_, std::move(settings), patience_);
    conversation_->begin_case(kFirstControlId);
  }

  dialogue::Exchange exchange(const corpus::Step& one) {
    return conversation_->exchange(one, transcript_);
  }
  /// Behind it no thread of the server's touches what it was given by reference.
  void end() {
    conversation_.reset();
    script_.reset();
  }
  dialogue::SurvivalCheck check() { return conversation_->check_survival(transcript_); }

  Patience patience_;
  std::optional<ScriptedHttpServer> script_;
  std::shared_ptr<transport::Peer> peer_;
  std::unique_ptr<Conversation> conversation_;
  dialogue::Transcript transcript_;
};

}  // namespace jrpcheck::session::testing
