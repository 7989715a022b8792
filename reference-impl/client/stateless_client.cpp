#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <thread>

#include "reference-impl/client/protocol_client.hpp"
#include "reference-impl/client/session_carrier.hpp"
#include "reference-impl/client/stateless_metadata.hpp"

namespace jrpcheck::reference {

namespace {

using Json = SessionJson;

constexpr int kHeaderMismatch = -32020;
constexpr int kUnsupportedVersion = -32022;
constexpr const char* kVersion = "2026-07-28";
constexpr int kMostRounds = 3;
constexpr std::chrono::milliseconds kLong{600};  // for a stream that is closed at once

/// A client of MCP 2026-07-28, which falls back to a handshake where its server is of before.
class StatelessSession {
 public:
  StatelessSession(Carrier& carrier, std::string_view oddity, bool is_http)
      : carrier_(carrier), oddity_(oddity), is_http_(is_http), metadata_(oddity) {
    carrier_.head_with(
        [this](const Json& message) { return metadata_.head(message, version_, tools_); });
  }

  /// Nothing: the server has no such version, and may have a handshake.
  std::optional<bool> run() {
    if (!is("asks-at-once")) {
      const auto opened = discover();
      if (opened != Era::modern) {
        if (opened == Era::legacy) carrier_.head_with(nullptr);
        return opened == Era::legacy ? std::nullopt : std::optional(false);
      }
    }
    be_odd_alone();
    if (tells_of_changes_ && !is("never-listens")) listen();
    list_tools();
    for (const auto& tool : std::vector<Json>(tools_)) {
      if (was_refused_by_head_) break;
      note(call_tool(tool));
    }
    if (keeps_lists()) list_tools();
    stop_listening();
    Json further = Json::object();
    if (is("spreads-state") && !last_state_.empty()) further["requestState"] = last_state_;
    note(ask_all("prompts/list", further));
    return all_went_well_;
  }

 private:
  enum class Era { modern, legacy, none };

  bool is(std::string_view name) const { return oddity_ == "stateless-" + std::string(name); }
  void note(const Json& answer) { all_went_well_ = all_went_well_ && has_result(answer); }

  Json id_of(int number) const {
    if (is("ids-are-texts")) return "n" + std::to_string(number);
    return number;
  }

  Json make(const std::string& method, Json params) {
    params["_meta"] = metadata_.meta(version_, last_);
    Json message = {{"jsonrpc", "2.0"}, {"id", id_of(++last_)}, {"method", method}};
    if (method == "prompts/list" && is("id-null")) message["id"] = nullptr;
    message["params"] = std::move(params);
    return message;
  }

  Json await(const Json& id, std::chrono::milliseconds patience = kForAnAnswer) {
    const auto deadline = Deadline::in(patience);
    while (!deadline.passed()) {
      auto message = carrier_.receive(deadline);
      if (!message) break;
      if (message->is_array() && message->size() == 1) message = Json(message->front());
      if (!message->is_object()) continue;
      if (message->contains("method")) {
        take_word(*message);
      } else if (message->value("id", Json()) == id) {
        return *std::move(message);
      } else if (message->value("id", Json()) == subscription_) {
        subscription_ = nullptr;  // the server has ended it
      } else if (is("answers-late-answers") && message->value("id", Json()) == given_up_) {
        carrier_.send(refusal(given_up_, -32600, "That is too late"));
      }
    }
    return nullptr;
  }

  // The server asks nothing, and is not answered.
  void take_word(const Json& message) {
    if (message.contains("id") && is("answers-the-server")) {
      carrier_.send({{"jsonrpc", "2.0"}, {"id", message["id"]}, {"result", Json::object()}});
    }
    if (message.contains("id")) return;
    if (is("ends-at-notifications")) ::_exit(kGivenUp);
    if (!is("answers-notifications")) return;
    carrier_.send(refusal(nullptr, -32601, "Method not found"));
  }

  // A result of a type that is not known is none.
  Json read(Json answer) const {
    if (!has_result(answer)) return answer;
    const bool has_type = answer["result"].contains("resultType");
    const auto type = answer["result"].value("resultType", "complete");
    if (is("wants-result-type") && !has_type) ::_exit(kGivenUp);
    if (is("knows-all-members") && answer.dump().find("\"jrpcheck\":") != std::string::npos) {
      ::_exit(kGivenUp);
    }
    const bool is_known = type == "complete" || type == "input_required";
    if (!is_known && !is("takes-any-result-type")) return nullptr;
    return answer;
  }

  Json ask(const std::string& method, const Json& params = Json::object()) {
    Json message = make(method, params);
    if (method == "prompts/list" && is("params-array")) message["params"] = Json::array();
    const Json id = message["id"];
    const bool is_batch = method == "prompts/list" && is("batch");
    carrier_.send(is_batch ? Json::array({message}) : message);
    const auto limit = method == "tools/call" ? limit_of_calls() : std::nullopt;
    Json answer = await(id, limit.value_or(is_served_ ? kForAnAnswer : kForFirstAnswer));
    is_served_ = is_served_ || !answer.is_null();
    if (limit && answer.is_null() && !carrier_.has_ended()) return give_up(id);
    if (!answer.is_null() || !carrier_.has_ended() || was_restarted_) return read(answer);
    return start_again(method, params);
  }

  // What was asked is lost with the server, and so is what was listened to.
  Json start_again(const std::string& method, const Json& params) {
    was_restarted_ = true;
    if (is("leaves-with-server") || !carrier_.restart()) return nullptr;
    const bool has_listened = !subscription_.is_null();
    subscription_ = nullptr;
    if (has_listened && !is("never-listens-again")) listen();
    return ask(method, params);
  }

  void cancel(const Json& id) {
    carrier_.send({{"jsonrpc", "2.0"},
                   {"method", "notifications/cancelled"},
                   {"params", {{"requestId", id}}}});
  }

  // Over HTTP by closing the stream, else by a notification (basic/patterns/cancellation).
  Json give_up(const Json& id) {
    given_up_ = id;
    if (is_http_ && !is("http-cancels-by-word")) {
      carrier_.close_stream(id);
      return nullptr;
    }
    cancel(id);
    if (is_http_) std::this_thread::sleep_for(kLong);
    return nullptr;
  }

  // Until the server has said that it does, or does not.
  void listen() {
    Json message = make("subscriptions/listen", {{"notifications", {{"toolsListChanged", true}}}});
    if (is("listens-to-nothing")) message["params"].erase("notifications");
    if (is("listens-to-text")) message["params"]["notifications"]["toolsListChanged"] = "yes";
    subscription_ = message["id"];
    carrier_.send(message);
    const auto deadline = Deadline::in(kForAnAnswer);
    while (const auto word = carrier_.receive(deadline)) {
      if (word->value("method", "") == "notifications/subscriptions/acknowledged") return;
      if (word->value("id", Json()) == subscription_) break;
    }
    subscription_ = nullptr;
  }

  // Over HTTP by closing its stream, else by a notification (basic/patterns/cancellation).
  void stop_listening() {
    if (subscription_.is_null()) return;
    const bool leaves_open = is("http-leaves-stream-open");
    if (is_http_ && !leaves_open) {
      carrier_.close_stream(subscription_);
    } else {
      cancel(subscription_);
    }
    if (leaves_open) std::this_thread::sleep_for(kLong);
    subscription_ = nullptr;
  }

  static int code_of(const Json& answer) {
    return answer.is_object() && answer.contains("error") ? answer["error"].value("code", 0) : 0;
  }

  // server/discover tells of which era the server is (basic/versioning).
  Era discover() {
    Json answer = ask("server/discover");
    if (code_of(answer) == kUnsupportedVersion &&
        (is("falls-back-always") || is("http-falls-back-always"))) {
      return Era::legacy;
    }
    if (code_of(answer) == kUnsupportedVersion) {
      const Json supported =
          answer["error"].value("data", Json::object()).value("supported", Json());
      const bool has_own =
          std::find(supported.begin(), supported.end(), kVersion) != supported.end();
      if (is("retries-in-any-version")) {
        version_ = "2027-01-01";
        ask("server/discover");
        version_ = kVersion;
      }
      if (!has_own || is("leaves-when-refused")) return Era::none;
      answer = ask("server/discover");
    }
    if (has_result(answer)) {
      const Json tools =
          answer["result"].value("capabilities", Json::object()).value("tools", Json::object());
      tells_of_changes_ = tools.value("listChanged", false);
      return Era::modern;
    }
    const int code = code_of(answer);
    if (is("falls-back-by-params") && code != -32602) return Era::none;
    if (is("falls-back-by-method") && code != -32601) return Era::none;
    return is("modern-alone") ? Era::none : Era::legacy;
  }

  void be_odd_alone() {
    if (is("cancels-foreign")) cancel("nobody");
    if (is("id-again")) {
      const Json message = make("resources/list", Json::object());
      carrier_.send(message);
      carrier_.send(message);
      await(message["id"]);
      await(message["id"]);
    }
    if (is("token-again")) {
      Json first = make("resources/list", Json::object());
      Json second = make("resources/list", Json::object());
      for (auto* each : {&first, &second}) {
        (*each)["params"]["_meta"]["progressToken"] = "one";
        carrier_.send(*each);
      }
      await(first["id"]);
      await(second["id"]);
    }
  }

  bool keeps_lists() const {
    return is("keeps-for-ttl") || is("keeps-forever") || is("keeps-by-method");
  }

  // From what it has kept, where it keeps any.
  Json list_page(const Json& params) {
    if (!keeps_lists()) return ask("tools/list", params);
    const std::string key = is("keeps-by-method") ? "" : params.dump();
    const auto known = kept_.find(key);
    if (known != kept_.end()) return known->second;
    Json answer = ask("tools/list", params);
    if (!has_result(answer)) return answer;
    const Json ttl = answer["result"].value("ttlMs", Json());
    const bool is_fresh = ttl.is_number() && ttl > 0;
    if (is("keeps-forever") ? ttl != 0 : is_fresh) kept_[key] = answer;
    return answer;
  }

  // All pages, and of the tools those whose annotations are valid.
  void list_tools() {
    tools_.clear();
    Json params = Json::object();
    for (int page = 0; page < kMostRounds; ++page) {
      const Json answer = list_page(params);
      if (!has_result(answer)) return;
      for (const auto& tool : answer["result"].value("tools", Json::array())) {
        if (is("http-fetches-references")) fetch_references(tool);
        if (is_http_ && !is("http-takes-odd-annotations") && !has_valid_annotations(tool)) continue;
        tools_.push_back(tool);
      }
      if (!answer["result"].contains("nextCursor") || is("first-page-alone")) return;
      std::string cursor = answer["result"]["nextCursor"];
      if (cursor.empty() && is("empty-cursor-is-the-end")) return;
      params["cursor"] = is("changes-cursors") ? cursor + "x" : cursor;
    }
  }

  void fetch_references(const Json& schema) {
    if (schema.is_object() && schema.contains("$ref")) carrier_.fetch(schema["$ref"]);
    for (const auto& each : schema) {
      if (each.is_structured()) fetch_references(each);
    }
  }

  Json arguments_for(const Json& tool) const {
    Json arguments = Json::object();
    const Json properties = properties_of(tool);
    for (const auto& [name, schema] : properties.items()) {
      const auto type = schema.value("type", "");
      if (name == "quiet") continue;
      if (type == "integer") {
        arguments[name] = -42;
      } else if (type == "boolean") {
        arguments[name] = true;
      } else {
        arguments[name] = is("argument-number") ? Json(7) : Json("caf\xc3\xa9");
      }
    }
    return arguments;
  }

  Json call_tool(const Json& tool) {
    const Json params = {{"name", tool["name"]}, {"arguments", arguments_for(tool)}};
    Json answer = ask_all("tools/call", params);
    if (code_of(answer) != kHeaderMismatch) return answer;
    was_refused_by_head_ = true;
    if (is("http-lists-once")) return answer;
    list_tools();
    return ask_all("tools/call", params);
  }

  // Until the server wants to know nothing more.
  Json ask_all(const std::string& method, const Json& params) {
    Json more = params;
    Json answer = ask(method, more);
    for (int round = 0; round < kMostRounds; ++round) {
      if (!has_result(answer)) return answer;
      const Json& result = answer["result"];
      if (result.value("resultType", "complete") != "input_required" || is("leaves-input")) {
        return answer;
      }
      more = params;
      add_what_was_wanted(result, more);
      if (is("retries-with-id")) --last_;
      answer = ask(method, more);
    }
    return answer;
  }

  void add_what_was_wanted(const Json& result, Json& params) {
    if (result.contains("inputRequests")) {
      Json responses = Json::object();
      for (const auto& [key, wanted] : result["inputRequests"].items()) {
        if (!is("answers-nothing")) responses[key] = input_for(wanted);
      }
      params["inputResponses"] = responses;
    }
    if (is("invents-state") && !result.contains("requestState")) params["requestState"] = "x";
    if (!result.contains("requestState")) return;
    last_state_ = result["requestState"];
    if (is("keeps-state")) return;
    params["requestState"] = is("changes-state") ? last_state_ + " " : last_state_;
  }

  Json input_for(const Json& wanted) const {
    const std::string method = wanted["method"];
    if (method == "roots/list") {
      return {{"roots", {{{"uri", is("paths-as-roots") ? "/tmp" : "file:///tmp"}}}}};
    }
    if (method == "elicitation/create") {
      Json content = Json::object();
      if (is("fills-in-anything")) content["answer"] = "anything";
      return {{"action", is("odd-action") ? "ok" : "accept"}, {"content", content}};
    }
    Json sample = {{"role", "assistant"},
                   {"content", {{"type", "text"}, {"text", "jrpcheck"}}},
                   {"model", "none"}};
    if (is("sample-without-model")) sample.erase("model");
    return sample;
  }

  Carrier& carrier_;
  std::string_view oddity_;
  bool is_http_;
  RequestMetadata metadata_;
  std::string version_ = kVersion;
  std::vector<Json> tools_;
  std::map<std::string, Json> kept_;  // lists, by their params
  std::string last_state_;
  Json subscription_;  // the id of the request that listens
  Json given_up_;      // likewise, which has no answer
  bool tells_of_changes_ = false;
  bool is_served_ = false;
  bool was_restarted_ = false;
  bool all_went_well_ = true;
  bool was_refused_by_head_ = false;
  int last_ = 0;
};

}  // namespace

std::optional<bool> run_without_handshake(Carrier& carrier, std::string_view oddity, bool is_http) {
  return StatelessSession(carrier, oddity, is_http).run();
}

}  // namespace jrpcheck::reference
