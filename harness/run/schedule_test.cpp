// Whose death it was: servers of one line of shell that end between two cases.
#include "run/schedule.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "corpus/corpus_for_testing.hpp"
#include "run/fake_server_for_testing.hpp"
#include "run/run_for_testing.hpp"
#include "run/runner.hpp"
#include "transport/byte_stream.hpp"

namespace jrpcheck::run {
namespace schedule_test {

using Ids = std::vector<std::string>;

class DeathBetweenCases : public GuardedTest {
 protected:
  // Does `before`, answers every call as it should, and then does `afterwards`.
  static result::Run run(const std::string& afterwards, Ids select, const std::string& before = ":",
                         microseconds timeout = kTimeout, Progress* told = nullptr) {
    const auto& corpus = corpus::corpus_for_testing(corpus::kDefaultProfile);
    Options options;
    options.command = {
        "sh", "-c",
        "while IFS= read -r line; do id=${line##*'\"id\":'}; id=${id%'}'}; " + before +
            "; case $line in *'\"id\":'*) printf "
            "'{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32601,\"message\":\"No\"},\"id\":%s}\\n' "
            "\"$id\";; esac; " +
            afterwards + "; done"};
    options.framing = wire::binding_named("lines");
    options.timeout = timeout;
    options.selection.select = std::move(select);
    NoProgress untold;
    auto finished = run_corpus(corpus, options, *guardian_, told != nullptr ? *told : untold);
    EXPECT_EQ(finished.unreached, "");
    return finished;
  }

  static Ids charged(const result::Run& run) {
    Ids ids;
    for (const auto& one : run.cases) {
      for (const auto& finding : one.findings) {
        if (finding.requirement == "rob-survives") ids.push_back(one.id);
      }
    }
    return ids;
  }

  static constexpr milliseconds kTimeout{5000};
};

const std::string kDieOfHugeExponent =
    "case $line in *1e99999999999999999999*) exec >&-; exit 5;; esac";

TEST_F(DeathBetweenCases, IsChargedToTheCaseThatWasAnsweredLast) {
  const auto run = DeathBetweenCases::run(
      kDieOfHugeExponent, {"json/number-with-huge-exponent", "json/lone-*-surrogate", "id/number"});
  EXPECT_EQ(charged(run), Ids{"json/number-with-huge-exponent"});
  EXPECT_EQ(run.verdict, result::RunVerdict::fails);
}

TEST_F(DeathBetweenCases, IsSeenAlsoAfterTheLastCase) {
  const auto run = DeathBetweenCases::run(kDieOfHugeExponent, {"json/number-with-huge-exponent"});
  EXPECT_EQ(charged(run), Ids{"json/number-with-huge-exponent"});
}

TEST_F(DeathBetweenCases, OfAServerThatLivesIsToldOfNobody) {
  const auto run = DeathBetweenCases::run(":", {"json/number-with-huge-exponent"});
  EXPECT_EQ(charged(run), Ids{});
  EXPECT_EQ(run.waits_in_vain, 0U);
}

// A handler of a crash may hang, or not.
TEST_F(DeathBetweenCases, IsNotChargedToTheCaseBeforeOneThatKillsAndAnotherTimeDeafens) {
  const std::string mark = testing::TempDir() + "jrpcheck-died-" + std::to_string(::getpid());
  const std::string die = "case $line in *1e99999999999999999999*) [ ! -e " + mark +
                          " ] || exec cat >/dev/null; : >" + mark + "; exit 5;; esac";
  const auto run = DeathBetweenCases::run(
      ":", {"json/number-with-huge-exponent", "json/lone-*-surrogate", "json/number-in-params"},
      die, milliseconds(300));
  std::remove(mark.c_str());
  EXPECT_EQ(charged(run), Ids{"json/number-with-huge-exponent"});
}

// The call of one case is answered, once, only when two more have come: those that ask whether the
// server serves. So it looks where a machine is too busy for the bound.
constexpr const char* kAnswersOneCallLate =
    "case $line in *4294967296*) [ \"$seen\" ] || { seen=1; held=$id; continue; };; esac; "
    "[ ! \"$held\" ] || { owed=\"$owed $id\"; set -- $owed; [ $# -eq 2 ] || continue; "
    "for each in $held $owed; do printf "
    "'{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32601,\"message\":\"No\"},\"id\":%s}\\n' "
    "$each; done; held=; continue; }";

TEST_F(DeathBetweenCases, AnAnswerThatComesJustTooLateGivesItsCaseAnotherChance) {
  const auto run = DeathBetweenCases::run(":", {"id/two-to-the-32nd-on-unknown-method"},
                                          kAnswersOneCallLate, milliseconds(300));
  ASSERT_EQ(run.cases.size(), 1U);
  EXPECT_EQ(run.cases[0].verdict, result::Verdict::pass);
  EXPECT_GT(run.waits_in_vain, 0U);
}

// Told of what each case comes to.
class ToldOfFailures : public NoProgress {
 public:
  void judged(const std::string& case_id, result::Verdict verdict) override {
    if (verdict == result::Verdict::fail) failed.insert(case_id);
    if (verdict == result::Verdict::pass) passed.insert(case_id);
  }
  std::set<std::string> failed;
  std::set<std::string> passed;
};

TEST_F(DeathBetweenCases, AFailureThatIsToBeTriedAgainIsToldAsNone) {
  ToldOfFailures told;
  DeathBetweenCases::run(":", {"id/two-to-the-32nd-on-unknown-method"}, kAnswersOneCallLate,
                         milliseconds(300), &told);
  EXPECT_TRUE(told.failed.empty());
  EXPECT_EQ(told.passed.size(), 1U);
}

// From its deep call on it answers each call when the next one comes.
TEST_F(DeathBetweenCases, IsNotToldOfAServerThatHoldsAnswersBack) {
  const std::string hold =
      "case $line in *'[[[['*) holds=1;; *) [ ! \"$holds\" ] || "
      "{ was=$held; held=$id; id=$was; [ \"$id\" ] || continue; };; esac";
  const auto run = DeathBetweenCases::run(":", {"probe/depth-20"}, hold, milliseconds(300));
  EXPECT_EQ(charged(run), Ids{});
  const auto endings =
      std::ranges::find_if(run.cases, [](const auto& one) { return one.id == "dialogue/endings"; });
  ASSERT_NE(endings, run.cases.end());
  ASSERT_EQ(endings->findings.size(), 1U);
  EXPECT_EQ(endings->findings[0].requirement, "res-always");
}

// Beside others a bound was shortened by what was missed before; who is at work may be dying.
TEST_F(DeathBetweenCases, ThatTakesItsTimeIsNoDeafness) {
  const std::string die_slowly =
      "case $line in *4294967296*) continue;; *1e99999999999999999999*) i=0; "
      "while [ $i -lt 200000 ]; do i=$((i+1)); done; exit 5;; esac";
  const auto run = DeathBetweenCases::run(
      ":", {"id/two-to-the-32nd-on-unknown-method", "json/number-with-huge-exponent"}, die_slowly,
      milliseconds(3000));
  const auto died = std::find_if(run.cases.begin(), run.cases.end(), [](const auto& one) {
    return one.id == "json/number-with-huge-exponent";
  });
  ASSERT_NE(died, run.cases.end());
  ASSERT_FALSE(died->findings.empty());
  EXPECT_EQ(died->findings.front().symptom, judge::Symptom::died);
}

// A third program that runs at the same time gets nothing to work with, and ends.
TEST_F(DeathBetweenCases, OfAProgramThatLackedWhatOthersTookIsTriedAgainAlone) {
  const std::string folder = testing::TempDir() + "jrpcheck-beside-" + std::to_string(::getpid());
  std::filesystem::create_directory(folder);
  const std::string count = "[ \"$n\" ] || { n=$(ls " + folder + " | wc -l); : >" + folder +
                            "/$$; trap 'rm -f " + folder + "/'$$ EXIT; }; [ $n -lt 2 ] || exit 7";
  const auto run =
      DeathBetweenCases::run(":", {"stdio/end-of-input*", "robust/half-message-at-the-end"}, count);
  EXPECT_TRUE(std::filesystem::is_empty(folder)) << "some program has not ended by itself";
  std::filesystem::remove_all(folder);
  ASSERT_EQ(run.cases.size(), 3U);
  for (const auto& one : run.cases) EXPECT_EQ(one.verdict, result::Verdict::pass) << one.id;
}

// How busy the machine is decides neither how many deaths are enough nor which cases are spared.
// Answers that many calls behind a number with a huge exponent with an error of its own.
std::string busy_for(int calls) {
  return "case $line in *1e99999999999999999999*) left=" + std::to_string(calls) +
         ";; *'\"id\":'*) [ ${left:-0} -eq 0 ] || { left=$((left - 1)); printf "
         "'{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32000,\"message\":\"busy\"},\"id\":%s}\\n' "
         "\"$id\"; continue; };; esac";
}

class OtherAnswersSinceACase : public DeathBetweenCases {};

TEST_F(OtherAnswersSinceACase, AreADamageWhereTheyLast) {
  const auto run = DeathBetweenCases::run(":", {"json/number-with-huge-exponent"}, busy_for(1000));
  EXPECT_EQ(charged(run), Ids{"json/number-with-huge-exponent"});
}

TEST_F(OtherAnswersSinceACase, AreNoneWhereTheServerAnswersAsBeforeAWhileLater) {
  const auto run = DeathBetweenCases::run(":", {"json/number-with-huge-exponent"}, busy_for(2));
  EXPECT_EQ(charged(run), Ids{});
}

// Goes through cases that call what nobody has.
class OtherAnswersWithTime : public DeathBetweenCases {
 protected:
  // `when` decides of each call; n is how many were made but for control calls.
  static result::Run run(const std::string& when, const std::string& code) {
    return DeathBetweenCases::run(
        ":",
        {"id/two-*", "id/minus-one-on*", "id/three-hundred*", "json/lone-*-surrogate",
         "json/number-in-params", "rob-split", "dialogue/liveness"},
        "case $line in *'\"method\":\"jrpcheckControl\"'*) is_control=1;; *'\"id\":'*) "
        "is_control=; n=$((n+1));; esac; if [ ${n:-0} -gt 0 ] && " +
            when + "; then printf '{\"jsonrpc\":\"2.0\",\"error\":{\"code\":" + code +
            ",\"message\":\"Oops\"},\"id\":%s}\\n' \"$id\"; continue; fi");
  }

  static std::set<std::string> broken(const result::Run& run) {
    std::set<std::string> requirements;
    for (const auto& one : run.cases) {
      for (const auto& finding : one.findings) requirements.insert(finding.requirement);
    }
    return requirements;
  }
};

TEST_F(OtherAnswersWithTime, AreChargedToNoCaseThatDoesNotBringThemAboutAlone) {
  const auto run = OtherAnswersWithTime::run("[ $n -gt 5 ]", "-32000");
  EXPECT_EQ(charged(run), Ids{"dialogue/endings"});
  EXPECT_EQ(broken(run), std::set<std::string>{"rob-survives"});
}

TEST_F(OtherAnswersWithTime, AreNoFaultOfWhatACaseIsAboutWhereTheyComeNowAndThen) {
  const auto run =
      OtherAnswersWithTime::run("[ ! \"$is_control\" ] && [ $((n % 7)) -eq 0 ]", "-32603");
  EXPECT_EQ(broken(run), std::set<std::string>{"err-code-method"});
}

class LostAnswers : public OtherAnswersWithTime {
 protected:
  // Of the calls of a case the first is met with this, or each is.
  static std::set<std::string> broken_by(const std::string& answer, bool is_once, Ids more = {}) {
    const std::string mark = testing::TempDir() + "jrpcheck-lost-" + std::to_string(::getpid());
    more.push_back("id/empty-string-on-error");
    const auto run = DeathBetweenCases::run(":", std::move(more),
                                            "case $line in *'\"id\":\"\"}'*) [ -e " + mark +
                                                " ] || { " + (is_once ? ": >" + mark + "; " : "") +
                                                answer + "; continue; };; esac",
                                            milliseconds(300));
    std::remove(mark.c_str());
    return broken(run);
  }
  static inline const std::string kWithoutId =
      "printf '{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32601,\"message\":\"No\"},"
      "\"id\":null}\\n'";
};

TEST_F(LostAnswers, AreNoFaultOfWhatACaseIsAboutWhereItPassesAlone) {
  EXPECT_EQ(broken_by(":", true), std::set<std::string>{"res-always"});
  EXPECT_EQ(broken_by(":", false), std::set<std::string>{"id-zero-and-empty"});
}

TEST_F(LostAnswers, AreToldApartFromLostIdsUnlessThatFindingIsLeftOut) {
  EXPECT_EQ(broken_by(kWithoutId, true, {"dialogue/liveness"}), std::set<std::string>{"id-echo"});
  EXPECT_EQ(broken_by(kWithoutId, true), std::set<std::string>{"id-zero-and-empty"});
}

class SecondAnswers : public DeathBetweenCases {
 protected:
  static Ids doubled(const std::string& id, Ids select) {
    const auto run = DeathBetweenCases::run(
        "case $line in *'\"id\":" + id +
            "'}*) printf '{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32601,\"message\":\"No\"},"
            "\"id\":%s}\\n' \"$id\";; esac",
        std::move(select));
    Ids ids;
    for (const auto& one : run.cases) {
      for (const auto& finding : one.findings) {
        if (finding.requirement == "res-once") ids.push_back(one.id);
      }
    }
    return ids;
  }
};

TEST_F(SecondAnswers, WithAnIdThatSeveralCasesHaveAreChargedToTheOneThatShowsThemAlone) {
  EXPECT_EQ(doubled(R"("")", {"id/empty-string-on-error", "id/number-on-error"}),
            Ids{"id/empty-string-on-error"});
}

TEST_F(SecondAnswers, AreFoundBesideACaseWhoseIdLooksAlike) {
  EXPECT_EQ(doubled("-7", {"id/negative", "id/zero-on-error"}), Ids{"id/negative"});
}

TEST(EndsThatAreEnough, AreToldOfDeathsByTheirNumberAndOfHangsByTheirTime) {
  const auto& corpus = corpus::corpus_for_testing(corpus::kDefaultProfile);
  FakeEndpoint endpoint;
  const CaseRunner runner(corpus, endpoint, 0);
  const auto spares = [&](int ends, milliseconds each, bool are_deaths) {
    Results results;
    Shared shared{results, false};
    Endings endings;
    Culprits culprits(corpus, runner, endings, shared);
    FakeConversation conversation([](const std::string&) { return std::nullopt; });
    Worker worker{conversation};
    for (int i = 0; i < ends; ++i) {
      CaseRun run;
      // That it has ended, and what is left of it cannot be asked again.
      conversation.is_usable = false;
      run.survival.survival = dialogue::Survival::dead;
      culprits.settle(0, worker, std::move(run));
      endings.note_lost(each, are_deaths);
    }
    return !culprits.why_spared(0).empty();
  };
  for (const auto each : {milliseconds(1), milliseconds(20), milliseconds(800)}) {
    EXPECT_FALSE(spares(69, each, true)) << each.count();
    EXPECT_TRUE(spares(70, each, true)) << each.count();
  }
  EXPECT_FALSE(spares(4, milliseconds(9900), false));
  EXPECT_TRUE(spares(4, milliseconds(10000), false));
}

// One that refuses another connection while the first case runs.
class LimitedEndpoint : public FakeEndpoint {
 public:
  bool has_turned_away() const override { return has_refused; }
  bool turns_others_away(session::Conversation&) override { return is_limited; }

  bool has_refused = false;
  bool is_limited = true;
};

// Three that call what every server answers.
std::vector<std::size_t> plain_cases(const corpus::Corpus& corpus) {
  constexpr std::size_t kEnough = 3;
  std::vector<std::size_t> ordinals;
  for (std::size_t i = 0; i < corpus.cases.size() && ordinals.size() < kEnough; ++i) {
    const auto& one = corpus.cases[i];
    const bool is_plain = one.roles.empty() && one.id.starts_with("id/");
    if (is_plain) ordinals.push_back(i);
  }
  return ordinals;
}

// How many of three cases have results.
std::size_t results_of(LimitedEndpoint& endpoint, bool& is_limited) {
  const auto& corpus = corpus::corpus_for_testing(corpus::kDefaultProfile);
  const auto ordinals = plain_cases(corpus);
  CaseRunner runner(corpus, endpoint, 0);
  judge::Context context;
  context.binding = &endpoint.binding();
  runner.use({}, context);
  session::Patience patience(milliseconds(1000));
  patience.note_first_answer();
  NoProgress progress;
  Endings endings;
  Schedule schedule(corpus, endpoint, runner, patience, progress, endings);
  FakeConversation conversation([&endpoint, answer = server_without_methods()](const auto& text) {
    endpoint.has_refused = true;
    return answer(text);
  });
  Results results;
  schedule.run({ordinals, {}, ordinals.size()}, {}, conversation, results);
  is_limited = schedule.is_limited();
  return results.size();
}

TEST(LimitedConnections, EndASchedule) {
  LimitedEndpoint endpoint;
  bool is_limited = false;
  EXPECT_EQ(results_of(endpoint, is_limited), 1U);
  EXPECT_TRUE(is_limited);
}

TEST(LimitedConnections, EndNoneThatKnowsOfThem) {
  LimitedEndpoint endpoint;
  endpoint.has_refused = true;
  bool is_limited = false;
  EXPECT_EQ(results_of(endpoint, is_limited), 3U);
  EXPECT_FALSE(is_limited);
}

TEST(LimitedConnections, AreNoneWhereARefusalHadAnotherCauseAndAllCasesRunThen) {
  LimitedEndpoint endpoint;
  endpoint.is_limited = false;
  bool is_limited = true;
  EXPECT_EQ(results_of(endpoint, is_limited), 3U);
  EXPECT_FALSE(is_limited);
}

}  // namespace schedule_test
}  // namespace jrpcheck::run
