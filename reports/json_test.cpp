#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "reports/report.hpp"
#include "reports/run_for_testing.hpp"
#include "reports/summary.hpp"

namespace jrpcheck::reports {
namespace json_test {

using Json = nlohmann::json;
using dialogue::Direction;

Json rendered(const result::Run& run) { return Json::parse(render_json(run)); }

std::set<std::string> members(const Json& object) {
  std::set<std::string> names;
  for (const auto& [name, value] : object.items()) names.insert(name);
  return names;
}

Json rendered_event(const dialogue::Event& event) {
  auto run = run_for_testing();
  run.cases[0].transcript = {event};
  return rendered(run)["cases"][0]["transcript"][0];
}

TEST(JsonReport, HasEveryMemberOfTheContract) {
  const Json json = rendered(run_for_testing());
  EXPECT_EQ(json["schema"], "jrpcheck-run-1");
  EXPECT_EQ(json["tool"], Json({{"name", "jrpcheck"},
                                {"version", "1.2.3"},
                                {"corpus", 5},
                                {"corpus-hash", "abc123"},
                                {"seed", 7}}));
  EXPECT_EQ(json["target"],
            Json({{"text", "node server.js"}, {"transport", "stdio"}, {"framing", "lines"}}));
  EXPECT_EQ(json["profile"], "jsonrpc-2.0");
  EXPECT_EQ(json["started"], "2026-01-02T03:04:05Z");
  EXPECT_EQ(json["duration-ms"], 1500.0);
  EXPECT_EQ(json["verdict"], "fails");
  EXPECT_EQ(
      json["counts"],
      Json({{"pass", 1}, {"warn", 1}, {"fail", 2}, {"not-exercised", 1}, {"not-applicable", 0}}));
  EXPECT_EQ(json["must"], Json({{"exercised", 2}, {"applicable", 3}}));
  EXPECT_EQ(json["classes"], Json::array({{{"name", "core"},
                                           {"verdict", "fails"},
                                           {"counts",
                                            {{"pass", 1},
                                             {"warn", 1},
                                             {"fail", 1},
                                             {"not-exercised", 1},
                                             {"not-applicable", 0}}}}}));
  EXPECT_EQ(json["requirements"].size(), 4U);
  EXPECT_EQ(json["cases"].size(), 5U);
  EXPECT_EQ(json["observations"].size(), 2U);
  EXPECT_EQ(json["observations"][0],
            Json({{"id", "id null"}, {"value", "served"}, {"case", "id/null"}}));
  EXPECT_EQ(json["notes"], Json({"A note."}));
}

TEST(JsonReport, ARequirementSaysWhatItAsksAndWhatBecameOfIt) {
  const Json json = rendered(run_for_testing());
  EXPECT_EQ(json["requirements"][0],
            Json({{"id", "id-echo"},
                  {"clause", "5"},
                  {"level", "must"},
                  {"class", "core"},
                  {"text", "Text of id-echo."},
                  {"link", "https://www.jsonrpc.org/specification#response_object"},
                  {"why", "A client cannot tell which call was answered."},
                  {"seen",
                   {{{"text", "owner/project #7: the id came back as a String"},
                     {"link", "https://github.com/owner/project/issues/7"}}}},
                  {"verdict", "fail"}}));
  EXPECT_EQ(json["requirements"][3]["verdict"], "not-exercised");
  EXPECT_EQ(json["requirements"][3]["reason"], "batches are not served");
}

TEST(JsonReport, SaysInASentenceAndByCausesWhatIsWrong) {
  const Json json = rendered(run_for_testing());
  EXPECT_EQ(json["summary"], summary_of(run_for_testing()));
  EXPECT_EQ(
      json["causes"],
      Json({{{"harm", "loses-answers"},
             {"findings",
              {{{"case", "id/number"}, {"finding", 0}}, {{"case", "id/string"}, {"finding", 0}}}}},
            {{"harm", "warning"},
             {"findings", Json::array({{{"case", "json/comment"}, {"finding", 0}}})}}}));
}

TEST(JsonReport, ACaseCarriesItsEvidence) {
  const Json one = rendered(run_for_testing())["cases"][0];
  EXPECT_EQ(members(one),
            (std::set<std::string>{"id", "title", "verdict", "requirements", "duration-ms",
                                   "findings", "transcript", "reproduce"}));
  EXPECT_EQ(one["duration-ms"], 1.5);
  EXPECT_EQ(one["requirements"], Json({"id-echo"}));
  EXPECT_EQ(one["findings"], Json::array({{{"requirement", "id-echo"},
                                           {"severity", "fail"},
                                           {"symptom", "wrong-id"},
                                           {"place", {{"pointer", "/id"}}},
                                           {"message", "The Response has the wrong id."},
                                           {"expected", "an error with id 1"},
                                           {"actual", R"({"id":"1"})"},
                                           {"step", 0},
                                           {"sent", R"({"id":1})"}}}));
  EXPECT_EQ(one["transcript"][1],
            Json({{"direction", "received"}, {"at-us", 20}, {"text", R"({"id":"1"})"}}));
}

TEST(JsonReport, ACaseThatWasNotExercisedSaysWhy) {
  const Json one = rendered(run_for_testing())["cases"][3];
  EXPECT_EQ(one["verdict"], "not-exercised");
  EXPECT_EQ(one["reason"], "batches are not served");
  EXPECT_EQ(one["findings"], Json::array());
}

TEST(JsonReport, KnowsSixDirectionsAndTellsTheRestInTheNote) {
  const std::set<std::string> contract = {"sent",   "received", "closed",
                                          "exited", "stderr",   "quiet"};
  for (const auto direction :
       {Direction::sent, Direction::received, Direction::aside, Direction::violation,
        Direction::quiet, Direction::closed, Direction::exited, Direction::standard_error}) {
    const Json event = rendered_event({direction, microseconds(3), "x", "the note"});
    EXPECT_EQ(contract.count(event["direction"].get<std::string>()), 1U) << event;
    EXPECT_EQ(event["note"], "the note");
  }
  EXPECT_EQ(rendered_event({Direction::aside, microseconds(0), "", "unasked"})["direction"],
            "received");
  EXPECT_EQ(rendered_event({Direction::standard_error, microseconds(0), "", ""})["direction"],
            "stderr");
}

TEST(JsonReport, SaysThatAndHowManyBytesOfAnEventAreLeftOut) {
  dialogue::Event event{Direction::sent, microseconds(3), "a[... 7 bytes left out ...]b", "", 1, 7};
  EXPECT_EQ(rendered_event(event)["left-out"], 7);
  EXPECT_EQ(rendered_event(event)["step"], 1);
  EXPECT_FALSE(rendered_event(event).contains("note"));
}

TEST(JsonReport, SaysWhatIsReceivedAndIsNoReply) {
  for (const auto direction : {Direction::aside, Direction::violation, Direction::noise}) {
    const Json event = rendered_event({direction, microseconds(3), "x"});
    EXPECT_EQ(event["direction"], "received");
    EXPECT_EQ(event["as"], name_of(direction));
  }
  EXPECT_FALSE(rendered_event({Direction::received, microseconds(3), "x"}).contains("as"));
}

TEST(JsonReport, BytesThatAreNotUtf8StandInBase64) {
  const Json binary = rendered_event({Direction::sent, microseconds(3), "a\xff\x00", ""});
  EXPECT_EQ(members(binary), (std::set<std::string>{"direction", "at-us", "base64"}));
  EXPECT_EQ(binary["base64"], "Yf8=");
  const std::string text("é\0\n", 4);
  const Json plain = rendered_event({Direction::sent, microseconds(3), text, ""});
  EXPECT_EQ(members(plain), (std::set<std::string>{"direction", "at-us", "text"}));
  EXPECT_EQ(plain["text"], text);
  EXPECT_EQ(rendered_event({Direction::sent, microseconds(3), "", ""})["text"], "");
}

TEST(JsonReport, SumsUpWhatTheSpecificationLeavesOpen) {
  const auto json = Json::parse(render_json(run_for_testing()));
  EXPECT_EQ(json["server-profile"], Json::parse(R"([{"name": "id null", "summary": "served",
                             "answers": [{"value": "served", "cases": 2}]}])"));
}

TEST(JsonReport, IsUtf8WhateverAServerSaid) {
  auto run = run_for_testing();
  run.cases[0].findings[0].actual = "\xff";
  run.observations[0].value = "\xed\xa0\x80";
  run.target.text = "\xc3";
  EXPECT_TRUE(Json::accept(render_json(run)));
}

TEST(JsonReport, SeedsKeepAllTheirDigits) {
  auto run = run_for_testing();
  run.seed = 18446744073709551615U;
  EXPECT_NE(render_json(run).find("\"seed\": 18446744073709551615"), std::string::npos);
}

TEST(JsonReport, TheSameRunIsTheSameText) {
  EXPECT_EQ(render_json(run_for_testing()), render_json(run_for_testing()));
  const auto* format = find_format("json");
  ASSERT_NE(format, nullptr);
  EXPECT_EQ(format->render(run_for_testing()), render_json(run_for_testing()));
}

}  // namespace json_test
}  // namespace jrpcheck::reports
