#include "reference-impl/client/link.hpp"

#include <algorithm>
#include <utility>

#include "reference-impl/client/connection.hpp"
#include "wire/http1.hpp"
#include "wire/websocket.hpp"

namespace jrpcheck::reference {

namespace {

using Made = Result<std::unique_ptr<Link>>;
using Wire = std::unique_ptr<Connection>;

bool write_to(Connection& wire, const ClientHooks& hooks, std::string_view bytes) {
  if (!hooks.sends_byte_by_byte) return wire.write(bytes);
  return std::all_of(bytes.begin(), bytes.end(), [&](const char& each) {
    return wire.write({&each, 1});
  });
}

std::size_t length_of_character(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  return lead >= 0xF0 && lead < 0xF5 ? 4 : 0;
}

// What is no whole character in it becomes question marks.
std::string decoded_alone(std::string bytes) {
  const auto continues = [](char each) {
    return (static_cast<unsigned char>(each) & 0xC0U) == 0x80U;
  };
  for (std::size_t at = 0; at < bytes.size();) {
    const auto length = length_of_character(static_cast<unsigned char>(bytes[at]));
    const auto rest =
        std::string_view(bytes).substr(at + 1, length - std::min<std::size_t>(length, 1));
    const bool is_whole =
        length > 0 && rest.size() + 1 == length && std::all_of(rest.begin(), rest.end(), continues);
    if (!is_whole) bytes[at] = '?';
    at += is_whole ? length : 1;
  }
  return bytes;
}

// Messages that have come and were not asked for yet.
class QueuedLink : public Link {
 public:
  QueuedLink(Wire wire, const ClientHooks& hooks) : wire_(std::move(wire)), hooks_(hooks) {}

  std::optional<std::string> receive(Deadline deadline) override {
    const bool reads_on = hooks_.frames.reads_after_close;
    while (queue_.empty() && !wire_->has_ended() && (!is_closed_ || reads_on) &&
           !deadline.passed()) {
      std::string bytes;
      wire_->read(bytes, deadline);
      take(bytes);
      if (wire_->has_ended()) take_end();
    }
    if (queue_.empty()) return std::nullopt;
    std::string message;
    if (hooks_.reads_last_first) {
      message = std::move(queue_.back());
      queue_.pop_back();
    } else {
      message = std::move(queue_.front());
      queue_.pop_front();
    }
    return message;
  }

  bool has_ended() const override {
    const bool is_over = is_closed_ && !hooks_.frames.reads_after_close;
    return queue_.empty() && (wire_->has_ended() || is_over);
  }

 protected:
  virtual void take(const std::string& bytes) = 0;
  virtual void take_end() {}

  bool write(std::string_view bytes) { return write_to(*wire_, hooks_, bytes); }

  Wire wire_;
  const ClientHooks& hooks_;
  std::deque<std::string> queue_;
  bool is_closed_ = false;
};

// One message a line.
class LinesLink : public QueuedLink {
 public:
  using QueuedLink::QueuedLink;

  bool send(const std::string& message) override { return write(message + "\n"); }

 private:
  void take(const std::string& bytes) override {
    if (hooks_.takes_reads_for_messages) {
      if (!bytes.empty()) queue_.push_back(bytes);
      return;
    }
    rest_ += hooks_.decodes_each_read ? decoded_alone(bytes) : bytes;
    for (auto end = rest_.find('\n'); end != rest_.npos; end = rest_.find('\n')) {
      if (end > 0) queue_.push_back(rest_.substr(0, end));
      rest_.erase(0, end + 1);
      if (hooks_.loses_what_is_read_ahead) rest_.clear();
    }
  }
  void take_end() override {
    if (hooks_.takes_what_was_cut && !rest_.empty()) queue_.push_back(std::exchange(rest_, {}));
  }

  std::string rest_;
};

// RFC 6455.
class WebSocketLink : public QueuedLink {
 public:
  using QueuedLink::QueuedLink;
  ~WebSocketLink() override {
    const bool stands = !is_closed_ && !wire_->has_ended();
    if (hooks_.frames.takes_leave && stands) close(1000);
  }

  // Empty where the server has agreed.
  std::string shake_hands(const Url& url, Deadline deadline) {
    const auto key = wire::websocket_key(1);
    const wire::HttpFields fields = {{"Host", url.authority()},
                                     {"Upgrade", "websocket"},
                                     {"Connection", "Upgrade"},
                                     {"Sec-WebSocket-Key", key},
                                     {"Sec-WebSocket-Version", "13"}};
    if (!write(wire::http_request("GET", url.path, fields, ""))) return "nobody reads";
    std::string head;
    while (head.find("\r\n\r\n") == head.npos && !wire_->has_ended() && !deadline.passed()) {
      wire_->read(head, deadline);
    }
    const auto end = head.find("\r\n\r\n");
    if (end == head.npos) return "the server did not answer the handshake of WebSocket";
    wire::HttpReader reader(wire::HttpReader::Role::client);
    reader.feed(std::string_view(head).substr(0, end + 4));
    const auto response = reader.next();
    const bool is_agreed = response && response->status == 101 &&
                           response->field("Sec-WebSocket-Accept") == wire::websocket_accept(key);
    if (!is_agreed) return "the server refused the handshake of WebSocket";
    take(head.substr(end + 4));
    return {};
  }

  bool send(const std::string& message) override {
    if (hooks_.pings && !write(frame({.opcode = wire::kPing}, "still there?"))) return false;
    send_kept_pongs();
    if (!hooks_.sends_byte_by_byte) return write(frame({}, message));
    const auto half = message.size() / 2;
    return write(frame({.fin = false}, message.substr(0, half))) &&
           write(frame({.opcode = wire::kContinuation}, message.substr(half)));
  }

 private:
  using Item = wire::WebSocketItem;

  std::string frame(const wire::FrameDetails& details, std::string_view payload) {
    return wire::websocket_frame(details, payload, 0x12345678U + ++frames_);
  }

  void take(const std::string& bytes) override {
    reader_.feed(hooks_.frames.reads_fragments_alone ? with_all_frames_final(bytes) : bytes);
    while (auto item = reader_.next()) {
      if (is_closed_ && !hooks_.frames.reads_after_close) return;
      if (item->kind == Item::Kind::message) {
        if (!std::exchange(is_disturbed_, false)) queue_.push_back(std::move(item->payload));
      }
      if (item->kind == Item::Kind::ping) take_ping(*item);
      if (item->kind == Item::Kind::pong && hooks_.frames.ends_at_pongs) close(1002);
      if (item->kind == Item::Kind::close && hooks_.frames.answers_closes) close(1000);
      // Whoever breaks the rules of frames is told so, and heard no more (§7.1.7).
      const bool fails = item->kind == Item::Kind::fault && hooks_.frames.fails_for(item->fault);
      if (fails) close(wire::close_code_for(item->fault), hooks_.frames.says_that_it_fails);
    }
  }

  void take_ping(const Item& ping) {
    is_disturbed_ = hooks_.frames.loses_messages_around_pings && ping.is_between_fragments;
    if (hooks_.frames.reads_pings_as_messages) return queue_.push_back(ping.payload);
    const auto payload = hooks_.frames.pong(ping.payload);
    if (payload) pongs_ += frame({.opcode = wire::kPong}, *payload);
    if (!hooks_.frames.keeps_pongs_for_later) send_kept_pongs();
  }

  void send_kept_pongs() {
    if (!pongs_.empty()) write(std::exchange(pongs_, {}));
  }

  void close(int code, bool says_so = true) {
    send_kept_pongs();
    is_closed_ = true;
    const int said = hooks_.frames.gives_codes ? code : wire::kNoCloseCode;
    if (says_so) write(frame({.opcode = wire::kClose}, wire::close_payload(said)));
  }

  // Fragments as messages of their own, where they are short and come at once.
  static std::string with_all_frames_final(std::string bytes) {
    const bool begins_one = bytes.starts_with('\x01') || bytes.starts_with('\x80');
    if (!begins_one) return bytes;
    for (std::size_t at = 0; at + 1 < bytes.size();) {
      const auto length = static_cast<unsigned char>(bytes[at + 1]);
      const bool is_continuation = (static_cast<unsigned char>(bytes[at]) & 0x0FU) == 0;
      if (length > 125) return bytes;
      bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) | 0x80U |
                                    (is_continuation ? wire::kText : 0U));
      at += 2U + length;
    }
    return bytes;
  }

  void take_end() override {
    const std::string rest = reader_.unfinished();
    if (hooks_.takes_what_was_cut && !rest.empty()) queue_.push_back(rest);
  }

  std::string pongs_;
  bool is_disturbed_ = false;  // the message that a ping stood in is lost
  wire::WebSocketReader reader_{wire::WebSocketReader::Role::client};
  std::uint32_t frames_ = 0;
};

// A POST for each message.
class HttpLink : public Link {
 public:
  HttpLink(Wire wire, Url url, const ClientHooks& hooks)
      : wire_(std::move(wire)), url_(std::move(url)), hooks_(hooks) {}

  bool pairs_replies() const override { return true; }
  bool has_ended() const override { return wire_->has_ended() || is_over_; }

  bool send(const std::string& message) override {
    auto [fields, body] = hooks_.http_request(message);
    fields.insert(fields.begin(), {"Host", url_.authority()});
    reader_.expect_response_to("POST");
    const auto bytes = wire::http_request("POST", url_.path, fields, body);
    return write_to(*wire_, hooks_, bytes);
  }

  std::optional<std::string> receive(Deadline deadline) override {
    for (;;) {
      if (const auto response = reader_.next()) {
        is_over_ = is_over_ || !response->keep_alive || !response->violation.empty();
        if (response->violation.empty()) return hooks_.body(*response);
        return hooks_.takes_what_was_cut ? std::optional(response->body) : std::nullopt;
      }
      if (has_ended() || deadline.passed()) return std::nullopt;
      std::string bytes;
      wire_->read(bytes, deadline);
      reader_.feed(hooks_.decodes_each_read ? decoded_alone(bytes) : bytes);
      if (wire_->has_ended()) reader_.end_of_input();
    }
  }

 private:
  Wire wire_;
  Url url_;
  const ClientHooks& hooks_;
  wire::HttpReader reader_{wire::HttpReader::Role::client};
  bool is_over_ = false;
};

}  // namespace

Result<Url> parse_url(const std::string& text) {
  Url url;
  const auto scheme_end = text.find("://");
  if (scheme_end == text.npos) return Error{"'" + text + "' is no URL"};
  url.scheme = text.substr(0, scheme_end);
  url.is_secure = url.scheme == "tls" || url.scheme == "https" || url.scheme == "wss";
  if (url.scheme == "tls") url.scheme = "tcp";
  if (url.scheme == "https") url.scheme = "http";
  if (url.scheme == "wss") url.scheme = "ws";
  const auto authority = scheme_end + 3;
  const auto path = std::min(text.find('/', authority), text.size());
  const auto colon = text.rfind(':', path);
  if (colon < authority || colon == text.npos) return Error{"'" + text + "' names no port"};
  url.host = text.substr(authority, colon - authority);
  if (url.host.starts_with('[')) url.host = url.host.substr(1, url.host.size() - 2);
  url.port = text.substr(colon + 1, path - colon - 1);
  if (path < text.size()) url.path = text.substr(path);
  return url;
}

Made connect(const ServerPlace& place, const ClientHooks& hooks) {
  if (!place.command.empty()) {
    auto wire = start_program(place.command);
    if (!wire) return wire.error();
    return std::unique_ptr<Link>(std::make_unique<LinesLink>(*std::move(wire), hooks));
  }
  const auto url = parse_url(place.url);
  if (!url) return url.error();
  auto wire = url->is_secure ? connect_over_tls(url->host, url->port, place.authorities)
                             : connect_to(url->host, url->port);
  if (!wire) return wire.error();
  if (url->scheme == "http") {
    return std::unique_ptr<Link>(std::make_unique<HttpLink>(*std::move(wire), *url, hooks));
  }
  if (url->scheme == "tcp") {
    return std::unique_ptr<Link>(std::make_unique<LinesLink>(*std::move(wire), hooks));
  }
  if (url->scheme != "ws") return Error{"there is no way to '" + place.url + "'"};
  auto link = std::make_unique<WebSocketLink>(*std::move(wire), hooks);
  const std::string fault = link->shake_hands(*url, Deadline::in(hooks.patience));
  if (!fault.empty()) return Error{fault};
  return std::unique_ptr<Link>(std::move(link));
}

}  // namespace jrpcheck::reference
