// Dialogue script: what the server of a protocol on top says in one trial, and what it hears. It
// knows no transport.
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/deadline.hpp"
#include "client/oauth_server.hpp"
#include "client/own_messages.hpp"
#include "client/played_subscriptions.hpp"
#include "client/played_tasks.hpp"
#include "client/withheld_answer.hpp"
#include "corpus/client_dialogue.hpp"
#include "judge/clients/oauth_record.hpp"
#include "judge/clients/rules.hpp"

namespace jrpcheck::client {

/// What was heard in one run of the client.
struct DialogueNotes {
  std::vector<std::string> methods;  ///< of the client, in order
  /// Of them those in a session since its initialize was answered; another initialize is none.
  std::size_t after_opening = 0;
  bool was_opened = false;                     ///< initialize was answered
  std::string capabilities;                    ///< that the client has declared, in JSON
  bool was_said = false;                       ///< the server's own messages have gone out
  bool has_had_time = false;                   ///< to answer them: a second, if it needed that
  std::map<std::string, std::string> answers;  ///< to them, by id
  std::vector<std::string> strays;             ///< Responses to nothing that was asked
  std::vector<std::string> methods_since;      ///< since they were said
  std::size_t sessions_begun = 0;              ///< over HTTP
  bool was_sent_away = false;                  ///< by 404
  bool has_begun_anew = false;                 ///< by another initialize since then
  std::size_t without_handshake = 0;           ///< requests of such a version
  std::vector<std::string> versions_since;     ///< of them, since the first was refused
  bool fell_back = false;                      ///< to initialize, after one of them
  bool asked_by_cursor = false;                ///< for a further page of a list
  std::vector<std::string> tools_called;
  bool was_broken = false;                    ///< an event stream, before its answer
  std::string version_of_broken;              ///< that the request has named, of the protocol
  std::optional<std::string> resumed_behind;  ///< with that Last-Event-ID
  microseconds resumed_after{0};
  TaskNotes tasks;
  SubscriptionNotes subscriptions;
  WithheldNotes withheld;
  std::vector<std::string> said_besides = {};  ///< by the server itself, behind what it says first
  std::string version_asked = {};              ///< by initialize, the last time
  bool has_fetched = false;                    ///< what is below kAside
  judge::Judgement by_rules;
  std::optional<judge::OAuthRecord> oauth;  ///< where a token is demanded

  /// Whether the client has declared the capability, a JSON pointer.
  bool declares(std::string_view capability) const;
  /// The last message of the client, by its method.
  std::string last_method() const { return methods.empty() ? "nothing" : methods.back(); }
};

/// Of the event behind which a stream ends, and the time that it asks for.
inline constexpr const char* kBrokenBehind = "jrpcheck-1";
inline constexpr milliseconds kRetry{300};

/// Safe to use from several connections at once. A client may open several sessions, each of which
/// is held to the rules by itself: on streams each connection is one, over HTTP each id.
class DialogueScript {
 public:
  DialogueScript(const corpus::Dialogues& all, const corpus::Dialogue& one, judge::ClientLaw law);

  /// Where it is: "http://127.0.0.1:1234", for "${url}".
  void stand_at(const std::string& url) { url_ = url; }
  /// Over HTTP: the client asks for what is below kAside.
  void note_fetch();

  struct Turn {
    std::optional<std::string> answer = {};  ///< to a request
    bool is_opening = false;                 ///< it is to initialize
    bool was_read = false;
    int status = 200;                    ///< over HTTP
    std::string session = {};            ///< that it belongs to; over HTTP its id, once it has one
    std::vector<std::string> said = {};  ///< by the server itself, before the answer
    std::vector<std::string> said_after = {};
    bool stays_open = false;   ///< the request has no answer yet, and a stream over HTTP
    bool cuts = false;         ///< the connection ends behind what is said
    bool is_withheld = false;  ///< it is not answered yet
    std::string open = {};     ///< in either case the id of that request, in JSON
  };
  /// A message of the client in that session; over HTTP with the fields of its request, where
  /// initialize begins another one.
  Turn hear(const std::string& text, const std::string& session,
            const wire::HttpFields* fields = nullptr);
  /// The head of a GET or a DELETE over HTTP, which names that session or none.
  void hear_bare_head(std::string_view method, const std::string& session,
                      const wire::HttpFields& fields);
  void hear_unframed(const std::string& bytes, const std::string& note, const std::string& session);
  /// What the server says by itself, each message once, and in a session that is ready.
  std::vector<std::string> say(const std::string& session);
  /// A message goes out.
  void tell(const std::string& text, const std::string& session);
  /// Whether nothing is waited for that the client owes.
  bool is_settled() const;
  void give_time();
  /// Whether a client that does nothing now waits as it was told to.
  bool lets_wait() const;
  /// The answer that was withheld from a client which has given it up; once.
  std::optional<std::string> late_answer();
  /// Over HTTP: the client has closed the stream of that request.
  void note_closed(const std::string& id);

  /// Over HTTP: whether a request of that session is sent away.
  bool is_sent_away(const std::string& session);

  /// Over HTTP: whether the stream of that answer ends before it, once in the run.
  bool breaks_stream(const std::string& session, const std::string& answer,
                     const std::string& version);
  /// A stream is resumed: the answer that is due there.
  std::optional<std::string> resume(const std::string& last_event);

  const corpus::Dialogue& dialogue() const { return one_; }
  /// What stands before it and demands a token; null: nothing does.
  OAuthServer* oauth() { return oauth_ ? &*oauth_ : nullptr; }
  DialogueNotes notes();

 private:
  struct Session {
    explicit Session(const judge::ClientLaw& law) : rules(law) {}

    judge::ClientRules rules;
    bool was_opened = false;
    bool is_ready = false;
  };
  // Null where there are more than anybody opens.
  Session* session_of(const std::string& name);
  std::string place_over_http(const json::Value& message, const std::string& session,
                              const wire::HttpFields& fields);
  std::optional<std::string> hear_one(const json::Value& message, const std::string& text,
                                      Session* session, const wire::HttpFields* fields);
  void hear_response(const json::Value& message, const std::string& text);
  void note_call(const json::Value& message, const std::string& method, const std::string& version);
  std::optional<std::string> answer_to(const json::Value& message, const std::string& method,
                                       const std::string& version, bool is_over_http);
  std::string members_for(const json::Value& message, const std::string& method,
                          const std::string& version, bool is_over_http);
  std::optional<std::string> played(const json::Value& message, bool is_over_http);
  const std::string* odd_answer_to(const std::string& method, const std::string& version);

  const corpus::Dialogues& all_;
  const corpus::Dialogue& one_;
  const judge::ClientLaw law_;
  std::string url_;
  std::optional<OAuthServer> oauth_;
  std::condition_variable closed_;  // the connection of a request is
  mutable std::mutex mutex_;        // guards what follows
  std::map<std::string, Session> sessions_;
  DialogueNotes notes_;
  std::map<std::string, std::size_t> answered_;  // by method, in turn
  std::size_t begun_ = 0;                        // sessions over HTTP
  std::string last_;                             // of them, where it is open
  std::string gone_;                             // which was sent away
  std::string due_;                              // on the stream that ended before it
  Clock::time_point broken_at_;
  std::optional<PlayedTasks> tasks_;
  std::optional<PlayedSubscriptions> subscriptions_;
  std::optional<std::string> cut_session_ = {};  // whose connection has ended behind a subscription
  WithheldAnswer withheld_;
  Turn* turn_ = nullptr;  // that is being made
  OwnMessages own_;
  std::string said_in_;  // the session in which they go out
};

}  // namespace jrpcheck::client
