#include "reference-impl/mutants/deep.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "reference-impl/methods.hpp"
#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/mutated_server.hpp"
#include "reference-impl/mutants/probe_messages_for_testing.hpp"
#include "reference-impl/mutants/rewrites.hpp"

namespace jrpcheck::reference {
namespace deep_test {

using Messages = std::vector<std::string>;

std::string by_name(const std::string& method, const std::string& params, const std::string& id) {
  return R"({"jsonrpc":"2.0","method":")" + method + R"(","params":{)" + params + R"(},"id":)" +
         id + "}";
}

std::string by_position(const std::string& method, const std::string& params,
                        const std::string& id) {
  return R"({"jsonrpc":"2.0","method":")" + method + R"(","params":[)" + params + R"(],"id":)" +
         id + "}";
}

std::string silent(const std::string& method, const std::string& params) {
  return notification_with(R"("method":")" + method + R"(","params":)" + params);
}

std::string batch(const Messages& elements) { return array_of(elements); }

Messages thirteen() {
  Messages elements(12, silent("update", "[]"));
  elements.push_back(call_with_id("\"\""));
  return elements;
}

/// Messages that show each fault.
std::map<std::string, Messages> witnesses() {
  const std::string plain = call_with_id("1");
  return {
      {"deep-null-by-name", {by_name("subtract", R"("minuend":null)", "1")}},
      {"deep-fraction-by-name", {by_name("echo", R"("a":1.5)", R"("x")")}},
      {"deep-object-in-array-by-name", {by_name("echo", R"("a":[{}])", "1")}},
      {"deep-escape-in-parameter-name", {by_name("sum", R"("\u0061":1)", "1")}},
      {"deep-repeated-parameter", {by_name("echo", R"("a":1,"a":2)", "1")}},
      {"deep-ids-of-two-types", {R"({"jsonrpc":"2.0","method":"echo","id":1,"id":"x"})"}},
      {"deep-quoted-argument", {by_position("sum", R"("\"")", "1")}},
      {"deep-id-before-method", {R"({"jsonrpc":"2.0","id":1,"method":"echo","params":{"a":1}})"}},
      {"deep-member-of-a-response", {call_with(R"("method":"echo","params":[],"error":null)")}},
      {"deep-exponent-with-arguments", {by_position("fails", "1", "1e2")}},
      {"deep-escape-in-silent-method", {silent(R"(\u0065cho)", "[]")}},
      {"deep-parameter-named-id", {by_name("echo", R"("id":"x")", "1")}},
      {"deep-prototype-within", {by_position("echo", R"({"__proto__":1})", "1")}},
      {"deep-objects-in-objects", {by_name("echo", R"("a":{"a":{"a":[{"a":{}}]}})", "1")}},
      {"deep-true-and-no-id", {by_position("echo", "true", "null")}},
      {"deep-empty-parameter-name", {by_name("sum", R"("":1)", "1")}},
      {"deep-sign-and-accent", {by_position("\xC3\xA9", "1", "-7")}},
      {"deep-long-argument", {by_position("echo", "\"" + std::string(300, 'x') + "\"", R"("x")")}},
      {"deep-number-and-text-twins",
       {batch({call_with_id("7"), silent("update", "[]"), call_with_id("\"7\"")})}},
      {"deep-id-by-name-and-by-position",
       {batch({by_name("echo", "", "1"), by_position("echo", "", "1")})}},
      {"deep-silent-first-invalid-later",
       {batch({silent("update", "[]"), R"({"jsonrpc":"2.0","id":7})"})}},
      {"deep-empty-array-last", {batch({plain, "[]"})}},
      {"deep-three-silent-by-name",
       {batch({silent("update", "[]"), silent("update", "[]"), silent("update", "{}")})}},
      {"deep-fraction-third", {batch({plain, plain, call_with_id("1.5")})}},
      {"deep-batch-after-space", {" " + batch({plain, silent("update", "[]")})}},
      {"deep-escaped-version-in-batch",
       {batch({R"({"jsonrpc":"\u0032.0","method":"echo","id":1})"})}},
      {"deep-empty-id-among-many", {batch(thirteen())}},
      {"deep-the-same-thrice", {batch({plain, plain, plain})}},
      {"deep-nul-second", {batch({plain, call_with_id(R"("a\u0000b")")})}},
      {"deep-reserved-name-in-batch", {batch({silent("rpc.x", "[]")})}},
      {"deep-batch-after-broken-batch",
       {"[" + plain, batch({plain, silent("update", "[]"), silent("update", "[]")})}},
      {"deep-error-left-behind", {silent("fails", "[]"), by_name("echo", R"("a":1)", R"("x")")}},
      {"deep-null-after-nested-batch", {"[[]]", plain, by_name("echo", R"("a":1)", "null")}},
      {"deep-id-used-before",
       {by_position("sum", "1", R"("x")"), plain, by_name("echo", R"("a":1)", R"("x")")}},
      {"deep-signed-zero", {by_position("echo", "-0", R"("x")")}},
      {"deep-empty-beside-null", {by_position("echo", R"("",null)", "1")}},
      {"deep-slash-by-name", {by_name("no/x", R"("a":1)", "1")}},
      {"deep-accented-parameter", {by_name("echo", "\"\xC3\xA9\":1", "7")}},
      {"deep-wide-id-by-name", {by_name("echo", R"("a":1)", "\"a\xF0\x9F\x98\x80\"")}},
      {"deep-arrays-in-arrays", {by_position("echo", "[[1]]", "700")}},
      {"deep-three-by-name", {by_name("no.x", R"("a":1,"b":null,"c":2)", "1")}},
      {"deep-sign-beside-silence", {batch({call_with_id("-7"), silent("no.x", R"({"a":1})")})}},
      {"deep-null-beside-zero", {batch({call_with_id("null"), call_with_id("0")})}},
      {"deep-unnamed-in-batch", {batch({plain, by_position("", "1", "2")})}},
      {"deep-text-beside-silence",
       {batch({silent("update", "[]"), call_with(R"("method":"echo","params":"x")")})}},
      {"deep-escape-kept-in-batch", {batch({plain, plain, call_with_id(R"("a\n")")})}},
      {"deep-number-as-method",
       {R"({"jsonrpc":"2.0","method":1,"id":1})", plain, by_name("echo", R"("a":1)", R"("x")")}},
      {"deep-silence-after-empty-batch", {"[]", plain, silent("update", R"({"a":null})")}},
      {"deep-empty-text-for-silence", {batch({silent("update", R"({"a":null})")})}},
      {"deep-capital-exponent-with-sign", {by_position("echo", "1E+2", "1")}},
      {"deep-ninth-argument", {by_position("sum", "1,2,3,4,5,6,7,8,9", "1")}},
      {"deep-id-without-sign-in-batch", {batch({call_with_id("2147483648")})}},
      {"deep-behind-an-empty-object", {batch({"{}", plain})}},
      {"deep-id-searched-as-text", {silent("update", R"(["id"])")}},
      {"deep-control-character-in-method", {by_position("a\\nb", "", "1")}},
      {"deep-answer-from-the-cache",
       {by_name("sum", "", R"("x")"), plain, by_name("sum", "", R"("y")")}},
      {"deep-notification-again", {silent("update", "[1]"), plain, silent("update", "[1]")}},
  };
}

/// What a server that behaves like this says to the messages, one after the other.
Messages told(const Behaviour& behaviour, const Messages& messages) {
  const Dispatcher dispatcher = make_reference_dispatcher();
  const ProperReply proper = [&](std::string_view text) { return Reply(dispatcher.handle(text)); };
  Messages replies;
  for (const auto& message : messages) {
    try {
      const Reply reply = behaviour.reply ? behaviour.reply(message, proper) : proper(message);
      replies.push_back(reply.value_or("silence"));
    } catch (const Catastrophe&) {
      replies.emplace_back("death");
    }
  }
  return replies;
}

/// Those that strike below the messages have tests of their own.
std::vector<Mutant> in_messages() {
  std::vector<Mutant> faults = deep_faults();
  faults.erase(std::remove_if(faults.begin(), faults.end(),
                              [](const Mutant& each) { return !each.behaviour().reply; }),
               faults.end());
  return faults;
}

Behaviour at_a_door(std::string_view name) {
  for (const Mutant& each : deep_faults_at_doors()) {
    if (each.name == name) return each.behaviour();
  }
  ADD_FAILURE() << "no fault is called " << name;
  return {};
}

TEST(DeepFaultsAtDoors, ABatchWithANotificationIsLostBehindAnother) {
  const auto arriving = at_a_door("deep-batch-behind-another").arriving;
  const std::string call = call_with_id("1") + "\n";
  const std::string mixed = batch({call_with_id("2"), silent("update", "[]")}) + "\n";
  EXPECT_EQ(arriving(call + mixed + call), call + call);
  EXPECT_EQ(arriving(mixed + call), mixed + call);
  EXPECT_EQ(arriving(call + batch({call_with_id("2")}) + "\n"),
            call + batch({call_with_id("2")}) + "\n");
}

TEST(DeepFaultsAtDoors, TheNinthOfOneReadIsLost) {
  const auto arriving = at_a_door("deep-ninth-of-one-read").arriving;
  const std::string line = call_with_id("1") + "\n";
  std::string eight;
  for (int i = 0; i < 8; ++i) eight += line;
  EXPECT_EQ(arriving(eight), eight);
  EXPECT_EQ(arriving(eight + line + line), eight);
  EXPECT_EQ(arriving(eight + line + "{"), eight + "{");
}

TEST(DeepFaultsAtDoors, ACharacterIsCutByALargeReadAlone) {
  const auto arriving = at_a_door("deep-character-cut-by-a-read").arriving;
  const std::string large(2000, 'x');
  EXPECT_EQ(arriving(large + "\xC3"), large + "?");
  EXPECT_EQ(arriving(large + "\n"), large + "\n");
  EXPECT_EQ(arriving("x\xC3"), "x\xC3");
}

TEST(DeepFaultsAtDoors, AFrameOfABatchWithAFractionHasAReservedBit) {
  const auto write = at_a_door("deep-fraction-with-reserved-bit").websocket.write;
  const std::string one = R"({"jsonrpc":"2.0","id":1,"result":1})";
  const std::string other = R"({"jsonrpc":"2.0","id":1.5,"result":1})";
  EXPECT_NE(write(batch({one, other})), server_frame({}, batch({one, other})));
  EXPECT_EQ(write(batch({one, one})), server_frame({}, batch({one, one})));
  EXPECT_EQ(write(other), server_frame({}, other));
}

TEST(DeepFaultsAtDoors, AWideCharacterInABatchMakesTheLengthTooSmall) {
  const auto answer = at_a_door("deep-length-in-characters").answer;
  const auto length_of = [&](const std::string& body) {
    const ProperAnswer proper = [&](const wire::HttpMessage&) {
      return HttpAnswer{
          "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body,
          true};
    };
    return http_message_of(answer({}, proper)).field("Content-Length").value_or("");
  };
  EXPECT_EQ(length_of("[1,2,\"\xF0\x9F\x98\x80\"]"), "9");
  EXPECT_EQ(length_of("[1,\"\xF0\x9F\x98\x80\"]"), "10");
  EXPECT_EQ(length_of("[1,2,\"\xC3\xA9\"]"), "10");
  EXPECT_EQ(length_of("\"\xF0\x9F\x98\x80\""), "6");
}

TEST(DeepFaultsAtDoors, AnEscapedLineFeedBreaksTheEventOfAnArray) {
  const auto edit = at_a_door("deep-line-break-in-an-array").events.edit;
  std::vector<std::string> events = {"data: [\"a\\nb\"]\n\n", "data: {\"a\":\"\\n\"}\n\n"};
  edit(events);
  EXPECT_EQ(events[0], "data: [\"a\nb\"]\n\n");
  EXPECT_EQ(events[1], "data: {\"a\":\"\\n\"}\n\n");
}

TEST(DeepFaults, AnExponentIsLookedForOutsideStrings) {
  const auto behaviour = find_fault("deep-capital-exponent-with-sign")->behaviour();
  const Messages quoted = {by_position("echo", R"("\"1E+2\\")", R"("E+")"),
                           by_position("echo", "1e+2,1E2", "1")};
  EXPECT_EQ(told(behaviour, quoted), told({}, quoted));
}

TEST(DeepFaults, AnIntegerOfOneBitLessKeepsItsSign) {
  const auto behaviour = find_fault("deep-id-without-sign-in-batch")->behaviour();
  const Messages told_batch =
      told(behaviour, {batch({call_with_id("2147483647"), call_with_id("4294967295"),
                              call_with_id("4294967296")})});
  const auto replies = elements_of(told_batch.front());
  const auto id_in = [&](std::size_t at) { return *object_of(replies[at])->find("id"); };
  EXPECT_EQ(id_in(0), "2147483647");
  EXPECT_EQ(id_in(1), "-1");
  EXPECT_EQ(id_in(2), "4294967296");
}

TEST(DeepFaults, WhatStandsBeforeAnEmptyObjectIsAnswered) {
  const auto behaviour = find_fault("deep-behind-an-empty-object")->behaviour();
  const std::string one = call_with_id("1");
  EXPECT_EQ(told(behaviour, {batch({one, "{}", one})}), told({}, {batch({one, "{}"})}));
}

TEST(DeepFaults, EachShowsInMessagesOfItsOwn) {
  const auto shown_by = witnesses();
  for (const Mutant& fault : in_messages()) {
    const auto found = shown_by.find(std::string(fault.name));
    ASSERT_NE(found, shown_by.end()) << fault.name << " has no witness";
    EXPECT_NE(told(fault.behaviour(), found->second), told({}, found->second)) << fault.name;
  }
}

TEST(DeepFaults, EachLeavesTheMessagesOfMostOthersAlone) {
  const auto shown_by = witnesses();
  for (const Mutant& fault : in_messages()) {
    std::size_t changed = 0;
    for (const auto& [name, messages] : shown_by) {
      if (told(fault.behaviour(), messages) != told({}, messages)) ++changed;
    }
    EXPECT_LE(changed, 3U) << fault.name << " is not deep";
  }
}

TEST(DeepFaults, PlainMessagesAreAnsweredAsEver) {
  const Messages plain = {call_with_id("1"),
                          by_name("echo", R"("a":1)", "2"),
                          by_position("sum", "1,2", R"("x")"),
                          silent("update", "[1]"),
                          batch({call_with_id("1"), silent("update", "[2]")}),
                          "[",
                          "[]",
                          "1"};
  for (const Mutant& fault : in_messages()) {
    EXPECT_EQ(told(fault.behaviour(), plain), told({}, plain)) << fault.name;
  }
}

}  // namespace deep_test
}  // namespace jrpcheck::reference
