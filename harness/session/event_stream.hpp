// One event stream of a server over HTTP: its events put into an exchange as they come.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/deadline.hpp"
#include "dialogue/exchange.hpp"
#include "dialogue/transcript.hpp"
#include "session/framed_stream.hpp"
#include "wire/sse.hpp"

namespace jrpcheck::session {

/// Where what comes back over HTTP is put.
struct Taking {
  dialogue::Exchange& exchange;
  dialogue::Transcript& transcript;
  std::optional<std::size_t> call = {};  ///< as in Reply
  bool is_control = false;               ///< it answers a control call
  std::string note = {};
};

/// A Request or Notification of the server's own.
bool is_call(const dialogue::Message& message);

/// Whether an event is no message: it has data of its own under a type of its own.
bool is_of_another_type(const wire::ServerSentEvent& block, const dialogue::Message& message);

class EventStream {
 public:
  /// Answers a Request of the server's own.
  using AnswerCall = std::function<void(const dialogue::Message& call, dialogue::Transcript&)>;

  /// The n-th of a conversation, with the head of its response. `last_id`: it goes on behind that.
  EventStream(std::size_t number, dialogue::HttpHead head, const AnswerCall& answer_call,
              std::string last_id = {})
      : answer_call_(answer_call),
        number_(number),
        head_(std::move(head)),
        last_id_(std::move(last_id)) {}
  virtual ~EventStream() = default;
  EventStream(const EventStream&) = delete;
  EventStream& operator=(const EventStream&) = delete;

  const dialogue::HttpHead& head() const { return head_; }

  /// So many Responses are due on it.
  void expect(std::size_t replies) { awaited_ = replies; }
  /// How many of them are due still.
  std::size_t awaited() const { return awaited_; }

  /// Whether nothing is due any more once it has ended: the Array of a batch has come, whatever
  /// is missing in it, or one error for the whole message.
  bool has_answered() const { return awaited_ == 0 || has_answered_whole_; }

  /// Takes in what has come further of its body. Where that is beyond a limit of ours the exchange
  /// says so, and no more is to be read.
  void take_in(std::string_view bytes, const Taking& taking);

  /// What has come of an event that has not ended.
  const std::string& unfinished() const { return reader_.unfinished(); }
  /// The id of the last event that had one.
  const std::string& last_id() const { return last_id_; }
  /// How long a client is to wait before it comes back; 0: its choice.
  microseconds retry() const { return retry_; }

  /// Something that happened on it.
  dialogue::Event event(dialogue::Direction direction, std::string bytes, std::string note) const;

 private:
  void take(const wire::ServerSentEvent& block, const Taking& taking);
  /// Whether an event answers nothing of this step, and has its place.
  virtual bool takes_aside(const wire::ServerSentEvent&, const dialogue::Message&, const Taking&) {
    return false;
  }

  const AnswerCall& answer_call_;
  std::size_t number_;
  dialogue::HttpHead head_;
  std::size_t awaited_ = 0;
  bool has_answered_whole_ = false;
  wire::SseReader reader_{kReplyLimits};
  std::string last_id_;
  microseconds retry_{0};
};

}  // namespace jrpcheck::session
