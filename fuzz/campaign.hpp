// Campaign: messages against one server until time or messages run out, and what they have shown.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/deadline.hpp"
#include "corpus/ledger.hpp"
#include "fuzz/edge_map.hpp"
#include "fuzz/feature.hpp"
#include "fuzz/finding.hpp"
#include "fuzz/history.hpp"
#include "fuzz/memory_growth.hpp"
#include "fuzz/oracle.hpp"
#include "fuzz/player.hpp"
#include "result/secrets.hpp"

namespace jrpcheck::fuzz {

struct Limits {
  microseconds time{0};         ///< 0: none
  unsigned long long runs = 0;  ///< 0: none
  bool keep_going = false;      ///< not over at the first finding
  bool warnings_are_findings = false;
  std::size_t memory = 0;  ///< bytes by which a server that was started here may grow; 0: any
  /// Says that the user wants it to end.
  std::function<bool()> interrupted = [] { return false; };
  std::vector<result::Secret> secrets = {};  ///< that no finding may show
};

struct Tally {
  unsigned long long exchanges = 0;
  unsigned long long answered_calls = 0;  ///< valid calls that were answered as they must be
  unsigned long long restarts = 0;        ///< of the server, for its death or silence
  /// Suspicions that sending the message again did not confirm: answers in another order, mostly.
  unsigned long long unconfirmed = 0;
  std::size_t shapes = 0;  ///< of replies
  std::size_t edges = 0;   ///< of the program that have been seen; 0 where it does not tell
  std::optional<MemoryHeld> memory = {};  ///< where it is known
  microseconds took{0};
};

/// Told of what goes on.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void progress(const Tally& tally, std::size_t findings) = 0;
  virtual void found(const Finding& finding) = 0;
};

class Campaign {
 public:
  /// The players, the endpoint and the observer must outlive it.
  Campaign(Oracle oracle, Limits limits, run::Endpoint& endpoint, Player& fast, Player& careful,
           Observer& observer, unsigned long long seed);

  /// Takes the edges of the program for features as well. Then each message is played alone, so
  /// that they are its own. `edges` must outlive the campaign.
  void watch(EdgeMap& edges) { edges_ = &edges; }

  /// Takes a message, and plays it at once or together with others. Gives the features of what it
  /// has brought; none where it has only been put aside. Those of the others that bring something
  /// new are `promising`.
  std::vector<Feature> feed(std::string message);
  /// The same at once, whatever the player can do.
  std::vector<Feature> feed_alone(std::string message);
  /// A message that has brought something new, to be fed again so that its features can be had:
  /// that plays nothing.
  std::optional<std::string> take_promising();

  /// Whether it has ended: by time, messages, a finding, or because there is no server any more.
  bool is_over() const { return over_; }
  /// Not empty: why there is no server any more.
  const std::string& lost() const { return lost_; }

  const std::vector<Finding>& findings() const { return findings_; }
  /// Whether one of them is a fault: a warning is none unless the limits say so.
  bool has_failed() const;
  /// The server has grown, and no message was found that makes it.
  bool has_grown_unexplained() const { return has_grown_unexplained_; }
  /// The requirements that replies have told something about.
  const std::set<std::string>& exercised() const { return exercised_; }
  Tally tally() const;

 private:
  // A suspicion: what was sent and what is wrong.
  struct Suspicion {
    std::string sent;
    judge::Finding finding;
    Observed observed;
    std::vector<std::string> before = {};  // sent before it, without which it does not show
  };
  using Messages = std::vector<std::string>;
  using Key = std::pair<std::string, std::string>;  // requirement and shape
  struct Suspect {
    Suspicion suspicion;
    Messages before;  // it, as far as they are remembered
  };
  // Messages that are played together, what is expected of each, and what came of each; nothing
  // where that could not be told apart.
  struct Group {
    Messages messages;
    std::vector<Expectation> expectations;
    std::optional<std::vector<Observed>> observed = {};
  };
  struct Played {
    Expectation expectation;
    Observed observed;
    judge::Judgement judgement;
    std::vector<Feature> features;
  };

  std::string prepared(std::string message) const;
  bool may_be_sent(const std::string& message) const;
  std::optional<Suspicion> try_with(Player& player, const std::string& message,
                                    const judge::Finding* like = nullptr,
                                    const Messages& before = {});
  bool show_twice(const Suspicion& suspicion, const Messages& before);
  bool find_before(Suspicion& suspicion, const Messages& before);
  bool shows_after_itself(const std::string& message, const Suspicion& suspicion);
  Suspicion reduced_with_itself(Suspicion suspicion);
  Key key_of(const Suspicion& suspicion) const;
  void leave_unconfirmed(const Key& key);
  void investigate_after(Suspicion suspicion, const Messages& before);
  std::optional<judge::Finding> worst_new(const Expectation& expectation,
                                          const judge::Judgement& judgement) const;
  bool counts(const judge::Finding& finding) const;
  void investigate(Suspicion suspicion);
  void confirm_previous();
  void conclude(Suspicion reduced, const Key& key);
  std::optional<Suspicion> find_element_at_fault(const Suspicion& suspicion);
  Suspicion reduced(Suspicion suspicion);
  Messages reduced_before(const Suspicion& suspicion, const std::string& message,
                          Deadline deadline);
  void record(const Suspicion& suspicion, std::size_t shown, std::size_t tries);
  void note_exchange(const Expectation& expectation, const Observed& observed,
                     const judge::Judgement& judgement);
  void check_limits();
  bool is_left_out(const Expectation& expectation);
  void note_wait(const Expectation& expectation, const Observed& observed, microseconds took);
  void look_at_memory();
  std::vector<std::string> candidates_for_growth() const;
  void find_what_grows();
  void record_growth(const std::string& message, const SteadyGrowth& growth);
  void add(Finding finding);
  std::vector<Feature> play_alone(std::string message);
  void add_edges(std::vector<Feature>& features);
  void play_pending();
  Played judged(Expectation expectation, Observed observed);
  std::size_t most_together() const;
  std::size_t most_pending() const;
  Group group_of(Messages messages) const;
  static std::vector<const corpus::Step*> steps_of(const Group& group);
  Group take_sent();
  void settle();
  void judge_group(Group group);
  std::vector<Suspect> judge_each(Group& group);
  void investigate_all(std::vector<Suspect> suspects);

  Oracle oracle_;
  Limits limits_;
  run::Endpoint& endpoint_;
  Player& fast_;
  Player& careful_;
  Observer& observer_;
  unsigned long long seed_;
  Clock::time_point begin_;
  Tally tally_;
  std::set<std::string> shapes_;
  std::set<std::string> exercised_;
  std::set<Key> known_;
  std::map<Key, int> unconfirmed_;
  std::map<Key, int> explained_;                // by what an element of a batch shows alone
  std::map<std::string, unsigned> waited_for_;  // messages by kind: so often in vain
  std::vector<Finding> findings_;
  EdgeMap* edges_ = nullptr;
  std::string previous_;
  std::vector<std::string> pending_;
  std::size_t together_;  // so many messages are played together now
  int in_vain_ = 0;       // so many suspicions came of playing them together, and of nothing else
  Group sent_;            // and under way
  std::deque<std::pair<std::string, std::vector<Feature>>> promising_;
  std::map<std::string, std::vector<Feature>> due_;  // to be fed again
  std::set<std::uint32_t> features_;
  History history_;
  MemoryWatch memory_;
  bool has_grown_unexplained_ = false;
  int growth_investigations_ = 0;
  std::size_t investigations_ = 0;
  std::size_t investigating_ = 0;  // so many exchanges for what is being investigated
  std::string lost_;
  bool over_ = false;
};

}  // namespace jrpcheck::fuzz
