#include "result/redact.hpp"

#include <gtest/gtest.h>

#include <string>

namespace jrpcheck::result {
namespace {

Run run_that_holds(const std::string& text) {
  Run run;
  run.target.text = text;
  run.notes = {text};
  run.observations = {{"id", text, "a/b"}};
  CaseResult one;
  one.reproduce = text;
  one.reason = text;
  one.findings = {{"id-echo", corpus::Verdict::fail, text, text, text, 0}};
  one.observations = {{"id", text}};
  one.transcript = {{session::Direction::received, microseconds(0), text, text}};
  run.cases = {one};
  return run;
}

std::vector<std::string> texts_of(const Run& run) {
  const auto& one = run.cases[0];
  return {run.target.text,
          run.notes[0],
          run.observations[0].value,
          one.reproduce,
          one.reason,
          one.findings[0].message,
          one.findings[0].expected,
          one.findings[0].actual,
          one.observations[0].value,
          one.transcript[0].bytes,
          one.transcript[0].note};
}

TEST(Redact, ASecretThatAServerRepeatsIsNowhere) {
  auto run = run_that_holds("got: Bearer hush-hush and again hush-hush.");
  redact(run, secrets_of_header("Authorization", "Bearer hush-hush"));
  for (const auto& text : texts_of(run)) EXPECT_EQ(text, "got: ... and again ....");
}

TEST(Redact, ASecretIsFoundAsJsonMayWriteIt) {
  auto run = run_that_holds(R"({"seen":"a\/b+c\/d=="})");
  redact(run, secrets_of_header("Authorization", "Basic a/b+c/d=="));
  EXPECT_EQ(run.cases[0].transcript[0].bytes, R"({"seen":"..."})");
}

TEST(Redact, ShortValuesStayBecauseTheyStandInOrdinaryText) {
  EXPECT_TRUE(secrets_of_header("X-Version", "1").empty());
  auto run = run_that_holds("id 1");
  redact(run, secrets_of_header("X-Version", "1"));
  EXPECT_EQ(run.cases[0].findings[0].actual, "id 1");
}

TEST(Redact, WhatEverybodySaysIsNoSecret) {
  EXPECT_TRUE(secrets_of_header("Content-Type", "application/json").empty());
  EXPECT_TRUE(secrets_of_header("ACCEPT", "application/json").empty());
  EXPECT_FALSE(secrets_of_header("Accept-Key", "application/json").empty());
}

TEST(Redact, TheValueOfACookieIsASecretOfItsOwn) {
  auto run = run_that_holds("session hush-hush ended");
  redact(run, secrets_of_header("Cookie", "theme=dark; id=hush-hush"));
  EXPECT_EQ(run.notes[0], "session ... ended");
}

TEST(Redact, PasswordsOfUrlsLeaveOurOwnWords) {
  auto run = run_that_holds("proxy --to 'http://me:pass@h/x@y' ws://token@k http://h/a@b");
  redact(run, {});
  const std::string hidden = "proxy --to 'http://me:...@h/x@y' ws://...@k http://h/a@b";
  EXPECT_EQ(run.target.text, hidden);
  EXPECT_EQ(run.cases[0].reproduce, hidden);
  EXPECT_EQ(run.notes[0], hidden);
}

TEST(Redact, CookiesOfTheServerLeaveItsHeadAndNotItsAnswer) {
  auto run = run_that_holds(
      "HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\nset-cookie:c=d; Path=/\r\nX: y\r\n\r\n"
      "Set-Cookie: e=f\r\n");
  redact(run, {});
  EXPECT_EQ(run.cases[0].transcript[0].bytes,
            "HTTP/1.1 200 OK\r\nSet-Cookie: ...\r\nset-cookie: ...\r\nX: y\r\n\r\n"
            "Set-Cookie: e=f\r\n");
}

}  // namespace
}  // namespace jrpcheck::result
