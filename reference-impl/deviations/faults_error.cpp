// Defects in the error object (JSON-RPC 2.0 §5.1).
#include <string>

#include "reference-impl/deviations/catalogue.hpp"
#include "reference-impl/deviations/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

constexpr std::size_t kTooLong = 1000;

/// Gives the error this value in place of an Object.
Behaviour error_as(std::string (*value)(const ObjectText& error)) {
  return on_error([value](ObjectText& response, ObjectText& error) {
    // The Object is left as it was, so that on_error does not put it back.
    response.set("error", value(error));
  });
}

Behaviour with_code(std::string (*code)(const std::string& proper)) {
  return on_error(
      [code](ObjectText&, ObjectText& error) { error.set("code", code(*error.find("code"))); });
}

Behaviour with_message(std::string message) {
  return on_error([message = std::move(message)](ObjectText&, ObjectText& error) {
    error.set("message", message);
  });
}

Behaviour with_trace(int code) {
  return on_error_of(code, [](ObjectText&, ObjectText& error) {
    error.set("data", R"json({"stack":["Error","    at handle (/srv/app/rpc.js:12:7)"]})json");
  });
}

constexpr Deviation kErrorFaults[] = {
    {"error-is-text", "err-object", kEverywhere, "error is a String.",
     [] { return error_as([](const ObjectText& error) { return *error.find("message"); }); }},
    {"error-is-true", "err-object", kEverywhere, "error is true.",
     [] { return error_as([](const ObjectText&) { return std::string("true"); }); }},
    {"error-is-code", "err-object", kEverywhere, "error is the code alone.",
     [] { return error_as([](const ObjectText& error) { return *error.find("code"); }); }},
    {"error-is-array", "err-object", kEverywhere, "error is an Array of one error object.",
     [] { return error_as([](const ObjectText& error) { return "[" + error.text() + "]"; }); }},
    {"error-code-text", "err-code-integer", kEverywhere, "code is a String.",
     [] { return with_code([](const std::string& code) { return encoded(code); }); }},
    {"error-code-fraction", "err-code-integer", kEverywhere, "code has a fraction.",
     [] { return with_code([](const std::string& code) { return code + ".5"; }); }},
    {"error-code-null", "err-code-integer", kEverywhere, "code is null.",
     [] { return with_code([](const std::string&) { return std::string("null"); }); }},
    {"error-code-missing", "err-code-integer", kEverywhere, "There is no code.",
     [] { return on_error([](ObjectText&, ObjectText& error) { error.remove("code"); }); }},
    {"error-code-undefined", "err-code-reserved", kEverywhere,
     "A method that fails is answered -32604, which nothing defines.",
     [] {
       return on_error_of(1000,
                          [](ObjectText&, ObjectText& error) { error.set("code", "-32604"); });
     }},
    {"error-message-missing", "err-message-string", kEverywhere, "There is no message.",
     [] { return on_error([](ObjectText&, ObjectText& error) { error.remove("message"); }); }},
    {"error-message-number", "err-message-string", kEverywhere, "message is a Number.",
     [] { return with_message("42"); }},
    {"error-message-null", "err-message-string", kEverywhere, "message is null.",
     [] { return with_message("null"); }},
    {"error-message-object", "err-message-string", kEverywhere, "message is an Object.",
     [] { return with_message(R"({"text":"failed"})"); }},
    {"error-message-unquoted", "res-json", kEverywhere,
     "The message of an unknown method has no quotation marks.",
     [] {
       return on_error_of(-32601, [](ObjectText&, ObjectText& error) {
         error.set("message", decoded(*error.find("message")));
       });
     }},
    {"error-message-of-many-lines", "err-message-concise", kEverywhere,
     "message is a text of several lines.",
     [] { return with_message(R"("It failed.\nAsk somebody.")"); }},
    {"error-message-endless", "err-message-concise", kEverywhere,
     "message is a thousand characters long.",
     [] { return with_message(encoded(std::string(kTooLong, '!'))); }},
    {"params-invalid-trace", "sec-no-leak", kEverywhere,
     "The error that says that params are invalid has a stack trace as data.",
     [] { return with_trace(-32602); }},
    {"parse-error-trace", "sec-no-leak", kEverywhere,
     "The reply to what is not JSON has a stack trace as data.", [] { return with_trace(-32700); }},
    {"application-error-trace", "sec-no-leak", kEverywhere,
     "A method that fails is answered with a stack trace as data.",
     [] { return with_trace(1000); }},
    {"error-message-names-source", "sec-no-leak", kEverywhere,
     "message names the place in the source where the error arose.",
     [] { return with_message(encoded("lookup failed (src/dispatch.cpp:118)")); }},
    {"error-trace-in-data", "sec-no-leak", kEverywhere, "data holds a stack trace with paths.",
     [] {
       return on_error([](ObjectText&, ObjectText& error) {
         error.set("data", encoded("Traceback (most recent call last):\n  File "
                                   "\"/srv/app/server.py\", line 42, in handle\nKeyError: 'x'"));
       });
     }},
};

}  // namespace

std::span<const Deviation> error_faults() { return kErrorFaults; }

}  // namespace jrpcheck::reference
