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

/// A server that ends at its so many-th message, or so many calls behind one that is none.
class MortalConversation : public FakeConversation {
 public:
  MortalConversation(int lifetime, int after_a_message)
      : FakeConversation(server_without_methods()),
        lifetime_(lifetime),
        after_a_message_(after_a_message),
        left_(lifetime) {}

  Result<bool> open(dialogue::Transcript&) override {
    left_ = lifetime_;
    return true;
  }
  dialogue::Exchange exchange(const corpus::Step& step, dialogue::Transcript& transcript) override {
    left_ = std::min(left_ - 1, after_a_message_);
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
  int left_;
};

// A case behind which a server is found to have ended; `is_last`: no other case follows it.
class Suspect {
 public:
  explicit Suspect(const std::string& id = "json/number-with-huge-exponent",
                   FakeServer server = server_without_methods()) {
    while (corpus_.cases[ordinal_].id != id) ++ordinal_;
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
      culprits_.settle_unseen(ordinal_, worker,
                              {dialogue::Survival::dead, "the program exited with code 3", {}});
    }
    return std::ranges::any_of(results_[ordinal_].findings, [](const auto& finding) {
      return finding.symptom == judge::Symptom::died_later ||
             finding.symptom == judge::Symptom::died;
    });
  }

  const result::CaseResult& result() const { return results_.at(ordinal_); }

  std::size_t unexplained_ends() const { return endings_.unexplained(); }

 private:
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

TEST(Culprits, NoCaseIsChargedWithTheEndOfAServerThatTakesSoManyMessages) {
  for (const bool is_last : {false, true}) {
    Suspect suspect;
    EXPECT_FALSE(suspect.is_charged(kMessages, kForever, is_last)) << is_last;
    EXPECT_EQ(suspect.unexplained_ends(), 1U) << is_last;
  }
}

}  // namespace culprits_test
}  // namespace jrpcheck::run
