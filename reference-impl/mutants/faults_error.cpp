// Defects in the error object (JSON-RPC 2.0 §5.1).
#include <string>

#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

constexpr std::size_t kTooLong = 1000;

/// Gives the error this value in place of an Object.
Behaviour error_as(std::string (*value)(const ObjectText& error)) {
  return error([value](ObjectText& response) {
    response.set("error", value(*object_of(*response.find("error"))));
  });
}

Behaviour with_code(std::string (*code)(const std::string& proper)) {
  return error_object([code](ObjectText& error) { error.set("code", code(*error.find("code"))); });
}

Behaviour error_with_message(std::string message) {
  return error_object(set("message", std::move(message)));
}

Behaviour with_trace(int code) {
  return error_object(
      code, set("data", R"json({"stack":["Error","    at handle (/srv/app/rpc.js:12:7)"]})json"));
}

Reply quoting_the_name(const ElementText& element, const ProperReply& proper) {
  Reply reply = proper(element.text);
  auto response = reply ? object_of(*reply) : std::nullopt;
  if (!response || code_of(*response) != "-32601") return reply;
  response->set("error",
                R"({"code":-32601,"message":"Method not found: )" + element.method() + "\"}");
  return response->text();
}

}  // namespace

std::span<const Mutant> error_faults() {
  static const Mutant all[] = {
      {"error-is-text", breaks("err-object"), kEverywhere, "error is a String.",
       error_as([](const ObjectText& error) { return *error.find("message"); })},
      {"error-is-true", breaks("err-object"), kEverywhere, "error is true.",
       error_as([](const ObjectText&) { return std::string("true"); })},
      {"error-is-code", breaks("err-object"), kEverywhere, "error is the code alone.",
       error_as([](const ObjectText& error) { return *error.find("code"); })},
      {"error-is-array", breaks("err-object"), kEverywhere,
       "error is an Array of one error object.",
       error_as([](const ObjectText& error) { return "[" + error.text() + "]"; })},
      {"error-code-text", breaks("err-code-integer"), kEverywhere, "code is a String.",
       with_code([](const std::string& code) { return encoded(code); })},
      {"error-code-fraction", breaks("err-code-integer"), kEverywhere, "code has a fraction.",
       with_code([](const std::string& code) { return code + ".5"; })},
      {"error-code-null", breaks("err-code-integer"), kEverywhere, "code is null.",
       with_code([](const std::string&) { return std::string("null"); })},
      {"error-code-missing", breaks("err-code-integer"), kEverywhere, "There is no code.",
       error_object(remove("code"))},
      {"error-code-undefined", breaks("err-code-reserved"), kEverywhere,
       "A method that fails is answered -32604, which nothing defines.",
       error_object(1000, set("code", "-32604"))},
      {"error-message-missing", breaks("err-message-string"), kEverywhere, "There is no message.",
       error_object(remove("message"))},
      {"error-message-number", breaks("err-message-string"), kEverywhere, "message is a Number.",
       error_with_message("42")},
      {"error-message-null", breaks("err-message-string"), kEverywhere, "message is null.",
       error_with_message("null")},
      {"error-message-object", breaks("err-message-string"), kEverywhere, "message is an Object.",
       error_with_message(R"({"text":"failed"})")},
      {"error-message-unquoted", breaks("res-json"), kEverywhere,
       "The message of an unknown method has no quotation marks.",
       error_object(
           -32601,
           [](ObjectText& error) { error.set("message", decoded(*error.find("message"))); })},
      {"error-message-of-many-lines", breaks("err-message-concise"), kEverywhere,
       "message is a text of several lines.", error_with_message(R"("It failed.\nAsk somebody.")")},
      {"error-message-endless", breaks("err-message-concise"), kEverywhere,
       "message is a thousand characters long.",
       error_with_message(encoded(std::string(kTooLong, '!')))},
      {"params-invalid-trace", breaks("sec-no-leak"), kEverywhere,
       "The error that says that params are invalid has a stack trace as data.",
       with_trace(-32602)},
      {"parse-error-trace", breaks("sec-no-leak"), kEverywhere,
       "The reply to what is not JSON has a stack trace as data.", with_trace(-32700)},
      {"application-error-trace", breaks("sec-no-leak"), kEverywhere,
       "A method that fails is answered with a stack trace as data.", with_trace(1000)},
      {"error-message-names-source", breaks("sec-no-leak"), kEverywhere,
       "message names the place in the source where the error arose.",
       error_with_message(encoded("lookup failed (src/dispatch.cpp:118)"))},
      {"error-trace-in-data", breaks("sec-no-leak"), kEverywhere,
       "data holds a stack trace with paths.",
       error_object(
           set("data", encoded("Traceback (most recent call last):\n  File \"/srv/app/server.py\", "
                               "line 42, in handle\nKeyError: 'x'")))},
      {"error-message-with-raw-name",
       breaks("res-json").perhaps("std-clean", "tcp-framing", "lsp-length"), kEverywhere,
       "The message of an unknown method quotes its name as it is, without escapes.",
       on_element(quoting_the_name)},
  };
  return all;
}

}  // namespace jrpcheck::reference
