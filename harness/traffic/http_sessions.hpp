// Sessions over HTTP: which message belongs to which, where several clients share what leads to a
// server; each is held to the rules of its protocol, or nobody is.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "dialogue/traffic.hpp"
#include "judge/clients/rules.hpp"
#include "traffic/tap.hpp"

namespace jrpcheck::traffic {

/// Of the id of a session so much as tells it from others.
std::string shown_session(const std::string& id);

/// Takes in heads and messages in their order. A session is one by the id that its server has given
/// in the sight of this; what cannot be told to be of one is not judged. A client without a
/// handshake needs none.
class HttpSessions {
 public:
  explicit HttpSessions(judge::ClientLaw law);

  /// What the head of a request without a message has shown of its client.
  judge::Judgement take_head(const HttpHead& head);
  /// What a message over HTTP has shown of its client.
  judge::Judgement take(const dialogue::TrafficEvent& event);
  /// Something was not seen: of whom is not known.
  void lose();
  /// Nothing more comes: what was kept back until then.
  judge::Judgement end();
  void forget(std::size_t connection);

  /// About how many bytes all of it takes.
  std::size_t kept() const;
  /// Beyond that the sessions that keep most are judged no longer: whoever is judged from the
  /// middle of a session is judged wrongly.
  void keep_within(std::size_t most);

 private:
  using ExchangeKey = std::pair<std::size_t, std::size_t>;

  struct Held {
    bool is_of_client = true;
    json::Value message;
    wire::HttpFields fields = {};
  };
  struct Session {
    explicit Session(const judge::ClientLaw& law) : rules(law) {}

    judge::ClientRules rules;
    std::string name = {};     // for people
    bool is_answered = false;  // initialize was
    bool is_ready = false;     // the client has said so
    // Connections know no order among each other: what came first may be seen last.
    std::vector<Held> held = {};
    microseconds held_since{0};
    std::deque<std::pair<microseconds, Held>> cancellations = {};
    std::set<std::size_t> unanswered = {};  // bodies of requests to which no response came
    microseconds last{0};

    std::size_t kept() const;
  };
  using Shared = std::shared_ptr<Session>;
  struct Exchange {
    std::string endpoint;
    wire::HttpFields fields;  // of the request
    std::string named;        // the id in it
    Shared session = {};
    std::size_t body = 0;  // its hash
    bool begins = false;
    std::optional<json::Value> opening = {};  // initialize, until it is answered
    bool is_stateless = false;
    bool has_query = false;                  // which may name a session, as before 2025-03-26
    std::optional<json::Value> astray = {};  // a request in no session, where none was asked for
  };
  // A request in no session, until it is known that it was refused for that.
  struct Refused {
    json::Value message;
    bool is_told = false;  // by the server
  };
  struct Endpoint {
    bool gives_ids = true;  // to each session so far
    // By initialize, whatever became of it: whoever names no session may have left out its id.
    bool was_asked_for_session = false;
    std::size_t begun = 0;
    Shared stateless = {};  // all that need no session, as one
    bool is_left = false;   // those are judged no longer
    std::vector<Refused> refused = {};
  };
  struct Gone {
    std::string name;
    bool is_by_404 = false;  // as its version has it
    microseconds at{0};
    std::size_t connection = 0;
    std::size_t further = 0;  // requests with its id since then, on that connection
  };

  void take_request_head(const HttpHead& head);
  void take_response_head(const HttpHead& head);
  void open_session(const Exchange& exchange, const HttpHead& head);
  void note_status(const Exchange& exchange, const HttpHead& head);
  void hear(Exchange& exchange, const json::Value& message, const dialogue::TrafficEvent& event);
  void begin(Exchange& exchange, const json::Value& message, const dialogue::TrafficEvent& event);
  void hear_opening(Exchange& exchange, const wire::HttpFields* fields);
  Shared session_of(const Exchange& exchange, std::size_t connection);
  void note_unanswered(const dialogue::TrafficEvent& event);
  void hear_in_gone(const Exchange& exchange, const json::Value& message,
                    const dialogue::TrafficEvent& event);
  void pass(Session& session, Held one, microseconds at);
  void deliver(Session& session, const Held& one);
  void settle(Session& session, microseconds at);
  void settle_all(microseconds at);
  void settle_last(Session& session, bool is_left);
  void flush(Session& session);
  void note_refusal(Exchange& exchange, const dialogue::TrafficEvent& event);
  void settle_refused(Endpoint& endpoint);
  void charge_without_session(const json::Value& message);
  void collect(judge::ClientRules& rules, const std::string& session = {});
  void note_use(std::size_t connection, const std::string& key);
  void make_room();
  using KeptByEach = std::vector<std::pair<std::size_t, const Session*>>;
  KeptByEach kept_by_each() const;
  std::size_t kept_beside_sessions() const;
  void leave_unjudged(const std::set<const Session*>& sessions);

  judge::ClientLaw law_;
  std::map<ExchangeKey, Exchange> exchanges_;
  // By endpoint and id; null: not to be told from others, or left unjudged.
  std::map<std::string, Shared> sessions_;
  std::vector<Shared> left_;  // by their clients, with something held
  std::map<std::string, Gone> gone_;
  std::map<std::string, Endpoint> endpoints_;
  std::map<std::size_t, std::string> used_for_;  // by connection the only session, or kSeveral
  judge::Judgement shown_;
};

}  // namespace jrpcheck::traffic
