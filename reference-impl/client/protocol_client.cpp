#include "reference-impl/client/protocol_client.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <optional>
#include <thread>

#include "reference-impl/client/session_answers.hpp"
#include "reference-impl/client/session_carrier.hpp"
#include "reference-impl/client/session_tasks.hpp"

namespace jrpcheck::reference {

namespace {

using Json = SessionJson;

// Behind server/discover without an answer, whose calls are in flight for all that is known.
constexpr int kAskedBeforeHandshake = 100;

class SessionClient {
 public:
  SessionClient(Carrier& carrier, std::string_view protocol, std::string_view version,
                std::string_view oddity, int last_id)
      : carrier_(carrier),
        is_mcp_(protocol == "mcp"),
        is_of_march_(version == kOfMarch || oddity == "mcp-batch-in-march"),
        oddity_(oddity),
        tasks_(oddity),
        answers_(carrier, is_mcp_, tasks_, oddity),
        last_(last_id) {}

  bool run() { return is_mcp_ ? run_mcp() : run_lsp(); }

 private:
  bool is(std::string_view name) const { return oddity_ == name; }

  Json id_of(int number) const {
    if (is("mcp-ids-are-texts") || is("lsp-ids-are-texts")) return "n" + std::to_string(number);
    if (is("mcp-id-again") && number == 4) return 2;
    if (is("lsp-id-beyond-32-bits")) return 3'000'000'000LL + number;
    return number;
  }

  void notify(const std::string& method, const Json& params) {
    Json message = {{"jsonrpc", "2.0"}, {"method", method}};
    if (!params.is_null()) message["params"] = params;
    carrier_.send(message);
  }

  Json ask(const std::string& method, const Json& params) {
    Json id = id_of(++last_);
    Json message = {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}};
    if (!params.is_null()) message["params"] = params;
    const bool is_odd_one = method == "tools/call" || method == "textDocument/hover";
    if (is_odd_one && (is("mcp-id-null") || is("lsp-id-null"))) message["id"] = nullptr;
    if (is_odd_one && is("mcp-params-array")) message["params"] = Json::array();
    if (is_odd_one && is("mcp-odd-meta-key")) message["params"]["_meta"]["-odd-/key"] = 1;
    if (is_odd_one && is("mcp-progress-token")) {
      message["params"]["_meta"]["progressToken"] = Json::array();
    }
    const bool has_batches = is("mcp-batch") || is("mcp-batch-in-march");
    if (has_batches && method == "tools/list") message = Json::array({message});
    if (is("mcp-task-undeclared") && method == "tools/call")
      message["params"]["task"] = {{"ttl", 1}};
    carrier_.send(message);
    if (is_odd_one && is("lsp-id-of-open-request")) carrier_.send(message);
    return id;
  }

  // The answer to that, and meanwhile what the server asks is answered.
  Json await(const Json& id, std::chrono::milliseconds patience = kForAnAnswer) {
    const auto deadline = Deadline::in(patience);
    while (!deadline.passed()) {
      auto message = carrier_.receive(deadline);
      if (!message) break;
      if (message->is_array() && message->size() == 1) message = Json(message->front());
      if (message->is_array()) serve_batch(*message);
      if (!message->is_object()) continue;
      const auto given = message->value("id", Json());
      if (!message->contains("method") && given == id) return *std::move(message);
      if (message->contains("method")) serve(*message);
      if (given == given_up_ && !given.is_null() && is("mcp-answers-late-answers")) {
        carrier_.send(refusal(given, -32600, "That is too late"));
      }
    }
    return nullptr;
  }

  Json call(const std::string& method, const Json& params = nullptr) {
    const auto limit = method == "tools/call" ? limit_of_calls() : std::nullopt;
    const Json id = ask(method, params);
    Json answer = await(id, limit.value_or(kForAnAnswer));
    if (limit && answer.is_null()) give_up(id);
    if (carrier_.is_gone()) {
      if (is("mcp-http-stays-gone")) ::_exit(kGivenUp);
      carrier_.begin_anew();
      if (open()) answer = await(ask(method, params));
    }
    const bool is_pedantic = is("mcp-knows-all-members");
    if (is_pedantic && answer.dump().find("\"jrpcheck\":") != std::string::npos) {
      ::_exit(kGivenUp);
    }
    return answer;
  }

  // By a notification, and not by hanging up (basic/transports § Sending Messages).
  void give_up(const Json& id) {
    given_up_ = id;
    if (is("mcp-http-hangs-up")) {
      carrier_.close_stream(id);
    } else {
      notify("notifications/cancelled", {{"requestId", id}});
    }
  }

  void serve(const Json& message) {
    if (const auto answer = answer_to(message)) carrier_.send(*answer);
  }

  // 2025-03-26 has batches, of requests here: this client sends none itself whose answer one is.
  void serve_batch(const Json& batch) {
    if (is("march-ignores-batches")) return;
    Json answers = Json::array();
    for (const auto& each : batch) {
      if (!each.is_object() || !each.contains("method")) continue;
      if (auto answer = answer_to(each)) answers.push_back(*std::move(answer));
    }
    if (!answers.empty()) carrier_.send(answers);
  }

  std::optional<Json> answer_to(const Json& message) {
    const auto method = message["method"].get<std::string>();
    tasks_.take_word(message);
    if (!message.contains("id")) {
      serve_notification(method);
      return std::nullopt;
    }
    if (is("mcp-ends-at-requests") || is("lsp-ends-at-requests")) ::_exit(kGivenUp);
    if (is("mcp-ping-unanswered") || is("lsp-unanswered")) return std::nullopt;
    Json answer = {{"jsonrpc", "2.0"}, {"id", message["id"]}};
    if (is("mcp-id-as-text")) {
      const Json& id = message["id"];
      answer["id"] = id.is_string() ? Json(7) : Json(id.dump());
    }
    const Json params = message.value("params", Json::object());
    auto result = answers_.result_of(method, params);
    if (result) tasks_.name_task(params, *result);
    if (const auto members = tasks_.serve(method, params, result)) {
      answer.update(*members);
    } else if (result) {
      answer["result"] = *result;
    } else if (!answers_.refuses_a_part(method, params)) {
      answer["error"] = {{"code", -32601}, {"message", "Method not found"}};
    } else {
      answer["error"] = {{"code", -32602}, {"message", "That was not declared"}};
    }
    return answer;
  }

  void serve_notification(const std::string& method) {
    const bool is_own = method == "notifications/tools/list_changed";
    if (is_own && is("mcp-lists-again"))
      carrier_.send({{"jsonrpc", "2.0"}, {"id", 99}, {"method", "tools/list"}});
    if (is_own) return;
    if (is("mcp-ends-at-notifications") || is("lsp-ends-at-notifications")) ::_exit(kGivenUp);
    if (is("mcp-answers-notifications") || is("lsp-answers-notifications")) {
      carrier_.send(refusal(nullptr, -32601, "Method not found"));
    }
  }

  // Whether the session is open.
  bool open() {
    const bool asks_for_older = is("mcp-asks-for-older") || is("mcp-has-an-older-version");
    const std::string newest(is_of_march_     ? kOfMarch
                             : asks_for_older ? "2025-06-18"
                                              : "2025-11-25");
    Json params = {{"protocolVersion", newest},
                   {"capabilities", answers_.capabilities()},
                   {"clientInfo", {{"name", "jrpcheck-reference"}, {"version", "1"}}}};
    if (is("mcp-client-name-number")) params["clientInfo"]["name"] = 7;
    if (is("mcp-initialize-without-info")) params.erase("clientInfo");
    const Json id = ask("initialize", params);
    if (is("mcp-lists-early"))
      carrier_.send({{"jsonrpc", "2.0"}, {"id", 77}, {"method", "tools/list"}});
    if (is("mcp-pings-first")) carrier_.send({{"jsonrpc", "2.0"}, {"id", 78}, {"method", "ping"}});
    if (is("mcp-cancels-initialize")) notify("notifications/cancelled", {{"requestId", id}});
    const Json answer = await(id, kForFirstAnswer);
    if (!has_result(answer)) return false;
    const auto version = answer["result"].value("protocolVersion", "");
    const bool is_older = version == "2025-06-18" || version == kOfMarch;
    const bool is_known = version == newest || (is_older && !is_of_march_) ||
                          (version == "2025-11-25" && is("mcp-asks-for-older"));
    if (!is_known && !is("mcp-any-version")) return false;
    capabilities_ = answer["result"].value("capabilities", Json::object());
    if (is("mcp-knows-all-members") && answer["result"].contains("jrpcheck")) return false;
    carrier_.agree_on(version);
    if (!is("mcp-never-ready")) notify("notifications/initialized", nullptr);
    return true;
  }

  bool has(const std::string& capability) const {
    return capabilities_.contains(capability) || is("mcp-ignores-capabilities") ||
           is("lsp-ignores-capabilities");
  }

  Json list_tools() {
    Json answer = call("tools/list");
    const std::string text = answer.dump();
    for (const std::string support : {"optional", "required"}) {
      const bool has_it = text.find(R"("taskSupport":")" + support) != std::string::npos;
      if (has_it) task_support_ = support;
    }
    const bool has_more = has_result(answer) && answer["result"].is_object() &&
                          answer["result"].contains("nextCursor");
    if (!has_more) return answer;
    const std::string cursor = answer["result"]["nextCursor"];
    return call("tools/list", {{"cursor", is("mcp-changes-cursors") ? cursor + "x" : cursor}});
  }

  // As a task where it can be one.
  Json call_tool() {
    Json params = {{"name", "echo"}, {"arguments", Json::object()}};
    if (is("mcp-arguments-text")) params["arguments"] = "jrpcheck";
    if (is("mcp-argument-number")) params["arguments"]["message"] = 7;
    if (is("mcp-says-something")) params["arguments"]["message"] = "jrpcheck";
    if (!tasks_.calls_as_task(capabilities_, task_support_)) return call("tools/call", params);
    params["task"] = {{"ttl", 60000}};
    const Json created = call("tools/call", params);
    const Json id = id_of(last_);
    const auto ask = [this](const std::string& method, const Json& about) {
      return call(method, about);
    };
    return tasks_.finish(created, ask, [&] {
      notify("notifications/cancelled", {{"requestId", id}});
    });
  }

  bool run_mcp() {
    if (is("mcp-no-initialize")) return !call("tools/list").is_null();
    if (!open()) return false;
    bool all_went_well = true;
    const auto note = [&](const Json& answer) {
      all_went_well = all_went_well && has_result(answer);
    };
    if (is("mcp-cancels-foreign")) notify("notifications/cancelled", {{"requestId", "nobody"}});
    if (has("tools")) note(list_tools());
    if (has("tools")) note(call_tool());
    if (is("mcp-odd-log-level")) call("logging/setLevel", {{"level", "verbose"}});
    if (is("mcp-sets-log-level") && has("logging"))
      note(call("logging/setLevel", {{"level", "warning"}}));
    if (is("mcp-subscribes-undeclared")) {
      call("resources/subscribe", {{"uri", "file:///tmp/a"}});
    }
    if (has("prompts")) note(call("prompts/list"));
    carrier_.leave();
    return all_went_well;
  }

  bool run_lsp() {
    if (!is("lsp-no-initialize") && !open_lsp()) return false;
    bool all_went_well = true;
    const Json place = {{"textDocument", {{"uri", "file:///tmp/a"}}},
                        {"position", {{"line", 0}, {"character", 0}}}};
    const auto ask_for = [&](const std::string& method) {
      const Json answer = call(method, place);
      all_went_well = all_went_well && has_result(answer);
    };
    if (is("lsp-cancels-foreign")) notify("$/cancelRequest", {{"id", "nobody"}});
    if (!is("lsp-leaves-at-once") && has("hoverProvider")) ask_for("textDocument/hover");
    if (!is("lsp-leaves-at-once") && has("definitionProvider")) ask_for("textDocument/definition");
    if (!is("lsp-exit-alone"))
      call("shutdown", is("lsp-shutdown-params") ? Json::object() : Json());
    if (is("lsp-asks-after-shutdown")) call("textDocument/hover", place);
    notify("exit", nullptr);
    return all_went_well;
  }

  bool open_lsp() {
    Json params = {
        {"processId", ::getpid()},
        {"rootUri", nullptr},
        {"capabilities",
         {{"workspace",
           {{"configuration", true}, {"didChangeConfiguration", {{"dynamicRegistration", true}}}}},
          {"window", {{"workDoneProgress", true}}}}}};
    if (is("lsp-initialize-without-process")) params.erase("processId");
    const Json id = ask("initialize", params);
    if (is("lsp-asks-early")) notify("textDocument/didOpen", {{"textDocument", Json::object()}});
    const Json answer = await(id);
    if (!has_result(answer)) return false;
    capabilities_ = answer["result"].value("capabilities", Json::object());
    const Json opened = {{"textDocument", Json::object()}};
    if (is("lsp-opens-before-ready")) notify("textDocument/didOpen", opened);
    if (!is("lsp-never-ready")) notify("initialized", Json::object());
    if (is("lsp-ready-twice")) notify("initialized", Json::object());
    return true;
  }

  Carrier& carrier_;
  bool is_mcp_;
  bool is_of_march_;
  std::string_view oddity_;
  Json capabilities_;
  SessionTasks tasks_;
  SessionAnswers answers_;
  Json given_up_;             // the id of a request
  std::string task_support_;  // of the tool
  int last_;
};

}  // namespace

std::optional<std::chrono::milliseconds> limit_of_calls() {
  const char* limit = std::getenv("JRPCHECK_TIMEOUT");
  if (limit == nullptr || *limit == '\0') return std::nullopt;
  constexpr double kInASecond = 1000;
  return std::chrono::milliseconds(static_cast<long>(std::atof(limit) * kInASecond));
}

std::string family_of_client(std::string_view protocol, std::string_view version) {
  if (protocol != "mcp") return std::string(protocol);
  if (version == kOfMarch) return "march";
  if (version >= "2026-07-28") return "stateless";
  return version.empty() || version == "2025-11-25" ? "mcp" : "";
}

bool run_session(const ServerPlace& place, std::string_view protocol, std::string_view version,
                 std::string_view oddity) {
  const bool is_stateless = family_of_client(protocol, version) == "stateless";
  const auto run_one = [&] {
    const auto carrier = make_carrier(place, protocol, version, oddity);
    if (!carrier) return false;
    if (!is_stateless) return SessionClient(*carrier, protocol, version, oddity, 0).run();
    const auto done = run_without_handshake(*carrier, oddity, place.command.empty());
    return done ? *done
                : SessionClient(*carrier, protocol, version, "", kAskedBeforeHandshake).run();
  };
  if (oddity == "stateless-two-clients-at-once") {
    std::jthread other(run_one);
    return run_one();
  }
  const bool is_twice = oddity == "mcp-two-sessions" || oddity == "lsp-two-sessions" ||
                        oddity == "stateless-two-clients";
  if (is_twice) run_one();
  return run_one();
}

}  // namespace jrpcheck::reference
