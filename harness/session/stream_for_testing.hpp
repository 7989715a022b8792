// For tests: a server on a stream that is a function from lines to pieces of output.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "session/conversation.hpp"
#include "session/incoming.hpp"
#include "session/stream_conversation.hpp"
#include "transport/byte_stream.hpp"
#include "transport/peer.hpp"

namespace jrpcheck::session::testing {

/// Each piece comes in a transfer of its own.
using Pieces = std::vector<std::string>;

/// What a scripted server does: its output for each line, `kEnd` to end after what went before.
using Script = std::function<Pieces(const std::string& line)>;
inline const std::string kEnd = "<end>";

/// The first control id of the tests, as far from the ids of their messages as in a run.
constexpr long long kFirstControlId = 5'000'000;

inline std::string answer(const std::string& id) {
  return R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"unknown"},"id":)" + id + "}\n";
}
inline std::string call(const std::string& id) {
  return R"({"jsonrpc":"2.0","method":"unknown","id":)" + id + "}";
}
inline const std::string kNotification = R"({"jsonrpc":"2.0","method":"unknown"})";

/// The id of a call as it is spelled at its end; empty for a notification and for no JSON.
inline std::string id_in(const std::string& line) {
  const auto at = line.rfind(R"("id":)");
  if (at == std::string::npos || line.back() != '}') return {};
  return line.substr(at + 5, line.size() - at - 6);
}

inline bool is_control(const std::string& line) {
  return line.find("control") != std::string::npos;
}

/// A server as it should be, but that it is silent about what is no call.
inline Pieces answer_calls(const std::string& line) {
  const std::string id = id_in(line);
  return id.empty() ? Pieces{} : Pieces{answer(id)};
}

/// In memory. A wait that a test did not mean to cost time is an exception.
class ScriptedStream : public transport::ByteStream {
 public:
  explicit ScriptedStream(Script script) : script_(std::move(script)) {}

  transport::Transfer transfer(std::string_view out, std::string& in, Deadline deadline) override {
    transport::Transfer done;
    done.broken = ended_ && !out.empty();
    if (!done.broken) done.written = take(out);
    if (!output_.empty()) {
      in += output_.front();
      output_.pop_front();
      done.received = true;
    } else if (ended_) {
      done.ended = true;
    } else if (out.empty()) {
      if (deadline.remaining() > kLongestWait) throw std::logic_error("a long wait in vain");
      transport::wait_until(deadline);
      done.timed_out = true;
    }
    return done;
  }

  void close_write() override { take_output(script_("<end of input>")); }

  /// Output that answers nothing.
  void say(const Pieces& pieces) { take_output(pieces); }

  const std::vector<std::string>& lines() const { return lines_; }

 private:
  static constexpr milliseconds kLongestWait{1000};

  std::size_t take(std::string_view out) {
    input_ += out;
    for (std::size_t end = 0; (end = input_.find('\n')) != std::string::npos;) {
      lines_.push_back(input_.substr(0, end));
      input_.erase(0, end + 1);
      take_output(script_(lines_.back()));
    }
    return out.size();
  }

  void take_output(const Pieces& pieces) {
    for (const auto& piece : pieces) {
      if (piece == kEnd) ended_ = true;
      if (!ended_) output_.push_back(piece);
    }
  }

  Script script_;
  std::string input_;
  std::vector<std::string> lines_;
  std::deque<std::string> output_;
  bool ended_ = false;
};

/// Gives a scripted stream each time; the scripts in order, the last of them for ever.
class ScriptedPeer : public transport::Peer {
 public:
  explicit ScriptedPeer(std::vector<Script> scripts) : scripts_(std::move(scripts)) {}

  Result<bool> start(Deadline) override { return true; }
  Result<transport::Connection> connect(Deadline) override {
    former_ = stream_;
    const auto script = std::min<std::size_t>(generation_, scripts_.size() - 1);
    stream_ = std::make_shared<ScriptedStream>(scripts_[script]);
    ++generation_;
    auto program = is_shared_ ? nullptr : std::make_shared<FakeProgram>(*this);
    return transport::Connection{std::make_unique<Shared>(stream_), std::move(program)};
  }
  Result<bool> revive(transport::Generation, Deadline) override { return true; }
  transport::Generation generation() const override { return is_shared_ ? 0 : generation_; }
  bool is_shared() const override { return is_shared_; }

  ScriptedStream& stream() { return *stream_; }
  /// The stream before, while it is open beside the new one.
  ScriptedStream* former() { return former_.lock().get(); }
  /// All connections lead to one server, as over TCP.
  void share() { is_shared_ = true; }

  std::optional<transport::ExitStatus> how_it_ended;
  std::optional<transport::ExitStatus> how_former_ended;
  std::string standard_error;

 private:
  class Shared : public transport::ByteStream {
   public:
    explicit Shared(std::shared_ptr<ScriptedStream> stream) : stream_(std::move(stream)) {}
    transport::Transfer transfer(std::string_view out, std::string& in,
                                 Deadline deadline) override {
      return stream_->transfer(out, in, deadline);
    }
    void close_write() override { stream_->close_write(); }

   private:
    std::shared_ptr<ScriptedStream> stream_;
  };

  class FakeProgram : public transport::Program {
   public:
    explicit FakeProgram(const ScriptedPeer& peer) : peer_(peer), generation_(peer.generation()) {}
    std::optional<transport::ExitStatus> ended(Deadline) override {
      return generation_ == peer_.generation() ? peer_.how_it_ended : peer_.how_former_ended;
    }
    std::string standard_error_tail() override { return peer_.standard_error; }
    void end(microseconds) override {}

   private:
    const ScriptedPeer& peer_;
    transport::Generation generation_;
  };

  std::vector<Script> scripts_;
  std::shared_ptr<ScriptedStream> stream_;
  std::weak_ptr<ScriptedStream> former_;
  transport::Generation generation_ = 0;
  bool is_shared_ = false;
};

inline corpus::Outcome outcome(corpus::Outcome::Shape shape, std::size_t responses = 1) {
  corpus::Outcome one;
  one.shape = shape;
  one.responses.resize(responses);
  return one;
}

/// A step that sends these messages and accepts these outcomes; none: one Response.
template <typename... Outcomes>
corpus::Step step(std::vector<std::string> messages, Outcomes... accepted) {
  corpus::Step one;
  one.messages.assign(messages.begin(), messages.end());
  (one.accept.push_back(std::move(accepted)), ...);
  return one;
}

inline corpus::Outcome silence() { return outcome(corpus::Outcome::Shape::silence, 0); }
inline corpus::Outcome response() { return outcome(corpus::Outcome::Shape::response); }

inline std::vector<std::string> texts_of(const std::vector<dialogue::Reply>& replies) {
  std::vector<std::string> texts;
  texts.reserve(replies.size());
  for (const auto& reply : replies) texts.push_back(reply.text() + "\n");
  return texts;
}

inline std::vector<std::string> texts_of(const std::vector<dialogue::Noise>& noise) {
  std::vector<std::string> texts;
  texts.reserve(noise.size());
  for (const auto& each : noise) texts.push_back(each.bytes);
  return texts;
}

/// The texts of the events of that direction.
inline std::vector<std::string> events_of(const dialogue::Transcript& transcript,
                                          dialogue::Direction direction) {
  std::vector<std::string> texts;
  for (const auto& event : transcript.events()) {
    if (event.direction == direction)
      texts.push_back(event.bytes.empty() ? event.note : event.bytes);
  }
  return texts;
}

/// A conversation with a program that does what a script says.
class StreamTest : public ::testing::Test {
 protected:
  void converse(Script script, const char* binding = "lines") {
    peer_ = std::make_shared<ScriptedPeer>(std::vector<Script>{std::move(script)});
    patience_.note_first_answer();
    StreamSettings settings;
    settings.binding = wire::binding_named(binding);
    settings.control = {"control", ""};
    conversation_ = make_stream_conversation(peer_, std::move(settings), patience_);
    ASSERT_TRUE(conversation_->open(transcript_));
    conversation_->begin_case(kFirstControlId);
  }

  dialogue::Exchange exchange(const corpus::Step& one) {
    return conversation_->exchange(one, transcript_);
  }
  const std::vector<std::string>& lines() { return peer_->stream().lines(); }

  // So long that a test which waits for it fails: the scripted stream throws.
  Patience patience_{std::chrono::hours(1)};
  std::shared_ptr<ScriptedPeer> peer_;
  std::unique_ptr<Conversation> conversation_;
  dialogue::Transcript transcript_;
};

}  // namespace jrpcheck::session::testing
