// Campaign: messages against one server until time or messages run out, and what they have shown.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/coverage.hpp"
#include "fuzz/finding_log.hpp"
#include "fuzz/growth_search.hpp"
#include "fuzz/history.hpp"
#include "fuzz/investigator.hpp"
#include "fuzz/limits.hpp"
#include "fuzz/oracle.hpp"
#include "fuzz/pipeline.hpp"
#include "fuzz/tester.hpp"

namespace jrpcheck::fuzz {

/// Kinds of messages that the server never answers. Each costs a timeout and tells nothing new, so
/// most are left out after a few.
class UnansweredKinds {
 public:
  bool is_left_out(const std::string& kind);
  void note(const std::string& kind, const Observed& observed, microseconds took);

 private:
  std::map<std::string, unsigned> waited_for_;  // so often in vain
};

class Campaign : public Tester {
 public:
  /// The executors, the endpoint and the observer must outlive it.
  Campaign(Oracle oracle, Limits limits, run::Endpoint& endpoint, Executor& fast, Executor& careful,
           Observer& observer, unsigned long long seed);
  Campaign(const Campaign&) = delete;
  Campaign& operator=(const Campaign&) = delete;

  /// Takes the edges of the program for features as well. Then each message is executed alone, so
  /// that they are its own. `edges` must outlive the campaign.
  void watch(EdgeMap& edges) { coverage_.watch(edges); }

  std::vector<Feature> feed(std::string message) override;
  std::vector<Feature> feed_alone(std::string message) override;
  /// Before anything is fed: whether what answers these comes with nothing sent behind them. In all
  /// that is fed a call leaves in one write with each message, or soon behind it.
  void look_for_held_answers(const Messages& messages);
  std::optional<std::string> take_promising() override { return promising_.take(); }
  /// Of a server with a protocol on top: whether the message is one of the protocol's.
  bool is_worthwhile(const std::string& message) const override;
  bool is_over() const override { return over_ || findings_.ends_campaign(); }
  /// Once it is over: tells what only the end can tell.
  void conclude() { investigator_.tell_unexplained_ends(); }
  /// Not empty: why there is no server any more.
  const std::string& lost() const { return lost_; }

  const std::vector<Finding>& findings() const { return findings_.all(); }
  /// Whether one of them is a fault: a warning is none unless the limits say so.
  bool has_failed() const { return findings_.has_failed(); }
  /// The server has grown, and no message was found that makes it.
  bool has_grown_unexplained() const { return growth_.is_unexplained(); }
  /// The requirements that replies have told something about.
  const judge::Requirements& exercised() const { return exercised_; }
  Tally tally() const;
  /// What looked wrong again and again, and was not confirmed.
  std::vector<Sighting> sightings() const { return investigator_.sightings(); }

 private:
  struct Judged {
    Expectation expectation;
    Observed observed;
    judge::Judgement judgement;
    std::vector<Feature> features;
  };
  // What a message of a group seems to show, and what had been sent before it.
  struct Suspect {
    Suspicion suspicion;
    Messages before;
    std::optional<Company> company;
  };

  std::string as_sent(std::string message) const;
  Judged judge(Expectation expectation, Observed observed);
  void note_end_before(const Observed& observed);
  void count(const Judged& judged);
  void end_round();
  void look_at_memory();

  std::vector<Feature> execute_alone(std::string message);
  bool waits_for_each() const;
  std::string waits_as(const Expectation& expectation) const;
  bool is_left_out(const Expectation& expectation);
  std::vector<Feature> execute_now(std::string message, Expectation expectation);
  Group group_of(Messages messages);
  std::optional<Cut> next_cut(const Messages& messages);
  std::optional<Company> company_of(const Group& group, std::size_t place) const;
  std::vector<Feature> put(std::string message);
  void execute_pending();
  void settle();
  void judge_groups(std::deque<Group> groups);
  void judge_group(Group group);
  void execute_each(Group group);
  void investigate_lost(const Group& group);
  std::vector<Suspect> judge_each(Group& group);
  void investigate_all(std::vector<Suspect> suspects);

  const Oracle oracle_;
  const Limits limits_;
  const wire::Binding& binding_;
  Executor& fast_;
  Observer& observer_;
  Budget budget_;
  Tally tally_;
  FindingLog findings_;
  Investigator investigator_;
  GrowthSearch growth_;
  Coverage coverage_;
  Promising promising_;
  UnansweredKinds unanswered_;
  History history_;
  std::string previous_;
  Messages pending_;
  Pipeline pipeline_;
  std::size_t groups_ = 0;
  int in_vain_ = 0;  // so many suspicions came of sending messages together, and of nothing else
  judge::Requirements exercised_;
  std::string lost_;
  bool over_ = false;
};

}  // namespace jrpcheck::fuzz
