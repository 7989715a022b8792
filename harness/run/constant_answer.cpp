#include "run/constant_answer.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "json/pointer.hpp"
#include "judge/envelope.hpp"
#include "judge/judge.hpp"
#include "run/control_call.hpp"

namespace jrpcheck::run {
namespace {

// What a case shows about these does not depend on which error it is answered with, or whether.
constexpr std::array<std::string_view, 8> kUntouched = {"id-",  "res-", "ntf-", "bat-",
                                                        "rob-", "sec-", "std-", "lsp-"};

// What the constant answer is wrong about.
constexpr std::string_view kSubject = "err-code-method";

bool begins_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

bool is_untouched(std::string_view requirement) {
  return judge::is_envelope_requirement(requirement) ||
         std::any_of(kUntouched.begin(), kUntouched.end(),
                     [&](std::string_view start) { return begins_with(requirement, start); });
}

// The answer is the same but for its id, which is the server's own doing in each case.
bool is_about_the_id(const judge::Finding& finding) { return finding.place.pointer == "/id"; }

// Many an error quotes the name of the method that was called.
std::string without_name(std::string content, std::string_view method) {
  if (method.empty()) return content;
  for (std::size_t at = 0; (at = content.find(method, at)) != std::string::npos;) {
    content.erase(at, method.size());
  }
  return content;
}

// The one Response of an exchange but for its id; empty where there is no such thing.
std::string content_of(const dialogue::Exchange& exchange) {
  if (exchange.replies.size() != 1) return {};
  const auto& reply = exchange.replies.front();
  if (reply.value() == nullptr || !reply.value()->is(json::Kind::object)) return {};
  for (const char* name : {"error", "result"}) {
    const json::Value* member = reply.find(name);
    if (member != nullptr) return name + json::write(*member);
  }
  return {};
}

// A short name may stand in the content by accident.
bool all_are(const std::vector<dialogue::Exchange>& exchanges,
             const std::vector<std::string>& methods, const std::string& content) {
  for (std::size_t i = 0; i < exchanges.size(); ++i) {
    const std::string own = content_of(exchanges[i]);
    const std::string method = i < methods.size() ? methods[i] : std::string();
    if (own != content && without_name(own, method) != content) return false;
  }
  return !exchanges.empty();
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
  if (content.empty() || says_method_is_unknown(exchanges.front().replies.front()) ||
      !all_are(exchanges, methods, content)) {
    return std::nullopt;
  }
  return ConstantAnswer(std::move(content));
}

void ConstantAnswer::withdraw_from(const corpus::Case& bound,
                                   const std::vector<dialogue::Exchange>& exchanges,
                                   result::CaseResult& result) const {
  const std::string& subject = bound.requirements.front();
  // A method that plays a role is answered otherwise: there this answer tells something.
  if (bound.calibration || !bound.roles.empty() || is_untouched(subject)) return;
  if (subject == kSubject) return;
  const bool demands_replies = std::all_of(bound.steps.begin(), bound.steps.end(),
                                           [](const auto& step) { return step.demands_reply(); });
  if (!demands_replies || !all_are(exchanges, methods_called(bound), content_)) return;
  auto& findings = result.findings;
  findings.erase(std::remove_if(findings.begin(), findings.end(),
                                [&](const judge::Finding& finding) {
                                  if (is_about_the_id(finding)) return false;
                                  return finding.requirement == subject ||
                                         !is_untouched(finding.requirement);
                                }),
                 findings.end());
  result.observations.clear();
  const auto is_charged = [&](const std::string& id) {
    return std::any_of(findings.begin(), findings.end(),
                       [&](const auto& finding) { return finding.requirement == id; });
  };
  auto& exercised = result.exercised;
  exercised.erase(
      std::remove_if(exercised.begin(), exercised.end(),
                     [&](const std::string& id) { return !is_untouched(id) && !is_charged(id); }),
      exercised.end());
  if (!findings.empty()) return;
  result.verdict = result::Verdict::not_exercised;
  result.reason =
      "what came back says nothing about this: every call of an unknown method is answered so, "
      "which calibration/number-id has charged";
}

}  // namespace jrpcheck::run
