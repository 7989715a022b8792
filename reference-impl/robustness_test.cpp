// Whatever comes in: no crash, nothing thrown, and a reply that is JSON in UTF-8, or none.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>

#include "base/utf8.hpp"
#include "reference-impl/reply_for_testing.hpp"

namespace jrpcheck::reference {
namespace robustness_test {

void assert_reply_is_well_formed(const std::string& message) {
  const auto reply = ask(message);
  if (!reply) return;
  RC_ASSERT(is_valid_utf8(*reply));
  RC_ASSERT(outline(reply).find("malformed") == std::string::npos);
}

RC_GTEST_PROP(AnyBytes, AreAnsweredWellFormedOrNotAtAll, (const std::string& bytes)) {
  assert_reply_is_well_formed(bytes);
}

rc::Gen<std::string> token() {
  return rc::gen::element<std::string>(
      "{", "}", "[", "]", ",", ":", "\"jsonrpc\"", "\"2.0\"", "\"method\"", "\"params\"", "\"id\"",
      "\"echo\"", "\"sum\"", "\"nothing\"", "1", "-0", "1.5", "1e400", "null", "true",
      "\"\\ud800\"", "\"\\u0000\"", "\"\xff\"", " ",
      "{\"jsonrpc\":\"2.0\",\"method\":\"echo\",\"params\":", ",\"id\":1e400}", ",\"id\":7}", "[{}",
      "\"result\"");
}

RC_GTEST_PROP(AnyTokens, AreAnsweredWellFormedOrNotAtAll, ()) {
  const auto tokens = *rc::gen::container<std::vector<std::string>>(token());
  std::string message;
  for (const auto& each : tokens) message += each;
  assert_reply_is_well_formed(message);
}

RC_GTEST_PROP(AnyDamageToACall, IsAnsweredWellFormedOrNotAtAll, ()) {
  std::string message =
      "[{\"jsonrpc\":\"2.0\",\"method\":\"echo\",\"params\":{\"a\":[1e400,\"\xc3\xa9\\n\"]},"
      "\"id\":1.50},{\"jsonrpc\":\"2.0\",\"method\":\"sum\",\"params\":[1,-2e3],\"id\":\"x\"}]";
  const int edits = *rc::gen::inRange(1, 4);
  for (int i = 0; i < edits; ++i) {
    const auto at = *rc::gen::inRange<std::size_t>(0, message.size());
    const auto removed = *rc::gen::inRange<std::size_t>(0, 4);
    message.replace(at, removed, *rc::gen::resize(3, rc::gen::string<std::string>()));
    RC_PRE(!message.empty());
  }
  assert_reply_is_well_formed(message);
}

using nlohmann::json;

rc::Gen<json> scalar() {
  return rc::gen::element<json>(nullptr, true, 0, -1, 1.5, 1e300, "", "2.0", "echo", "fails", "sum",
                                "\xc3\xa9", "rpc.x", 9007199254740993);
}

rc::Gen<std::string> name() {
  return rc::gen::element<std::string>("jsonrpc", "method", "params", "id", "result", "error", "x");
}

rc::Gen<json> json_value(int depth) {
  if (depth == 0) return scalar();
  const auto inner = json_value(depth - 1);
  return rc::gen::oneOf(scalar(),
                        rc::gen::map(rc::gen::container<std::vector<json>>(inner),
                                     [](auto all) { return json(all); }),
                        rc::gen::map(rc::gen::container<std::map<std::string, json>>(name(), inner),
                                     [](auto all) { return json(all); }));
}

RC_GTEST_PROP(AnyJson, IsNeverAnsweredAsIfItWereNotJson, ()) {
  const std::string message = (*json_value(3)).dump();
  assert_reply_is_well_formed(message);
  RC_ASSERT(outline(ask(message)).find("-32700") == std::string::npos);
}

}  // namespace robustness_test
}  // namespace jrpcheck::reference
