// Account: what traffic has shown so far, and the run that is made of it in the end.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "corpus/corpus.hpp"
#include "dialogue/traffic.hpp"
#include "judge/clients/rules.hpp"
#include "judge/traffic/traffic_judge.hpp"
#include "result/run.hpp"
#include "traffic/http_sessions.hpp"
#include "traffic/latency.hpp"
#include "traffic/server_sessions.hpp"

namespace jrpcheck::traffic {

/// Whose traffic it is.
struct Origin {
  std::string target;     ///< for people, without what is secret
  std::string transport;  ///< "http", "stdio", "capture"
  const wire::Binding* binding = &wire::default_stream_binding();
  bool is_from_the_beginning = true;
  std::string started = {};  ///< RFC 3339
};

/// Takes in what passes. Its memory is bounded, however long that goes on.
class Account {
 public:
  Account(const corpus::Corpus& corpus, Origin origin);

  /// Once it is known how messages travel on a connection.
  void use(const wire::Binding& binding, std::size_t connection);

  /// What is worth telling now: each thing that is wrong a few times.
  std::vector<judge::TrafficFinding> take(const dialogue::TrafficEvent& event);
  /// The head of a message over HTTP, before that: likewise.
  std::vector<judge::TrafficFinding> take_head(const HttpHead& head);
  /// Something over HTTP was not seen.
  void lose_sessions();
  /// Nothing more comes of that connection, however it ended: what was kept back until then.
  std::vector<judge::TrafficFinding> forget(std::size_t connection);
  std::vector<judge::TrafficFinding> end();

  /// About how many bytes is kept of sessions that are judged.
  std::size_t kept() const;

  /// "412 calls (3 unanswered), 95 notifications ...", and a line for each of the busiest methods.
  std::string summary() const;

  /// The run that says all of it. A verdict of traffic is `fails` or `partial`.
  result::Run run() const;

 private:
  struct Known {
    judge::TrafficFinding first;
    std::vector<dialogue::Event> events;  // that show it
    std::size_t count = 0;
  };
  struct Session {
    explicit Session(const judge::ClientLaw& law) : rules(law) {}

    judge::ClientRules rules;
    std::optional<dialogue::Message> unframed = {};  // what stands last
    std::string note = {};

    std::size_t kept() const;
  };
  struct Method {
    Latencies latencies;
    std::size_t errors = 0;
  };
  // With the method that it is about and the session in which it was found, where there are some.
  using Identity =
      std::tuple<dialogue::Side, std::string, judge::Symptom, std::string, std::string>;

  void note_answer(const judge::AnsweredCall& answer);
  // What the protocol on top asks of clients.
  void judge_session(const dialogue::TrafficEvent& event, judge::TrafficShown& shown);
  void add_shown(judge::Judgement judgement, const dialogue::TrafficEvent& event,
                 judge::TrafficShown& shown);
  void leave_unjudged(std::size_t connection);
  // Beyond a limit the sessions that keep most are. `taken`: so many bytes came since the last
  // time.
  void keep_within_memory(std::size_t taken);
  std::vector<judge::TrafficFinding> note_findings(judge::TrafficShown shown,
                                                   const dialogue::TrafficEvent& event);
  void name_session(judge::Finding& finding);
  bool is_charged(dialogue::Side side, const judge::Finding& finding) const;
  bool note_finding(const judge::TrafficFinding& finding, const dialogue::TrafficEvent& event);
  // The requirements of which traffic can show something about that side, whatever is spoken.
  std::set<std::string> shown_of(dialogue::Side side) const;
  result::CaseResult case_of(dialogue::Side side) const;
  // How messages have travelled: over WebSocket and, before or beside it, over HTTP.
  std::vector<const wire::Binding*> bindings() const;

  const corpus::Corpus& corpus_;
  judge::ClientLaw law_of_clients_;
  Origin origin_;
  ServerSessions servers_;
  judge::TrafficJudge judge_;
  std::map<std::size_t, Session> sessions_;  // by connection
  std::set<std::size_t> unjudged_;           // connections whose beginning is missing
  bool judges_sessions_ = true;
  const wire::Binding* upgraded_ = nullptr;  // what connections of HTTP have become
  bool has_exchanges_ = false;               // of HTTP
  std::size_t uncounted_ = 0;                // bytes that came since it was counted what is kept
  std::optional<HttpSessions> over_http_;    // once a head has come
  std::set<std::string> exercised_in_sessions_;
  std::map<Identity, Known> known_;
  std::map<Identity, std::set<std::string>> named_;  // sessions, by the finding without them
  std::map<std::string, Method> methods_;
  Latencies all_;
  microseconds last_{0};
};

/// The run of traffic that could not be judged, and why: nothing of it is known.
result::Run unjudged_run(const corpus::Corpus& corpus, Origin origin, const std::string& failure);

/// One finding on one line: "12:01:03.412  client  WARN  cl-id-unique  A call has ...".
std::string finding_line(const judge::TrafficFinding& finding, const std::string& time);

}  // namespace jrpcheck::traffic
