// Defects of a program that speaks on its standard output.
#include <atomic>
#include <memory>
#include <string>

#include "reference-impl/deviations/catalogue.hpp"
#include "reference-impl/deviations/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

using Manner = Catastrophe::Manner;
using wire::Framing;

constexpr int kLogEveryNth = 5;

/// Writes something beside each message.
Behaviour with_noise(const std::string& before, const std::string& after) {
  return on_writing([=](const Framing& proper, std::string_view payload) {
    return before + proper.encode(payload) + after;
  });
}

Behaviour logging_now_and_then() {
  const auto count = std::make_shared<std::atomic<int>>(0);
  return on_writing([count](const Framing& proper, std::string_view payload) {
    const bool is_due = ++*count % kLogEveryNth == 0;
    return (is_due ? "INFO served another call\n" : "") + proper.encode(payload);
  });
}

Behaviour logging_errors() {
  return on_writing([](const Framing& proper, std::string_view payload) {
    const bool is_error = payload.find("\"error\"") != payload.npos;
    return (is_error ? "[error] call failed\n" : "") + proper.encode(payload);
  });
}

Behaviour at_end(Manner manner) {
  return {.end_of_stream = [manner] { throw Catastrophe{manner}; }};
}

Behaviour greeting_with(std::string text) {
  return {.greeting = [text = std::move(text)] { return text; }};
}

/// The process exits once it has answered.
Behaviour one_call_only() {
  const auto answered = std::make_shared<std::atomic<bool>>(false);
  return on_message([answered](std::string_view message) {
    if (answered->exchange(true)) throw Catastrophe{Manner::exit};
    return std::string(message);
  });
}

constexpr Deviation kStdioFaults[] = {
    {"stdout-banner", "std-clean", kStreams, "A banner is written to standard output at the start.",
     [] { return greeting_with("Server ready, waiting for calls\n"); }},
    {"stdout-log-now-and-then", "std-clean,(*)", kStreams,
     "A line of log is written to standard output before each fifth reply.", logging_now_and_then},
    {"stdout-log-of-errors", "std-clean", kStreams,
     "A line of log is written to standard output before each error.", logging_errors},
    {"stdout-json-log", "std-clean", kLines,
     "A line of log in JSON, which is no message, is written before each reply.",
     [] { return with_noise("{\"level\":\"info\",\"text\":\"served\"}\n", ""); }},
    {"stdout-prompt", "std-clean,(rob-survives)", kLines, "Each reply begins with a prompt.",
     [] { return with_noise("> ", ""); }},
    {"stdout-colours", "std-clean,(rob-survives)", kLines, "Replies are coloured for a terminal.",
     [] { return with_noise("\x1B[32m", "\x1B[0m"); }},
    {"eof-ignored", "std-eof,rob-half-message", kStreams,
     "The process stays when its input has ended.", [] { return at_end(Manner::hang); }},
    {"eof-spins", "std-eof,rob-half-message", kStreams,
     "The process turns in circles when its input has ended.", [] { return at_end(Manner::spin); }},
    {"one-call-only", "rob-survives", kStreams, "The process exits at its second message.",
     one_call_only},
};

}  // namespace

std::span<const Deviation> stdio_faults() { return kStdioFaults; }

}  // namespace jrpcheck::reference
