// What holds of the corpus that is built into the program.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "corpus/bindings.hpp"
#include "corpus/corpus_for_testing.hpp"
#include "json/parse.hpp"

namespace jrpcheck::corpus {
namespace real_corpus_test {

const Corpus& real_corpus() { return corpus_for_testing(); }

Bindings all_roles_bound() {
  Bindings bindings{100, "text", "nobody", {}};
  for (const auto& role : known_roles()) bindings.roles[role] = "method." + role;
  return bindings;
}

// Envelope requirements, which the judge applies to every reply of every case.
const std::set<std::string> kJudgedOnEveryReply = {"res-json",
                                                   "res-object",
                                                   "res-version",
                                                   "res-id-present",
                                                   "res-exclusive",
                                                   "res-member-names",
                                                   "err-object",
                                                   "err-code-integer",
                                                   "res-result-on-success",
                                                   "err-code-reserved",
                                                   "err-message-string",
                                                   "err-message-concise",
                                                   "res-duplicate-members",
                                                   "res-extra-members",
                                                   "http-response-head",
                                                   "http-response-type",
                                                   "sec-no-leak"};

bool is_of_later_work(const Requirement& requirement) {
  static const std::set<std::string> kClasses = {"tcp", "v1", "client"};
  return kClasses.count(requirement.class_name) != 0;
}

std::set<std::string> requirements_named_by_cases() {
  std::set<std::string> named;
  for (const auto& one : real_corpus().cases) {
    named.insert(one.requirements.begin(), one.requirements.end());
    for (const auto& step : one.steps) {
      for (const auto& [part, id] : step.charge) named.insert(id);
      for (const auto& outcome : step.accept) named.insert(outcome.charge);
    }
  }
  return named;
}

void collect_requirements(const json::Value& value, std::set<std::string>& found) {
  const json::Value* named = value.find("requirement");
  if (named != nullptr && named->is(json::Kind::string)) found.insert(named->text());
  for (const auto& each : value.children()) collect_requirements(each, found);
}

// What the schemas and rules of profiles judge whenever anything is said.
std::set<std::string> requirements_of_profiles() {
  std::set<std::string> found;
  for (const auto& [path, text] : real_corpus().schemas) {
    collect_requirements(*json::parse(text).value, found);
  }
  for (const auto& profile : real_corpus().profiles) {
    for (const auto& rule : profile.rules) found.insert(rule.charges);
  }
  return found;
}

TEST(RealCorpus, WhatProfilesChargeIsInTheLedger) {
  for (const auto& id : requirements_of_profiles()) {
    EXPECT_NE(real_corpus().ledger.find(id), nullptr) << id;
  }
}

TEST(RealCorpus, ARequirementThatIsJudgedSaysNothingElse) {
  auto judged = requirements_named_by_cases();
  judged.merge(requirements_of_profiles());
  for (const auto& each : real_corpus().ledger.requirements()) {
    if (each.versions.empty() || each.status.empty()) continue;
    EXPECT_EQ(judged.count(each.id), 0U) << each.id << " is judged, and says: " << each.status;
  }
}

TEST(RealCorpus, HoldsEnoughCases) { EXPECT_GE(real_corpus().cases.size(), 70U); }

TEST(RealCorpus, EveryCaseBindsWithAllRolesBound) {
  for (const auto& one : real_corpus().cases) {
    const auto bound = bind(one, all_roles_bound());
    ASSERT_TRUE(bound) << bound.error().message;
    EXPECT_EQ(bound->steps.size(), one.steps.size());
    // The items, and the answers to earlier steps, are not known here.
    if (one.source.find("\"for-each\"") != std::string::npos) continue;
    if (one.source.find("${answer:") != std::string::npos) continue;
    for (const auto& step : bound->steps) {
      for (const auto& message : step.messages) {
        EXPECT_EQ(message.text().find("${"), std::string::npos) << one.id << ": " << message.text();
      }
    }
  }
}

TEST(RealCorpus, EveryRoleThatACaseAsksForIsUsedByIt) {
  for (const auto& one : real_corpus().cases) {
    for (const auto& role : one.roles) {
      const bool used =
          one.source.find("${method:" + role + "}") != std::string::npos ||
          one.source.find("${method-in-other-case:" + role + "}") != std::string::npos;
      EXPECT_TRUE(used) << one.id << " asks for " << role;
    }
  }
}

TEST(RealCorpus, EveryDerivationIsOneExactEditOfThePositiveCase) {
  for (const auto& one : real_corpus().cases) {
    if (!one.derived_from) continue;
    SCOPED_TRACE(one.id);
    const Case* from = real_corpus().find(one.derived_from->from);
    ASSERT_NE(from, nullptr);
    EXPECT_FALSE(from->derived_from) << "a positive case is derived from none";
    std::string text = from->steps.at(0).messages.at(0).text();
    const std::string& replace = one.derived_from->replace;
    const auto at = text.find(replace);
    ASSERT_NE(at, std::string::npos) << replace << " is not in " << text;
    EXPECT_EQ(text.find(replace, at + 1), std::string::npos) << replace << " is there twice";
    text.replace(at, replace.size(), one.derived_from->with);
    EXPECT_EQ(text, one.steps.at(0).messages.at(0).text());
  }
}

bool is_request(const json::Value& value) {
  using json::Kind;
  const json::Value* version = value.find("jsonrpc");
  const json::Value* method = value.find("method");
  const json::Value* params = value.find("params");
  return version != nullptr && version->is(Kind::string) && version->text() == "2.0" &&
         method != nullptr && method->is(Kind::string) &&
         (params == nullptr || params->is(Kind::array) || params->is(Kind::object));
}

// A Request, a Notification or a batch of them.
bool is_right(const dialogue::Message& message) {
  if (message.value() == nullptr) return false;
  if (!message.value()->is(json::Kind::array)) return is_request(*message.value());
  const auto& elements = message.value()->children();
  return !elements.empty() && std::ranges::all_of(elements, is_request);
}

bool sends_only_what_is_right(const Case& one) {
  return std::ranges::all_of(
      one.steps, [](const Step& step) { return std::ranges::all_of(step.messages, is_right); });
}

// A `must` of the protocol is shown both ways: by what is right and by what is not.
TEST(RealCorpus, EveryMustOfCoreAndJsonHasAPositiveAndANegativeCase) {
  std::set<std::string> positive;
  std::set<std::string> negative;
  for (const auto& one : real_corpus().cases) {
    const bool is_positive = !one.derived_from && sends_only_what_is_right(one);
    auto& named = is_positive ? positive : negative;
    named.insert(one.requirements.begin(), one.requirements.end());
  }
  for (const auto& requirement : real_corpus().ledger.requirements()) {
    const bool protocol = requirement.class_name == "core" || requirement.class_name == "json";
    if (!protocol || requirement.level != Level::must || !requirement.status.empty()) continue;
    EXPECT_EQ(positive.count(requirement.id), 1U) << requirement.id << " has no positive case";
    EXPECT_EQ(negative.count(requirement.id), 1U) << requirement.id << " has no negative case";
  }
}

TEST(RealCorpus, EveryRequirementIsJudgedOrSaysWhyNot) {
  const auto named = requirements_named_by_cases();
  const auto by_profiles = requirements_of_profiles();
  for (const auto& requirement : real_corpus().ledger.requirements()) {
    const bool judged = named.count(requirement.id) != 0 ||
                        kJudgedOnEveryReply.count(requirement.id) != 0 ||
                        by_profiles.count(requirement.id) != 0;
    const bool excused = !requirement.status.empty() || is_of_later_work(requirement);
    EXPECT_TRUE(judged || excused)
        << requirement.id << " is named by no case, schema or rule, nor in kJudgedOnEveryReply";
  }
}

// A run conforms only when every must is exercised, so calibration must apply everywhere.
TEST(RealCorpus, CalibrationNeedsNothingOfTheServer) {
  std::size_t calibration = 0;
  for (const auto& one : real_corpus().cases) {
    if (!one.calibration) continue;
    ++calibration;
    EXPECT_TRUE(one.roles.empty()) << one.id;
    EXPECT_TRUE(one.transports.empty()) << one.id;
    EXPECT_FALSE(one.derived_from) << one.id;
  }
  EXPECT_GE(calibration, 3U);
}

TEST(RealCorpus, FilesOfTheFolderAreTheOnesThatAreBuiltIn) {
  const auto files = read_folder(JRPCHECK_CASES_FOLDER);
  ASSERT_TRUE(files) << files.error().message;
  const auto embedded = embedded_files();
  ASSERT_EQ(embedded.size(), files->size());
  for (const auto& file : *files) {
    const auto found = std::ranges::find_if(
        embedded, [&](const CorpusFile& each) { return each.path == file.path; });
    ASSERT_NE(found, embedded.end()) << file.path;
    EXPECT_EQ(found->text, file.text) << file.path;
  }
}

// A server that answers none with a String is charged for that, and not for what it makes of calls
// that come together.
TEST(RealCorpus, CallsThatComeTogetherHaveIdsOfOneType) {
  for (const auto& one : real_corpus().cases) {
    const auto& subject = one.requirements.front();
    if (subject != "rob-concurrent" && subject != "rob-pipelined") continue;
    const auto bound = bind(one, all_roles_bound());
    ASSERT_TRUE(bound) << one.id;
    for (const auto& step : bound->steps) {
      for (const auto& message : step.messages) {
        const json::Value* id = message.find("id");
        EXPECT_TRUE(id == nullptr || id->is(json::Kind::number))
            << one.id << ": " << message.text();
      }
    }
  }
}

}  // namespace real_corpus_test
}  // namespace jrpcheck::corpus
