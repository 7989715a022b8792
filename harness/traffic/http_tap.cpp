#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <utility>

#include "base/letter_case.hpp"
#include "dialogue/id_key.hpp"
#include "judge/http_step.hpp"
#include "traffic/cut_body.hpp"
#include "traffic/endpoints.hpp"
#include "traffic/event_stream.hpp"
#include "traffic/framed_side.hpp"
#include "traffic/tap.hpp"
#include "traffic/websocket_side.hpp"
#include "wire/deflate.hpp"
#include "wire/http1.hpp"

namespace jrpcheck::traffic {
namespace {

using dialogue::Side;
using dialogue::TrafficEvent;
using wire::HttpMessage;
using wire::HttpReader;

using dialogue::EventStream;

constexpr std::string_view kHeadEnd = "\r\n\r\n";
// Of a subprotocol. What is longer stands for a login that a page can send in no other field.
constexpr std::size_t kLongestName = 40;
// Longer than a request takes to where its connection is being closed.
constexpr std::chrono::seconds kOnTheWay{1};

bool holds(const HttpMessage& message, std::string_view field, std::string_view word) {
  const auto value = message.field(field);
  return value && in_lower_case(std::string(*value)).find(word) != std::string::npos;
}

bool is_encoded(const HttpMessage& message) {
  const auto coding = message.field("Content-Encoding");
  const bool has_coding = coding && !coding->empty() && !same_ignoring_case(*coding, "identity");
  return has_coding || message.is_coded;
}

class HttpTap : public Tap {
 public:
  HttpTap(std::size_t connection, TapSink sink, Endpoints* endpoints)
      : connection_(connection),
        sink_(std::move(sink)),
        endpoints_(endpoints),
        requests_(HttpReader::Role::server, kTapLimits),
        responses_(HttpReader::Role::client, kTapLimits) {}

  void feed(Side side, std::string_view bytes, microseconds at) override {
    if (is_lost_) return;
    if (frames_)
      return (side == Side::client ? frames_->first : frames_->second).feed(bytes, at, of_frames());
    if (side == Side::client) return take_request_bytes(bytes, at);
    if (upgrade_) return take_upgrade(bytes, at);
    responses_.feed(bytes);
    take_responses(at);
  }

  void close(Side side, microseconds at, const std::string& note) override {
    const bool is_within = responses_.mid_message() || stream_ || upgrade_;
    const bool was_kept = has_answered_ && !is_within;
    const bool is_reset = side == Side::client && note == dialogue::kReset;
    if (!is_lost_ && frames_ && !is_reset) {
      (side == Side::client ? frames_->first : frames_->second).end(at, of_frames());
    } else if (!is_lost_ && side == Side::server) {
      is_ending_ = true;
      responses_.end_of_input();
      take_responses(at);
    }
    TrafficEvent event{TrafficEvent::Kind::closed, side, at, connection_};
    event.note = note;
    if (!frames_) {
      for (const auto& each : pending_) {
        event.exchange = each.exchange;
        event.note = note;
        const bool is_cut_off = is_cut_off_ && &each == &pending_.front();
        if (is_cut_off && note.empty()) event.note = "closed the connection within its response";
        const bool is_on_the_way = at - each.at < kOnTheWay;
        if (side == Side::server && was_kept && is_on_the_way)
          event.note = dialogue::kClosedAsItCame;
        if (each.is_message) sink_.traffic(event);
      }
      if (side == Side::server) pending_.clear();
    } else {
      of_frames()(std::move(event));
    }
  }

  void lose(microseconds at) override {
    is_lost_ = true;
    stream_.reset();
    for (const auto& each : pending_) tell_lost(at, each.exchange);
    tell_lost(at, std::nullopt);
  }

 private:
  struct Pending {
    std::size_t exchange = 0;
    bool is_message = false;
    bool resumes = false;
    bool is_other = false;  // something was posted that is no JSON-RPC: nor is what answers it
    microseconds at{0};
    bool asks_to_switch = false;
    bool is_elsewhere = false;  // than where JSON-RPC is known to be spoken
  };

  // A response that is read as it comes, however long it goes on.
  struct Stream {
    EventStreamSide events;
    bool is_read = true;  // it is of JSON-RPC, and not compressed
  };

  void tell_head(const HttpMessage& request, microseconds at) {
    HttpHead head{Side::client, at, connection_, exchanges_, request.method};
    const auto host = std::string(request.field("Host").value_or(""));
    head.target = host + request.target.substr(0, request.target.find('?'));
    head.has_query = request.target.find('?') != std::string::npos;
    head.fields = request.fields;
    sink_.head(head);
  }

  void tell_head(const HttpMessage& response, std::size_t exchange, microseconds at) {
    for (const auto& [name, value] : response.fields) {
      if (!same_ignoring_case(name, "Set-Cookie")) continue;
      for (auto& each : result::secrets_of_cookie(value)) sink_.secret(std::move(each));
    }
    HttpHead head{Side::server, at, connection_, exchange};
    head.status = response.status;
    head.fields = response.fields;
    sink_.head(head);
  }

  void tell_lost(microseconds at, std::optional<std::size_t> exchange) {
    TrafficEvent event{TrafficEvent::Kind::lost, Side::client, at, connection_};
    event.exchange = exchange;
    if (is_ending_) event.note = kCutOff;
    sink_.traffic(std::move(event));
  }

  void take_request_bytes(std::string_view bytes, microseconds at) {
    // By lines, for behind a request to switch all may be of the other protocol.
    while (!bytes.empty() && !upgrade_ && !is_lost_) {
      const auto line = bytes.substr(0, std::min(bytes.find('\n'), bytes.size() - 1) + 1);
      bytes.remove_prefix(line.size());
      requests_.feed(line);
      take_requests(at);
    }
    if (!upgrade_ || is_lost_) return;
    early_.append(bytes);
    if (early_.size() > kTapLimits.max_head_bytes) lose(at);
  }

  void take_requests(microseconds at) {
    while (auto request = requests_.next()) {
      if (!request->violation.empty()) return take_broken_request(*request, at);
      take_request(*std::move(request), at);
    }
  }

  void take_broken_request(const HttpMessage& request, microseconds at) {
    // Who begins so speaks HTTP/2 (RFC 9113 §3.3), which is passed on and not read.
    const bool is_http_2 = request.head.starts_with("PRI * HTTP/2.0");
    if (!request.beyond_limit && !is_http_2) {
      TrafficEvent event{TrafficEvent::Kind::violation, Side::client, at, connection_};
      event.note = request.violation;
      event.message = request.head;
      sink_.traffic(std::move(event));
    }
    lose(at);
  }

  void take_request(HttpMessage request, microseconds at) {
    for (const auto& [name, value] : request.fields) {
      for (auto& each : result::secrets_of_header(name, value)) sink_.secret(std::move(each));
    }
    for (auto& each : result::secrets_of_url(request.target)) sink_.secret(std::move(each));
    responses_.expect_response_to(request.method);
    const dialogue::Message body(std::move(request.body));
    const bool is_posted = request.method == "POST";
    const bool is_message = is_posted && is_taken(request, body);
    const bool is_elsewhere = endpoints_ != nullptr && !endpoints_->has(request.target);
    pending_.push_back({++exchanges_, is_message, request.field("Last-Event-ID").has_value(),
                        is_posted && !is_message, at, request.field("Upgrade").has_value(),
                        is_elsewhere});
    tell_head(request, at);
    if (request.method == "DELETE") {
      sink_.traffic({TrafficEvent::Kind::given_up, Side::client, at, connection_});
    }
    if (holds(request, "Upgrade", "websocket")) {
      upgrade_ = std::string();
      offer_ = handshake_head(request);
      for (const auto& each : wire::extensions_of(request.list("Sec-WebSocket-Protocol"))) {
        if (each.name.size() > kLongestName) sink_.secret({each.name, "SUBPROTOCOL"});
      }
    }
    unknown_path_ = is_elsewhere ? std::optional(request.target) : std::nullopt;
    if (!is_message) return;
    TrafficEvent event{TrafficEvent::Kind::message, Side::client, at, connection_};
    event.exchange = exchanges_;
    if (is_encoded(request)) event.kind = TrafficEvent::Kind::lost;
    event.message = body;
    sink_.traffic(std::move(event));
  }

  // What cannot be read may be JSON-RPC.
  bool is_taken(const HttpMessage& request, const dialogue::Message& body) {
    return endpoints_ == nullptr || is_encoded(request) || endpoints_->take(request.target, body);
  }

  // Behind the head of a response that switches everything belongs to the other protocol.
  void take_upgrade(std::string_view bytes, microseconds at) {
    upgrade_->append(bytes);
    const auto end = upgrade_->find(kHeadEnd);
    if (end == std::string::npos && upgrade_->size() < kTapLimits.max_head_bytes) return;
    std::string heard = *std::exchange(upgrade_, std::nullopt);
    const auto head = std::string_view(heard).substr(0, std::min(heard.size(), end + 4));
    if (!heard.starts_with("HTTP/1.1 101")) {
      take_request_bytes(std::exchange(early_, {}), at);
      if (is_lost_) return;
      responses_.feed(heard);
      return take_responses(at);
    }
    // What is compressed, or in a third protocol, is passed on, and not read.
    const std::string fields = in_lower_case(std::string(head));
    const bool is_compressed = fields.find("\r\nsec-websocket-extensions:") != std::string::npos;
    if (fields.find("websocket") == std::string::npos) return lose(at);
    agreed_ = handshake(head, at);
    if (!unknown_path_) tell_framing();
    if (is_compressed) return lose(at);
    pending_.clear();
    frames_.emplace(WebSocketSide(Side::client, connection_),
                    WebSocketSide(Side::server, connection_));
    // What the client has not waited with (RFC 6455 §4.1) the server may answer.
    frames_->first.feed(std::exchange(early_, {}), at, of_frames());
    frames_->second.feed(std::string_view(heard).substr(head.size()), at, of_frames());
  }

  TrafficEvent handshake(std::string_view head, microseconds at) const {
    TrafficEvent event{TrafficEvent::Kind::upgraded, Side::server, at, connection_};
    event.note = offer_;
    HttpReader reader(HttpReader::Role::client, kTapLimits);
    reader.expect_response_to("GET");
    reader.feed(head);
    const auto response = reader.next();
    if (response && response->violation.empty()) event.message = handshake_head(*response);
    return event;
  }

  // Where nobody knows JSON-RPC to be spoken, frames are of it from the first that is.
  Sink of_frames() {
    return [this](TrafficEvent event) {
      if (unknown_path_) {
        if (!is_of_json_rpc(event.message)) return;
        endpoints_->learn(*std::exchange(unknown_path_, std::nullopt), event.message);
        tell_framing();
      }
      // Where both have closed the connection is forgotten by whoever takes this.
      if (event.kind == TrafficEvent::Kind::violation) tell_framing();
      sink_.traffic(std::move(event));
    };
  }

  void tell_framing() {
    sink_.framing(wire::first_that(&wire::Binding::is_upgrade), connection_);
    if (agreed_) sink_.traffic(*std::exchange(agreed_, std::nullopt));
  }

  void take_responses(microseconds at) {
    while (auto response = responses_.next()) {
      const bool is_broken = !response->violation.empty();
      has_answered_ = has_answered_ || !is_broken;
      if (pending_.empty()) return take_unasked(*std::move(response), at);
      // As to HTTP/2 in the clear (RFC 7540 §3.2).
      const bool is_switched = response->status == 101 && pending_.front().asks_to_switch;
      if (is_switched && !is_broken) return lose(at);
      if (!stream_ && !is_broken) open_stream(*response, at);
      if (stream_) {
        take_stream(response->body, at);
        end_stream(static_cast<std::size_t>(response->status), !is_broken, at);
        pending_.pop_front();
        if (is_broken) return lose(at);
        continue;
      }
      is_cut_off_ = is_broken && is_ending_ && may_be_answer(*response);
      if (is_cut_off_) return;
      if (is_broken) return take_broken_response(*response, at);
      const Pending answered = pending_.front();
      pending_.pop_front();
      tell_head(*response, answered.exchange, at);
      if (answered.is_message) take_response(answered, *std::move(response), at);
    }
    const auto* begun = responses_.pending_head();
    if (begun != nullptr && !stream_ && !pending_.empty()) open_stream(*begun, at);
    if (stream_) take_stream(responses_.take_pending_body(), at);
  }

  // What breaks HTTP is no answer; what is too long, or stands behind the rest of another, may be
  // one.
  void take_broken_response(const HttpMessage& response, microseconds at) {
    const Pending& asked = pending_.front();
    // What stands behind its first line was not refused for that.
    const bool is_long_head = response.status == 0 && response.head.starts_with("HTTP/1.") &&
                              response.head.find('\n') + 1 != response.head.size();
    const bool is_too_long = response.beyond_limit || is_long_head;
    const bool is_unread = is_too_long || cut_body_.goes_on_in(response);
    if (asked.is_message && !is_ending_ && !is_unread && may_be_answer(response)) {
      TrafficEvent event{TrafficEvent::Kind::closed, Side::server, at, connection_};
      event.exchange = asked.exchange;
      event.note = "breaks HTTP/1.1: " + response.violation;
      sink_.traffic(std::move(event));
      pending_.pop_front();
    }
    lose(at);
  }

  // A Response that answers no request: none is on its way either.
  void take_unasked(HttpMessage response, microseconds at) {
    const dialogue::Message body(response.body);
    const bool is_of_nothing = response.violation.empty() && may_be_answer(response) &&
                               !is_encoded(response) && !requests_.mid_message() && has_spoken_;
    if (is_of_nothing && dialogue::holds_response(body) && !dialogue::id_keys_of(body).empty()) {
      Pending none;
      none.exchange = ++exchanges_;
      take_response(none, std::move(response), at);
    }
    lose(at);
  }

  // Another status may refuse, or say that an answer comes elsewhere; 0: the head is cut off.
  // Whoever ends the connection within an answer has given none (RFC 9112 §8), and nothing else is
  // missing.
  static bool may_be_answer(const HttpMessage& response) {
    constexpr int kOk = 200;
    return response.status == 0 || response.status == kOk;
  }

  void open_stream(const HttpMessage& head, microseconds at) {
    if (!wire::is_event_stream(head.field("Content-Type").value_or(""))) return;
    const auto& asked = pending_.front();
    tell_head(head, asked.exchange, at);
    const auto kind = asked.is_message ? EventStream::answer
                      : asked.resumes  ? EventStream::resumed
                                       : EventStream::open;
    const bool is_read = !is_encoded(head) && !asked.is_other;
    stream_.emplace(
        Stream{EventStreamSide(kind, !asked.is_elsewhere, connection_, asked.exchange), is_read});
    if (!is_read && !asked.is_other) tell_lost(at, asked.exchange);
  }

  void take_stream(std::string_view body, microseconds at) {
    if (stream_->is_read) stream_->events.feed(body, at, sink_.traffic);
  }

  void end_stream(std::size_t status, bool is_whole, microseconds at) {
    if (!pending_.front().is_other) stream_->events.end(status, is_whole, at, sink_.traffic);
    stream_.reset();
  }

  void take_response(const Pending& answered, HttpMessage response, microseconds at) {
    if (is_encoded(response)) tell_lost(at, answered.exchange);
    TrafficEvent event{TrafficEvent::Kind::message, Side::server, at, connection_};
    event.exchange = answered.exchange;
    event.http_status = static_cast<std::size_t>(response.status);
    event.content_type = response.field("Content-Type").value_or("");
    event.note = judge::fault_of_head(response.head);
    if (!is_encoded(response)) event.message = std::move(response.body);
    cut_body_.take(event);
    has_spoken_ = true;
    sink_.traffic(std::move(event));
  }

  std::size_t connection_;
  TapSink sink_;
  Endpoints* endpoints_;
  HttpReader requests_;
  HttpReader responses_;
  std::deque<Pending> pending_;
  std::optional<Stream> stream_;  // answers the first of them
  std::size_t exchanges_ = 0;
  std::optional<std::string> upgrade_;  // the beginning of the answer to a request for WebSocket
  std::string offer_;                   // the head of that request, as far as rules go
  std::optional<TrafficEvent> agreed_;  // the handshake, until it is told
  std::string early_;                   // what the client sends before that answer
  std::optional<std::pair<WebSocketSide, WebSocketSide>> frames_;
  std::optional<std::string>
      unknown_path_;  // of the last request, as long as nothing there is JSON-RPC
  CutBody cut_body_;
  bool has_spoken_ = false;  // JSON-RPC has been answered here
  bool is_lost_ = false;
  bool has_answered_ = false;  // one of the requests
  bool is_ending_ = false;     // nothing more comes, and nothing more is missing
  bool is_cut_off_ = false;    // within the response to the first of those that are pending
};

}  // namespace

std::unique_ptr<Tap> make_http_tap(std::size_t connection, TapSink sink, Endpoints* endpoints) {
  return std::make_unique<HttpTap>(connection, std::move(sink), endpoints);
}

}  // namespace jrpcheck::traffic
