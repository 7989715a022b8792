// The properties on the reference server in this process: they hold for it and for every legal
// oddity, and each catches the faults that are its own.
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "corpus/corpus_for_testing.hpp"
#include "fuzz/properties/reference_for_testing.hpp"
#include "fuzz/properties/trials.hpp"
#include "reference-impl/mutants/catalogue.hpp"

namespace jrpcheck::properties {
namespace properties_test {

Words words_of_the_reference() {
  return {{{"echo", "echo"},
           {"fails", "fails"},
           {"get_data", "no-params"},
           {"nothing", "nothing"},
           {"subtract", "subtract"},
           {"sum", "sum"}},
          {R"({"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":4000001})",
           R"({"jsonrpc":"2.0","method":"rpc.discover","id":4000002})",
           R"({"jsonrpc":"2.0","method":"nothing","id":4000003})"}};
}

fuzz::Traits traits_of_the_reference() {
  fuzz::Traits traits;
  for (const auto& method : words_of_the_reference().methods) traits.methods.push_back(method.name);
  return traits;
}

std::vector<const Property*> every_property() {
  std::vector<const Property*> list;
  for (const auto& property : all_properties()) list.push_back(&property);
  return list;
}

std::vector<PropertyResult> try_on(std::string_view mutant,
                                   const std::vector<const Property*>& properties,
                                   std::size_t tests, unsigned long long seed = 1) {
  const auto server = make_reference_for_testing(mutant);
  auto traits = traits_of_the_reference();
  traits.serves_batches =
      mutant != "batches-refused" && mutant != "batches-of-three" && mutant != "batches-of-two";
  if (mutant == "length-limited-to-1-kib") traits.longest_message = 1024;
  const fuzz::Oracle oracle(corpus::corpus_for_testing().ledger, traits);
  const Words words = words_of_the_reference();
  return Trials(server, oracle, words, {.tests = tests}, seed).run(properties);
}

std::string told(const PropertyResult& result) {
  std::string text(result.property->id);
  for (const auto& example : result.found) {
    text += "\n  " + example.finding.requirement + ": " + judge::sentence_of(example.finding);
    for (const auto& asked : example.record) {
      for (const auto& message : asked.messages) text += "\n    sent " + message.text();
      for (const auto& reply : asked.exchange.replies) text += "\n    got  " + reply.text();
    }
    text += "\n    expected " + example.finding.expected;
  }
  return text;
}

// Of the known oddities some only cost time in this process; others want a session, or have methods
// that do not play the roles which they are given here.
bool can_be_tried_here(const reference::Mutant& variant) {
  static const std::set<std::string> kOthers = {"slow",
                                                "flood-on-standard-error",
                                                "opening-needed",
                                                "opening-refused",
                                                "warms-up",
                                                "asks-first",
                                                "used-ids-refused",
                                                "params-by-name-only",
                                                "params-by-position-only",
                                                "subtract-turned-round",
                                                "subtract-at-random",
                                                "echo-adds-to-objects"};
  return (variant.transports & reference::kLines) != 0 && kOthers.count(variant.name) == 0;
}

TEST(Properties, HoldForTheReference) {
  for (const auto& result : try_on({}, every_property(), 150)) {
    EXPECT_TRUE(result.found.empty()) << told(result);
    EXPECT_EQ(result.unconfirmed, 0U) << result.property->id;
    EXPECT_GE(result.shown() * 3, result.tests) << result.property->id;
    EXPECT_FALSE(result.exercised.empty()) << result.property->id;
  }
}

TEST(Properties, HoldForEveryLegalOddity) {
  for (const auto& variant : reference::variants()) {
    if (!can_be_tried_here(variant)) continue;
    for (const auto& result : try_on(variant.name, every_property(), 20)) {
      EXPECT_TRUE(result.found.empty()) << variant.name << ": " << told(result);
      EXPECT_EQ(result.unconfirmed, 0U) << variant.name << ": " << result.property->id;
    }
  }
}

struct Catch {
  const char* property;
  const char* fault;
  const char* requirement;
};

constexpr Catch kCatches[] = {
    {"probe-answered", "id-number-to-string", "id-echo"},
    {"call-answered", "id-number-to-string", "id-echo"},
    {"call-answered", "id-sign-lost", "id-echo"},
    {"call-answered", "params-invalid-unanswered", "res-always"},
    {"answered-alone", "successes-held-until-more-comes", "res-always"},
    {"answered-alone", "params-errors-held-until-more-comes", "res-always"},
    {"answered-alone", "batches-held-until-more-comes", "res-always"},
    {"any-length", "message-of-4096-bytes-unanswered", "res-always"},
    {"answered-once", "reply-always-twice", "res-once"},
    {"notification-silent", "notification-answered", "ntf-silent"},
    {"notification-silent", "notification-of-unknown-method-answered", "ntf-silent-unknown-method"},
    {"invalid-refused", "version-number-accepted", "req-version"},
    {"invalid-refused", "method-number-coerced", "req-method-string"},
    {"invalid-refused", "id-of-wrong-type-executed", "req-id-type"},
    {"broken-refused", "parse-error-internal-error", "err-code-parse"},
    {"batch-answered", "batch-nested-executed", "bat-nested"},
    {"batch-answered", "batch-of-notifications-answered-null", "bat-all-notifications"},
    {"batch-answered", "batch-empty-answered-empty", "bat-empty"},
    {"batch-is-its-calls", "batch-ids-rotated", "bat-each"},
    {"batch-is-its-calls", "batch-of-one-unwrapped", "bat-one"},
    {"notification-in-batch", "notification-in-batch-answered", "ntf-silent-in-batch"},
    {"invalid-neighbour", "batch-refused-for-invalid", "bat-invalid-member"},
    {"invalid-neighbour", "batch-stops-at-invalid", "bat-invalid-member"},
    {"split-anywhere", "lines-whole-pieces-only", "rob-split"},
    {"split-anywhere", "pieces-decoded-alone", "rob-split"},
    {"one-write", "first-of-piece-only", "rob-pipelined"},
    {"white-space", "white-space-refused", "json-whitespace"},
    {"white-space", "leading-white-space-refused", "json-whitespace"},
    {"escapes", "escapes-refused", "json-escapes"},
    {"escapes", "escapes-not-decoded", "json-escapes"},
    {"member-order", "member-order-fixed", "err-code-method"},
    {"param-order", "named-params-by-position", "par-named"},
    {"id-exchange", "id-number-to-string", "id-echo"},
    {"id-exchange", "id-minus-one-is-absent", "res-always"},
    {"extra-member", "extra-members-unanswered", "res-always"},
    {"call-after-anything", "prototype-pollutes", "rob-prototype-params"},
    {"conversation", "id-of-the-reply-before", "id-echo"},
};

std::set<std::string> requirements_in(const PropertyResult& result) {
  std::set<std::string> ids;
  for (const auto& example : result.found) ids.insert(example.finding.requirement);
  return ids;
}

TEST(Properties, EachCatchesItsFaultsAndChargesWhatTheyBreak) {
  std::set<std::string> proven;
  for (const auto& one : kCatches) {
    const auto* property = find_property(one.property);
    ASSERT_NE(property, nullptr) << one.property;
    ASSERT_NE(reference::find(reference::faults(), one.fault), nullptr) << one.fault;
    const auto result = std::move(try_on(one.fault, {property}, 200).front());
    const auto ids = requirements_in(result);
    EXPECT_EQ(ids.count(one.requirement), 1U) << one.fault << " by " << told(result);
    proven.insert(one.property);
  }
  for (const auto& property : all_properties()) {
    EXPECT_EQ(proven.count(std::string(property.id)), 1U) << property.id;
  }
}

TEST(Properties, CallThatIsNeverAnsweredIsChargedAsThatWhateverItsIdAndWhateverStandsBesideIt) {
  const auto results =
      try_on("fails-unanswered",
             {find_property("call-answered"), find_property("notification-silent")}, 200);
  EXPECT_EQ(requirements_in(results[0]), std::set<std::string>{"res-always"}) << told(results[0]);
  EXPECT_EQ(requirements_in(results[1]), std::set<std::string>{}) << told(results[1]);
}

TEST(Properties, CallThatIsUnansweredForItsIdAloneIsChargedToThatId) {
  const auto result =
      std::move(try_on("id-zero-is-absent", {find_property("call-answered")}, 200).front());
  EXPECT_EQ(requirements_in(result), std::set<std::string>{"id-zero-and-empty"}) << told(result);
}

std::vector<PropertyResult> try_on(const Server& server, const Words& words,
                                   const std::vector<const Property*>& properties) {
  const fuzz::Oracle oracle(corpus::corpus_for_testing().ledger, {});
  return Trials(server, oracle, words, {.tests = 20}, 1).run(properties);
}

constexpr std::pair<const char*, const char*> kMalformedSuccesses[] = {
    {"success-with-error-object", "res-exclusive"},
    {"success-with-empty-error", "res-exclusive"},
    {"success-with-false-error", "res-exclusive"},
    {"success-with-null-error", "res-exclusive"},
    {"success-with-result-renamed", "res-exclusive"},
    {"success-without-falsy-result", "res-exclusive"},
    {"success-with-another-id", "id-echo"},
    {"success-with-null-error-when-listing", "res-exclusive"},
    {"reply-without-version", "res-version"},
    {"reply-result-capitalised", "res-member-names"},
    {"reply-in-array", "res-object"},
};

TEST(Properties, WithoutAKnownMethodMalformedSuccessesShowInTheProbes) {
  for (const auto& [fault, requirement] : kMalformedSuccesses) {
    ASSERT_NE(reference::find(reference::faults(), fault), nullptr) << fault;
    const auto server = make_reference_for_testing(fault);
    const Words words{{}, words_of_the_reference().probes};
    std::set<std::string> ids;
    std::string all;
    for (const auto& result : try_on(server, words, every_property())) {
      ids.merge(requirements_in(result));
      all += told(result) + "\n";
    }
    EXPECT_EQ(ids.count(requirement), 1U) << fault << "\n" << all;
  }
}

TEST(Properties, EachJudgesTheFormOfWhatItReceives) {
  const auto server = make_reference_for_testing("reply-without-version");
  const auto results = try_on(server, words_of_the_reference(), {find_property("white-space")});
  EXPECT_EQ(requirements_in(results.front()), std::set<std::string>{"res-version"})
      << told(results.front());
}

TEST(Properties, AFaultOfFormIsToldOnce) {
  const auto server = make_reference_for_testing("reply-without-version");
  std::size_t times = 0;
  for (const auto& result : try_on(server, words_of_the_reference(), every_property())) {
    times += requirements_in(result).count("res-version");
  }
  EXPECT_EQ(times, 1U);
}

TEST(Properties, TheSameSeedGivesTheSameResult) {
  const std::vector<const Property*> one = {find_property("batch-answered")};
  const auto first = try_on("batch-nested-executed", one, 100, 7);
  const auto second = try_on("batch-nested-executed", one, 100, 7);
  ASSERT_FALSE(first.front().found.empty());
  EXPECT_EQ(told(first.front()), told(second.front()));
  EXPECT_EQ(first.front().skipped, second.front().skipped);
}

TEST(Properties, TheCounterexampleIsTheSimplestOne) {
  const auto result =
      std::move(try_on("batch-nested-executed", {find_property("batch-answered")}, 200).front());
  ASSERT_FALSE(result.found.empty());
  const auto& record = result.found.front().record;
  ASSERT_EQ(record.size(), 1U);
  EXPECT_LE(record.front().messages.front().text().size(), 60U)
      << record.front().messages.front().text();
}

// Passes on what it is sent, and says nothing any more after so many messages.
class SilentAfter : public fuzz::Executor {
 public:
  SilentAfter(std::unique_ptr<fuzz::Executor> executor, std::shared_ptr<int> messages)
      : executor_(std::move(executor)), messages_(std::move(messages)) {}

 private:
  Result<fuzz::Observed> do_execute(const corpus::Step& step) override {
    if ((*messages_)-- > 0) return executor_->execute(step);
    // That takes time, if hardly any.
    const auto begin = Clock::now();
    while (Clock::now() - begin < microseconds(2)) continue;
    fuzz::Observed nothing;
    nothing.exchange.ending = dialogue::Ending::timed_out;
    return nothing;
  }

  std::unique_ptr<fuzz::Executor> executor_;
  std::shared_ptr<int> messages_;
};

Server silent_after(int messages) {
  const auto make = [reference = make_reference_for_testing({}),
                     left = std::make_shared<int>(messages)] {
    return std::make_unique<SilentAfter>(reference.careful_executor(), left);
  };
  return {make, make, wire::known_binding("lines")};
}

std::vector<PropertyResult> try_on(const Server& server, const Limits& limits,
                                   const std::vector<const Property*>& properties) {
  const fuzz::Oracle oracle(corpus::corpus_for_testing().ledger, traits_of_the_reference());
  const Words words = words_of_the_reference();
  return Trials(server, oracle, words, limits, 1).run(properties);
}

// Fails the call that stands directly behind what is no JSON, and is met as on a stream: a control
// call leaves behind each step.
class TroubledNext : public fuzz::Executor {
 public:
  explicit TroubledNext(std::unique_ptr<fuzz::Executor> executor)
      : executor_(std::move(executor)) {}

 private:
  Result<fuzz::Observed> do_execute(const corpus::Step& step) override {
    fuzz::Observed all;
    all.survival.survival = dialogue::Survival::alive;
    bool is_troubled = false;
    for (const auto& message : step.messages) {
      corpus::Step one;
      one.messages = {message};
      auto observed = executor_->execute(one);
      if (!observed) return observed;
      const json::Value* id = message.find("id");
      for (const auto& reply : observed->exchange.replies) {
        const bool is_failed = is_troubled && id != nullptr;
        all.exchange.replies.push_back(
            {is_failed ? R"({"jsonrpc":"2.0","error":{"code":-32000,"message":"?"},"id":)" +
                             json::write(*id) + "}"
                       : reply.text(),
             0});
      }
      is_troubled = message.value() == nullptr;
    }
    return all;
  }

  std::unique_ptr<fuzz::Executor> executor_;
};

TEST(Properties, WhatAMessageDoesToTheNextCallAloneIsSeenThoughAControlCallFollowsEachMessage) {
  const auto make = [reference = make_reference_for_testing({})] {
    return std::make_unique<TroubledNext>(reference.careful_executor());
  };
  const Server server{make, make, wire::known_binding("lines")};
  const auto results = try_on(server, {.tests = 200}, {find_property("call-after-anything")});
  const auto& result = results.front();
  ASSERT_FALSE(result.found.empty());
  EXPECT_EQ(result.found.front().finding.symptom, judge::Symptom::changed_by_earlier_message);
  EXPECT_EQ(result.found.front().record.back().messages.size(), 2U) << told(result);
}

TEST(Properties, AServerThatFallsSilentIsGivenUpAndNothingHolds) {
  const Server server = silent_after(60);
  const auto results = try_on(server, {.tests = 100, .waiting = microseconds(1)},
                              {find_property("white-space"), find_property("escapes")});
  ASSERT_EQ(results.size(), 2U);
  EXPECT_GT(results[0].shown(), 0U);
  EXPECT_TRUE(results[0].given_up);
  EXPECT_NE(results[0].gap().find("3 tests waited in vain for answers: given up after"),
            std::string::npos)
      << results[0].gap();
  EXPECT_EQ(results[1].tests, 0U);
  EXPECT_EQ(results[1].gap().rfind("the server was given up: it ", 0), 0U) << results[1].gap();
}

TEST(Properties, OneThatWasTestedTooLittleDoesNotHold) {
  PropertyResult result{.asked = 100, .tests = 100, .exercised = {"json-whitespace"}};
  EXPECT_EQ(result.gap(), "");
  result.skipped = {{"the framing cannot carry it", 76}};
  EXPECT_EQ(result.gap(), "24 of 100 tests showed something: the framing cannot carry it");
  result.skipped = {};
  result.tests = 24;
  result.cut_short = "the time was up";
  EXPECT_EQ(result.gap(), "the time was up after 24 of 100 tests");
  result.tests = 25;
  EXPECT_EQ(result.gap(), "");
  result.unsettled = 1;
  EXPECT_EQ(result.gap(), "a test broke it, and the time was up before it was tried again");
  result.unsettled = 0;
  result.hung = 3;
  EXPECT_EQ(result.gap(), "3 tests waited in vain for answers");
  result.hung = 0;
  result.lost = "it is gone";
  EXPECT_EQ(result.gap(), "the server was lost after 25 of 100 tests: it is gone");
}

TEST(Properties, WhenTheTimeIsUpNothingMoreIsSent) {
  const Server server = silent_after(0);
  const auto results = try_on(server, {.end = Deadline::in(microseconds(0))}, every_property());
  for (const auto& result : results) {
    EXPECT_EQ(result.tests, 0U) << result.property->id;
    EXPECT_EQ(result.gap(), "the time was up before it was tried") << result.property->id;
  }
}

TEST(Properties, RequirementsAreThoseOfTheLedger) {
  std::set<std::string_view> ids;
  for (const auto& property : all_properties()) {
    EXPECT_TRUE(ids.insert(property.id).second) << property.id;
    EXPECT_FALSE(property.requirements.empty()) << property.id;
    for (const auto& id : property.requirements) {
      EXPECT_NE(corpus::corpus_for_testing().ledger.find(id), nullptr)
          << property.id << " charges " << id;
    }
  }
}

}  // namespace properties_test
}  // namespace jrpcheck::properties
