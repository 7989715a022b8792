#include "result/redact.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <type_traits>
#include <utility>

#include "base/bytes.hpp"

namespace jrpcheck::result {
namespace redact_test {

// The command that reproduces the case is another matter: it names a variable.
Run run_that_holds(const std::string& text) {
  Run run;
  run.target.text = text;
  run.notes = {text};
  run.observations = {{"id", text, "a/b"}};
  CaseResult one;
  one.reproduce = text;
  one.reason = text;
  one.findings = {
      {.requirement = "id-echo", .expected = text, .actual = text, .particulars = text}};
  one.observations = {{"id", text}};
  one.transcript = {{dialogue::Direction::received, microseconds(0), text, text}};
  run.cases = {one};
  return run;
}

void redact(Run& run, const std::vector<Secret>& secrets) {
  run = RedactedRun(std::move(run), secrets).release();
}

std::vector<std::string> texts_of(const Run& run) {
  const auto& one = run.cases[0];
  return {run.target.text,
          run.notes[0],
          run.observations[0].value,
          one.reason,
          one.findings[0].particulars,
          one.findings[0].expected,
          one.findings[0].actual,
          one.observations[0].value,
          one.transcript[0].bytes,
          one.transcript[0].note};
}

// What writes takes a RedactedRun, and nothing makes one of a Run but redacting it.
static_assert(!std::is_constructible_v<RedactedRun, Run>);

TEST(Redact, ASecretThatAServerRepeatsIsNowhere) {
  auto run = run_that_holds("got: Bearer hush-hush and again hush-hush.");
  redact(run, secrets_of_header("Authorization", "Bearer hush-hush"));
  for (const auto& text : texts_of(run)) EXPECT_EQ(text, "got: ... and again ....");
}

// Names of members and of methods, the lists that it gives, and the heads of what breaks HTTP.
TEST(Redact, ASecretInWhatTheServerNamesIsNowhere) {
  const std::string text = "hush-hush";
  auto run = run_that_holds("");
  auto& one = run.cases[0];
  one.findings[0].place.pointer = "/result/" + text;
  one.findings[0].about = "the member " + text;
  one.transcript[0].http = dialogue::HttpHead{0, text, text};
  run.tried = {{.role = "echo", .method = text, .sent = text, .received = text}};
  run.conditions = Conditions{};
  run.conditions->roles = {{"echo", "x." + text}};
  run.conditions->catalogue = {{"tools " + text, R"([{"name":")" + text + R"("}])"}};
  redact(run, {{text, "TOKEN"}});
  EXPECT_EQ(one.findings[0].place.pointer, "/result/...");
  EXPECT_EQ(one.findings[0].about, "the member ...");
  EXPECT_EQ(one.transcript[0].http->version, "...");
  EXPECT_EQ(run.tried[0].method, "...");
  EXPECT_EQ(run.conditions->roles["echo"], "x....");
  EXPECT_EQ(run.conditions->catalogue["tools ..."], R"([{"name":"..."}])");
}

TEST(Redact, ASecretIsFoundAsJsonMayWriteIt) {
  auto run = run_that_holds(R"({"seen":"a\/b+c\/d=="})");
  redact(run, secrets_of_header("Authorization", "Basic a/b+c/d=="));
  EXPECT_EQ(run.cases[0].transcript[0].bytes, R"({"seen":"..."})");
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

TEST(Redact, ACookieThatTheServerSaysAgainIsHidden) {
  auto run = run_that_holds(
      "HTTP/1.1 200 OK\r\nSet-Cookie: session=hush-hush; Path=/\r\n\r\n{\"result\":\"hush-hush\"}");
  redact(run, {});
  EXPECT_EQ(run.cases[0].transcript[0].bytes,
            "HTTP/1.1 200 OK\r\nSet-Cookie: ...\r\n\r\n{\"result\":\"...\"}");
  EXPECT_EQ(run.notes[0].find("hush-hush"), std::string::npos);
}

TEST(Redact, CookiesGoWhereLinesEndInALineFeedAlone) {
  auto run = run_that_holds("HTTP/1.1 200 OK\nSet-Cookie: a=b\nX: y\n\nSet-Cookie: e=f\n");
  redact(run, {});
  EXPECT_EQ(run.cases[0].transcript[0].bytes,
            "HTTP/1.1 200 OK\nSet-Cookie: ...\nX: y\n\nSet-Cookie: e=f\n");
}

std::string command_with(const std::string& reproduce) {
  auto run = run_that_holds("");
  run.cases[0].reproduce = reproduce;
  redact(run, {{"hush-hush", "TOKEN"}});
  return run.cases[0].reproduce;
}

TEST(Redact, ACommandNamesTheVariableHoweverItIsQuoted) {
  EXPECT_EQ(command_with("run --token hush-hush"), "run --token \"${TOKEN}\"");
  EXPECT_EQ(command_with("run --token='hush-hush x'"), "run --token=''\"${TOKEN}\"' x'");
  EXPECT_EQ(command_with("curl -H \"X: hush-hush\" 'http://h/hush-hush'"),
            "curl -H \"X: ${TOKEN}\" 'http://h/'\"${TOKEN}\"''");
  EXPECT_EQ(command_with("printf 'it'\\''s hush-hush'"), "printf 'it'\\''s '\"${TOKEN}\"''");
}

TEST(Redact, ASecretAcrossACutIsHiddenOnBothSides) {
  auto run = run_that_holds("x hush- [... 12 bytes left out ...] -hush y");
  redact(run, {{"hush-hush", "TOKEN"}});
  EXPECT_EQ(run.cases[0].findings[0].actual, "x ... [... 12 bytes left out ...] ... y");
}

TEST(Redact, WhatHasComeOfAMessageMayEndWithinASecret) {
  auto run = run_that_holds("x hush-h");
  auto& event = run.cases[0].transcript[0];
  redact(run, {{"hush-hush", "TOKEN"}});
  EXPECT_EQ(event.bytes, "x hush-h") << "a whole message is what it is";
  EXPECT_EQ(run.cases[0].findings[0].actual, "x ...");
  for (const auto direction : {dialogue::Direction::ended, dialogue::Direction::violation}) {
    event.bytes = "x hush-h";
    event.direction = direction;
    redact(run, {{"hush-hush", "TOKEN"}});
    EXPECT_EQ(event.bytes, "x ...");
  }
}

TEST(Redact, TheEndOfWhatAProcessWroteMayBeginWithinASecret) {
  auto run = run_that_holds("h-hush is the token");
  run.cases[0].transcript[0].direction = dialogue::Direction::standard_error;
  redact(run, {{"hush-hush", "TOKEN"}});
  EXPECT_EQ(run.cases[0].transcript[0].bytes, "... is the token");
}

TEST(Redact, WhatWasTriedAgainIsNoExceptionNorAreMessages) {
  auto run = run_that_holds("");
  run.cases[0].tries = run_that_holds("hush-hush").cases;
  redact(run, {{"hush-hush", "TOKEN"}});
  EXPECT_EQ(run.cases[0].tries[0].findings[0].actual, "...");
  EXPECT_EQ(redacted("cannot reach http://h/hush-hush", {{"hush-hush", "TOKEN"}}),
            "cannot reach http://h/...");
}

RC_GTEST_PROP(Redact, LeavesNoSpellingOfASecret, ()) {
  const auto secret = *rc::gen::container<std::string>(
      24, rc::gen::elementOf(std::string("abcXYZ0123456789/+=\"\\'&% ")));
  auto run = run_that_holds("a " + secret + " b " + to_base64(secret) + " c " +
                            to_visible(std::string(200, 'x') + secret + std::string(200, 'y')));
  run.cases[0].reproduce = "serve --token " + shell_quote(secret);
  redact(run, {{secret, "TOKEN"}});
  auto texts = texts_of(run);
  texts.push_back(run.cases[0].reproduce);
  for (const auto& text : texts) {
    RC_ASSERT(text.find(secret) == std::string::npos);
    RC_ASSERT(text.find(to_base64(secret)) == std::string::npos);
  }
}

}  // namespace redact_test
}  // namespace jrpcheck::result
