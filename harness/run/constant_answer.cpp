#include "run/constant_answer.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "base/contains.hpp"
#include "base/join.hpp"
#include "base/letter_case.hpp"
#include "dialogue/exchanges_of.hpp"
#include "json/parse.hpp"
#include "json/pointer.hpp"
#include "judge/code.hpp"
#include "judge/envelope.hpp"
#include "judge/judge.hpp"
#include "run/call_limits.hpp"
#include "run/control_call.hpp"
#include "run/first_answers.hpp"

namespace jrpcheck::run {
namespace {

// What a case shows about these does not depend on which error it is answered with, or whether.
constexpr std::array<std::string_view, 8> kUntouched = {"id-",  "res-", "ntf-", "bat-",
                                                        "rob-", "sec-", "std-", "lsp-"};

// What the constant answer is wrong about.
constexpr std::string_view kSubject = "err-code-method";

constexpr std::string_view kError = "error";
constexpr std::string_view kStatus = "HTTP ";

constexpr std::string_view kChargedOnce =
    "what came back says nothing about this: every call of an unknown method is answered so, which "
    "calibration/number-id has charged";

constexpr std::string_view kHandshakeFirst =
    "the server wants a handshake of its own before it serves: name a file with its messages by "
    "--opening";

bool is_untouched(std::string_view requirement) {
  return judge::is_envelope_requirement(requirement) ||
         std::ranges::any_of(
             kUntouched, [&](std::string_view start) { return requirement.starts_with(start); });
}

// The answer is the same but for its id, which is the server's own doing in each case.
bool is_about_the_id(const judge::Finding& finding) { return finding.place.pointer == "/id"; }

// By a header field, which tells who calls or something else, or by a call that comes first.
std::string what_may_help(bool field, bool is_login, bool call) {
  if (!field && !call) return {};
  if (!field) {
    return " If it wants a call that comes first: a file of messages for --opening makes it.";
  }
  const std::string wanted = is_login ? "to know who calls" : "a header field";
  const std::string way =
      is_login ? "--header 'Authorization: ...' tells " : "--header 'NAME: VALUE' sends ";
  return " If it wants " + wanted +
         (call ? ", or a call that comes first: " + way +
                     "the one, a file of messages for --opening does the other."
               : ": " + way + "it.");
}

// Many an error quotes the name of the method that was called.
std::string without_name(std::string content, std::string_view method) {
  if (method.empty()) return content;
  for (std::size_t at = 0; (at = content.find(method, at)) != std::string::npos;) {
    content.erase(at, method.size());
  }
  return content;
}

// An Object is the same in whatever order its members come (RFC 8259 §4), and some languages
// choose another one each time.
std::string in_any_order(const json::Value& value) {
  if (!value.is(json::Kind::object)) return json::write(value);
  std::vector<std::string> members;
  for (std::size_t i = 0; i < value.names().size(); ++i) {
    members.push_back("\"" + value.names()[i] + "\":" + json::write(value.children()[i]));
  }
  std::ranges::sort(members);
  return "{" + joined(members, ",") + "}";
}

// A Response but for its id; empty where it is none.
std::string content_of(const json::Value& response) {
  if (!response.is(json::Kind::object)) return {};
  for (const std::string_view name : {kError, std::string_view("result")}) {
    const json::Value* member = response.find(name);
    if (member != nullptr) return std::string(name) + in_any_order(*member);
  }
  return {};
}

// The same of the one Response of an exchange; or the HTTP status that refuses what was sent, with
// what stands there in its place.
std::string content_of(const dialogue::Exchange& exchange) {
  const auto& replies = exchange.replies;
  // The last status may be that of an event stream beside it.
  const int status = replies.empty() ? exchange.http_status : replies.front().http_status;
  const bool is_none =
      replies.empty() || (replies.size() == 1 && replies.front().value() == nullptr);
  if (status >= 400 && is_none) {
    return fmt::format("{}{}: {}", kStatus, status, replies.empty() ? "" : replies.front().text());
  }
  const bool is_one = exchange.replies.size() == 1 && exchange.replies.front().value() != nullptr;
  return is_one ? content_of(*exchange.replies.front().value()) : std::string();
}

// A short name may stand in the content by accident.
bool is_same(const std::string& own, const std::string& method, const std::string& content) {
  return own == content || without_name(own, method) == content;
}

bool all_are(const std::vector<dialogue::Exchange>& exchanges,
             const std::vector<std::string>& methods, const std::string& content) {
  for (std::size_t i = 0; i < exchanges.size(); ++i) {
    const std::string method = i < methods.size() ? methods[i] : std::string();
    if (!is_same(content_of(exchanges[i]), method, content)) return false;
  }
  return !exchanges.empty();
}

// What a message is, or has in a batch.
std::span<const json::Value> elements_of(const json::Value& message) {
  if (message.is(json::Kind::array)) return message.children();
  return {&message, 1};
}

// Whether every Response of the exchange, alone or in a batch, is this one.
bool are_all(const dialogue::Exchange& exchange, const std::string& content) {
  std::vector<std::string> methods = {""};
  for (const auto& sent : exchange.sent) {
    if (sent.value() == nullptr) continue;
    for (const auto& each : elements_of(*sent.value())) {
      methods.emplace_back(json::text_of(each.find("method")));
    }
  }
  const auto is_content = [&](const json::Value& response) {
    const std::string own = content_of(response);
    return std::ranges::any_of(
        methods, [&](const std::string& method) { return is_same(own, method, content); });
  };
  return !exchange.replies.empty() &&
         std::ranges::all_of(exchange.replies, [&](const dialogue::Reply& reply) {
           if (reply.value() == nullptr) return false;
           const auto elements = elements_of(*reply.value());
           return !elements.empty() && std::ranges::all_of(elements, is_content);
         });
}

// What a case that is charged with no more than this has shown of other things.
void leave_untouched(result::CaseResult& result) {
  result.observations.clear();
  const auto is_charged = [&](const std::string& id) {
    return std::ranges::any_of(result.findings,
                               [&](const auto& finding) { return finding.requirement == id; });
  };
  std::erase_if(result.exercised,
                [&](const std::string& id) { return !is_untouched(id) && !is_charged(id); });
}

// A call at some depth that is answered as any other is neither refused for its depth nor read.
void leave_unobserved(const corpus::Case& bound, result::CaseResult& result) {
  std::erase_if(result.observations,
                [&](const judge::Observation& each) { return each.name == bound.observes; });
}

void leave_unexercised(std::string_view reason, result::CaseResult& result) {
  result.verdict = result::Verdict::not_exercised;
  result.reason = reason;
}

// Unlike one that sends nothing but Notifications.
bool may_bring_a_response(const corpus::Step& step) {
  using Shape = corpus::Outcome::Shape;
  return std::ranges::any_of(step.accept, [](const corpus::Outcome& outcome) {
    return outcome.shape == Shape::response || outcome.shape == Shape::responses ||
           outcome.shape == Shape::batch;
  });
}

bool holds_any_of(const std::string& words, std::span<const std::string_view> phrases) {
  return std::ranges::any_of(
      phrases, [&](std::string_view each) { return words.find(each) != std::string::npos; });
}

// Where no words say that it means another thing here.
bool wants_handshake(const json::Value& error) {
  constexpr std::array<std::string_view, 7> kOfMethods = {
      "not found",   "unknown",       "no such",        "not exist",
      "unsupported", "not supported", "not implemented"};
  return asks_for_handshake(error) &&
         !holds_any_of(in_lower_case(json::text_of(error.find("message"))), kOfMethods);
}

// What the Responses of a server say, all in all.
struct Said {
  bool wants_handshake = false;
  bool anything_else = false;  // but that a message is no Request, or comes too soon

  void take(const json::Value& response) {
    if (response.is(json::Kind::array)) {
      for (const auto& each : response.children()) take(each);
      return;
    }
    const json::Value* error = response.find("error");
    if (error == nullptr || !error->is(json::Kind::object)) {
      anything_else = anything_else || response.find("result") != nullptr;
      return;
    }
    const auto code = judge::code_of(*error);
    if (run::wants_handshake(*error)) {
      wants_handshake = true;
    } else if (code != -32700 && code != -32600 && !says_when_to_retry(response)) {
      anything_else = true;
    }
  }
  void take(const std::vector<dialogue::Event>& events) {
    const auto exchanges = dialogue::exchanges_of(events);
    if (!exchanges) return;
    for (const auto& exchange : exchanges->steps) {
      for (const auto& reply : exchange.replies) {
        if (reply.value() != nullptr) take(*reply.value());
      }
    }
  }
};

bool is_about_the_code(const judge::Finding& finding) {
  return finding.requirement == kSubject && finding.symptom == judge::Symptom::wrong_code;
}

bool charges_the_code(const result::CaseResult& one) {
  return std::ranges::any_of(one.findings, is_about_the_code);
}

// Whether it tells nothing because of what is charged elsewhere.
bool is_left_to_others(const std::string& reason) {
  return reason == kChargedOnce || reason.ends_with("reported under " + std::string(kSubject));
}

void take_the_code_back(result::CaseResult& one) {
  std::erase_if(one.findings, is_about_the_code);
  leave_untouched(one);
  if (!one.findings.empty()) {
    one.verdict = result::worst_of(one.findings);
  } else {
    leave_unexercised(kHandshakeFirst, one);
  }
}

}  // namespace

std::vector<std::string> methods_called(const corpus::Case& bound) {
  std::vector<std::string> methods;
  for (const auto& step : bound.steps) {
    const json::Value* sent = step.messages.empty() ? nullptr : step.messages.front().value();
    methods.emplace_back(json::text_of(sent == nullptr ? nullptr : sent->find("method")));
  }
  return methods;
}

std::optional<ConstantAnswer> ConstantAnswer::of(const std::vector<dialogue::Exchange>& exchanges,
                                                 const std::vector<std::string>& methods) {
  if (exchanges.size() < 2) return std::nullopt;
  std::string content = content_of(exchanges.front());
  if (!methods.empty()) content = without_name(std::move(content), methods.front());
  const auto& replies = exchanges.front().replies;
  const bool is_right = !replies.empty() && says_method_is_unknown(replies.front());
  if (content.empty() || is_right || !all_are(exchanges, methods, content)) return std::nullopt;
  return ConstantAnswer(std::move(content));
}

std::string_view ConstantAnswer::charged_to() const {
  return content_.starts_with(kStatus) ? "res-always" : kSubject;
}

std::optional<long long> ConstantAnswer::code() const {
  if (!content_.starts_with(kError)) return std::nullopt;
  const auto error = json::parse(content_.substr(kError.size()));
  return error ? judge::code_of(*error.value) : std::nullopt;
}

// What is missing may be told by -32001 or any other code of the server's own (JSON-RPC 2.0 §5.1);
// where the words are about what was called, that is what they mean. Whoever speaks on a stream
// without a handshake over HTTP has no header fields to send.
std::string ConstantAnswer::hint(const wire::Binding& binding, const GivenFirst& given) const {
  constexpr long long kUnauthorized = -32001;
  constexpr std::array<long long, 5> kOfTheCall = {-32700, -32600, -32601, -32602, -32603};
  constexpr std::array<std::string_view, 7> kOfWhatIsCalled = {
      "method", "function", "not found", "unknown", "no such", "not exist", "not implemented"};
  const auto code = this->code();
  if (!code || contains(kOfTheCall, *code)) return {};
  const bool is_about_the_method =
      code != kUnauthorized && holds_any_of(in_lower_case(content_), kOfWhatIsCalled);
  if (is_about_the_method) return {};
  const bool is_login = code == kUnauthorized;
  const bool may_want_field =
      !binding.is_framing() && !(is_login ? given.authorization : given.any_field);
  const std::string said =
      fmt::format("Whatever is called, the server answers with error {}{}.", *code,
                  given.handshake ? ", behind the handshake that it was given as well" : "");
  return said + what_may_help(may_want_field, is_login, !given.handshake);
}

bool ConstantAnswer::withdraw_charge(const std::vector<dialogue::Exchange>& exchanges,
                                     result::CaseResult& result) const {
  auto& findings = result.findings;
  const auto erased = std::erase_if(findings, [&](const judge::Finding& finding) {
    return finding.requirement == kSubject && finding.step < exchanges.size() &&
           are_all(exchanges[finding.step], content_);
  });
  if (erased == 0) return false;
  leave_untouched(result);
  if (findings.empty()) {
    leave_unexercised(kChargedOnce, result);
  } else {
    result.verdict = result::worst_of(findings);
  }
  return true;
}

void ConstantAnswer::withdraw_from(const corpus::Case& bound,
                                   const std::vector<dialogue::Exchange>& exchanges,
                                   result::CaseResult& result) const {
  const std::string& subject = bound.requirements.front();
  if (bound.calibration || subject == kSubject) return;
  if (content_.starts_with(kStatus)) {
    // Without a Response nothing is seen of how a call was taken, not even of its id.
    // Whether the server goes on is seen all the same.
    const bool asks =
        !subject.starts_with("rob-") && std::ranges::all_of(bound.steps, may_bring_a_response);
    const bool shows_nothing = result.findings.empty() && bound.roles.empty() && asks;
    if (!shows_nothing || !all_are(exchanges, methods_called(bound), content_)) return;
    result.exercised.clear();
    result.observations.clear();
    leave_unexercised(kChargedOnce, result);
    return;
  }
  if (withdraw_charge(exchanges, result)) return;
  // A method that plays a role is answered otherwise: there this answer tells something.
  if (!bound.roles.empty()) return;
  if (is_untouched(subject)) {
    if (all_are(exchanges, methods_called(bound), content_)) leave_unobserved(bound, result);
    return;
  }
  const bool demands_replies =
      std::ranges::all_of(bound.steps, [](const auto& step) { return step.demands_reply(); });
  if (!demands_replies || !all_are(exchanges, methods_called(bound), content_)) return;
  auto& findings = result.findings;
  std::erase_if(findings, [&](const judge::Finding& finding) {
    if (is_about_the_id(finding)) return false;
    return finding.requirement == subject || !is_untouched(finding.requirement);
  });
  leave_untouched(result);
  if (findings.empty()) leave_unexercised(kChargedOnce, result);
}

void take_back_before_handshake(std::vector<result::CaseResult>& cases,
                                const std::vector<result::StoredDialogue>& dialogues) {
  if (std::ranges::none_of(cases, charges_the_code)) return;
  Said said;
  for (const auto& one : cases) said.take(one.transcript);
  for (const auto& dialogue : dialogues) {
    for (const auto& exchange : dialogue.exchanges) said.take(exchange.transcript);
  }
  if (!said.wants_handshake || said.anything_else) return;
  for (auto& one : cases) {
    if (charges_the_code(one)) {
      take_the_code_back(one);
    } else if (is_left_to_others(one.reason)) {
      one.reason = kHandshakeFirst;
    }
  }
}

}  // namespace jrpcheck::run
