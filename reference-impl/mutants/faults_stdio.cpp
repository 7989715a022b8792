// Defects of a program that speaks on its standard output.
#include <atomic>
#include <memory>
#include <string>

#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

using Manner = Catastrophe::Manner;
using wire::Framing;

constexpr int kLogEveryNth = 5;
constexpr int kMinuteMs = 60'000;

/// Writes something beside each message.
Behaviour with_noise(const std::string& before, const std::string& after) {
  return on_writing([=](Framing& proper, std::string_view payload) {
    return before + proper.encode(payload) + after;
  });
}

Behaviour logging_now_and_then() {
  const auto count = std::make_shared<std::atomic<int>>(0);
  return on_writing([count](Framing& proper, std::string_view payload) {
    const bool is_due = ++*count % kLogEveryNth == 0;
    return (is_due ? "INFO served another call\n" : "") + proper.encode(payload);
  });
}

Behaviour logging_errors() {
  return on_writing([](Framing& proper, std::string_view payload) {
    const bool is_error = payload.find("\"error\"") != payload.npos;
    return (is_error ? "[error] call failed\n" : "") + proper.encode(payload);
  });
}

Behaviour at_end(Manner manner) {
  return {.end_of_stream = [manner] { throw Catastrophe{manner}; }};
}

constexpr const char* kBanner = "Server ready, waiting for calls\n";

bool is_handshake(const ElementText& element) {
  return element.is_call() && element.method() == "initialize";
}

/// Whoever begins with the handshake meets the banner before its answer, and nowhere else.
Behaviour banner_before_handshake() {
  Behaviour behaviour =
      answer(is_handshake, succeeding_with(R"({"protocolVersion":"2025-06-18","capabilities":{},)"
                                           R"("serverInfo":{"name":"reference","version":"1"}})"));
  behaviour.greeting = kBanner;
  return behaviour;
}

/// The process exits once it has answered.
Behaviour one_call_only() {
  const auto answered = std::make_shared<std::atomic<bool>>(false);
  return on_message([answered](std::string_view message) {
    if (answered->exchange(true)) throw Catastrophe{Manner::exit};
    return std::string(message);
  });
}

}  // namespace

std::span<const Mutant> stdio_faults() {
  static const Mutant all[] = {
      {"stdout-banner", breaks("std-clean"), kStreams,
       "A banner is written to standard output at the start.", Behaviour{.greeting = kBanner}},
      {"stdout-banner-before-handshake", breaks("std-clean"), kStreams,
       "A banner is written to standard output before initialize is answered.",
       banner_before_handshake, "mcp"},
      {"stdout-banner-without-end", breaks("std-clean").wherever_it_strikes(), kLines,
       "Dots are written to standard output at the start, and the first reply on their line.",
       Behaviour{.greeting = "..."}},
      {"stdout-log-now-and-then", breaks("std-clean").wherever_it_strikes(), kStreams,
       "A line of log is written to standard output before each fifth reply.",
       logging_now_and_then},
      {"stdout-log-of-errors", breaks("std-clean"), kStreams,
       "A line of log is written to standard output before each error.", logging_errors},
      {"stdout-json-log", breaks("std-clean"), kLines,
       "A line of log in JSON, which is no message, is written before each reply.",
       with_noise("{\"level\":\"info\",\"text\":\"served\"}\n", "")},
      {"stdout-prompt", breaks("std-clean").perhaps("rob-survives"), kLines,
       "Each reply begins with a prompt.", with_noise("> ", "")},
      {"stdout-colours", breaks("std-clean").perhaps("rob-survives"), kLines,
       "Replies are coloured for a terminal.", with_noise("\x1B[32m", "\x1B[0m")},
      {"eof-ignored", breaks("std-eof", "rob-half-message"), kStreams,
       "The process stays when its input has ended.", at_end(Manner::hang)},
      {"eof-spins", breaks("std-eof", "rob-half-message"), kStreams,
       "The process turns in circles when its input has ended.", at_end(Manner::spin)},
      {"ends-too-late", breaks("std-eof", "rob-half-message"), kStreams,
       "The process ends a minute after its input.", ending_late(kMinuteMs)},
      {"one-call-only", breaks("rob-survives"), kStreams,
       "The process exits at its second message.", one_call_only},
  };
  return all;
}

}  // namespace jrpcheck::reference
