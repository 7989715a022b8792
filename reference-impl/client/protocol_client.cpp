#include "reference-impl/client/protocol_client.hpp"

#include <unistd.h>

#include <chrono>
#include <deque>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "reference-impl/client/connection.hpp"
#include "wire/sse.hpp"

namespace jrpcheck::reference {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::chrono::milliseconds kForAnAnswer{2500};
constexpr int kOwnFailure = 1;

bool is_oddity(std::string_view given, std::string_view name) { return given == name; }

// Messages to the server and back, whatever carries them.
class Carrier {
 public:
  virtual ~Carrier() = default;
  virtual void send(const Json& message) = 0;
  /// The next message; nothing: none has come in time.
  virtual std::optional<Json> receive(Deadline deadline) = 0;
  /// The session is gone, over HTTP.
  virtual bool is_gone() const { return false; }
  virtual void begin_anew() {}
  virtual void agree_on(const std::string&) {}
  virtual void leave() {}
};

// A program's standard input and output: lines for MCP, heads for LSP.
class StdioCarrier : public Carrier {
 public:
  StdioCarrier(std::unique_ptr<Connection> wire, bool has_heads, bool says_type)
      : wire_(std::move(wire)), has_heads_(has_heads), says_type_(says_type) {}

  void send(const Json& message) override {
    const std::string body = message.dump();
    const std::string type =
        says_type_ ? "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n" : "";
    if (!has_heads_) {
      wire_->write(body + "\n");
    } else {
      wire_->write(type + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
    }
  }

  std::optional<Json> receive(Deadline deadline) override {
    for (;;) {
      if (auto message = next()) return message;
      if (wire_->has_ended() || deadline.passed()) return std::nullopt;
      wire_->read(rest_, deadline);
    }
  }

 private:
  std::optional<Json> next() {
    std::string body;
    if (!has_heads_) {
      const auto end = rest_.find('\n');
      if (end == rest_.npos) return std::nullopt;
      body = rest_.substr(0, end);
      rest_.erase(0, end + 1);
    } else {
      const auto end = rest_.find("\r\n\r\n");
      const auto at = rest_.find("Content-Length:");
      if (end == rest_.npos || at == rest_.npos) return std::nullopt;
      const auto size = std::stoul(rest_.substr(at + 15));
      if (rest_.size() < end + 4 + size) return std::nullopt;
      body = rest_.substr(end + 4, size);
      rest_.erase(0, end + 4 + size);
    }
    auto message = Json::parse(body, nullptr, false);
    return message.is_discarded() ? std::nullopt : std::optional(std::move(message));
  }

  std::unique_ptr<Connection> wire_;
  bool has_heads_;
  bool says_type_;
  std::string rest_;
};

// Streamable HTTP: a connection for each message.
class HttpCarrier : public Carrier {
 public:
  HttpCarrier(std::string host, std::string port, std::string path, std::string_view oddity)
      : host_(std::move(host)), port_(std::move(port)), path_(std::move(path)), oddity_(oddity) {}

  void send(const Json& message) override {
    const bool is_call = message.is_object() && message.contains("method") &&
                         message.contains("id") && !is_oddity(oddity_, "mcp-batch");
    auto exchange = std::make_unique<Exchange>();
    auto wire = connect_to(host_, port_);
    if (!wire) ::_exit(kOwnFailure);
    exchange->wire = *std::move(wire);
    const std::string body = message.dump();
    exchange->wire->write(wire::http_request("POST", path_, fields(body.size()), body));
    // What is no call is done with when it has been taken.
    Exchange& made = *exchange;
    if (is_call) calls_.push_back(std::move(exchange));
    if (!is_call) read(made, Deadline::in(kForAnAnswer), true);
  }

  std::optional<Json> receive(Deadline deadline) override {
    while (queue_.empty() && !calls_.empty() && !deadline.passed() && !is_gone_) {
      Exchange& call = *calls_.back();
      read(call, deadline, false);
      if (call.is_over) calls_.pop_back();
    }
    if (queue_.empty()) return std::nullopt;
    auto message = std::move(queue_.front());
    queue_.pop_front();
    return message;
  }

  bool is_gone() const override { return is_gone_; }
  void begin_anew() override {
    is_gone_ = false;
    version_.clear();
    if (!is_oddity(oddity_, "mcp-http-keeps-old-id")) session_.clear();
  }
  void agree_on(const std::string& version) override { version_ = version; }
  void leave() override {
    if (session_.empty() || is_oddity(oddity_, "mcp-no-delete")) return;
    auto wire = connect_to(host_, port_);
    if (!wire) return;
    (*wire)->write(wire::http_request("DELETE", path_, fields(0), ""));
    std::string bytes;
    (*wire)->read(bytes, Deadline::in(kForAnAnswer));
  }

 private:
  struct Exchange {
    std::unique_ptr<Connection> wire;
    wire::HttpReader reader{wire::HttpReader::Role::client};
    wire::SseReader events;
    bool is_over = false;
  };

  wire::HttpFields fields(std::size_t size) const {
    const bool only_json = is_oddity(oddity_, "mcp-http-accept-json");
    wire::HttpFields all = {
        {"Host", host_ + ":" + port_},
        {"Content-Type", "application/json"},
        {"Accept", only_json ? "application/json" : "application/json, text/event-stream"},
        {"Content-Length", std::to_string(size)}};
    if (!session_.empty() && !is_oddity(oddity_, "mcp-http-no-session")) {
      all.emplace_back("Mcp-Session-Id", session_);
    }
    if (!version_.empty() && !is_oddity(oddity_, "mcp-http-no-version")) {
      const bool is_old = is_oddity(oddity_, "mcp-http-old-version");
      all.emplace_back("MCP-Protocol-Version", is_old ? "2025-03-26" : version_);
    }
    return all;
  }

  // What has come of the response: all of it, or some events.
  void read(Exchange& call, Deadline deadline, bool whole) {
    for (;;) {
      const auto* head = call.reader.pending_head();
      const bool streams =
          head != nullptr && head->field("Content-Type") == std::string_view("text/event-stream");
      if (streams) take_events(call, call.reader.take_pending_body());
      if (auto response = call.reader.next()) {
        call.is_over = true;
        return take(call, *response);
      }
      if (!queue_.empty() && !whole) return;
      if (deadline.passed() || call.wire->has_ended()) {
        call.is_over = true;
        return;
      }
      std::string bytes;
      call.wire->read(bytes, deadline);
      call.reader.feed(bytes);
      if (call.wire->has_ended()) call.reader.end_of_input();
    }
  }

  void take(Exchange& call, const wire::HttpMessage& response) {
    if (response.status == 404 && !session_.empty()) {
      is_gone_ = true;
      return;
    }
    if (const auto session = response.field("Mcp-Session-Id")) session_ = *session;
    if (response.field("Content-Type") == std::string_view("text/event-stream")) {
      return take_events(call, response.body);
    }
    auto message = Json::parse(response.body, nullptr, false);
    if (!message.is_discarded()) queue_.push_back(std::move(message));
  }

  void take_events(Exchange& call, const std::string& body) {
    if (is_oddity(oddity_, "mcp-http-no-streams")) ::_exit(kOwnFailure);
    call.events.feed(body);
    while (const auto event = call.events.next()) {
      auto message = Json::parse(event->data.value_or(""), nullptr, false);
      if (!message.is_discarded()) queue_.push_back(std::move(message));
    }
  }

  std::string host_;
  std::string port_;
  std::string path_;
  std::string_view oddity_;
  std::string session_;
  std::string version_;
  std::deque<Json> queue_;
  std::vector<std::unique_ptr<Exchange>> calls_;
  bool is_gone_ = false;
};

class SessionClient {
 public:
  SessionClient(Carrier& carrier, std::string_view protocol, std::string_view oddity)
      : carrier_(carrier), is_mcp_(protocol == "mcp"), oddity_(oddity) {}

  bool run() { return is_mcp_ ? run_mcp() : run_lsp(); }

 private:
  bool is(std::string_view name) const { return is_oddity(oddity_, name); }

  Json id_of(int number) const {
    if (is("mcp-ids-are-texts") || is("lsp-ids-are-texts")) return "n" + std::to_string(number);
    if (is("mcp-id-again") && number == 4) return 2;
    return number;
  }

  void notify(const std::string& method, const Json& params) {
    Json message = {{"jsonrpc", "2.0"}, {"method", method}};
    if (!params.is_null()) message["params"] = params;
    carrier_.send(message);
  }

  Json ask(const std::string& method, const Json& params) {
    const Json id = id_of(++last_);
    Json message = {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}};
    if (!params.is_null()) message["params"] = params;
    const bool is_odd_one = method == "tools/call" || method == "textDocument/hover";
    if (is_odd_one && (is("mcp-id-null") || is("lsp-id-null"))) message["id"] = nullptr;
    if (is_odd_one && is("mcp-params-array")) message["params"] = Json::array();
    if (is("mcp-batch") && method == "tools/list") message = Json::array({message});
    carrier_.send(message);
    return id;
  }

  // The answer to that, and meanwhile what the server asks is answered.
  Json await(const Json& id) {
    const auto deadline = Deadline::in(kForAnAnswer);
    while (!deadline.passed()) {
      auto message = carrier_.receive(deadline);
      if (!message) break;
      if (!message->is_object()) continue;
      const auto given = message->value("id", Json());
      if (!message->contains("method") && given == id) return *std::move(message);
      if (message->contains("method")) serve(*message);
    }
    return nullptr;
  }

  Json call(const std::string& method, const Json& params = nullptr) {
    Json answer = await(ask(method, params));
    if (carrier_.is_gone()) {
      if (is("mcp-http-stays-gone")) ::_exit(kOwnFailure);
      carrier_.begin_anew();
      if (open()) answer = await(ask(method, params));
    }
    const bool is_pedantic = is("mcp-knows-all-members");
    if (is_pedantic && answer.dump().find("\"jrpcheck\":") != std::string::npos) {
      ::_exit(kOwnFailure);
    }
    return answer;
  }

  void serve(const Json& message) {
    const auto method = message["method"].get<std::string>();
    if (!message.contains("id")) return serve_notification(method);
    if (is("mcp-ping-unanswered") || is("lsp-unanswered")) return;
    Json answer = {{"jsonrpc", "2.0"}, {"id", message["id"]}};
    if (is("mcp-id-as-text")) {
      const Json& id = message["id"];
      answer["id"] = id.is_string() ? Json(7) : Json(id.dump());
    }
    const auto result = result_of(method, message);
    if (result) {
      answer["result"] = *result;
    } else {
      answer["error"] = {{"code", -32601}, {"message", "Method not found"}};
    }
    carrier_.send(answer);
  }

  void serve_notification(const std::string& method) {
    const bool is_own = method == "notifications/tools/list_changed";
    if (is_own && is("mcp-lists-again"))
      carrier_.send({{"jsonrpc", "2.0"}, {"id", 99}, {"method", "tools/list"}});
    if (is_own) return;
    if (is("mcp-ends-at-notifications") || is("lsp-ends-at-notifications")) ::_exit(kOwnFailure);
    if (is("mcp-answers-notifications") || is("lsp-answers-notifications")) {
      carrier_.send({{"jsonrpc", "2.0"},
                     {"id", nullptr},
                     {"error", {{"code", -32601}, {"message", "Method not found"}}}});
    }
  }

  std::optional<Json> result_of(const std::string& method, const Json& message) const {
    if (is("mcp-serves-all") || is("lsp-serves-all")) return Json::object();
    if (is_mcp_) return result_of_mcp(method);
    if (method == "workspace/configuration" && !is("lsp-configuration-refused")) {
      const std::size_t items = message["params"]["items"].size();
      return Json(std::vector<Json>(is("lsp-one-configuration") ? 1 : items));
    }
    const bool is_taken =
        method == "window/workDoneProgress/create" || method == "client/registerCapability";
    return is_taken ? std::optional(Json()) : std::nullopt;
  }

  std::optional<Json> result_of_mcp(const std::string& method) const {
    if (method == "ping" && !is("mcp-ping-unknown")) {
      return is("mcp-result-text") ? Json("pong") : Json::object();
    }
    if (method == "roots/list" && !is("mcp-roots-refused") && !is("mcp-no-roots")) {
      const std::string uri = is("mcp-roots-paths") ? "/tmp" : "file:///tmp";
      return Json{{"roots", {{{"uri", uri}, {"name", "tmp"}}}}};
    }
    return std::nullopt;
  }

  // Whether the session is open.
  bool open() {
    Json params = {{"protocolVersion", "2025-11-25"},
                   {"capabilities", {{"roots", Json::object()}}},
                   {"clientInfo", {{"name", "jrpcheck-reference"}, {"version", "1"}}}};
    if (is("mcp-no-roots")) params["capabilities"] = Json::object();
    if (is("mcp-initialize-without-info")) params.erase("clientInfo");
    const Json id = ask("initialize", params);
    if (is("mcp-lists-early"))
      carrier_.send({{"jsonrpc", "2.0"}, {"id", 77}, {"method", "tools/list"}});
    if (is("mcp-pings-first")) carrier_.send({{"jsonrpc", "2.0"}, {"id", 78}, {"method", "ping"}});
    if (is("mcp-cancels-initialize")) notify("notifications/cancelled", {{"requestId", id}});
    const Json answer = await(id);
    if (!answer.is_object() || !answer.contains("result")) return false;
    const auto version = answer["result"].value("protocolVersion", "");
    if (version != "2025-11-25" && version != "2025-06-18" && !is("mcp-any-version")) return false;
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

  bool run_mcp() {
    if (is("mcp-no-initialize")) return !call("tools/list").is_null();
    if (!open()) return false;
    bool all_went_well = true;
    const auto note = [&](const Json& answer) {
      all_went_well = all_went_well && answer.is_object() && answer.contains("result");
    };
    if (is("mcp-cancels-foreign")) notify("notifications/cancelled", {{"requestId", "nobody"}});
    if (has("tools")) note(call("tools/list"));
    if (has("tools")) note(call("tools/call", {{"name", "echo"}, {"arguments", Json::object()}}));
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
      all_went_well = all_went_well && answer.is_object() && answer.contains("result");
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
         {{"workspace", {{"configuration", true}}}, {"window", {{"workDoneProgress", true}}}}}};
    if (is("lsp-initialize-without-process")) params.erase("processId");
    const Json id = ask("initialize", params);
    if (is("lsp-asks-early")) notify("textDocument/didOpen", {{"textDocument", Json::object()}});
    const Json answer = await(id);
    if (!answer.is_object() || !answer.contains("result")) return false;
    capabilities_ = answer["result"].value("capabilities", Json::object());
    if (!is("lsp-never-ready")) notify("initialized", Json::object());
    return true;
  }

  Carrier& carrier_;
  bool is_mcp_;
  std::string_view oddity_;
  Json capabilities_;
  int last_ = 0;
};

}  // namespace

bool run_session(const ServerPlace& place, std::string_view protocol, std::string_view oddity) {
  std::unique_ptr<Carrier> carrier;
  if (!place.command.empty()) {
    auto wire = start_program(place.command);
    if (!wire) return false;
    const bool has_heads = protocol == "lsp" && oddity != "lsp-lines";
    carrier =
        std::make_unique<StdioCarrier>(*std::move(wire), has_heads, oddity == "lsp-field-type");
  } else {
    const auto authority = place.url.find("://") + 3;
    const auto colon = place.url.find(':', authority);
    const auto path = std::min(place.url.find('/', authority), place.url.size());
    carrier = std::make_unique<HttpCarrier>(place.url.substr(authority, colon - authority),
                                            place.url.substr(colon + 1, path - colon - 1),
                                            path < place.url.size() ? place.url.substr(path) : "/",
                                            oddity);
  }
  return SessionClient(*carrier, protocol, oddity).run();
}

}  // namespace jrpcheck::reference
