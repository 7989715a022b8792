// What the properties say of a server that ends at a message.
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "corpus/corpus_for_testing.hpp"
#include "fuzz/properties/reference_for_testing.hpp"
#include "fuzz/properties/trials.hpp"

namespace jrpcheck::properties {
namespace death_test {

// Ends at each call of one method, and is started again.
class DiesOfSubtract : public fuzz::Executor {
 public:
  explicit DiesOfSubtract(std::unique_ptr<fuzz::Executor> executor)
      : executor_(std::move(executor)) {}

 private:
  Result<fuzz::Observed> do_execute(const corpus::Step& step) override {
    for (const auto& message : step.messages) {
      if (message.text().find("\"subtract\"") == std::string::npos) continue;
      fuzz::Observed dead;
      dead.exchange.ending = dialogue::Ending::exited;
      dead.survival = {dialogue::Survival::dead, "killed by signal 6", ""};
      return dead;
    }
    return executor_->execute(step);
  }

  std::unique_ptr<fuzz::Executor> executor_;
};

// Answers each call of one method, and has ended by the time that the next message is sent.
class DiesBehindSubtract : public fuzz::Executor {
 public:
  explicit DiesBehindSubtract(std::unique_ptr<fuzz::Executor> executor)
      : executor_(std::move(executor)) {}

 private:
  Result<fuzz::Observed> do_execute(const corpus::Step& step) override {
    const bool has_ended = std::exchange(
        is_ending_, step.messages.front().text().find("\"subtract\"") != std::string::npos);
    auto observed = executor_->execute(step);
    if (!has_ended || !observed) return observed;
    if (step.listen_first_ms > 0) {
      observed->ended_before = "killed by signal 6";
    } else {
      observed->exchange.replies.clear();
      observed->exchange.ending = dialogue::Ending::exited;
      observed->survival = {dialogue::Survival::dead, "killed by signal 6", ""};
    }
    return observed;
  }

  std::unique_ptr<fuzz::Executor> executor_;
  bool is_ending_ = false;
};

template <typename Dying = DiesOfSubtract>
std::vector<PropertyResult> try_on_who_dies_of_subtract(const std::vector<std::string>& names) {
  const auto make = [reference = make_reference_for_testing({})] {
    return std::make_unique<Dying>(reference.careful_executor());
  };
  const Server server{make, make, wire::known_binding("lines")};
  const fuzz::Oracle oracle(corpus::corpus_for_testing().ledger, {});
  const Words words{{{"subtract", "subtract"}, {"echo", "echo"}}, {}};
  std::vector<const Property*> properties;
  for (const auto& name : names) properties.push_back(find_property(name));
  return Trials(server, oracle, words, {.tests = 100}, 1).run(properties);
}

std::set<std::string> requirements_in(const PropertyResult& result) {
  std::set<std::string> ids;
  for (const auto& example : result.found) ids.insert(example.finding.requirement);
  return ids;
}

TEST(PropertiesOfWhoDies, ADeathBeforeAnythingIsVariedIsToldOnce) {
  const auto results =
      try_on_who_dies_of_subtract({"call-answered", "white-space", "member-order"});
  EXPECT_EQ(requirements_in(results[0]), std::set<std::string>{"rob-survives"});
  for (std::size_t i = 1; i < results.size(); ++i) {
    EXPECT_EQ(requirements_in(results[i]), std::set<std::string>{}) << results[i].property->id;
    EXPECT_EQ(results[i].skipped.count("what nothing was varied in ends the server"), 1U)
        << results[i].property->id;
  }
}

TEST(PropertiesOfWhoDies, ADeathBeforeAnythingIsVariedIsToldWhereNoOtherPropertyTellsOfIt) {
  const auto results = try_on_who_dies_of_subtract({"white-space"});
  EXPECT_EQ(requirements_in(results[0]), std::set<std::string>{"rob-survives"});
}

TEST(PropertiesOfWhoDies, ADeathBehindAnAnswerIsOfTheMessageThatWasAnswered) {
  for (const std::string name : {"call-answered", "white-space", "conversation"}) {
    const auto results = try_on_who_dies_of_subtract<DiesBehindSubtract>({name});
    ASSERT_EQ(requirements_in(results[0]), std::set<std::string>{"rob-survives"}) << name;
    const auto& example = results[0].found.front();
    EXPECT_EQ(example.finding.symptom, judge::Symptom::died_later) << name;
    const auto& last = example.record.at(example.finding.step).messages.back();
    EXPECT_NE(last.text().find("subtract"), std::string::npos) << name << ": " << last.text();
  }
}

// Serves so many messages and refuses all that follow, on whichever connection.
class KeepsOut : public fuzz::Executor {
 public:
  KeepsOut(std::unique_ptr<fuzz::Executor> executor, std::shared_ptr<int> left)
      : executor_(std::move(executor)), left_(std::move(left)) {}

 private:
  Result<fuzz::Observed> do_execute(const corpus::Step& step) override {
    if (--*left_ >= 0) return executor_->execute(step);
    fuzz::Observed refused;
    refused.exchange.http_status = 401;
    refused.keeps_out = true;
    return refused;
  }

  std::unique_ptr<fuzz::Executor> executor_;
  std::shared_ptr<int> left_;
};

TEST(PropertiesOfWhoKeepsOut, NothingIsChargedOnceEveryCallIsRefused) {
  const auto make = [reference = make_reference_for_testing({}),
                     left = std::make_shared<int>(130)] {
    return std::make_unique<KeepsOut>(reference.careful_executor(), left);
  };
  const Server server{make, make, wire::known_binding("lines")};
  const fuzz::Oracle oracle(corpus::corpus_for_testing().ledger, {});
  const Words words{{{"echo", "echo"}}, {}};
  const auto results = Trials(server, oracle, words, {.tests = 100}, 1)
                           .run({find_property("call-answered"), find_property("conversation"),
                                 find_property("white-space")});
  for (const auto& result : results) {
    EXPECT_EQ(requirements_in(result), std::set<std::string>{}) << result.property->id;
  }
  EXPECT_EQ(results[0].gap(), "");
  EXPECT_NE(results[1].gap().find("it refuses every call by now (HTTP 401)"), std::string::npos)
      << results[1].gap();
  EXPECT_NE(results[2].gap(), "");
}

}  // namespace death_test
}  // namespace jrpcheck::properties
