// Zero configuration: how much of the ledger a server shows whose methods are all unknown.
#include <gtest/gtest.h>

#include <string>

#include "corpus/corpus_for_testing.hpp"
#include "run/fake_server_for_testing.hpp"
#include "run/judging.hpp"
#include "run/progress.hpp"
#include "run/run_for_testing.hpp"

namespace jrpcheck::run {
namespace coverage_test {

bool is_request(const json::Value& value) {
  if (!value.is(json::Kind::object)) return false;
  const json::Value* version = value.find("jsonrpc");
  const json::Value* method = value.find("method");
  const json::Value* params = value.find("params");
  const bool structured =
      params == nullptr || params->is(json::Kind::array) || params->is(json::Kind::object);
  return version != nullptr && version->text() == "2.0" && method != nullptr &&
         method->is(json::Kind::string) && structured;
}

std::optional<std::string> respond(const json::Value& value) {
  const bool good = is_request(value);
  if (good && value.find("id") == nullptr) return std::nullopt;
  const bool is_object = value.is(json::Kind::object);
  return R"({"jsonrpc":"2.0",)" + error_member(good ? -32601 : -32600) + R"(,"id":)" +
         (is_object && good ? id_text(value) : "null") + "}";
}

// A right server that answers every method of the world with -32601.
std::optional<std::string> nobodys_server(const std::string& message) {
  const auto parsed = json::parse(message);
  if (!parsed) return R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"No"},"id":null})";
  if (!parsed.value->is(json::Kind::array)) return respond(*parsed.value);
  if (parsed.value->size() == 0) return respond(*parsed.value);
  std::string batch;
  for (const auto& each : parsed.value->children()) {
    if (const auto one = respond(each)) batch += (batch.empty() ? "" : ",") + *one;
  }
  if (batch.empty()) return std::nullopt;
  return "[" + batch + "]";
}

result::Run judged(const std::string& transport) {
  const auto& corpus = corpus::corpus_for_testing(corpus::kDefaultProfile);
  const Options options;
  FakeEndpoint endpoint(transport, nobodys_server);
  FakeConversation conversation(nobodys_server);
  session::Patience patience(milliseconds(50));
  NoProgress progress;
  result::Run run;
  judge_endpoint(corpus, options, endpoint, conversation, patience, progress, run);
  return run;
}

TEST(ZeroConfiguration, ExercisesMostOfWhatMustBe) {
  for (const auto* transport : {"lines", "content-length", "concatenated"}) {
    const auto run = judged(transport);
    const auto must = must_coverage(run);
    EXPECT_GT(must.applicable, 40U) << transport;
    EXPECT_GE(must.exercised * 100, must.applicable * 60)
        << transport << ": " << must.exercised << " of " << must.applicable;
    RecordProperty(std::string("exercised-") + transport, static_cast<int>(must.exercised));
    RecordProperty(std::string("of-") + transport, static_cast<int>(must.applicable));
  }
}

TEST(ZeroConfiguration, WhatNeedsARoleSaysWhatWritesTheFileThatNamesOne) {
  const auto run = judged("lines");
  EXPECT_NE(run.verdict, result::RunVerdict::conforms);
  bool said = false;
  for (const auto& one : run.cases) {
    if (one.id != "response/null-result") continue;
    EXPECT_EQ(one.verdict, result::Verdict::not_exercised);
    EXPECT_NE(one.reason.find("in the role 'nothing', which --methods FILE names"),
              std::string::npos)
        << one.reason;
    said = true;
  }
  EXPECT_TRUE(said);
  ASSERT_EQ(run.notes.size(), 1U);
  EXPECT_NE(run.notes[0].find("\n  jrpcheck methods "), std::string::npos) << run.notes[0];
  EXPECT_NE(run.notes[0].find(" > roles.json"), std::string::npos) << run.notes[0];
}

}  // namespace coverage_test
}  // namespace jrpcheck::run
