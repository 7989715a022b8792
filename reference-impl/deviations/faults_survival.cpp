// Defects that end the server, or its service, for a message it should have refused.
#include <algorithm>
#include <atomic>
#include <memory>
#include <string>

#include "reference-impl/deviations/catalogue.hpp"
#include "reference-impl/deviations/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

using Manner = Catastrophe::Manner;

constexpr std::size_t kStackLevels = 10'000;
constexpr std::size_t kHalfMebibyte = 512U << 10;
constexpr std::size_t kReplyBuffer = 64U << 10;
constexpr int kLifetime = 60;

/// Ends in that manner when a message comes for which `applies`.
Behaviour ending(Manner manner, bool (*applies)(std::string_view message)) {
  return on_message([=](std::string_view message) {
    if (applies(message)) throw Catastrophe{manner};
    return std::string(message);
  });
}

Behaviour silent_about(bool (*applies)(std::string_view message)) {
  return {.reply = [applies](std::string_view message, const ProperReply& proper) {
    return applies(message) ? std::nullopt : proper(message);
  }};
}

bool is_malformed(std::string_view message) { return !is_json(message); }

std::size_t depth_of(std::string_view message) {
  std::size_t depth = 0;
  std::size_t deepest = 0;
  for (const char c : message) {
    if (c == '[' || c == '{') deepest = std::max(deepest, ++depth);
    if ((c == ']' || c == '}') && depth > 0) --depth;
  }
  return deepest;
}

bool is_too_deep(std::string_view message) { return depth_of(message) > kStackLevels; }

bool is_too_long(std::string_view message) { return message.size() > kHalfMebibyte; }

bool has_lone_surrogate(std::string_view message) {
  return message.find("\\ud800") != message.npos || message.find("\\udc00") != message.npos;
}

bool has_foreign_bytes(std::string_view message) {
  return message.find_first_of("\xC0\xF5\xF8\xFE\xFF") != message.npos;
}

bool is_null_in_batch(std::string_view message) {
  if (!is_json(message) || !is_array(message)) return false;
  for (const std::string& element : elements_of(message)) {
    if (element == "null") return true;
  }
  return false;
}

bool has_empty_method(std::string_view message) {
  const auto object = is_json(message) ? object_of(message) : std::nullopt;
  return object && object->is("method", "\"\"");
}

bool is_primitive(std::string_view message) {
  return is_json(message) && !is_array(message) && !object_of(message);
}

/// After a message that is not JSON nothing is answered any more.
Behaviour deaf_after_malformed() {
  const auto deaf = std::make_shared<std::atomic<bool>>(false);
  return {.reply = [deaf](std::string_view message, const ProperReply& proper) -> Reply {
    if (*deaf) return std::nullopt;
    if (is_malformed(message)) *deaf = true;
    return proper(message);
  }};
}

/// The `__proto__` of any params is merged into what all errors are made of.
Behaviour polluted_by_prototypes() {
  const auto polluted = std::make_shared<std::atomic<bool>>(false);
  return {.reply = [polluted](std::string_view message, const ProperReply& proper) {
    Reply reply = proper(message);
    const bool was_polluted = *polluted;
    if (message.find("__proto__") != message.npos && message.find("params") != message.npos) {
      *polluted = true;
    }
    const auto response = reply ? object_of(*reply) : std::nullopt;
    if (!was_polluted || !response || code_of(*response) != "-32601") return reply;
    return Reply(error_text(1, "x", *response->find("id")));
  }};
}

Behaviour mortal() {
  const auto messages = std::make_shared<std::atomic<int>>(0);
  return on_message([messages](std::string_view message) {
    if (++*messages > kLifetime) throw Catastrophe{Manner::exit};
    return std::string(message);
  });
}

constexpr Deviation kSurvivalFaults[] = {
    {"parse-error-exit", "rob-survives", kEverywhere, "What is not JSON makes the process exit.",
     [] { return ending(Manner::exit, is_malformed); }},
    {"parse-error-abort", "rob-survives", kEverywhere,
     "What is not JSON ends the process by a signal.",
     [] { return ending(Manner::abort, is_malformed); }},
    {"parse-error-deafens", "rob-survives,(rob-pipelined)", kStreams,
     "After a message that is not JSON nothing is answered any more.", deaf_after_malformed},
    {"depth-fatal", "rob-survives", kEverywhere, "Deep nesting overflows the stack.",
     [] { return ending(Manner::abort, is_too_deep); }},
    {"depth-unanswered", "rob-depth", kEverywhere, "Deep nesting is not answered.",
     [] { return silent_about(is_too_deep); }},
    {"length-fatal", "rob-survives", kEverywhere, "A message of half a mebibyte ends the process.",
     [] { return ending(Manner::abort, is_too_long); }},
    {"length-unanswered", "res-always,(rob-depth)", kEverywhere,
     "A message of more than half a mebibyte is not answered.",
     [] { return silent_about(is_too_long); }},
    {"surrogate-fatal", "rob-survives", kEverywhere,
     "The escape of a lone surrogate ends the process.",
     [] { return ending(Manner::abort, has_lone_surrogate); }},
    {"surrogate-hangs", "rob-survives", kStreams,
     "The escape of a lone surrogate makes the server hang.",
     [] { return ending(Manner::hang, has_lone_surrogate); }},
    {"surrogate-unanswered", "res-always", kHttp,
     "The escape of a lone surrogate makes the thread that serves the connection hang.",
     [] { return ending(Manner::hang, has_lone_surrogate); }},
    {"long-reply-cut", "res-json", kEverywhere, "Replies end after 64 KiB.",
     [] {
       return on_reply([](const std::string& reply) { return reply.substr(0, kReplyBuffer); });
     }},
    {"foreign-bytes-fatal", "rob-survives", kEverywhere,
     "Bytes that UTF-8 never has end the process.",
     [] { return ending(Manner::exit, has_foreign_bytes); }},
    {"null-in-batch-fatal", "rob-survives", kEverywhere, "A null in a batch ends the process.",
     [] { return ending(Manner::abort, is_null_in_batch); }},
    {"empty-method-fatal", "rob-survives", kEverywhere, "An empty method name ends the process.",
     [] { return ending(Manner::exit, has_empty_method); }},
    {"primitive-fatal", "rob-survives", kEverywhere,
     "A message that is a Number, a String or a literal ends the process.",
     [] { return ending(Manner::abort, is_primitive); }},
    {"prototype-pollutes", "rob-prototype-params,(rob-concurrent),(rob-pipelined),(rob-split)",
     kEverywhere, "A __proto__ in params changes the errors of later calls.",
     polluted_by_prototypes},
    {"dies-after-sixty-messages", "rob-survives,(*)", kEverywhere,
     "The process exits at the sixty-first message.", mortal},
};

}  // namespace

std::span<const Deviation> survival_faults() { return kSurvivalFaults; }

}  // namespace jrpcheck::reference
