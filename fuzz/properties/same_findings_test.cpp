// What the corpus says of a dialogue, and what the oracle of fuzzer and properties says of the
// same.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "corpus/bindings.hpp"
#include "corpus/corpus_for_testing.hpp"
#include "fuzz/oracle.hpp"
#include "fuzz/properties/reference_for_testing.hpp"
#include "judge/envelope.hpp"
#include "judge/judge.hpp"
#include "reference-impl/mutants/catalogue.hpp"

namespace jrpcheck::properties {
namespace same_findings_test {

constexpr std::string_view kBinding = "lines";
constexpr std::size_t kLarge = 4096;

// One message, sent as a message: what the oracle judges.
bool is_plain(const corpus::Step& step) {
  return !step.raw && !step.end_of_input && step.messages.size() == 1 &&
         step.messages.front().text().size() <= kLarge &&
         step.messages.front().text().find('\n') == std::string::npos;
}

std::vector<corpus::Case> plain_cases(const corpus::Corpus& corpus) {
  corpus::Bindings bindings;
  for (const char* role : {"subtract", "sum", "echo", "nothing", "fails"}) {
    bindings.roles[role] = role;
  }
  bindings.roles["no-params"] = "get_data";
  bindings.unknown_method = std::string(fuzz::kUnknownMethod) + "Abc";
  bindings.string_id = "an-id";
  bindings.first_id = 100;
  bindings.transport = kBinding;
  std::vector<corpus::Case> cases;
  for (const auto& one : corpus.cases) {
    if (!corpus.applies(one, wire::known_binding(kBinding))) continue;
    auto bound = corpus::bind(one, bindings);
    if (bound && std::all_of(bound->steps.begin(), bound->steps.end(), is_plain)) {
      cases.push_back(*std::move(bound));
    }
  }
  return cases;
}

// The requirements that something fails or warns by.
struct Said {
  std::set<std::string> by_cases;
  std::set<std::string> by_oracle;
  std::size_t exchanges = 0;
};

void note(const judge::Judgement& judgement, std::set<std::string>& said) {
  for (const auto& each : judgement.findings) said.insert(each.requirement);
}

class Comparison {
 public:
  Said compare(std::string_view mutant) const {
    const auto server = make_reference_for_testing(mutant);
    const auto executor = server.quick_executor();
    const dialogue::SurvivalCheck alive{dialogue::Survival::alive, {}, {}};
    Said said;
    std::map<std::string, judge::Judgement> judgements;
    for (const auto& one : cases_) {
      std::vector<dialogue::Exchange> exchanges;
      for (const auto& step : one.steps) {
        auto observed = executor->execute(step);
        if (!observed) continue;
        observed->exchange.sent = step.messages;
        observed->exchange.held_until_more.clear();  // which no case is about
        const auto& sent = step.messages.front().text();
        note(oracle_.judge_exchange(sent, observed->exchange, alive), said.by_oracle);
        exchanges.push_back(std::move(observed->exchange));
      }
      said.exchanges += exchanges.size();
      judgements[one.id] = judge::judge(one, exchanges, alive, corpus_.ledger, {});
    }
    // What its foundation shows is charged there.
    for (const auto& one : cases_) {
      const auto foundation = judgements.find(one.rests_on);
      const bool is_shown = foundation != judgements.end() && !foundation->second.findings.empty();
      if (!is_shown) note(judgements.at(one.id), said.by_cases);
    }
    return said;
  }

 private:
  static fuzz::Traits traits() {
    fuzz::Traits traits;
    traits.methods = {"subtract", "sum", "echo", "nothing", "fails", "get_data"};
    return traits;
  }

  const corpus::Corpus& corpus_ = corpus::corpus_for_testing(corpus::kDefaultProfile);
  const std::vector<corpus::Case> cases_ = plain_cases(corpus_);
  const fuzz::Oracle oracle_{corpus_.ledger, traits()};
};

// Those that answer each message, and go on after it.
std::vector<const reference::Mutant*> faults_in_replies() {
  std::vector<const reference::Mutant*> chosen;
  static const auto kFaults = reference::faults();
  for (const auto& fault : kFaults) {
    const auto& certain = fault.breaks.certain;
    const bool is_fatal =
        std::find(certain.begin(), certain.end(), "rob-survives") != certain.end();
    const bool is_on_lines = (fault.transports & reference::kLines) != 0;
    if (is_on_lines && !is_fatal && !fault.breaks.anywhere && fault.behaviour().reply) {
      chosen.push_back(&fault);
    }
  }
  return chosen;
}

// That a call must succeed is known of methods that are known; and what is wrong with an answer
// in no way that has a name of its own is charged to what its case is about.
bool needs_no_knowledge(const std::string& requirement, const reference::Mutant& fault) {
  const bool is_named =
      fault.name != "parse-error-empty-result" && fault.name != "reply-late-by-one";
  return is_named && judge::is_envelope_requirement(requirement) &&
         requirement != "res-result-on-success";
}

TEST(SameFindings, NeitherAccusesTheReference) {
  const Said said = Comparison().compare({});
  EXPECT_GT(said.exchanges, 300U);
  EXPECT_EQ(said.by_cases, std::set<std::string>());
  EXPECT_EQ(said.by_oracle, std::set<std::string>());
}

// The cases know more than the oracle: which methods there are, and what they return.
TEST(SameFindings, TheOracleSeesEveryFaultOfTheEnvelopeThatTheCasesSee) {
  const Comparison comparison;
  std::size_t compared = 0;
  for (const auto* fault : faults_in_replies()) {
    const Said said = comparison.compare(fault->name);
    ++compared;
    std::vector<std::string> missing;
    for (const auto& id : said.by_cases) {
      if (needs_no_knowledge(id, *fault) && said.by_oracle.count(id) == 0) missing.push_back(id);
    }
    EXPECT_EQ(missing, std::vector<std::string>()) << fault->name;
    EXPECT_FALSE(said.by_cases.empty() && !said.by_oracle.empty()) << fault->name;
  }
  EXPECT_GT(compared, 150U);
}

}  // namespace same_findings_test
}  // namespace jrpcheck::properties
