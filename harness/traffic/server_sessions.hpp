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
  const std::string& opening_method() const { return laws_.opening_method(); }

  void take_head(const HttpHead& head);
  /// Adds what the event shows to what was found in it, whose answered calls are whole.
  void take(const dialogue::TrafficEvent& event, judge::TrafficShown& shown);
  /// Nothing more comes of that connection.
  void forget(std::size_t connection, judge::TrafficShown& shown);
  /// Nothing more comes at all.
  void end(judge::TrafficShown& shown);
  /// Beyond that the sessions that keep most are judged by single messages alone.
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
    std::string shown_version = {};  // that messages name, and the server speaks
  };
  // What the heads of one exchange name.
  struct Named {
    std::string session;
    std::string version;
  };
  // Of what a message is a part.
  struct Place {
    Session* session = nullptr;    // null: of none that is known
    const Named* named = nullptr;  // null: no head is known
  };

  Session* find_session(std::size_t connection, const std::string& id);
  Session& begin_session(std::size_t connection, const std::string& id);
  void lose(std::size_t connection);
  void end(Session& session, judge::TrafficShown& shown);
  void end_connection(std::size_t connection, judge::TrafficShown& shown);
  Place place_of(const dialogue::TrafficEvent& event, bool opens);
  void hear(const dialogue::TrafficEvent& event, judge::TrafficShown& shown);
  judge::Judgement judge_answer(const dialogue::TrafficEvent& event,
                                const judge::AnsweredCall& answered);
  judge::Judgement judge_own(const dialogue::TrafficEvent& event);
  // By which version something is judged that names this one; empty: by none.
  std::string version_at(const Place& place, const std::string& in_message) const;
  void note_shown(const Place& place, const judge::AnsweredCall& answered,
                  const std::string& in_message);
  void add(judge::Judgement judgement, const dialogue::TrafficEvent& event,
           const judge::AnsweredCall& about, judge::TrafficShown& shown);

  judge::PassingLaws laws_;
  bool is_whole_;                // what passes, from its beginning on
  std::set<std::size_t> lossy_;  // connections of which something is missing
  std::list<Session> sessions_;  // the newest first
  std::map<ExchangeKey, Named> exchanges_;
  std::set<std::string> agreed_;  // versions
  std::set<std::string> shown_;   // as in Session, over HTTP
  std::set<std::string> spoken_;  // those that something was judged by
  judge::Judgement noted_;        // what was exercised and observed
  microseconds last_{0};
};

}  // namespace jrpcheck::traffic
