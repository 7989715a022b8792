#include "corpus/load_case.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "corpus/one_case_for_testing.hpp"
#include "wire/binding.hpp"

namespace jrpcheck::corpus {
namespace load_case_test {

// The case that a file with this step (or with this part of one) holds.
Case loaded(std::string_view replace, std::string_view with) {
  auto cases = load_cases("a.json", edited(replace, with));
  EXPECT_TRUE(cases) << cases.error().message;
  return cases ? std::move(cases->front()) : Case();
}

std::string message_of(std::string_view message) {
  const Case one = loaded(R"({"json": {"id": 1}})", message);
  return one.steps.empty() ? "no step" : one.steps[0].messages[0].text();
}

TEST(LoadCase, ARightFileGivesItsCases) {
  const auto cases = load_cases("a.json", kRight);
  ASSERT_TRUE(cases) << cases.error().message;
  ASSERT_EQ(cases->size(), 1U);
  const Case& one = cases->front();
  EXPECT_EQ(one.id, "group/name");
  EXPECT_EQ(one.title, "A call is answered");
  EXPECT_EQ(one.requirements, std::vector<std::string>{"res-always"});
  EXPECT_EQ(one.observes, "answers");
  EXPECT_EQ(one.file, "a.json");
  EXPECT_EQ(one.line, 4U);
  EXPECT_FALSE(one.derived_from);
  EXPECT_FALSE(one.calibration);
  EXPECT_FALSE(one.needs_batches);
  ASSERT_EQ(one.steps.size(), 1U);
  ASSERT_EQ(one.steps[0].accept.size(), 1U);
  const Outcome& outcome = one.steps[0].accept[0];
  EXPECT_EQ(outcome.shape, Outcome::Shape::response);
  EXPECT_EQ(outcome.verdict, Verdict::pass);
  EXPECT_EQ(outcome.observe, "refused");
  EXPECT_EQ(outcome.responses[0].error->codes, std::vector<long long>{-32600});
}

TEST(LoadCase, AnOutcomeForAllButHttpIsForEveryStream) {
  const Case one =
      loaded(R"("observe": "refused")",
             R"("observe": "refused"}, {"silence": true, "except-transports": ["http"])");
  ASSERT_EQ(one.steps.size(), 1U);
  ASSERT_EQ(one.steps[0].accept.size(), 2U);
  std::vector<std::string> streams;
  for (const auto& binding : wire::bindings()) {
    if (!binding.pairs_replies) streams.emplace_back(binding.name);
  }
  EXPECT_EQ(one.steps[0].accept[1].transports, streams);
}

// The step of a case about WebSocket that sends this.
Step step_over_websocket(const std::string& send, const std::string& member = {}) {
  std::string text = edited(kCaseMember, R"("transports": ["websocket"], "observes": "answers")");
  text.replace(text.find(kSend), kSend.size(), send);
  text.insert(text.find(kStepMember), member);
  auto cases = load_cases("a.json", text);
  EXPECT_TRUE(cases) << cases.error().message;
  return cases ? std::move(cases->front().steps.front()) : Step();
}

TEST(LoadCase, AFrameIsAMaskedTextUnlessItSaysOtherwise) {
  const Step plain = step_over_websocket(R"({"frame": {"payload": {"text": "{}"}}})");
  ASSERT_EQ(plain.frames.size(), 1U);
  EXPECT_EQ(plain.frames.at(0), wire::FrameDetails{});
  EXPECT_EQ(plain.messages.at(0), "{}");
  const Step odd = step_over_websocket(
      R"([{"text": "{}"}, {"frame": {"opcode": "ping", "fin": false, "rsv": 5, "mask": false,
          "length": {"announced": 9, "bits": 64}}}])");
  ASSERT_EQ(odd.frames.size(), 1U);
  EXPECT_EQ(
      odd.frames.at(1),
      (wire::FrameDetails{
          .opcode = 9, .fin = false, .rsv = 5, .mask = false, .length = 9, .length_bits = 64}));
  EXPECT_EQ(step_over_websocket(R"({"frame": {"length": 1099511627776}})").frames.at(0).length,
            1099511627776U);
}

TEST(LoadCase, ACloseHasACodeAndAReason) {
  const Step step = step_over_websocket(
      R"({"frame": {"opcode": "close", "payload": {"code": 1000, "reason": "bye"}}})");
  EXPECT_EQ(step.messages.at(0),
            "\x03\xE8"
            "bye");
}

TEST(LoadCase, FragmentsMakeUpOneMessageAndControlFramesNone) {
  const Step step = step_over_websocket(
      R"([{"frame": {"fin": false, "payload": {"text": "[1,"}}}, {"frame": {"opcode": "ping"}},
          {"frame": {"opcode": "continuation", "payload": {"text": "2]"}}}, {"text": "3"}])");
  EXPECT_EQ(step.whole_messages(), (std::vector<dialogue::Message>{"[1,2]", "3"}));
  EXPECT_EQ(step.pong_due(), "");
}

TEST(LoadCase, AHandshakeHasHeadersOfItsOwn) {
  const Step step = step_over_websocket(
      std::string(kSend), R"("handshake": {"headers": {"Origin": "http://h", "Host": null}}, )");
  EXPECT_TRUE(step.handshake);
  ASSERT_EQ(step.http.headers.size(), 2U);
  EXPECT_EQ(step.http.headers[0].second, "http://h");
  EXPECT_FALSE(step.http.headers[1].second);
}

TEST(LoadCase, FramesAndHandshakesAreForWebSocketAlone) {
  for (const std::string& text : {edited(kSend, R"({"frame": {}})"),
                                  edited(kStepMember, R"("handshake": {}, "accept": [)")}) {
    const auto cases = load_cases("a.json", text);
    ASSERT_FALSE(cases);
    EXPECT_NE(cases.error().message.find("for WebSocket"), std::string::npos);
  }
}

TEST(LoadCase, AnOutcomeNamesTheCodesOfAClose) {
  const Case one = loaded(kOutcome, R"({"closed": {"code": [1002, 1007]}, "observe": "closed"})");
  EXPECT_EQ(one.steps[0].accept[0].shape, Outcome::Shape::closed);
  EXPECT_EQ(one.steps[0].accept[0].close_codes, (std::vector<int>{1002, 1007}));
}

TEST(LoadCase, NumberTokensReachTheMessageAsTheyAreSpelled) {
  for (const std::string token : {"1.0", "1e0", "-0", "9007199254740993", "1e400", "0.10",
                                  "123456789012345678901234567890"}) {
    EXPECT_EQ(message_of(R"({"json": {"id": )" + token + "}}"), R"({"id":)" + token + "}");
  }
}

TEST(LoadCase, JsonIsWrittenCompactlyInFileOrder) {
  EXPECT_EQ(message_of(R"({"json": {"b": [1, 2], "a": {"é": "\u0041\n"}, "a": null}})"),
            R"({"b":[1,2],"a":{"é":"A\n"},"a":null})");
}

TEST(LoadCase, EveryFormOfAMessageGivesItsBytes) {
  EXPECT_EQ(message_of(R"({"text": "{\"a\": 1 }"})"), R"({"a": 1 })");
  EXPECT_EQ(message_of(R"({"hex": "7b FF 7d00"})"), std::string("{\xff}\0", 4));
  EXPECT_EQ(message_of(R"({"parts": ["<", {"repeat": "ab", "times": 3}, {"hex": "ff"}, ">"]})"),
            "<ababab\xff>");
  EXPECT_EQ(message_of(R"({"parts": [{"repeat": "[", "times": 100000}]})"),
            std::string(100'000, '['));
}

TEST(LoadCase, SeveralMessagesLeaveInOneWrite) {
  const Case one = loaded(kSend, R"([{"text": "1"}, {"json": 2}])");
  ASSERT_EQ(one.steps.size(), 1U);
  EXPECT_EQ(one.steps[0].messages, (std::vector<dialogue::Message>{"1", "2"}));
}

TEST(LoadCase, TheMembersOfAStepAreRead) {
  const Case one = loaded(kStepMember, R"("write": {"at": [3, 7]},
      "http": {"method": "PUT", "headers": {"Accept": null, "X": "y"}, "chunked": true},
      "end-of-input": true, "concurrently": true,
      "charge": {"silence": "res-once", "id": "id-echo"}, "accept": [)");
  ASSERT_EQ(one.steps.size(), 1U);
  const Step& step = one.steps[0];
  EXPECT_EQ(step.write_at, (std::vector<std::size_t>{3, 7}));
  EXPECT_EQ(step.write_every, 0U);
  EXPECT_EQ(step.http.method, "PUT");
  ASSERT_EQ(step.http.headers.size(), 2U);
  EXPECT_FALSE(step.http.headers[0].second);
  EXPECT_EQ(step.http.headers[1].second, "y");
  EXPECT_TRUE(step.http.chunked);
  EXPECT_TRUE(step.end_of_input);
  EXPECT_TRUE(step.concurrently);
  EXPECT_FALSE(step.raw);
  EXPECT_EQ(step.charge.at("silence"), "res-once");
  EXPECT_EQ(step.charge.at("id"), "id-echo");
}

TEST(LoadCase, TheMembersOfACaseAreRead) {
  const Case one = loaded(kCaseMember, R"("transports": ["lines"], "roles": ["echo", "sum"],
      "needs": ["batches", "http-1.1"], "calibration": true, "kills": ["drops-id"],
      "derived-from": {"case": "group/other", "edit": {"replace": "a", "with": ""}},
      "rests-on": "group/plain", "observes": "answers")");
  EXPECT_TRUE(one.applies_to("lines"));
  EXPECT_FALSE(one.applies_to("http"));
  EXPECT_EQ(one.roles, (std::vector<std::string>{"echo", "sum"}));
  EXPECT_TRUE(one.needs_batches);
  EXPECT_TRUE(one.needs_http_1_1);
  EXPECT_TRUE(one.calibration);
  EXPECT_EQ(one.kills, std::vector<std::string>{"drops-id"});
  ASSERT_TRUE(one.derived_from);
  EXPECT_EQ(one.derived_from->from, "group/other");
  EXPECT_EQ(one.derived_from->replace, "a");
  EXPECT_EQ(one.derived_from->with, "");
  EXPECT_EQ(one.rests_on, "group/plain");
}

TEST(LoadCase, AnOutcomeIsChargedToTheFirstRequirementUnlessItSaysOtherwise) {
  const Case first = loaded(R"("observe": "refused")",
                            R"("observe": "x", "verdict": "warn", "because": "It is odd.")");
  EXPECT_EQ(first.steps.at(0).accept.at(0).charge, "res-always");
  const Case other =
      loaded(R"("observe": "refused")",
             R"("observe": "x", "verdict": "fail", "charge": "res-once", "because": "Bad.")");
  EXPECT_EQ(other.steps.at(0).accept.at(0).charge, "res-once");
  EXPECT_EQ(other.steps.at(0).accept.at(0).because, "Bad.");
}

TEST(LoadCase, AnIdMayBeSeveralOrAnObject) {
  const Case several = loaded(R"("id": null)", R"("id": {"any-of": [null, "a"]})");
  EXPECT_EQ(several.steps.at(0).accept.at(0).responses.at(0).id.any_of.size(), 2U);
  const Case literal = loaded(R"("id": null)", R"("id": {"literal": {"any-of": [1]}})");
  const auto& ids = literal.steps.at(0).accept.at(0).responses.at(0).id.any_of;
  ASSERT_EQ(ids.size(), 1U);
  EXPECT_EQ(json::write(ids[0]), R"({"any-of":[1]})");
}

TEST(LoadCase, AStepDemandsAReplyUnlessNothingIsAnOutcomeThatDoesNotFail) {
  EXPECT_TRUE(loaded(kOutcome, kOutcome).steps.at(0).demands_reply());
  EXPECT_FALSE(loaded(kOutcome, std::string(kOutcome) + R"(, {"silence": true})")
                   .steps.at(0)
                   .demands_reply());
  EXPECT_FALSE(loaded(kOutcome, std::string(kOutcome) + R"(, {"closed": true})")
                   .steps.at(0)
                   .demands_reply());
  EXPECT_TRUE(loaded(kOutcome, std::string(kOutcome) +
                                   R"(, {"silence": true, "verdict": "fail", "because": "No."})")
                  .steps.at(0)
                  .demands_reply());
}

TEST(LoadCase, OneCaseIsReadFromItsObject) {
  const auto one = load_case("b.json", R"({"id": "a/b", "title": "T", "requirements": ["id-echo"],
      "steps": [{"send": {"text": "1"}, "accept": [{"silence": true}]}]})");
  ASSERT_TRUE(one) << one.error().message;
  EXPECT_EQ(one->id, "a/b");
  EXPECT_FALSE(load_case("b.json", "[]"));
  EXPECT_FALSE(load_case("b.json", "{"));
}

}  // namespace load_case_test
}  // namespace jrpcheck::corpus
