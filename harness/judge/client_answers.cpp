#include "judge/client_answers.hpp"

#include <algorithm>

#include "json/parse.hpp"
#include "json/pointer.hpp"

namespace jrpcheck::judge {
namespace {

using json::Kind;
using json::Value;

constexpr std::size_t kMostAsked = 10'000;  // that wait: more is something wrong
constexpr std::size_t kLongestMethod = 200;

void judge_roots(const Value& message, const Value& result, std::string_view at,
                 ClientCharges& charges) {
  charges.exercise("mcp-c-roots-shape");
  const Value* roots = result.find("roots");
  const bool is_list = roots != nullptr && roots->is(Kind::array);
  const auto has_uri = [](const Value& root) {
    return text_of(root.find("uri")).starts_with("file://");
  };
  if (is_list && std::all_of(roots->children().begin(), roots->children().end(), has_uri)) return;
  charges.charge("mcp-c-roots-shape", message, at, "A root has no file URI.",
                 "a list of Objects with a uri of file://");
}

void judge_sample(const Value& message, const Value& result, std::string_view at,
                  ClientCharges& charges) {
  charges.exercise("mcp-c-sampling-result");
  const std::string role = text_of(result.find("role"));
  const Value* model = result.find("model");
  const bool is_right = (role == "assistant" || role == "user") && model != nullptr &&
                        model->is(Kind::string) && result.find("content") != nullptr;
  if (is_right) return;
  charges.charge("mcp-c-sampling-result", message, at, "A sample lacks a role, content or model.",
                 "a role, content and the model");
}

void judge_elicited(const Value& message, const Value& result, std::string_view at,
                    ClientCharges& charges) {
  charges.exercise("mcp-c-elicit-result");
  const std::string action = text_of(result.find("action"));
  if (action == "accept" || action == "decline" || action == "cancel") return;
  charges.charge("mcp-c-elicit-result", message, at, "What was elicited has no known action.",
                 "an action of accept, decline or cancel");
}

}  // namespace

void judge_result_of(std::string_view method, const Value& message, const Value& result,
                     std::string_view at, ClientCharges& charges) {
  if (method == "roots/list") judge_roots(message, result, at, charges);
  if (method == "sampling/createMessage") judge_sample(message, result, at, charges);
  if (method == "elicitation/create") judge_elicited(message, result, at, charges);
}

void ClientAnswers::take_request(const std::string& id_key, std::string_view method,
                                 const Value& message) {
  if (asked_.size() >= kMostAsked) return;
  asked_[id_key] = {std::string(method.substr(0, kLongestMethod)),
                    reason_to_refuse(method, message)};
}

// What is asked of a capability of which the client has declared another part.
std::string_view ClientAnswers::reason_to_refuse(std::string_view method,
                                                 const Value& message) const {
  if (!charges_.is_mcp() || !declares(method)) return {};
  const auto lacks = [this](std::string_view part) {
    return json::at(capabilities_, std::string(part)) == nullptr;
  };
  const bool is_by_url =
      method == "elicitation/create" && text_of(json::at(message, "/params/mode")) == "url";
  if (is_by_url && lacks("/elicitation/url")) return "mcp-c-elicit-mode-undeclared";
  const bool has_tools =
      method == "sampling/createMessage" && json::at(message, "/params/tools") != nullptr;
  return has_tools && lacks("/sampling/tools") ? "mcp-c-sampling-tools" : "";
}

void ClientAnswers::judge_refusal(std::string_view requirement, const Value& message) {
  charges_.exercise(requirement);
  const Value* code = json::at(message, "/error/code");
  // Of tools it is said that there is an error, and not which.
  const bool is_right = requirement == "mcp-c-sampling-tools"
                            ? message.find("error") != nullptr
                            : code != nullptr && json::write(*code) == "-32602";
  if (is_right) return;
  charges_.charge(requirement, message, "",
                  "The client does not refuse what it has not declared as it should.",
                  requirement == "mcp-c-sampling-tools" ? "an error" : "an error -32602");
}

void ClientAnswers::hear(const Value& message, bool is_task_made) {
  const Value* id = message.find("id");
  const auto key = id == nullptr ? std::nullopt : kept_key(*id);
  const auto asked = key ? asked_.find(*key) : asked_.end();
  if (asked == asked_.end()) return;
  const auto [method, to_refuse] = asked->second;
  asked_.erase(asked);
  if (!to_refuse.empty() && charges_.is_asked(to_refuse)) return judge_refusal(to_refuse, message);
  const Value* result = message.find("result");
  const Value* code = json::at(message, "/error/code");
  if (charges_.is_mcp()) {
    charges_.exercise("mcp-c-result-object");
    if (result != nullptr && !result->is(Kind::object)) {
      charges_.charge("mcp-c-result-object", message, "/result",
                      "The result of the client is no Object.", "an Object");
    }
    if (method == "ping") {
      charges_.exercise("mcp-c-ping");
      const bool is_empty = result != nullptr && result->is(Kind::object);
      if (!is_empty) {
        charges_.charge("mcp-c-ping", message, "", "ping is not answered by a result.",
                        "an empty Object");
      }
    }
    if (result != nullptr && declares(method) && !is_task_made) {
      judge_result_of(method, message, *result, "/result", charges_);
    }
  }
  const bool is_unknown = code != nullptr && json::write(*code) == "-32601";
  judge_declared(message, method, is_unknown);
}

bool ClientAnswers::declares(std::string_view method) const {
  return std::any_of(kUsesOfClients.begin(), kUsesOfClients.end(), [&](const DeclaredUse& each) {
    return each.method == method && is_stated(json::at(capabilities_, each.capability));
  });
}

// What it has declared it serves, and what not it refuses.
void ClientAnswers::judge_declared(const Value& message, const std::string& method,
                                   bool is_unknown) {
  const bool is_mcp = charges_.is_mcp();
  for (const auto& each : kUsesOfClients) {
    if (each.family != charges_.words().family || each.method != method) continue;
    const bool is_offered = is_stated(json::at(capabilities_, each.capability));
    const std::string_view kept = is_mcp ? "mcp-c-caps-kept" : "lsp-c-capability-kept";
    if (is_offered) {
      charges_.exercise(kept);
      if (!is_unknown) return;
      return charges_.charge(kept, message, "/error/code",
                             "The client does not know " + method + ", which it has declared.",
                             "an answer that is not -32601");
    }
    if (!is_mcp) return;
    charges_.exercise("mcp-c-caps-undeclared");
    if (is_unknown) return;
    return charges_.charge(
        "mcp-c-caps-undeclared", message, "",
        "The client has not declared " + method + ", and does not refuse it by -32601.",
        "an error -32601");
  }
  const std::string_view unknown = is_mcp ? "mcp-c-unknown-method" : "lsp-c-unknown-request";
  if (method.find("jrpcheck") == std::string::npos) return;
  charges_.exercise(unknown);
  if (is_unknown) return;
  charges_.charge(unknown, message, "", "A request for " + method + " is not refused by -32601.",
                  "an error -32601");
}

}  // namespace jrpcheck::judge
