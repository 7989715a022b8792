// Campaign against a client: the engine makes answers, and the client is started to take each. The
// oracle is what can be said of any answer: a client does not die of it, does not wait for ever
// when the connection has ended, and sends what is well-formed.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "client/manner.hpp"
#include "corpus/corpus.hpp"
#include "fuzz/edge_map.hpp"
#include "fuzz/limits.hpp"
#include "fuzz/tester.hpp"
#include "judge/judgement.hpp"
#include "result/run.hpp"

namespace jrpcheck::fuzz {

struct ClientFinding {
  judge::Finding finding;
  std::string answer;     ///< the smallest that shows it, as the engine knows answers
  std::size_t tries = 0;  ///< starts of the client that it took to confirm and reduce it
  client::Look look;      ///< what it was seen to do
};

class ClientCampaign : public Tester {
 public:
  using Found = std::function<void(const ClientFinding&)>;

  /// All of them must outlive it.
  ClientCampaign(const corpus::Corpus& corpus, const client::Door& door, client::Manner& manner,
                 client::Premises& premises, const Limits& limits, Found found);

  /// As in Campaign.
  void watch(EdgeMap& edges) { edges_ = &edges; }

  std::vector<Feature> feed(std::string message) override;
  std::vector<Feature> feed_alone(std::string message) override { return feed(std::move(message)); }
  bool is_worthwhile(const std::string& message) const override;
  bool is_over() const override;

  const std::vector<ClientFinding>& findings() const { return findings_; }
  unsigned long long starts() const { return starts_; }
  /// Answers that the client came to.
  unsigned long long taken() const { return taken_; }
  /// Whether any call was seen to end with its connection.
  bool has_seen_ends() const { return ends_ > 0; }
  std::size_t shapes() const { return shapes_.size(); }
  std::size_t edges() const { return edges_ == nullptr ? 0 : edges_->seen(); }
  unsigned long long unconfirmed() const { return unconfirmed_; }
  /// Not empty: why the client cannot be started any more.
  const std::string& lost() const { return lost_; }

 private:
  // What makes two findings one.
  using Identity = std::pair<std::string, judge::Symptom>;

  std::optional<client::Look> look_at(const std::string& answer, int patience);
  std::vector<judge::Finding> findings_in(const client::Look& look) const;
  bool shows(const std::string& answer, const Identity& identity, client::Look& look);
  void investigate(const judge::Finding& finding, const std::string& answer);
  std::vector<Feature> features_of(const client::Look& look);

  const corpus::Corpus& corpus_;
  const client::Door& door_;
  client::Manner& manner_;
  client::Premises& premises_;
  const Limits& limits_;
  const Found found_;
  Budget budget_;
  EdgeMap* edges_ = nullptr;
  std::vector<ClientFinding> findings_;
  std::set<Identity> known_;
  std::map<Identity, unsigned> in_vain_;  // suspicions that did not show again
  std::set<std::string> shapes_;
  unsigned long long starts_ = 0;
  unsigned long long taken_ = 0;
  unsigned long long ends_ = 0;
  unsigned long long unconfirmed_ = 0;
  std::string lost_;
};

/// The campaign as a run: a case for each finding.
result::Run to_run(result::Run begun, const ClientCampaign& campaign, const corpus::Corpus& corpus);

/// "fuzz-cl-survives-1f2e": of the scenario that repeats it.
std::string name_of(const ClientFinding& finding);
/// That scenario.
corpus::Scenario scenario_of(const ClientFinding& finding);

}  // namespace jrpcheck::fuzz
