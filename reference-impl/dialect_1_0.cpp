#include "reference-impl/dialect_1_0.hpp"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "reference-impl/error.hpp"
#include "reference-impl/message.hpp"
#include "reference-impl/response.hpp"

namespace jrpcheck::reference {

namespace {

using nlohmann::json;

constexpr int kFirstOwnCode = -32000;  // above all that JSON-RPC 2.0 §5.1 reserves

constexpr FaultOf10 kFaults[] = {
    {"v1-error-missing", "v1-both-members", "A Response of success has no error member."},
    {"v1-result-missing", "v1-both-members", "A Response of failure has no result member."},
    {"v1-neither-null", "v1-both-members", "A Response of failure has a result that is not null."},
    {"v1-notification-answered", "v1-notification", "A request with id null is answered."},
    {"v1-false-id-unanswered", "v1-id-any", "The id false is taken for a notification's."},
    {"v1-id-as-string", "v1-id-any", "The id comes back as its JSON text in a String."},
    {"v1-structured-id-lost", "v1-id-any", "An Array or Object as id comes back as null."},
    {"v1-id-missing", "v1-id-any", "A Response of success has no id."},
    {"v1-null-argument-unanswered", "v1-response", "A call with null as an argument is dropped."},
    {"v1-success-in-array", "v1-response", "A Response of success stands in an Array of its own."},
    {"v1-one-argument-unanswered", "v1-response", "A call with a single argument is dropped.",
     "lines,content-length"},
    {"v1-failure-as-result", "v1-both-members",
     "What a method of the server's own fails with is the result."},
    {"v1-params-other-than-array", "v1-params-array",
     "Whatever has params other than an Array succeeds."},
    {"v1-params-reversed", "v1-params-array", "The params Array is taken from its end."},
};

json error_object(int code, const std::string& message) {
  return {{"code", code}, {"message", message}};
}

std::string failure_text(int code, const std::string& message) {
  return json_text(error_object(code, message));
}

/// What keeps `request` from being a request of 1.0; empty when nothing does.
std::string violation_of_1_0(const json& request) {
  if (!request.is_object()) return "a request must be an Object";
  const auto method = request.find("method");
  if (method == request.end() || !method->is_string()) return "method must be a String";
  const auto params = request.find("params");
  if (params == request.end() || !params->is_array()) return "params must be an Array";
  if (!request.contains("id")) return "id must be there";
  return {};
}

}  // namespace

std::span<const FaultOf10> faults_of_1_0() { return kFaults; }

const FaultOf10* find_fault_of_1_0(std::string_view name) {
  const auto* found = std::find_if(std::begin(kFaults), std::end(kFaults),
                                   [name](const FaultOf10& each) { return each.name == name; });
  return found == std::end(kFaults) ? nullptr : found;
}

void write_faults_of_1_0(std::ostream& out) {
  for (const auto& each : kFaults) {
    out << "fault\t" << each.name << '\t' << each.requirement << '\t' << each.transports << '\t'
        << each.about << '\n';
  }
}

std::optional<std::string> HandlerOf10::handle(std::string_view message) const {
  if (message.size() > limits().max_bytes) {
    return response("null", failure_text(kInvalidRequest, "the message is too long"), "null");
  }
  Result<Message> read = read_message(message, limits());
  if (!read) return response("null", failure_text(kParseError, read.error().message), "null");
  if (read->is_batch) {
    return response("null", failure_text(kInvalidRequest, "1.0 has no batches"), "null");
  }

  Element& element = read->elements.front();
  json& request = element.value;
  std::string id = "null";
  if (request.is_object() && request.contains("id")) {
    id = element.exact_id.empty() ? json_text(request["id"]) : std::move(element.exact_id);
  }
  const bool has_other_params =
      request.is_object() && request.contains("params") && !request["params"].is_array();
  if (has_other_params && has("v1-params-other-than-array")) return response("true", "null", id);
  const std::string violation = violation_of_1_0(request);
  if (!violation.empty()) return response("null", failure_text(kInvalidRequest, violation), id);

  json& params = request["params"];
  if (has("v1-params-reversed")) std::reverse(params.begin(), params.end());
  if (!element.params_obstacle.empty()) {
    if (id == "null") return std::nullopt;
    return response("null", failure_text(kInvalidParams, element.params_obstacle), id);
  }
  const bool silent = (id == "null" && !has("v1-notification-answered")) ||
                      (id == "false" && has("v1-false-id-unanswered"));
  std::string reply = carry_out(json_text(request["method"]), json_text(params), id);
  if (silent || dropped(params)) return std::nullopt;
  return reply;
}

bool HandlerOf10::dropped(const nlohmann::json& params) const {
  if (has("v1-one-argument-unanswered") && params.size() == 1) return true;
  return has("v1-null-argument-unanswered") &&
         std::any_of(params.begin(), params.end(), [](const json& each) { return each.is_null(); });
}

std::string HandlerOf10::carry_out(const std::string& method, const std::string& params,
                                   const std::string& id) const {
  const std::string call =
      R"({"jsonrpc":"2.0","method":)" + method + R"(,"params":)" + params + R"(,"id":0})";
  const json reply = json::parse(methods_.handle(call).value());
  const auto error = reply.find("error");
  if (error == reply.end()) return response(json_text(reply["result"]), "null", id);
  const bool is_its_own = (*error)["code"] > kFirstOwnCode;
  if (has("v1-failure-as-result") && is_its_own) return response(json_text(*error), "null", id);
  return response("null", json_text(*error), id);
}

std::string HandlerOf10::response(std::string result, const std::string& error,
                                  std::string id) const {
  const bool failed = error != "null";
  if (has("v1-neither-null") && failed) result = "false";
  if (has("v1-id-as-string")) id = json_text(json(id));
  if (has("v1-structured-id-lost") && (id.front() == '[' || id.front() == '{')) id = "null";

  std::string text = "{";
  if (!(has("v1-result-missing") && failed)) text += R"("result":)" + result + ",";
  if (!(has("v1-error-missing") && !failed)) text += R"("error":)" + error + ",";
  if (!(has("v1-id-missing") && !failed)) text += R"("id":)" + id + ",";
  text.back() = '}';
  return has("v1-success-in-array") && !failed ? "[" + text + "]" : text;
}

}  // namespace jrpcheck::reference
