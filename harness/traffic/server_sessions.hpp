// Sessions with servers: what passes is held against the law of the protocol on top, by the version
// that each session speaks.
#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "dialogue/traffic.hpp"
#include "judge/rules/watched_server.hpp"
#include "judge/traffic/traffic_judge.hpp"
#include "traffic/tap.hpp"

namespace jrpcheck::traffic {

/// Takes in heads and messages in their order, within a memory that is bounded. Whose version is
/// not known is not judged.
class ServerSessions {
 public:
  ServerSessions(const corpus::Corpus& corpus, bool is_from_the_beginning)
      : laws_(corpus), is_whole_(is_from_the_beginning) {}

  /// Whether the protocol asks anything that passing messages show.
  bool has_law() const { return !laws_.empty(); }

  void take_head(const HttpHead& head);
  /// Adds what the event shows to what was found in it, whose answered calls are whole.
  void take(const dialogue::TrafficEvent& event, judge::TrafficShown& shown);
  /// Nothing more comes of that connection.
  void forget(std::size_t connection, judge::TrafficShown& shown);
  /// Nothing more comes at all.
  void end(judge::TrafficShown& shown);
  /// Beyond that the sessions that keep most are not judged as wholes.
  void keep_within(std::size_t most);

  std::set<std::string> exercised() const;
  /// What is recorded, and not charged.
  const std::vector<judge::Observation>& observations() const { return noted_.observations; }
  /// All that traffic can show, of the versions that were spoken.
  std::set<std::string> requirements() const;
  /// Likewise, of whatever version.
  std::set<std::string> requirements_of_all() const { return laws_.requirements(); }
  /// About how many bytes it takes.
  std::size_t kept() const;

 private:
  using ExchangeKey = std::pair<std::size_t, std::size_t>;

  // A connection of a stream, or over HTTP the id that a server has given.
  struct Session {
    std::size_t connection = 0;
    std::string id = {};
    judge::WatchedServer server;
  };
  // What the heads of one exchange name.
  struct Named {
    std::string session;
    std::string version;
  };

  // Null: there is none, and none is begun.
  judge::WatchedServer* session_of(std::size_t connection, const std::string& id, bool begins);
  judge::Judgement judge_answer(const dialogue::TrafficEvent& event,
                                const judge::AnsweredCall& answered);
  judge::Judgement judge_own(const dialogue::TrafficEvent& event);
  std::string version_over_http(const Named* named, const std::string& in_message,
                                const judge::WatchedServer* session) const;
  const Named* named_in(const dialogue::TrafficEvent& event) const;
  void lose(std::size_t connection);
  void end(Session& session, judge::TrafficShown& shown);
  void add(judge::Judgement judgement, const dialogue::TrafficEvent& event,
           const judge::AnsweredCall& about, judge::TrafficShown& shown);

  judge::PassingLaws laws_;
  bool is_whole_;                // what passes, from its beginning on
  std::set<std::size_t> lossy_;  // connections of which something is missing
  std::list<Session> sessions_;  // the newest first
  std::map<ExchangeKey, Named> exchanges_;
  std::set<std::string> agreed_;  // versions
  std::set<std::string> spoken_;  // likewise, those that something was judged by
  judge::Judgement noted_;        // what was exercised and observed
  microseconds last_{0};
};

}  // namespace jrpcheck::traffic
