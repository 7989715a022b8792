// Defects that end the server, or its service, for a message it should have refused.
#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/rewrites.hpp"

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

bool is_primitive_message(std::string_view message) {
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

/// A call whose method fails does damage: from then on every call has the same error.
Behaviour failing_for_good() {
  const auto damaged = std::make_shared<std::atomic<bool>>(false);
  return on_element([damaged](const ElementText& element, const ProperReply& proper) -> Reply {
    if (*damaged && element.is_call()) {
      return error_text(-32000, "The connection to the database is lost", element.id());
    }
    Reply reply = proper(element.text);
    const auto response = reply ? object_of(*reply) : std::nullopt;
    if (response && code_of(*response) == "1000") *damaged = true;
    return reply;
  });
}

bool is_white_space(std::string_view message) { return stripped(message).empty(); }

bool is_version_alone(std::string_view message) {
  const auto object = is_json(message) ? object_of(message) : std::nullopt;
  return object && object->members.size() == 1 && object->is("jsonrpc", "\"2.0\"");
}

bool is_long_notification(std::string_view message) {
  constexpr std::size_t kLong = 3'000;
  return message.size() > kLong && is_json(message) &&
         ElementText{std::string(message), object_of(message)}.is_notification();
}

bool fills_a_page(std::string_view message) {
  constexpr std::size_t kPage = 4096;
  return message.size() == kPage;
}

bool fills_a_kibibyte(std::string_view message) {
  constexpr std::size_t kSmall = 1024;
  return message.size() == kSmall;
}

/// Who reads as many bytes at a time takes them for all that there is.
std::string cut_where_it_fills_two_kibibytes(std::string_view message) {
  constexpr std::size_t kBuffer = 2048;
  return std::string(message.substr(0, message.size() == kBuffer ? kBuffer - 1 : message.size()));
}

bool is_deep_echo(std::string_view message) {
  return is_too_deep(message) && message.find("\"echo\"") != message.npos;
}

bool is_array_message(std::string_view message) { return is_json(message) && is_array(message); }

bool is_nameless(std::string_view message) {
  const auto object = is_json(message) ? object_of(message) : std::nullopt;
  const std::string* method = object ? object->find("method") : nullptr;
  return object && (method == nullptr || !is_string(*method));
}

bool names_method_without(std::string_view member, std::string_view message) {
  const auto object = is_json(message) ? object_of(message) : std::nullopt;
  return object && object->has("method") && !object->has(member);
}

bool is_named_without_params(std::string_view message) {
  return names_method_without("params", message);
}

bool has_no_id(std::string_view message) { return names_method_without("id", message); }

std::optional<ObjectText> named_params_of(std::string_view message) {
  const auto object = is_json(message) ? object_of(message) : std::nullopt;
  const std::string* params = object ? object->find("params") : nullptr;
  return params != nullptr ? object_of(*params) : std::nullopt;
}

bool has_long_member_name(std::string_view message) {
  constexpr std::size_t kLong = 20'000;
  const auto params = named_params_of(message);
  return params && std::ranges::any_of(params->members, [](const auto& member) {
           return member.first.size() > kLong;
         });
}

bool has_many_members(std::string_view message) {
  constexpr std::size_t kMany = 500;
  const auto params = named_params_of(message);
  return params && params->members.size() > kMany;
}

bool has_long_number(std::string_view message) {
  constexpr std::size_t kDigits = 1'500;
  std::size_t digits = 0;
  return std::ranges::any_of(message, [&](char each) {
    digits = each >= '0' && each <= '9' ? digits + 1 : 0;
    return digits > kDigits;
  });
}

bool is_brackets_that_close(std::string_view message) {
  constexpr std::size_t kDeep = 100;
  return message.find_first_not_of("[]") == message.npos && is_json(message) &&
         depth_of(message) > kDeep;
}

bool is_batch_with_response(std::string_view message) {
  if (!is_array_message(message)) return false;
  return std::ranges::any_of(elements_of(message), [](const std::string& element) {
    const auto object = object_of(element);
    return object && object->has("result") && !object->has("method");
  });
}

}  // namespace

std::span<const Mutant> survival_faults() {
  static const Mutant all[] = {
      {"parse-error-exit",
       breaks("rob-survives").perhaps("tcp-foreign", "ws-not-deaf", "ws-one-message"), kEveryDoor,
       "What is not JSON makes the process exit.", ending(Manner::exit, is_malformed)},
      {"parse-error-abort", breaks("rob-survives").perhaps("tcp-foreign"), kEverywhereAndTcp,
       "What is not JSON ends the process by a signal.", ending(Manner::abort, is_malformed)},
      {"parse-error-deafens", breaks("rob-survives").perhaps("rob-pipelined", "tcp-foreign"),
       kStreamsAndTcp, "After a message that is not JSON nothing is answered any more.",
       deaf_after_malformed},
      {"depth-fatal", breaks("rob-survives"), kEverywhereAndTcp,
       "Deep nesting overflows the stack.", ending(Manner::abort, is_too_deep)},
      {"depth-unanswered", breaks("rob-depth"), kEverywhere, "Deep nesting is not answered.",
       silent_about(is_too_deep)},
      {"length-fatal", breaks("rob-survives"), kEverywhere,
       "A message of half a mebibyte ends the process.", ending(Manner::abort, is_too_long)},
      {"length-unanswered", breaks("res-always").perhaps("rob-depth"), kEverywhere,
       "A message of more than half a mebibyte is not answered.", silent_about(is_too_long)},
      {"surrogate-fatal", breaks("rob-survives"), kEverywhere,
       "The escape of a lone surrogate ends the process.",
       ending(Manner::abort, has_lone_surrogate)},
      {"surrogate-hangs", breaks("rob-survives"), kStreams,
       "The escape of a lone surrogate makes the server hang.",
       ending(Manner::hang, has_lone_surrogate)},
      {"surrogate-unanswered", breaks("res-always"), kHttp,
       "The escape of a lone surrogate makes the thread that serves the connection hang.",
       ending(Manner::hang, has_lone_surrogate)},
      {"long-reply-cut", breaks("res-json"), kEverywhereAndTcp, "Replies end after 64 KiB.",
       on_reply([](const std::string& reply) { return reply.substr(0, kReplyBuffer); })},
      {"foreign-bytes-fatal", breaks("rob-survives"), kEverywhereAndTcp,
       "Bytes that UTF-8 never has end the process.", ending(Manner::exit, has_foreign_bytes)},
      {"null-in-batch-fatal", breaks("rob-survives"), kEverywhere,
       "A null in a batch ends the process.", ending(Manner::abort, is_null_in_batch)},
      {"empty-method-fatal", breaks("rob-survives"), kEverywhere,
       "An empty method name ends the process.", ending(Manner::exit, has_empty_method)},
      {"primitive-fatal", breaks("rob-survives"), kEverywhere,
       "A message that is a Number, a String or a literal ends the process.",
       ending(Manner::abort, is_primitive_message)},
      {"prototype-pollutes",
       breaks("rob-prototype-params")
           .perhaps("rob-concurrent", "rob-pipelined", "rob-split", "rob-survives"),
       kEverywhere, "A __proto__ in params changes the errors of later calls.",
       polluted_by_prototypes},
      {"dies-after-sixty-messages", breaks("rob-survives").wherever_it_strikes(), kEverywhereAndTcp,
       "The process exits at the sixty-first message.", mortal},
      {"fails-for-good", breaks("rob-survives").wherever_it_strikes(), kEverywhere,
       "After a call whose method has failed every call is answered with one error.",
       failing_for_good},
      {"white-space-fatal", breaks("rob-survives"), kMarked,
       "A message of white space alone ends the process.", ending(Manner::exit, is_white_space)},
      {"version-alone-fatal", breaks("rob-survives"), kEverywhere,
       "A message with nothing but the version ends the process.",
       ending(Manner::exit, is_version_alone)},
      {"echo-depth-fatal", breaks("rob-survives"), kEverywhere,
       "Deep nesting in the params of echo overflows the stack.",
       ending(Manner::abort, is_deep_echo)},
      {"long-notification-fatal", breaks("rob-survives"), kEverywhereAndTcp,
       "A Notification of more than 3,000 bytes ends the process.",
       ending(Manner::exit, is_long_notification)},
      {"long-member-name-fatal", breaks("rob-survives"), kEverywhere,
       "A param whose name has more than 20,000 characters ends the process.",
       ending(Manner::abort, has_long_member_name)},
      {"many-members-fatal", breaks("rob-survives"), kEverywhere,
       "More than 500 named params end the process.", ending(Manner::abort, has_many_members)},
      {"long-number-fatal", breaks("rob-survives"), kEverywhere,
       "A Number of more than 1,500 digits ends the process.",
       ending(Manner::abort, has_long_number)},
      {"brackets-that-close-fatal", breaks("rob-survives"), kEverywhere,
       "Arrays in each other, 100 deep and with nothing else, end the process.",
       ending(Manner::abort, is_brackets_that_close)},
      {"response-in-batch-fatal", breaks("rob-survives"), kEverywhere,
       "A Response within a batch ends the process.", ending(Manner::exit, is_batch_with_response)},
      {"message-of-4096-bytes-unanswered", breaks("res-always"), kEverywhereAndTcp,
       "A message of exactly 4,096 bytes is not answered.", silent_about(fills_a_page)},
      {"message-of-1024-bytes-unanswered", breaks("res-always"), kEverywhereAndTcp,
       "A message of exactly 1,024 bytes is not answered.", silent_about(fills_a_kibibyte)},
      {"message-of-2048-bytes-cut", breaks("rob-size"), kEverywhereAndTcp,
       "A message of exactly 2,048 bytes loses its last.",
       on_message(cut_where_it_fills_two_kibibytes)},
  };
  return all;
}

std::span<const Mutant> survival_faults_in_1_0() {
  static const Mutant all[] = {
      {"v1-primitive-fatal", breaks("v1-survives"), kEverywhereAndTcp,
       "A message that is a Number, a String or a literal ends the process.",
       ending(Manner::abort, is_primitive_message)},
      {"v1-primitive-hangs", breaks("v1-survives"), kHttp,
       "A message that is a Number, a String or a literal makes the thread that serves the "
       "connection hang.",
       ending(Manner::hang, is_primitive_message)},
      {"v1-array-fatal", breaks("v1-survives"), kEverywhere,
       "A message that is an Array ends the process.", ending(Manner::exit, is_array_message)},
      {"v1-nameless-fatal", breaks("v1-survives"), kEverywhere,
       "An Object without a method that is a String ends the process.",
       ending(Manner::exit, is_nameless)},
      {"v1-without-params-fatal", breaks("v1-survives"), kEverywhere,
       "A request without params ends the process.",
       ending(Manner::abort, is_named_without_params)},
      {"v1-without-id-fatal", breaks("v1-survives"), kEverywhere,
       "A request without an id ends the process.", ending(Manner::abort, has_no_id)},
      {"v1-broken-text-fatal", breaks("v1-survives"), kEverywhereAndTcp,
       "What is not JSON makes the process exit.", ending(Manner::exit, is_malformed)},
      {"v1-empty-message-fatal", breaks("v1-survives"), kMarked,
       "A message without a byte in it ends the process.",
       ending(Manner::exit, [](std::string_view message) { return message.empty(); })},
      {"v1-broken-text-deafens", breaks("v1-survives"), kStreamsAndTcp,
       "After a message that is not JSON nothing is answered any more.", deaf_after_malformed},
      {"v1-depth-fatal", breaks("v1-survives"), kEverywhere, "Deep nesting overflows the stack.",
       ending(Manner::abort, is_too_deep)},
      {"v1-length-fatal", breaks("v1-survives"), kEverywhere,
       "A message of half a mebibyte ends the process.", ending(Manner::abort, is_too_long)},
      {"v1-surrogate-fatal", breaks("v1-survives"), kEverywhere,
       "The escape of a lone surrogate ends the process.",
       ending(Manner::abort, has_lone_surrogate)},
  };
  return all;
}

}  // namespace jrpcheck::reference
