// What comes back over HTTP, put into an exchange: responses, and the messages of those that are
// event streams, as they come.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dialogue/exchange.hpp"
#include "dialogue/transcript.hpp"
#include "session/http_connection.hpp"
#include "session/patience.hpp"
#include "session/standing_stream.hpp"
#include "wire/http1.hpp"

namespace jrpcheck::session {

/// The event of a response.
dialogue::Event event_of(const wire::HttpMessage& response);

/// What a request waits for, where an event stream answers it.
struct Awaited {
  std::size_t replies = 1;  ///< how many Responses are due on it
  bool until_end = false;   ///< it is read to its end, or for as long as a server may take for that
};

/// What is due to a message; one reply where nobody can say.
Awaited awaited_by(const dialogue::Message& message);

class HttpIntake {
 public:
  /// Sends the answer to a Request of the server's own.
  using SendAnswer = std::function<void(const std::string& answer, dialogue::Transcript&)>;

  /// Asks for what follows an event of a stream that has broken off.
  using Resume = std::function<std::optional<HttpConnection>(const std::string& last_event_id,
                                                             dialogue::Transcript&)>;

  HttpIntake(Patience& patience, std::map<std::string, std::string> answers, SendAnswer send_answer,
             Resume resume);
  HttpIntake(const HttpIntake&) = delete;
  HttpIntake& operator=(const HttpIntake&) = delete;

  /// Waits for the next response, and takes it in. What does not come, or breaks HTTP/1.1, ends the
  /// exchange.
  void take_response(HttpConnection& connection, Awaited awaited, Deadline deadline,
                     const Taking& taking);

  /// The head of the response that came last.
  const wire::HttpMessage& last() const { return last_; }

  /// The stream that answers a GET on this connection; null where no stream does.
  std::unique_ptr<StandingStream> take_standing(HttpConnection connection, Listener listener,
                                                Deadline deadline,
                                                dialogue::Transcript& transcript);
  /// Keeps it as the client's own; false where there is none.
  bool keep_stream(HttpConnection connection, Deadline deadline, dialogue::Transcript& transcript) {
    standing_.reset();
    standing_ = take_standing(std::move(connection), Listener::own, deadline, transcript);
    return standing_ != nullptr;
  }
  void leave_stream() { standing_.reset(); }
  /// It, where one was kept, though it may have ended; else null.
  StandingStream* stream() { return standing_.get(); }
  bool has_stream() const { return standing_ && standing_->is_open(); }
  /// Whether what answers a message comes on that stream.
  bool answers_on_stream() const { return has_stream() && standing_->brings_answers(); }
  /// What came on it in answer to earlier calls.
  std::vector<dialogue::Message> take_late() { return std::exchange(earlier_.late, {}); }

 private:
  const wire::HttpMessage* await_head(HttpConnection& connection, Deadline& deadline) const;
  void take_whole(const wire::HttpMessage& response, const Taking& taking);
  /// How many replies are due on it still, where it has broken off behind an event with an id.
  std::size_t take_stream(HttpConnection& connection, Awaited awaited, Deadline deadline,
                          const Taking& taking);
  void take_up_again(Awaited awaited, Deadline deadline, const Taking& taking);

  Patience& patience_;
  EventStream::AnswerCall answer_call_;
  Resume resume_;
  EarlierCalls earlier_;
  std::unique_ptr<StandingStream> standing_;
  std::string last_event_id_;  // of the stream that has broken off
  microseconds retry_{0};      // how long a client is to wait before it comes back; 0: its choice
  wire::HttpMessage last_;
  std::size_t streams_ = 0;  // that have begun
};

}  // namespace jrpcheck::session
