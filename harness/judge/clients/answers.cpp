#include "judge/clients/answers.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "json/parse.hpp"
#include "json/pointer.hpp"
#include "judge/capability.hpp"
#include "schema/schema.hpp"

namespace jrpcheck::judge {
namespace {

using json::Kind;
using json::Value;

constexpr std::size_t kMostAsked = 10'000;  // that wait: more is something wrong
constexpr std::size_t kMostSchemas = 100;
constexpr std::size_t kLongestMethod = 200;
constexpr std::size_t kLongestSchema = 16'384;

void judge_roots(const Value& message, const Value& result, std::string_view at,
                 ClientCharges& charges) {
  charges.exercise("mcp-c-roots-shape");
  const Value* roots = result.find("roots");
  const bool is_list = roots != nullptr && roots->is(Kind::array);
  const auto has_uri = [](const Value& root) {
    return json::text_of(root.find("uri")).starts_with("file://");
  };
  if (is_list && std::ranges::all_of(roots->children(), has_uri)) return;
  charges.charge("mcp-c-roots-shape", message, at, "A root has no file URI.",
                 "a list of Objects with a uri of file://");
}

void judge_sample(const Value& message, const Value& result, std::string_view at,
                  ClientCharges& charges) {
  charges.exercise("mcp-c-sampling-result");
  const std::string role = json::text_of(result.find("role"));
  const Value* model = result.find("model");
  const bool is_right = (role == "assistant" || role == "user") && model != nullptr &&
                        model->is(Kind::string) && result.find("content") != nullptr;
  if (is_right) return;
  charges.charge("mcp-c-sampling-result", message, at, "A sample lacks a role, content or model.",
                 "a role, content and the model");
}

void judge_content(const std::string& requested, const Value& message, const Value& result,
                   std::string_view at, ClientCharges& charges) {
  const auto parsed = json::parse(requested);
  if (!parsed) return;
  const auto schema = schema::Schema::compile(*parsed.value);
  if (!schema) return;
  charges.exercise("mcp-c-elicit-content");
  const Value* content = result.find("content");
  const Value none = Value::object();
  const auto violation = schema->violation(content == nullptr ? none : *content);
  if (!violation) return;
  charges.charge("mcp-c-elicit-content", message, at,
                 "The input does not fit the schema that was asked for: " + violation->text() + ".",
                 "content that fits requestedSchema");
}

void judge_elicited(const AskedOfClient& asked, const Value& message, const Value& result,
                    std::string_view at, ClientCharges& charges) {
  charges.exercise("mcp-c-elicit-result");
  const std::string action = json::text_of(result.find("action"));
  if (action == "accept" && !asked.requested.empty()) {
    judge_content(asked.requested, message, result, at, charges);
  }
  if (action == "accept" || action == "decline" || action == "cancel") return;
  charges.charge("mcp-c-elicit-result", message, at, "What was elicited has no known action.",
                 "an action of accept, decline or cancel");
}

bool is_of_type(const Value& content, std::string_view type) {
  return content.is(Kind::object) && json::text_of(content.find("type")) == type;
}

// The ids of its parts of that type.
std::set<std::string> ids_in(const Value& message, std::string_view type, std::string_view id) {
  std::set<std::string> ids;
  const Value* content = message.find("content");
  if (content == nullptr) return ids;
  const bool is_one = !content->is(Kind::array);
  for (std::size_t i = 0; i < (is_one ? 1 : content->size()); ++i) {
    const Value& part = is_one ? *content : content->children()[i];
    if (is_of_type(part, type)) ids.insert(json::text_of(part.find(id)));
  }
  return ids;
}

// A message of results of tools has nothing else, and each use of a tool has its result in the
// message that follows (client/sampling § Tool Result Messages, Tool Use and Result Balance).
bool mixes_tool_results(const Value* messages) {
  if (messages == nullptr || !messages->is(Kind::array)) return false;
  std::set<std::string> due;
  for (const auto& message : messages->children()) {
    if (!message.is(Kind::object)) return false;
    const auto results = ids_in(message, "tool_result", "toolUseId");
    if (!due.empty() && results != due) return true;
    const Value* content = message.find("content");
    const bool is_list = content != nullptr && content->is(Kind::array);
    const auto is_result = [](const Value& part) { return is_of_type(part, "tool_result"); };
    const bool is_mixed =
        !results.empty() && is_list && !std::ranges::all_of(content->children(), is_result);
    if (is_mixed) return true;
    due = ids_in(message, "tool_use", "id");
  }
  return !due.empty();
}

}  // namespace

AskedOfClient asked_of_client(const Value& request) {
  AskedOfClient asked{json::text_of(request.find("method")).substr(0, kLongestMethod)};
  if (asked.method != "elicitation/create") return asked;
  const Value* mode = json::at(request, "/params/mode");
  asked.names_no_mode = mode == nullptr;
  asked.names_form = json::text_of(mode) == "form";
  const Value* schema = json::at(request, "/params/requestedSchema");
  // In JSON it takes a thirtieth of what it takes once it is compiled.
  if (schema != nullptr) asked.requested = json::write(*schema);
  if (asked.requested.size() > kLongestSchema) asked.requested = std::string();
  return asked;
}

void judge_result_of(const AskedOfClient& asked, const Value& message, const Value& result,
                     std::string_view at, ClientCharges& charges) {
  const std::string& method = asked.method;
  if (method == "roots/list") judge_roots(message, result, at, charges);
  if (method == "sampling/createMessage") judge_sample(message, result, at, charges);
  if (method == "elicitation/create") judge_elicited(asked, message, result, at, charges);
}

std::size_t ClientAnswers::kept() const {
  return capabilities_.memory() + kept_in(asked_, [](const auto& each) {
           return kept_by(each.first) + each.second.what.kept();
         });
}

void ClientAnswers::take_request(const std::string& id_key, const Value& message) {
  if (asked_.size() >= kMostAsked) return;
  auto asked = asked_of_client(message);
  if (asked_.size() >= kMostSchemas) asked.requested = std::string();
  const auto to_refuse = reason_to_refuse(asked.method, message);
  asked_[id_key] = {std::move(asked), to_refuse};
}

// What is asked of a capability of which the client has declared another part.
std::string_view ClientAnswers::reason_to_refuse(std::string_view method,
                                                 const Value& message) const {
  if (!charges_.is_mcp() || !declares(method)) return {};
  const auto lacks = [this](std::string_view part) {
    return json::at(capabilities_, std::string(part)) == nullptr;
  };
  const bool is_by_url =
      method == "elicitation/create" && json::text_at(message, "/params/mode") == "url";
  if (is_by_url && lacks("/elicitation/url")) return "mcp-c-elicit-mode-undeclared";
  const bool has_tools =
      method == "sampling/createMessage" && json::at(message, "/params/tools") != nullptr;
  if (has_tools && lacks("/sampling/tools")) return "mcp-c-sampling-tools";
  const bool is_sample = method == "sampling/createMessage" && !lacks("/sampling/tools");
  return is_sample && mixes_tool_results(json::at(message, "/params/messages"))
             ? "mcp-c-sampling-mixed"
             : "";
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
                  requirement == "mcp-c-sampling-mixed"
                      ? "The client does not refuse a sample of results of tools that are mixed "
                        "with something else, or missing."
                      : "The client does not refuse what it has not declared as it should.",
                  requirement == "mcp-c-sampling-tools" ? "an error" : "an error -32602");
}

void ClientAnswers::hear(const Value& message, bool is_task_made) {
  const auto key = kept_key(message.find("id"));
  const auto asked = key ? asked_.find(*key) : asked_.end();
  if (asked == asked_.end()) return;
  const auto [what, to_refuse] = std::move(asked->second);
  asked_.erase(asked);
  const std::string& method = what.method;
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
      // A result that is no Object is charged as that.
      if (result == nullptr) {
        charges_.charge("mcp-c-ping", message, "", "ping is not answered by a result.",
                        "an empty Object");
      }
    }
    if (result != nullptr && declares(method) && !is_task_made) {
      judge_result_of(what, message, *result, "/result", charges_);
    }
    if (knows_all_ && declares(method)) judge_absent_mode(what, message);
  }
  const bool is_unknown = code != nullptr && json::write(*code) == "-32601";
  judge_declared(message, method, is_unknown);
}

// Of two requests that say the same, one of them by its mode, both are forms (client/elicitation §
// Requests).
void ClientAnswers::judge_absent_mode(const AskedOfClient& asked, const Value& message) {
  const bool is_served = message.find("result") != nullptr;
  if (asked.names_form && is_served) was_form_served_ = true;
  if (!asked.names_no_mode || !was_form_served_) return;
  charges_.exercise("mcp-c-elicit-mode-absent");
  if (is_served) return;
  charges_.charge("mcp-c-elicit-mode-absent", message, "/error",
                  "The client serves a form, and refuses it where no mode is named.",
                  "a result, as where the mode is form");
}

bool ClientAnswers::declares(std::string_view method) const {
  return std::ranges::any_of(kUsesOfClients, [&](const DeclaredUse& each) {
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
