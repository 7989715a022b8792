#include "client/passage.hpp"

#include <algorithm>
#include <utility>

#include "client/http_passage.hpp"
#include "wire/websocket.hpp"

namespace jrpcheck::client {
namespace {

// Within a character of several bytes where one stands there: who decodes each read for itself
// loses it.
std::size_t middle_of(const std::string& bytes) {
  constexpr std::size_t kLongestCharacter = 4;
  const auto middle = bytes.size() / 2;
  for (auto at = middle; at < std::min(middle + kLongestCharacter, bytes.size()); ++at) {
    const bool continues = (static_cast<unsigned char>(bytes[at]) & 0xC0U) == 0x80U;
    if (continues) return at;
  }
  return middle;
}

constexpr std::string_view kEndOfHead = "\r\n\r\n";

// The messages of a client on a stream, byte by byte. What breaks the framing stands before one.
Sieve::Reader reader_of(const wire::Binding& binding) {
  const std::shared_ptr<wire::Framing> framing = binding.framing({});
  return [framing](std::string_view byte) {
    framing->feed(byte);
    std::optional<Sieve::Completed> completed;
    while (auto frame = framing->next()) {
      if (frame->is_message()) completed.emplace(Sieve::Completed{std::move(frame->payload)});
    }
    return completed;
  };
}

Sieve::Reader reader_of_frames() {
  const auto reader = std::make_shared<wire::WebSocketReader>(wire::WebSocketReader::Role::server);
  return [reader](std::string_view byte) {
    using ItemKind = wire::WebSocketItem::Kind;
    reader->feed(byte);
    std::optional<Sieve::Completed> completed;
    while (auto item = reader->next()) {
      if (item->kind == ItemKind::fault) continue;
      completed.emplace();
      completed->is_within_message = item->is_between_fragments;
      if (item->kind == ItemKind::message) completed->message.emplace(std::move(item->payload));
    }
    return completed;
  };
}

class StreamPassage : public Passage {
 public:
  explicit StreamPassage(OwnCalls* own_calls) : own_calls_(own_calls) {}

  std::string onward(std::string_view bytes) override {
    if (sieve_) return sieve_->pass(bytes);
    if (own_calls_ != nullptr) unread_.append(bytes);
    return std::string(bytes);
  }

  std::string onward_at_end() override { return sieve_ ? sieve_->rest() : ""; }

  void use(const wire::Binding& binding) override {
    framing_ = binding.framing({});
    if (own_calls_ == nullptr) return;
    sieve_.emplace(reader_of(binding), *own_calls_);
    sieve_->pass(std::exchange(unread_, {}));  // which has gone on
  }

  std::vector<Said> back(std::string_view bytes) override {
    if (!framing_) return {{std::string(bytes)}};
    framing_->feed(bytes);
    return taken();
  }

  std::vector<Said> back_at_end() override {
    if (!framing_) return {};
    framing_->end_of_input();
    return taken();
  }

  std::vector<std::string> encode(const Answer& answer, const Said&) override {
    std::vector<std::string> writes;
    for (const auto& each : answer.messages) writes.push_back(framing_->encode(each));
    arrange_writes(writes, answer);
    return writes;
  }

 private:
  std::vector<Said> taken() {
    std::vector<Said> said;
    while (auto frame = framing_->next()) {
      if (!frame->is_message()) {
        said.push_back({std::move(frame->payload)});
        continue;
      }
      const bool has_head = !frame->head.empty();
      std::string bytes =
          has_head ? frame->head + frame->payload : framing_->encode(frame->payload);
      said.push_back({std::move(bytes), dialogue::Message(std::move(frame->payload))});
    }
    return said;
  }

  OwnCalls* own_calls_;
  std::string unread_;  // of the client, before it is known how its messages are told apart
  std::optional<Sieve> sieve_;
  std::unique_ptr<wire::Framing> framing_;
};

class WebSocketPassage : public Passage {
 public:
  WebSocketPassage(Destination destination, OwnCalls* own_calls)
      : destination_(std::move(destination)) {
    if (own_calls != nullptr) sieve_.emplace(reader_of_frames(), *own_calls);
  }

  std::string onward(std::string_view bytes) override {
    if (has_asked_) return passed(bytes);
    request_.append(bytes);
    const auto end = request_.find(kEndOfHead);
    if (end == std::string::npos) return {};
    has_asked_ = true;
    const std::string rest = passed(std::string_view(request_).substr(end + kEndOfHead.size()));
    wire::HttpReader reader(wire::HttpReader::Role::server);
    reader.feed(std::string_view(request_).substr(0, end + kEndOfHead.size()));
    const auto request = reader.next();
    if (!request) return std::exchange(request_, {});
    return wire::http_request(request->method, request->target,
                              fields_onward(*request, destination_), request->body) +
           rest;
  }

  std::string onward_at_end() override { return sieve_ ? sieve_->rest() : ""; }

  std::vector<Said> back(std::string_view bytes) override {
    if (is_refused_) return {{std::string(bytes)}};
    if (is_open_) return of_frames(bytes);
    answer_.append(bytes);
    const auto end = answer_.find(kEndOfHead);
    if (end == std::string::npos) return {};
    is_open_ = answer_.starts_with("HTTP/1.1 101");
    is_refused_ = !is_open_;
    if (is_refused_) return {{std::exchange(answer_, {})}};
    std::vector<Said> said = {{answer_.substr(0, end + kEndOfHead.size())}};
    for (auto& each : of_frames(std::string_view(answer_).substr(end + kEndOfHead.size()))) {
      said.push_back(std::move(each));
    }
    return said;
  }

  std::vector<Said> back_at_end() override {
    if (!is_open_) return {{std::exchange(answer_, {})}};
    return {{reader_.unfinished()}};
  }

  std::vector<std::string> encode(const Answer& answer, const Said&) override {
    return websocket_writes(answer);
  }

 private:
  std::vector<Said> of_frames(std::string_view bytes) {
    using ItemKind = wire::WebSocketItem::Kind;
    const auto framed = [](unsigned opcode, const std::string& payload) {
      return wire::websocket_frame({.opcode = opcode}, payload, std::nullopt);
    };
    reader_.feed(bytes);
    std::vector<Said> said;
    while (auto item = reader_.next()) {
      if (item->kind == ItemKind::message) {
        const unsigned opcode = item->is_binary ? wire::kBinary : wire::kText;
        said.push_back({framed(opcode, item->payload), dialogue::Message(item->payload)});
      } else if (item->kind == ItemKind::ping || item->kind == ItemKind::pong) {
        const bool is_ping = item->kind == ItemKind::ping;
        said.push_back({framed(is_ping ? wire::kPing : wire::kPong, item->payload)});
      } else if (item->kind == ItemKind::close) {
        said.push_back(
            {framed(wire::kClose, wire::close_payload(item->close_code, item->payload))});
      }
    }
    return said;
  }

  std::string passed(std::string_view frames) {
    return sieve_ ? sieve_->pass(frames) : std::string(frames);
  }

  Destination destination_;
  std::optional<Sieve> sieve_;
  std::string request_;
  std::string answer_;
  bool has_asked_ = false;
  bool is_open_ = false;
  bool is_refused_ = false;
  wire::WebSocketReader reader_{wire::WebSocketReader::Role::client};
};

}  // namespace

std::vector<std::string> websocket_writes(const Answer& answer) {
  constexpr std::uint32_t kMask = 0x9A3F51C7U;
  std::vector<std::string> writes;
  for (const auto& each : answer.messages) {
    writes.push_back(wire::websocket_frame({}, each, std::nullopt));
  }
  for (const auto& each : answer.frames) {
    const auto mask = each.details.mask ? std::optional(kMask) : std::nullopt;
    writes.push_back(wire::websocket_frame(each.details, each.payload, mask));
  }
  arrange_writes(writes, answer);
  return writes;
}

void arrange_writes(std::vector<std::string>& writes, const Answer& answer) {
  if (writes.empty()) return;
  auto& last = writes.back();
  // The end of a line is no byte of the message that is cut.
  const std::size_t line_end = answer.cut > 0 && last.ends_with('\n') ? 1 : 0;
  last.resize(last.size() - std::min(answer.cut + line_end, last.size()));
  if (answer.in_one_write) {
    std::string all;
    for (const auto& each : writes) all += each;
    writes = {all};
  } else if (answer.in_two_writes) {
    const auto middle = middle_of(last);
    std::string second = last.substr(middle);
    last.resize(middle);
    writes.push_back(std::move(second));
  }
}

std::unique_ptr<Passage> make_passage(const Door& door, const Destination& destination,
                                      OwnCalls* own_calls) {
  if (door.pairs_replies()) return make_http_passage(destination);
  if (door.is_upgrade()) return std::make_unique<WebSocketPassage>(destination, own_calls);
  return std::make_unique<StreamPassage>(own_calls);
}

}  // namespace jrpcheck::client
