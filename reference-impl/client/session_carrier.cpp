#include "reference-impl/client/session_carrier.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <thread>
#include <utility>
#include <vector>

#include "reference-impl/client/connection.hpp"
#include "reference-impl/client/oauth_client.hpp"
#include "wire/framing.hpp"
#include "wire/http1.hpp"
#include "wire/sse.hpp"

namespace jrpcheck::reference {

namespace {

using Json = SessionJson;

// A program's standard input and output: lines for MCP, heads for LSP.
class StdioCarrier : public Carrier {
 public:
  StdioCarrier(std::unique_ptr<Connection> wire, std::vector<std::string> command,
               ProgramHabits habits, wire::MakeFraming framing, bool says_type)
      : wire_(std::move(wire)),
        command_(std::move(command)),
        habits_(habits),
        make_framing_(framing),
        framing_(framing({})),
        says_type_(says_type) {}

  bool has_ended() const override { return wire_->has_ended(); }
  bool restart() override {
    auto wire = start_program(command_, habits_);
    if (!wire) return false;
    wire_ = *std::move(wire);
    framing_ = make_framing_({});
    return true;
  }

  void send(const Json& message) override {
    const std::string type =
        says_type_ ? "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n" : "";
    wire_->write(type + framing_->encode(message.dump()));
  }

  std::optional<Json> receive(Deadline deadline) override {
    for (;;) {
      if (auto message = next()) return message;
      if (wire_->has_ended() || deadline.passed()) return std::nullopt;
      std::string bytes;
      wire_->read(bytes, deadline);
      framing_->feed(bytes);
    }
  }

 private:
  // What is no JSON is passed over.
  std::optional<Json> next() {
    while (const auto frame = framing_->next()) {
      auto message = Json::parse(frame->payload, nullptr, false);
      if (!message.is_discarded()) return message;
      if (habits_.reads_errors) ::_exit(kGivenUp);
    }
    return std::nullopt;
  }

  std::unique_ptr<Connection> wire_;
  std::vector<std::string> command_;
  ProgramHabits habits_;
  wire::MakeFraming make_framing_;
  std::unique_ptr<wire::Framing> framing_;
  bool says_type_;
};

// Streamable HTTP: a connection for each message.
class HttpCarrier : public Carrier {
 public:
  HttpCarrier(const Url& server, bool is_of_march, std::string_view oddity)
      : server_(server), oddity_(oddity), oauth_(server, is_of_march, oddity) {}

  void send(const Json& message) override {
    const Json& one = message.is_array() ? message.front() : message;
    const bool is_call = one.contains("method") && one.contains("id");
    auto exchange = std::make_unique<Exchange>();
    exchange->message = message;
    begin(*exchange);
    // What is no call is done with when it has been taken.
    if (is_call) exchange->id = one["id"];
    Exchange& made = *exchange;
    if (is_call) calls_.push_back(std::move(exchange));
    if (!is_call) read(made, Deadline::in(kForAnAnswer), true);
  }

  std::optional<Json> receive(Deadline deadline) override {
    while (queue_.empty() && !calls_.empty() && !deadline.passed() && !is_gone_) {
      Exchange& call = *calls_.back();
      read(call, deadline, false);
      if (call.is_over && !resume(call)) calls_.pop_back();
    }
    if (queue_.empty()) return std::nullopt;
    auto message = std::move(queue_.front());
    queue_.pop_front();
    return message;
  }

  void fetch(const std::string& url) override {
    auto wire = connect_to(server_.host, server_.port);
    if (!wire) return;
    const auto path = url.find('/', url.find("://") + 3);
    const std::string target = path == url.npos ? "/" : url.substr(path);
    (*wire)->write(wire::http_request("GET", target, {{"Host", server_.authority()}}, ""));
    std::string bytes;
    (*wire)->read(bytes, Deadline::in(kForAnAnswer));
  }

  bool close_stream(const Json& id) override {
    const auto is_it = [&](const auto& each) { return each->id == id; };
    return std::erase_if(calls_, is_it) > 0;
  }

  bool is_gone() const override { return is_gone_; }
  void begin_anew() override {
    is_gone_ = false;
    version_.clear();
    if (!is_odd("mcp-http-keeps-old-id")) session_.clear();
  }
  void agree_on(const std::string& version) override { version_ = version; }
  void head_with(Head head) override { head_ = std::move(head); }
  void leave() override {
    if (session_.empty() || is_odd("mcp-no-delete")) return;
    auto wire = connect_to(server_.host, server_.port);
    if (!wire) return;
    auto head = fields(0);
    if (is_odd("mcp-http-delete-no-version")) {
      std::erase_if(head, [](const auto& field) { return field.first == "MCP-Protocol-Version"; });
    }
    oauth_.add_token("", head);
    (*wire)->write(wire::http_request("DELETE", oauth_.target(), head, ""));
    std::string bytes;
    (*wire)->read(bytes, Deadline::in(kForAnAnswer));
  }

 private:
  // In whichever version.
  bool is_odd(std::string_view name) const {
    const auto rest = oddity_.find('-');
    return oddity_ == name || (rest != oddity_.npos && oddity_.starts_with("stateless-") &&
                               "mcp" + std::string(oddity_.substr(rest)) == name);
  }

  struct Exchange {
    Json message;
    std::unique_ptr<Connection> wire;
    wire::HttpReader reader{wire::HttpReader::Role::client};
    wire::SseReader events;
    Json id;  // of the request
    bool is_over = false;
    bool is_answered = false;
    std::string last_event;
    std::chrono::milliseconds retry{0};
  };

  // Sends its message, over a connection of its own.
  void begin(Exchange& call) {
    auto wire = connect_to(server_.host, server_.port);
    if (!wire) ::_exit(kGivenUp);
    call.wire = *std::move(wire);
    call.reader = wire::HttpReader(wire::HttpReader::Role::client);
    const std::string body = call.message.dump();
    auto head = fields(body.size());
    if (head_) {
      for (auto& each : head_(call.message)) head.push_back(std::move(each));
    }
    const bool is_one = call.message.is_object();
    oauth_.add_token(is_one ? call.message.value("method", "") : "", head);
    call.wire->write(wire::http_request("POST", oauth_.target(), head, body));
  }

  // What is no answer yet: a token is wanted first, or the server is elsewhere.
  bool goes_again(Exchange& call, const wire::HttpMessage& response) {
    if (response.status == 307) {
      oauth_.follow(std::string(response.field("Location").value_or("")), call.message.dump());
    }
    const bool is_refusal = response.status == 401 || response.status == 403;
    if (!is_refusal) oauth_.take_success();
    if (!is_refusal || !oauth_.take_refusal(response)) return false;
    begin(call);
    return true;
  }

  std::string accept() const {
    if (is_odd("mcp-http-accept-json")) return "application/json";
    if (is_odd("mcp-http-accept-weighted")) return "Text/Event-Stream;q=0.9, application/json";
    return "application/json, text/event-stream";
  }

  wire::HttpFields fields(std::size_t size) const {
    wire::HttpFields all = {{"Host", server_.authority()},
                            {"Content-Type", "application/json"},
                            {"Accept", accept()},
                            {"Content-Length", std::to_string(size)}};
    if (!session_.empty() && !is_odd("mcp-http-no-session")) {
      all.emplace_back("Mcp-Session-Id", session_);
    }
    if (!version_.empty() && !is_odd("mcp-http-no-version")) {
      const bool is_old = is_odd("mcp-http-old-version");
      const bool is_newest = is_odd("mcp-http-keeps-newest");
      all.emplace_back("MCP-Protocol-Version", is_old      ? "2025-03-26"
                                               : is_newest ? "2025-11-25"
                                                           : version_);
    }
    return all;
  }

  // What has come of the response: all of it, or some events.
  void read(Exchange& call, Deadline deadline, bool whole) {
    for (;;) {
      const auto* head = call.reader.pending_head();
      if (head != nullptr) note_session(*head);
      const bool streams =
          head != nullptr && head->field("Content-Type") == std::string_view("text/event-stream");
      if (streams) take_events(call, call.reader.take_pending_body());
      if (auto response = call.reader.next()) {
        if (goes_again(call, *response)) continue;
        call.is_over = true;
        return take(call, *response);
      }
      if (!queue_.empty() && !whole) return;
      if (deadline.passed() && !call.wire->has_ended()) return;  // it may still be answered
      if (call.wire->has_ended()) {
        call.is_over = true;
        return;
      }
      std::string bytes;
      call.wire->read(bytes, deadline);
      call.reader.feed(bytes);
      if (call.wire->has_ended()) call.reader.end_of_input();
    }
  }

  // A stream that has ended before its answer goes on behind its last event.
  bool resume(Exchange& call) {
    if (call.is_answered || call.last_event.empty() || is_odd("mcp-http-no-resume")) return false;
    if (!is_odd("mcp-http-resumes-at-once")) std::this_thread::sleep_for(call.retry);
    auto wire = connect_to(server_.host, server_.port);
    if (!wire) return false;
    call.wire = *std::move(wire);
    call.reader = wire::HttpReader(wire::HttpReader::Role::client);
    call.events = wire::SseReader();
    call.is_over = false;
    auto head = fields(0);
    const std::string last = std::exchange(call.last_event, {});
    if (is_odd("mcp-http-get-accept-json")) {
      for (auto& [name, value] : head) value = name == "Accept" ? "application/json" : value;
    }
    oauth_.add_token("", head);
    head.emplace_back("Last-Event-ID", is_odd("mcp-http-resumes-elsewhere") ? "0" : last);
    return call.wire->write(wire::http_request("GET", server_.path, head, ""));
  }

  // It is known with the head, before the first event comes.
  void note_session(const wire::HttpMessage& head) {
    if (const auto session = head.field("Mcp-Session-Id")) session_ = *session;
  }

  void take(Exchange& call, const wire::HttpMessage& response) {
    if (response.status == 404 && !session_.empty()) {
      is_gone_ = true;
      return;
    }
    note_session(response);
    if (response.field("Content-Type") == std::string_view("text/event-stream")) {
      return take_events(call, response.body);
    }
    auto message = Json::parse(response.body, nullptr, false);
    if (!message.is_discarded()) queue_.push_back(std::move(message));
  }

  void take_events(Exchange& call, const std::string& body) {
    if (is_odd("mcp-http-no-streams")) ::_exit(kGivenUp);
    call.events.feed(body);
    while (const auto event = call.events.next()) {
      if (event->id) call.last_event = *event->id;
      if (event->retry) call.retry = std::chrono::milliseconds(std::atoi(event->retry->c_str()));
      std::string data = event->data.value_or("");
      if (is_odd("mcp-http-one-data-line")) data = data.substr(0, data.find('\n'));
      auto message = Json::parse(data, nullptr, false);
      if (message.is_discarded()) continue;
      call.is_answered = call.is_answered || !message.contains("method");
      queue_.push_back(std::move(message));
    }
  }

  Url server_;
  std::string_view oddity_;
  OAuthClient oauth_;
  std::string session_;
  std::string version_;
  std::deque<Json> queue_;
  std::vector<std::unique_ptr<Exchange>> calls_;
  Head head_;
  bool is_gone_ = false;
};

}  // namespace

std::unique_ptr<Carrier> make_carrier(const ServerPlace& place, std::string_view protocol,
                                      std::string_view version, std::string_view oddity) {
  if (!place.command.empty()) {
    const ProgramHabits habits{.reads_errors = oddity.ends_with("-stderr-is-output"),
                               .terminates = oddity.ends_with("-terminates-server")};
    auto wire = start_program(place.command, habits);
    if (!wire) return nullptr;
    const bool has_heads = protocol == "lsp" && oddity != "lsp-lines";
    const auto framing = has_heads ? wire::make_content_length : wire::make_lines;
    return std::make_unique<StdioCarrier>(*std::move(wire), place.command, habits, framing,
                                          oddity == "lsp-field-type");
  }
  const auto url = parse_url(place.url);
  if (!url || url->scheme != "http" || url->is_secure) return nullptr;
  return std::make_unique<HttpCarrier>(*url, version == kOfMarch, oddity);
}

}  // namespace jrpcheck::reference
