#include "reports/run_reader.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "base/contains.hpp"
#include "reports/hostile_run_for_testing.hpp"
#include "reports/report.hpp"

namespace jrpcheck::reports {
namespace run_reader_test {

using Json = nlohmann::ordered_json;

std::string complaint(const std::string& text) {
  const auto run = read_run("run.json", text);
  return run ? "" : run.error().message;
}

// The stored run with one change made to it.
template <typename Edit>
std::string complaint_after(Edit edit) {
  Json json = Json::parse(render_json(run_for_testing()));
  edit(json);
  return complaint(json.dump());
}

TEST(RunReader, ReadsBackWhatWasWritten) {
  auto ordinary = run_for_testing();
  ordinary.seed = 18446744073709551615U;
  ordinary.requirements[0].requirement.note = "a note";
  ordinary.requirements[3].requirement.status = "untested";
  for (const auto& run : {ordinary, empty_run_for_testing(), large_run_for_testing()}) {
    const std::string text = render_json(run);
    const auto read = read_run("run.json", text);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(render_json(*read), text);
  }
}

TEST(RunReader, ReadsRunsOfVersionsThatDidNotCountWhatDoesNotApply) {
  Json json = Json::parse(render_json(run_for_testing()));
  json.erase("must");
  json["counts"].erase("not-applicable");
  for (auto& each : json["classes"]) each["counts"].erase("not-applicable");
  const auto read = read_run("run.json", json.dump());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(render_json(*read), render_json(run_for_testing()));
}

TEST(RunReader, ARunOfAnOlderVersionKeepsItsMessages) {
  Json json = Json::parse(render_json(run_for_testing()));
  auto& finding = json["cases"][0]["findings"][0];
  finding.erase("symptom");
  finding.erase("place");
  finding["message"] = "It was said otherwise.";
  const auto read = read_run("run.json", json.dump());
  ASSERT_TRUE(read) << read.error().message;
  const auto& known = read->cases[0].findings[0];
  EXPECT_EQ(known.symptom, judge::Symptom::untold);
  EXPECT_EQ(judge::sentence_of(known), "It was said otherwise.");
}

TEST(RunReader, BytesComeBackAsTheyWere) {
  auto run = run_for_testing();
  const std::string bytes("\xff\x00\r\n", 4);
  run.cases[0].transcript[1].bytes = bytes;
  const auto read = read_run("run.json", render_json(run));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->cases[0].transcript[1].bytes, bytes);
}

TEST(RunReader, WhatIsNotKeptIsReadBackAsANumber) {
  auto run = run_for_testing();
  auto& events = run.cases[0].transcript;
  events[0].step = 1;
  events[0].left_out = 12;
  events[1].note = "unasked";
  events[1].left_out = 3456;
  const auto read = read_run("run.json", render_json(run));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->cases[0].transcript[0].step, 1U);
  EXPECT_EQ(read->cases[0].transcript[0].left_out, 12U);
  EXPECT_EQ(read->cases[0].transcript[0].note, "");
  EXPECT_EQ(read->cases[0].transcript[1].left_out, 3456U);
  EXPECT_EQ(read->cases[0].transcript[1].note, "unasked");
}

// All that the judge reads, so that a stored run can be judged again.
result::Run run_with_a_dialogue() {
  using dialogue::Direction;
  auto run = run_for_testing();
  auto& one = run.cases[0];
  one.transcript.clear();
  for (const auto direction : {Direction::sent, Direction::received, Direction::aside,
                               Direction::violation, Direction::noise, Direction::quiet,
                               Direction::closed, Direction::exited, Direction::standard_error}) {
    one.transcript.push_back({direction, microseconds(1), "x", "a note", 0});
  }
  one.transcript[1].is_control = true;
  one.transcript[1].in_several_lines = true;
  one.transcript[1].http = dialogue::HttpHead{200, "HTTP/1.1", "text/json", 1, true};
  dialogue::Event ended{Direction::ended, microseconds(2), "unfinished", "no answer", 0};
  ended.end = dialogue::StepEnd{dialogue::Ending::timed_out, true, true, true, true, "closed"};
  dialogue::Event checked{Direction::checked, microseconds(3), "Traceback", "exited"};
  checked.survival = dialogue::Survival::dead;
  checked.answers_next = true;
  dialogue::Event noted{Direction::noted, microseconds(4), "again", "late"};
  noted.fact = dialogue::Fact::answered_again;
  one.transcript.insert(one.transcript.end(), {ended, checked, noted});
  one.ordinal = 7;
  one.asked = "abc";
  one.judged.emplace();
  one.judged->findings = one.findings;
  one.judged->findings[0].habits = {"silence -> result"};
  one.judged->findings[0].rest_counts = true;
  one.judged->exercised = {"id-echo"};
  one.judged->observations = {{"order", "kept"}};
  one.judged->unjudged = "the server did not survive";
  one.tries = {one};
  one.tries[0].findings.clear();
  run.conditions = result::Conditions{{"id/*"},
                                      {"*/x"},
                                      {{"echo", "my.echo"}},
                                      "[]",
                                      true,
                                      {ended},
                                      {{"", "{}"}, {"tools", "[]"}},
                                      {"write"},
                                      {{"dialogue/discovery", "t", {{"{}", {ended}, one.judged}}}},
                                      {one}};
  return run;
}

TEST(RunReader, AStoredDialogueIsReadBackWhole) {
  const auto run = run_with_a_dialogue();
  const std::string text = render_json(run);
  const auto read = read_run("run.json", text);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(render_json(*read), text);
  const auto& one = read->cases[0];
  EXPECT_EQ(one.transcript[2].direction, dialogue::Direction::aside);
  EXPECT_TRUE(one.transcript[1].is_control);
  EXPECT_TRUE(one.transcript[1].in_several_lines);
  EXPECT_EQ(one.transcript[1].http, run.cases[0].transcript[1].http);
  EXPECT_EQ(one.transcript[9].end, run.cases[0].transcript[9].end);
  EXPECT_EQ(one.transcript[10].survival, dialogue::Survival::dead);
  EXPECT_TRUE(one.transcript[10].answers_next);
  EXPECT_EQ(one.transcript[11].fact, dialogue::Fact::answered_again);
  EXPECT_EQ(one.ordinal, 7U);
  EXPECT_EQ(one.judged->findings[0].habits, std::vector<std::string>{"silence -> result"});
  EXPECT_TRUE(one.judged->findings[0].rest_counts);
  EXPECT_EQ(one.tries.size(), 1U);
  EXPECT_EQ(read->conditions->roles.at("echo"), "my.echo");
  EXPECT_EQ(read->conditions->dialogues.at(0).exchanges.at(0).call, "{}");
  EXPECT_EQ(read->conditions->unreported.size(), 1U);
}

TEST(RunReader, ARunWithoutConditionsIsOneOfAnOlderVersion) {
  const auto read = read_run("run.json", render_json(run_for_testing()));
  ASSERT_TRUE(read);
  EXPECT_FALSE(read->conditions);
}

TEST(RunReader, WhatAHostileServerSaidIsReadAndRenderedAgain) {
  const std::string text = render_json(hostile_run_for_testing());
  const auto read = read_run("run.json", text);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->cases.size(), 5U);
  EXPECT_EQ(render_json(*read), text);
}

TEST(RunReader, NamesThatHideSomethingAreVisibleWhenTheyAreRead) {
  auto run = run_for_testing();
  const std::string hidden = "a\x1b[2J\n\xE2\x80\xAE";
  const std::string visible = R"(a\x1b[2J\n\xe2\x80\xae)";
  run.target.transport = run.target.framing = run.profile = run.tool_version = hidden;
  run.classes[0].name = run.requirements[0].requirement.id = run.cases[0].id = hidden;
  run.cases[0].findings[0].requirement = hidden;
  const auto read = read_run("run.json", render_json(run));
  ASSERT_TRUE(read) << read.error().message;
  for (const auto& each :
       {read->target.transport, read->target.framing, read->profile, read->tool_version,
        read->classes[0].name, read->requirements[0].requirement.id, read->cases[0].id,
        read->cases[0].findings[0].requirement}) {
    EXPECT_EQ(each, visible);
  }
}

TEST(RunReader, AFileThatIsNoRunSaysWhereAndWhat) {
  EXPECT_TRUE(contains(complaint("{"), "run.json:1:2: not JSON: the text ends too early"));
  EXPECT_EQ(complaint("[]"), "run.json:1:1: an object is expected here, not an array");
  EXPECT_EQ(complaint("{}"), "run.json:1:1: member \"schema\" is missing");
  EXPECT_EQ(complaint(R"({"schema":"other"})"),
            "run.json:1:11: member \"schema\" is \"other\", not \"jrpcheck-run-1\": this is no run "
            "of jrpcheck, or one of another version");
}

TEST(RunReader, EveryMemberIsHeldAgainstItsType) {
  EXPECT_TRUE(contains(complaint_after([](Json& json) { json.erase("target"); }),
                       "member \"target\" is missing"));
  EXPECT_TRUE(contains(complaint_after([](Json& json) { json["cases"][1]["verdict"] = "fine"; }),
                       "case 'id/string': member \"verdict\" has the unknown value \"fine\""));
  EXPECT_TRUE(contains(complaint_after([](Json& json) { json["tool"]["seed"] = -1; }),
                       "member \"seed\" must be a whole number"));
  EXPECT_TRUE(contains(complaint_after([](Json& json) { json["duration-ms"] = 1e300; }),
                       "member \"duration-ms\" is no duration"));
  EXPECT_TRUE(contains(complaint_after([](Json& json) { json["notes"] = Json::array({1}); }),
                       "\"notes\" holds strings"));
  EXPECT_TRUE(contains(complaint_after([](Json& json) {
                         json["cases"][0]["transcript"][0].erase("text");
                         json["cases"][0]["transcript"][0]["base64"] = "?";
                       }),
                       "case 'id/number': member \"base64\" is not base64"));
  EXPECT_TRUE(contains(complaint_after([](Json& json) { json["counts"]["pass"] = 7; }),
                       "member \"counts\" disagrees with the cases"));
}

TEST(RunReader, MembersOfALaterVersionArePassedOver) {
  EXPECT_EQ(complaint_after([](Json& json) {
              json["later"] = 1;
              json["cases"][0]["later"] = "x";
            }),
            "");
}

}  // namespace run_reader_test
}  // namespace jrpcheck::reports
