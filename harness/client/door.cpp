#include "client/door.hpp"

#include <algorithm>
#include <array>

#include "base/join.hpp"
#include "client/http_requests.hpp"
#include "client/passage.hpp"
#include "wire/binding.hpp"
#include "wire/http1.hpp"
#include "wire/websocket.hpp"

namespace jrpcheck::client {
namespace {

class HttpDoor : public DoorConnection {
 public:
  std::vector<std::string> feed(std::string_view bytes) override {
    requests_.feed(bytes);
    std::vector<std::string> messages;
    while (auto request = requests_.next()) messages.push_back(std::move(request->body));
    return messages;
  }

  std::string owed() override { return requests_.owed(); }

  std::vector<std::string> encode(const Answer& answer) override {
    wire::HttpFields fields;
    const std::string body = http_body(answer, requests_.takes_chunks(), fields);
    if (!answer.http_type.empty()) fields.emplace_back("Content-Type", answer.http_type);
    const bool is_silent = answer.messages.empty() && !answer.then.empty();
    std::vector<std::string> writes;
    if (!is_silent) {
      writes.push_back(wire::http_response(static_cast<int>(answer.http_status), fields, body));
    }
    arrange_writes(writes, answer);
    return writes;
  }

 private:
  HttpRequests requests_;
};

class LinesDoor : public DoorConnection {
 public:
  std::vector<std::string> feed(std::string_view bytes) override {
    framing_->feed(bytes);
    std::vector<std::string> messages;
    while (auto frame = framing_->next()) {
      if (frame->is_message()) messages.push_back(std::move(frame->payload));
    }
    return messages;
  }

  std::vector<std::string> encode(const Answer& answer) override {
    std::vector<std::string> writes;
    for (const auto& each : answer.messages) writes.push_back(each + "\n");
    arrange_writes(writes, answer);
    return writes;
  }

 private:
  std::unique_ptr<wire::Framing> framing_ = wire::make_concatenated({});
};

class WebSocketDoor : public DoorConnection {
 public:
  std::vector<std::string> feed(std::string_view bytes) override {
    std::vector<std::string> messages;
    if (!is_open_) {
      head_.append(bytes);
      const auto end = head_.find("\r\n\r\n");
      if (end == std::string::npos) return messages;
      shake_hands();
      reader_.feed(std::string_view(head_).substr(end + 4));
    } else {
      reader_.feed(bytes);
    }
    while (auto item = reader_.next()) take(*std::move(item), messages);
    return messages;
  }

  std::string owed() override { return std::exchange(owed_, {}); }

  std::vector<std::string> encode(const Answer& answer) override {
    is_leaving_ = is_leaving_ || std::ranges::any_of(answer.frames, [](const AnswerFrame& each) {
                    return each.details.opcode == wire::kClose;
                  });
    return websocket_writes(answer);
  }

  std::vector<ControlHeard> controls() override { return std::exchange(controls_, {}); }
  bool is_leaving() const override { return is_leaving_; }
  bool is_over() const override { return is_over_; }

 private:
  void shake_hands() {
    wire::HttpReader reader(wire::HttpReader::Role::server);
    reader.feed(std::string_view(head_).substr(0, head_.find("\r\n\r\n") + 4));
    const auto request = reader.next();
    const auto key = request ? request->field("Sec-WebSocket-Key") : std::nullopt;
    wire::HttpFields fields = {{"Upgrade", "websocket"},
                               {"Connection", "Upgrade"},
                               {"Sec-WebSocket-Accept", wire::websocket_accept(key.value_or(""))}};
    // Whoever offers subprotocols may insist on one.
    if (const auto offered = request ? request->field("Sec-WebSocket-Protocol") : std::nullopt) {
      fields.emplace_back("Sec-WebSocket-Protocol", offered->substr(0, offered->find(',')));
    }
    owed_ += wire::http_response(101, fields, {});
    is_open_ = true;
  }

  void take(wire::WebSocketItem item, std::vector<std::string>& messages) {
    using ItemKind = wire::WebSocketItem::Kind;
    if (item.kind == ItemKind::message) messages.push_back(std::move(item.payload));
    if (item.kind == ItemKind::ping) {
      owed_ += wire::websocket_frame({.opcode = wire::kPong}, item.payload, std::nullopt);
    }
    if (item.kind == ItemKind::pong) controls_.push_back({wire::kPong, std::move(item.payload)});
    if (item.kind == ItemKind::close) {
      controls_.push_back({wire::kClose});
      if (!is_leaving_) {
        owed_ += wire::websocket_frame({.opcode = wire::kClose}, wire::close_payload(1000),
                                       std::nullopt);
      }
      is_over_ = true;
    }
  }

  std::string head_;
  std::string owed_;
  bool is_open_ = false;
  bool is_over_ = false;
  bool is_leaving_ = false;
  std::vector<ControlHeard> controls_;
  wire::WebSocketReader reader_{wire::WebSocketReader::Role::server};
};

template <typename Made>
std::unique_ptr<DoorConnection> open_door() {
  return std::make_unique<Made>();
}

constexpr std::array kDoors = {
    Door{"http", "http", "http", "http", &open_door<HttpDoor>},
    Door{"ws", "ws", "ws", "websocket", &open_door<WebSocketDoor>},
    Door{"tcp", "tcp", "tcp", "lines", &open_door<LinesDoor>},
    Door{"stdio", "tcp", "", "lines", &open_door<LinesDoor>},
    Door{"https", "http", "https", "http", &open_door<HttpDoor>, true},
    Door{"wss", "ws", "wss", "websocket", &open_door<WebSocketDoor>, true},
    Door{"tls", "tcp", "tls", "lines", &open_door<LinesDoor>, true},
};

}  // namespace

std::string http_body(const Answer& answer, bool takes_chunks, wire::HttpFields& fields) {
  std::string body = answer.messages.empty() ? "" : answer.messages.front();
  wire::remove_field(fields, "Transfer-Encoding");
  wire::remove_field(fields, "Content-Length");
  if (answer.http_chunk > 0 && takes_chunks) {
    fields.emplace_back("Transfer-Encoding", "chunked");
    return wire::http_chunked(body, answer.http_chunk);
  }
  fields.emplace_back("Content-Length", std::to_string(body.size()));
  return body;
}

bool Door::pairs_replies() const { return wire::known_binding(binding).pairs_replies; }

bool Door::takes_framings() const { return wire::known_binding(binding).is_framing(); }

bool Door::is_upgrade() const { return wire::known_binding(binding).is_upgrade; }

std::span<const Door> doors() { return kDoors; }

std::string names_of_doors() { return joined(kDoors, ", ", &Door::name); }

const Door* door_named(std::string_view name) {
  const auto found =
      std::ranges::find_if(kDoors, [name](const Door& each) { return each.name == name; });
  return found == kDoors.end() ? nullptr : &*found;
}

const Door& usual_door(bool is_started_by_client) {
  return *std::ranges::find_if(
      kDoors, [&](const Door& each) { return each.is_stdio() == is_started_by_client; });
}

}  // namespace jrpcheck::client
