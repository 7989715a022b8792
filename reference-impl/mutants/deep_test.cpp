#include "reference-impl/mutants/deep.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "reference-impl/methods.hpp"
#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/mutated_server.hpp"
#include "reference-impl/mutants/probe_messages_for_testing.hpp"

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

TEST(DeepFaults, EachShowsInMessagesOfItsOwn) {
  const auto shown_by = witnesses();
  for (const Mutant& fault : deep_faults()) {
    const auto found = shown_by.find(std::string(fault.name));
    ASSERT_NE(found, shown_by.end()) << fault.name << " has no witness";
    EXPECT_NE(told(fault.behaviour(), found->second), told({}, found->second)) << fault.name;
  }
}

TEST(DeepFaults, EachLeavesTheMessagesOfMostOthersAlone) {
  const auto shown_by = witnesses();
  for (const Mutant& fault : deep_faults()) {
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
  for (const Mutant& fault : deep_faults()) {
    EXPECT_EQ(told(fault.behaviour(), plain), told({}, plain)) << fault.name;
  }
}

}  // namespace deep_test
}  // namespace jrpcheck::reference
