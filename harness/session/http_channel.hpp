// How one client reaches a server over HTTP: the requests that it writes, the connections that they
// go on, and what is taken in from them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "session/http_connection.hpp"
#include "session/http_conversation.hpp"
#include "session/http_intake.hpp"
#include "session/http_session.hpp"
#include "transport/starvation.hpp"

namespace jrpcheck::session {

class HttpChannel {
 public:
  HttpChannel(std::shared_ptr<transport::Peer> peer, HttpSettings settings, Patience& patience);
  ~HttpChannel() { leave_session(); }
  HttpChannel(const HttpChannel&) = delete;
  HttpChannel& operator=(const HttpChannel&) = delete;

  const HttpSettings& settings() const { return settings_; }
  void use_control_call(ControlCall call) { settings_.control = std::move(call); }
  HttpSession& session() { return session_; }
  /// The head of the response that came last.
  const wire::HttpMessage& last() const { return intake_.last(); }

  /// The request that carries a message of the step.
  std::string request_for(const corpus::Step& step, const dialogue::Message& message) const;
  /// The same as it may be shown.
  std::string shown_request_for(const corpus::Step& step, const dialogue::Message& message) const;

  /// Why the step tells nothing here; empty where it does.
  std::string why_not_asked(const corpus::Step& step) const;

  enum class Stream { any, fresh };

  /// Opens the stream on which answers come, where the server speaks so and none is open, or a
  /// fresh one is wanted. False where it cannot be had, which the transcript tells.
  bool open_stream(dialogue::Transcript& transcript, Stream which = Stream::any);
  /// That of another client, which asks nothing; null where the server has one stream at a time.
  std::unique_ptr<StandingStream> open_anothers_stream(dialogue::Transcript& transcript);
  /// Opens the stream for what the server says by itself, where the protocol has one.
  void listen(dialogue::Transcript& transcript);
  void leave_stream() { intake_.leave_stream(); }
  /// Whether it has gone, and nothing can be answered.
  bool has_lost_stream() {
    if (!settings_.has_endpoint_stream) return false;
    if (auto* stream = intake_.stream()) stream->look();
    return !intake_.has_stream();
  }
  std::vector<dialogue::Message> take_late() { return intake_.take_late(); }

  /// Control calls from here on have this id and those after it.
  void begin_case(long long first_control_id) { next_control_id_ = first_control_id; }
  dialogue::Message next_control_call() { return settings_.control.text(next_control_id_++); }

  /// A new connection; the transcript tells why there is none.
  std::optional<HttpConnection> connect(dialogue::Transcript& transcript) const;

  /// The responses to all messages of the step, which have been sent on the connection.
  void collect(HttpConnection& connection, const corpus::Step& step, Deadline deadline,
               const Taking& taking);
  /// Sends each message of the step on a connection of its own, and then takes in what answers.
  void call_on_several(const corpus::Step& step, Deadline deadline, dialogue::Exchange& exchange,
                       dialogue::Transcript& transcript);

 private:
  Deadline due_in(microseconds wait) const { return transport::due_in(wait, peer_->worker()); }
  bool is_logged_in() const;
  void collect_one(HttpConnection& connection, const corpus::Step& step, std::size_t message,
                   Deadline deadline, const Taking& taking);
  std::optional<HttpConnection> get(const wire::HttpFields& fields, const std::string& note,
                                    dialogue::Transcript& transcript) const;
  void note_due(const corpus::Step& step, std::size_t message, Due& due) const;
  void collect_from_stream(HttpConnection& connection, Due due, Deadline deadline,
                           const Taking& taking);
  /// The server's own Request that came on a stream is answered on another connection.
  void send_answer(const std::string& answer, dialogue::Transcript& transcript);
  void hand_in(const std::string& answer, HttpConnection& connection,
               dialogue::Transcript& transcript) const;
  /// Tells the server that its session is needed no more.
  void leave_session();

  std::shared_ptr<transport::Peer> peer_;
  HttpSettings settings_;
  transport::Target shown_target_;
  std::string get_path_;  // where the stream is opened; messages go to the path of the target
  long long next_control_id_ = 1;
  wire::HttpFields shown_fields_;
  Patience& patience_;
  microseconds left_for_answers_ = patience_.timeout();  // to the server's own Requests, of a step
  HttpSession session_;
  HttpIntake intake_;
};

}  // namespace jrpcheck::session
