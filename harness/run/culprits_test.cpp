// Which case is charged with the end of a server, and which is not.
#include "run/culprits.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "base/contains.hpp"
#include "corpus/corpus_for_testing.hpp"
#include "run/fake_server_for_testing.hpp"

namespace jrpcheck::run {
namespace culprits_test {

constexpr int kForever = std::numeric_limits<int>::max();
constexpr int kMessages = 40;

/// A server that ends at its so many-th message, or so many calls behind a message of a case.
class MortalConversation : public FakeConversation {
 public:
  /// `fatal`: the one message that does it, where not each does.
  MortalConversation(int lifetime, int after_a_message, std::optional<std::string> fatal = {})
      : FakeConversation(server_without_methods()),
        lifetime_(lifetime),
        after_a_message_(after_a_message),
        fatal_(std::move(fatal)),
        left_(lifetime) {}

  Result<bool> open(dialogue::Transcript&) override {
    left_ = lifetime_;
    return true;
  }
  dialogue::Exchange exchange(const corpus::Step& step, dialogue::Transcript& transcript) override {
    const auto is_it = [this](const auto& message) { return message.text() == *fatal_; };
    const bool is_fatal = !fatal_ || std::ranges::any_of(step.messages, is_it);
    left_ = is_fatal ? std::min(left_ - 1, after_a_message_) : left_ - 1;
    return FakeConversation::exchange(step, transcript);
  }
  dialogue::SurvivalCheck check_survival(dialogue::Transcript& transcript) override {
    if (--left_ > 0) return FakeConversation::check_survival(transcript);
    ++generation;
    left_ = lifetime_;
    return {dialogue::Survival::dead, "the program exited with code 3", "", false, ""};
  }

 private:
  int lifetime_;
  int after_a_message_;
  std::optional<std::string> fatal_;
  int left_;
};

// A case behind which a server is found to have ended; `is_last`: no other case follows it.
class Suspect {
 public:
  explicit Suspect(const std::string& id = "json/number-with-huge-exponent",
                   FakeServer server = server_without_methods()) {
    ordinal_ = ordinal_of(id);
    FakeConversation alive(std::move(server));
    results_[ordinal_] = runner_.run(ordinal_, alive).result;
  }

  bool is_charged(int lifetime, int after_a_message, bool is_last) {
    MortalConversation conversation(lifetime, after_a_message);
    Worker worker{conversation, ordinal_};
    if (is_last) {
      // Behind what has failed an end is looked for a while longer.
      results_[ordinal_].verdict = result::Verdict::fail;
      conversation.exchange({}, transcript_);
      culprits_.finish(worker);
    } else {
      culprits_.settle_unseen(ordinal_, worker, kDead);
    }
    return is_charged();
  }

  /// With an end that is met before this other case was sent, which brings it about a call later.
  bool is_charged_with_the_end_by(const std::string& next) {
    const std::size_t ordinal = ordinal_of(next);
    FakeConversation alive(server_without_methods());
    runner_.run(ordinal, alive);
    MortalConversation conversation(kForever, 1, alive.sent.back());
    Worker worker{conversation, ordinal_};
    culprits_.settle_unseen(ordinal, worker, kDead);
    return is_charged();
  }

  /// With the end that the next case has met, which ends the server so many calls later itself; so
  /// does this one, or it does not.
  bool is_charged_beside_one_that_ends_it(const std::string& next, bool ends_it_too) {
    const std::size_t ordinal = ordinal_of(next);
    FakeConversation alive(server_without_methods());
    CaseRun run = runner_.run(ordinal, alive);
    run.survival = kDead;
    const auto fatal = ends_it_too ? std::nullopt : std::optional(alive.sent.back());
    MortalConversation conversation(kForever, kMessages, fatal);
    Worker worker{conversation, ordinal_};
    culprits_.settle(ordinal, worker, std::move(run));
    return is_charged();
  }

  /// Of a server that was started anew when it had run, for the end of the one before.
  bool is_charged_with_a_hidden_end(int lifetime, int after_a_message) {
    MortalConversation conversation(lifetime, after_a_message);
    Worker worker{conversation};
    culprits_.settle_hidden(ordinal_, worker, results_[ordinal_]);
    return is_charged();
  }

  /// What it shows where it was met by an end, of a server that ends so many calls behind it.
  CaseRun settled(int after_a_message) {
    MortalConversation conversation(kForever, after_a_message);
    Worker worker{conversation};
    CaseRun run;
    run.result = results_[ordinal_];
    run.result.reason = "has met it";
    run.survival = kDead;
    return culprits_.settle(ordinal_, worker, std::move(run));
  }

  /// The server goes deaf while it runs beside others, and alone it does so again, or it is not
  /// run.
  void meets_an_end_beside_others(bool is_disturbed, bool is_spared, bool is_repeated = false) {
    FakeConversation conversation(server_without_methods());
    CaseRun run;
    run.survival.survival = dialogue::Survival::deaf;
    run.disturbed = is_disturbed;
    conversation.generation = is_disturbed ? 1 : 0;
    culprits_.suspect(ordinal_, run, conversation);
    if (is_spared) culprits_.note_spared(ordinal_);
    if (is_repeated) culprits_.note_repeated(ordinal_);
    culprits_.settle_suspicions(conversation);
  }

  const result::CaseResult& result() const { return results_.at(ordinal_); }

  std::size_t ends() const { return endings_.count(); }
  std::size_t unexplained_ends() const { return endings_.unexplained(); }

 private:
  std::size_t ordinal_of(const std::string& id) const {
    return static_cast<std::size_t>(corpus_.find(id) - corpus_.cases.data());
  }
  bool is_charged() const {
    return std::ranges::any_of(results_.at(ordinal_).findings, [](const auto& finding) {
      return finding.symptom == judge::Symptom::died_later ||
             finding.symptom == judge::Symptom::died;
    });
  }

  inline static const dialogue::SurvivalCheck kDead{
      dialogue::Survival::dead, "the program exited with code 3", {}};
  const corpus::Corpus& corpus_ = corpus::corpus_for_testing(corpus::kDefaultProfile);
  FakeEndpoint endpoint_;
  CaseRunner runner_{corpus_, endpoint_, 0};
  std::size_t ordinal_ = 0;
  Results results_;
  Shared shared_{results_, false};
  Endings endings_;
  Culprits culprits_{corpus_, runner_, endings_, shared_};
  dialogue::Transcript transcript_;
};

TEST(Culprits, AnEndThatComesLateIsChargedToWhatTheCaseNames) {
  Suspect suspect("tcp/reset-within-an-answer");
  EXPECT_TRUE(suspect.is_charged(kForever, kMessages, false));
  EXPECT_EQ(suspect.result().findings.back().requirement, "tcp-client-reset");
}

TEST(Culprits, CaseIsChargedWithAnEndThatComesAFewCallsBehindIt) {
  for (const bool is_last : {false, true}) {
    Suspect suspect;
    EXPECT_TRUE(suspect.is_charged(kForever, kMessages, is_last)) << is_last;
    EXPECT_EQ(suspect.unexplained_ends(), 0U) << is_last;
  }
}

TEST(Culprits, CaseIsChargedWithAnEndThatComesBeforeItIsOverWhenItRunsAgain) {
  for (const bool is_last : {false, true}) {
    Suspect suspect("error/not-json");
    EXPECT_TRUE(suspect.is_charged(kForever, 1, is_last)) << is_last;
    EXPECT_EQ(suspect.unexplained_ends(), 0U) << is_last;
  }
}

// What it is charged with may come about once more when it is repeated, and be met by the next
// case.
TEST(Culprits, CaseIsChargedOnceWithAnEndThatIsMetTwice) {
  Suspect suspect("error/not-json");
  EXPECT_TRUE(suspect.is_charged(kForever, 1, false));
  const std::size_t findings = suspect.result().findings.size();
  EXPECT_TRUE(suspect.is_charged(kForever, 1, false));
  EXPECT_EQ(suspect.result().findings.size(), findings);
}

TEST(Culprits, CaseIsNotChargedWithAnEndThatTheNextOneBringsAboutAlone) {
  Suspect suspect;
  EXPECT_FALSE(suspect.is_charged_with_the_end_by("error/not-json"));
  EXPECT_EQ(suspect.unexplained_ends(), 1U);
}

TEST(Culprits, CaseThatMetAnEndIsChargedWhereItComesAFewCallsBehindItWhenItRunsAgain) {
  Suspect suspect;
  EXPECT_EQ(suspect.settled(kMessages).result.reason, "has met it");
  EXPECT_EQ(suspect.unexplained_ends(), 0U);
}

// Of cases in a row that each end the server a moment late every other one was charged.
TEST(Culprits, CaseIsChargedWithALateEndThatHidesBehindThatOfTheNext) {
  for (const bool ends_it_too : {true, false}) {
    Suspect suspect;
    EXPECT_EQ(suspect.is_charged_beside_one_that_ends_it("error/not-json", ends_it_too),
              ends_it_too);
    EXPECT_EQ(suspect.ends(), ends_it_too ? 2U : 1U);
    EXPECT_EQ(suspect.unexplained_ends(), 0U) << ends_it_too;
  }
}

TEST(Culprits, CaseIsChargedWithALateEndThoughTheServerWasStartedAnewForTheOneBefore) {
  Suspect suspect;
  EXPECT_TRUE(suspect.is_charged_with_a_hidden_end(kForever, kMessages));
  EXPECT_EQ(suspect.ends(), 1U);
  Suspect innocent;
  EXPECT_FALSE(innocent.is_charged_with_a_hidden_end(kMessages, kForever));
  EXPECT_FALSE(innocent.is_charged_with_a_hidden_end(kForever, kForever));
}

TEST(Culprits, WhoseServerDiedOfASilentCaseDoNotSayThatItLives) {
  using judge::Symptom;
  const auto serve = server_without_methods();
  Suspect suspect("robust/deep-params", [&](const std::string& message) {
    return message.find("[[[[") == message.npos ? serve(message) : std::nullopt;
  });
  const auto charges = [&](const std::string& requirement, Symptom symptom) {
    return std::ranges::any_of(suspect.result().findings, [&](const auto& finding) {
      return finding.requirement == requirement && finding.symptom == symptom;
    });
  };
  ASSERT_TRUE(charges("rob-depth", Symptom::outcome_of_case));
  EXPECT_TRUE(suspect.is_charged(kForever, kMessages, false));
  EXPECT_TRUE(charges("rob-survives", Symptom::died));
  EXPECT_FALSE(charges("rob-depth", Symptom::outcome_of_case));
  EXPECT_FALSE(contains(suspect.result().exercised, "rob-depth"));
}

// "None of the messages around it makes it do so alone" would be said of one that was not tried.
TEST(Culprits, EndBesideACaseThatIsSparedHasACauseThatIsNotKnown) {
  for (const bool is_disturbed : {false, true}) {
    Suspect suspect;
    suspect.meets_an_end_beside_others(is_disturbed, true);
    EXPECT_EQ(suspect.unexplained_ends(), 0U) << is_disturbed;
    EXPECT_EQ(suspect.ends(), 1U) << is_disturbed;
  }
  Suspect tried;
  tried.meets_an_end_beside_others(false, false);
  EXPECT_EQ(tried.unexplained_ends(), 1U);
}

// A frame that announces what never comes leaves the connection waiting, each time.
TEST(Culprits, WhatACaseMeetsBesideOthersAndAloneAsWellHasItsCause) {
  for (const bool is_disturbed : {false, true}) {
    Suspect suspect;
    suspect.meets_an_end_beside_others(is_disturbed, false, true);
    EXPECT_EQ(suspect.ends(), 0U) << is_disturbed;
  }
}

TEST(Culprits, NoCaseIsChargedWithTheEndOfAServerThatTakesSoManyMessages) {
  for (const bool is_last : {false, true}) {
    Suspect suspect;
    EXPECT_FALSE(suspect.is_charged(kMessages, kForever, is_last)) << is_last;
    EXPECT_EQ(suspect.unexplained_ends(), 1U) << is_last;
  }
}

}  // namespace culprits_test
}  // namespace jrpcheck::run
