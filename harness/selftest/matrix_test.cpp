#include "selftest/matrix.hpp"
#include "base/contains.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace jrpcheck::selftest {
namespace matrix_test {

using Kind = Problem::Kind;

corpus::Corpus corpus_of(
    const std::vector<std::pair<std::string, std::vector<std::string>>>& cases) {
  corpus::Corpus corpus;
  for (const auto& [id, kills] : cases) {
    corpus::Case one;
    one.id = id;
    one.kills = kills;
    corpus.cases.push_back(std::move(one));
  }
  return corpus;
}

Mutant fault(const std::string& name, std::vector<std::string> requirements,
             std::vector<std::string> consequences = {}) {
  Mutant one;
  one.name = name;
  one.requirements = std::move(requirements);
  one.consequences = std::move(consequences);
  one.transports = {"lines"};
  return one;
}

// What the server as it is says in both cases, charged by none.
Trial baseline() {
  Trial trial;
  trial.transport = "lines";
  trial.said = {{"id/kept", 1}, {"batch/kept", 2}};
  return trial;
}

// A mutant that changes nothing of it.
Trial baseline_with_mutant() {
  Trial trial = baseline();
  trial.mutant = 0;
  return trial;
}

Trial tried(const std::vector<std::pair<std::string, std::string>>& charges,
            corpus::Verdict severity = corpus::Verdict::fail) {
  Trial trial = baseline();
  trial.mutant = 0;
  trial.said["id/kept"] = 7;
  for (const auto& [id, requirement] : charges) {
    trial.charges[requirement].cases.insert(id);
    trial.charges[requirement].fails = severity == corpus::Verdict::fail;
    trial.caught_by[id].insert(requirement);
  }
  return trial;
}

std::vector<std::string> problems(const Matrix& matrix) {
  std::vector<std::string> texts;
  for (const auto& problem : matrix.problems) {
    texts.push_back(std::string(name_of(problem.kind)) + ": " + problem.about);
  }
  return texts;
}

using Problems = std::vector<std::string>;

Problems problems_of(const corpus::Corpus& corpus, const Mutant& mutant, const Trial& trial) {
  return problems(make_matrix(corpus, {mutant}, {baseline(), trial}));
}

corpus::Corpus both_claim() {
  return corpus_of({{"id/kept", {"drops-id"}}, {"batch/kept", {"drops-id"}}});
}

TEST(Matrix, AFaultCaughtWhereItIsClaimedIsGood) {
  const auto trial = tried({{"id/kept", "id-echo"}, {"batch/kept", "id-echo"}});
  EXPECT_EQ(problems_of(both_claim(), fault("drops-id", {"id-echo"}), trial), Problems{});
}

TEST(Matrix, AFaultNobodyNoticesIsAProblem) {
  const auto corpus = corpus_of({});
  EXPECT_EQ(problems_of(corpus, fault("drops-id", {"id-echo"}), tried({})),
            (Problems{"uncaught fault: drops-id", "not charged: drops-id"}));
}

TEST(Matrix, AFaultThatChangesNothingIsVoid) {
  Trial trial = baseline();
  trial.mutant = 0;
  EXPECT_EQ(problems_of(corpus_of({}), fault("drops-id", {}), trial),
            Problems{"void fault: drops-id"});
}

TEST(Matrix, ACaseThatMissesWhatItClaimsIsAProblem) {
  EXPECT_EQ(
      problems_of(both_claim(), fault("drops-id", {"id-echo"}), tried({{"id/kept", "id-echo"}})),
      Problems{"missed fault: batch/kept"});
}

TEST(Matrix, ACaseIsNotBlamedForATransportItDoesNotApplyTo) {
  corpus::Corpus corpus = both_claim();
  corpus.cases[1].transports = {"http"};
  EXPECT_EQ(problems_of(corpus, fault("drops-id", {"id-echo"}), tried({{"id/kept", "id-echo"}})),
            Problems{});
}

TEST(Matrix, AFaultNoticedOnlyByCasesThatDoNotClaimItIsAProblem) {
  const auto corpus = corpus_of({{"id/kept", {"other"}}});
  const auto found =
      problems_of(corpus, fault("drops-id", {"id-echo"}), tried({{"id/kept", "id-echo"}}));
  EXPECT_TRUE(contains(found, "unclaimed fault: drops-id"));
}

TEST(Matrix, AFaultThatStrikesAnywhereNeedsNoClaim) {
  const auto corpus = corpus_of({{"id/kept", {"other"}}});
  EXPECT_EQ(
      problems_of(corpus, fault("loses-some", {"id-echo"}, {"*"}), tried({{"id/kept", "id-echo"}})),
      Problems{});
}

TEST(Matrix, AChargeToAnotherRequirementIsWrongUnlessItIsAConsequence) {
  const auto trial =
      tried({{"id/kept", "id-echo"}, {"batch/kept", "id-echo"}, {"batch/kept", "bat-each"}});
  EXPECT_EQ(problems_of(both_claim(), fault("drops-id", {"id-echo"}), trial),
            Problems{"wrong charge: drops-id"});
  EXPECT_EQ(problems_of(both_claim(), fault("drops-id", {"id-echo"}, {"bat-each"}), trial),
            Problems{});
}

TEST(Matrix, EachRequirementAFaultBreaksMustBeCharged) {
  const auto trial = tried({{"id/kept", "id-echo"}, {"batch/kept", "id-echo"}});
  EXPECT_EQ(problems_of(both_claim(), fault("drops-id", {"id-echo", "res-json"}), trial),
            Problems{"not charged: drops-id"});
}

TEST(Matrix, ACaseThatClaimsNoFaultIsUseless) {
  const auto corpus = corpus_of({{"id/kept", {"drops-id"}}, {"batch/kept", {}}});
  EXPECT_EQ(problems_of(corpus, fault("drops-id", {"id-echo"}), tried({{"id/kept", "id-echo"}})),
            Problems{"useless case: batch/kept"});
}

TEST(Matrix, AVariantMayWarnButNotFail) {
  Mutant variant = fault("slow", {});
  variant.kind = Mutant::Kind::variant;
  const auto corpus = corpus_of({});
  EXPECT_EQ(problems_of(corpus, variant, tried({{"id/kept", "id-echo"}}, corpus::Verdict::warn)),
            Problems{});
  EXPECT_EQ(problems_of(corpus, variant, tried({{"id/kept", "id-echo"}})),
            Problems{"accused variant: slow"});
}

TEST(Matrix, ADeepFaultIsLeftToFuzzing) {
  Mutant deep = fault("deep-one", {"id-echo"});
  deep.kind = Mutant::Kind::deep;
  EXPECT_EQ(problems_of(corpus_of({}), deep, baseline_with_mutant()), Problems{});
  EXPECT_EQ(problems_of(corpus_of({}), deep, tried({{"id/kept", "id-echo"}})),
            Problems{"shallow fault: deep-one"});
}

TEST(Matrix, ADeepFaultThatACaseClaimsIsNone) {
  Mutant deep = fault("deep-one", {"id-echo"});
  deep.kind = Mutant::Kind::deep;
  EXPECT_EQ(problems_of(corpus_of({{"id/kept", {"deep-one"}}}), deep, baseline_with_mutant()),
            Problems{"shallow fault: deep-one"});
}

TEST(Matrix, AnAccusationOfTheServerAsItIsIsAProblem) {
  Trial accused = tried({{"id/kept", "id-echo"}}, corpus::Verdict::warn);
  accused.mutant.reset();
  EXPECT_EQ(problems(make_matrix(corpus_of({}), {}, {accused})),
            Problems{"accused reference: id-echo"});
}

TEST(Matrix, TrialsWithProblemsAreNamedByTheirPlace) {
  const std::vector<Mutant> faults = {fault("drops-id", {"id-echo"})};
  const auto good = tried({{"id/kept", "id-echo"}, {"batch/kept", "id-echo"}});
  const auto bad = tried({{"id/kept", "id-echo"}});
  const auto found = trials_with_problems(both_claim(), faults, {baseline(), good, bad});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.begin()->first, 2u);
  EXPECT_EQ(found.begin()->second, "over lines, it does not notice drops-id");
}

TEST(Matrix, TrialsOfAFaultThatIsNotChargedInFullAreNamedToo) {
  Mutant two = fault("drops-id", {"id-echo", "id-type"});
  two.consequences = {"*"};
  const auto half = tried({{"id/kept", "id-echo"}, {"batch/kept", "id-echo"}});
  EXPECT_EQ(
      trials_with_problems(both_claim(), {two}, {baseline(), half}),
      (std::map<std::size_t, std::string>{{1, "not each requirement that it breaks is charged"}}));
}

// One that is tried by who knows the server, and so.
Problems problems_unaided(const Trial& unaided) {
  Trial trial = unaided;
  trial.is_unaided = true;
  const auto aided = tried({{"id/kept", "id-echo"}, {"batch/kept", "id-echo"}});
  return problems(
      make_matrix(both_claim(), {fault("drops-id", {"id-echo"})}, {baseline(), aided, trial}));
}

TEST(Matrix, AFaultThatNothingTellsOfWhereNothingIsKnownIsAProblem) {
  EXPECT_EQ(problems_unaided(tried({{"dialogue/discovery", "id-echo"}})), Problems{});
  EXPECT_EQ(problems_unaided(tried({})), Problems{"uncaught fault: drops-id"});
  Trial refused = tried({});
  refused.tells_of_methods = true;
  EXPECT_EQ(problems_unaided(refused), Problems{});
  EXPECT_EQ(problems_unaided(tried({{"id/kept", "bat-each"}})), Problems{"wrong charge: drops-id"});
}

TEST(Matrix, ATrialThatDidNotRunIsAProblem) {
  Trial trial = baseline();
  trial.error = "not found";
  EXPECT_EQ(problems(make_matrix(corpus_of({}), {}, {trial})), Problems{"not run: no mutant"});
}

TEST(Matrix, AStoredRunThatIsJudgedOtherwiseIsAProblem) {
  Trial trial = baseline();
  trial.judged_otherwise = {"id/kept was: pass  and is: fail"};
  const auto matrix = make_matrix(corpus_of({{"id/kept", {}}}), {}, {trial});
  EXPECT_TRUE(std::ranges::any_of(matrix.problems, [](const Problem& problem) {
    return problem.kind == Kind::judged_otherwise;
  }));
}

}  // namespace matrix_test
}  // namespace jrpcheck::selftest
