#include "traffic/capture_har.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <istream>
#include <string>
#include <tuple>
#include <utility>

#include "base/base64.hpp"
#include "json/parse.hpp"
#include "json/parts.hpp"
#include "traffic/capture_line_formats.hpp"
#include "traffic/endpoints.hpp"
#include "traffic/event_stream.hpp"
#include "traffic/har_entry.hpp"
#include "traffic/websocket_side.hpp"

namespace jrpcheck::traffic {
namespace {

using dialogue::Side;
using dialogue::TrafficEvent;

constexpr std::size_t kMostInADocument = 128U << 20;
// More than a browser records in a day.
constexpr std::size_t kMostPieces = 2'000'000;
// The text is held, and no tree of it: a tree takes thirty times as much.
constexpr json::ParseOptions kNoTree{.max_depth = 10'000, .kept_depth = 0};

// Entries stand in the order in which they began: what was answered meanwhile comes in its own. So
// they are read twice: first is noted what there is to tell and when, then each is told from where
// it stands.
class HarReader {
 public:
  HarReader(std::string_view text, Capture& capture) : text_(text), capture_(capture) {}

  /// False where there is more to tell than is noted.
  bool note(std::string_view entries) {
    for (json::Parts each(entries); each.next() && !is_full_;) {
      ++position_;
      const HarEntry entry(each.text());
      if (each.text().starts_with('{')) note_entry(entry, each.text());
    }
    if (is_full_) return false;
    std::ranges::sort(pieces_, {}, [](const Piece& piece) {
      return std::tuple(piece.at, piece.offset, piece.kind);
    });
    return true;
  }

  bool has_posts() const { return has_posts_; }
  bool has_frames() const { return has_frames_; }

  void tell_all(const Sink& sink, const HeadSink& heads, const FramingSink& framings) {
    const Sink tell = [&](TrafficEvent event) {
      if (event.kind == TrafficEvent::Kind::message) ++capture_.messages;
      sink(std::move(event));
    };
    for (const auto& piece : pieces_) {
      const auto text = json::value_at(text_, piece.offset);
      switch (piece.kind) {
        case Piece::request:
          tell_request(HarEntry(text), piece, tell, heads);
          break;
        case Piece::response:
          tell_response(HarEntry(text), piece, tell, heads);
          break;
        case Piece::opening:
          if (has_posts_) tell_opening(piece, tell, framings);
          tell_handshake(HarEntry(text), piece, sink);
          break;
        default:
          tell_frame(text, piece, tell);
      }
    }
  }

 private:
  // Something to tell, and where it stands. There may be millions.
  struct Piece {
    enum Kind : std::uint32_t { request, response, opening, frame };

    microseconds at{0};  // since the first entry
    std::uint32_t offset;
    std::uint32_t connection : 30;
    std::uint32_t kind : 2;
  };

  void note_entry(const HarEntry& entry, std::string_view text) {
    const auto start = entry.start().value_or(last_);
    if (connection_ == 0) begin_ = start;
    ++connection_;
    if (entry.has_frames()) return note_frames(entry.frames(), text);
    const std::string method = entry.method();
    // Pages ask for much that is no JSON-RPC.
    const bool has_message = method == "POST" && may_be_json_rpc(entry);
    has_posts_ = has_posts_ || has_message;
    // What ends a session of MCP, or asks for its stream, has none; pages ask for much else.
    const bool is_of_session = (method == "GET" || method == "DELETE") && entry.names_session();
    if (!has_message && !is_of_session) return;
    note_piece(Piece::request, start, text);
    if (entry.is_too_long(Side::client)) return pass_over("its request");
    const auto end = start + entry.duration();
    note_piece(Piece::response, end, text);
    if (entry.is_too_long(Side::server)) pass_over("its response");
    if (has_message) last_ = std::max(end, begin_);
  }

  static bool may_be_json_rpc(const HarEntry& entry) {
    return entry.is_too_long(Side::client) ? entry.request_begins_like_json()
                                           : is_json_rpc(entry.request_body());
  }

  // Pages have other WebSockets: frames are of JSON-RPC from the first that is.
  void note_frames(std::string_view frames, std::string_view entry) {
    bool is_known = false;
    for (json::Parts each(frames); each.next() && !is_full_;) {
      const bool is_first = !is_known;
      is_known = is_known || begins_json_rpc(each.text());
      if (!is_known) continue;
      const json::Value time = read_scalar(json::member_text(each.text(), "time"), kMostInAHarHead);
      last_ = std::max(read_time(&time, 1).value_or(last_), begin_);
      if (is_first) note_piece(Piece::opening, last_, entry);
      note_piece(Piece::frame, last_, each.text());
      has_frames_ = true;
      if (each.text().size() > kMostInAHarBody) pass_over("a frame");
    }
  }

  void note_piece(Piece::Kind kind, microseconds at, std::string_view text) {
    is_full_ = is_full_ || pieces_.size() >= kMostPieces;
    if (is_full_) return;
    pieces_.push_back({std::max(at - begin_, microseconds(0)),
                       static_cast<std::uint32_t>(text.data() - text_.data()), connection_, kind});
  }

  void pass_over(const std::string& what) {
    capture_.pass_over("entry " + std::to_string(position_) + ": " + what +
                       " is longer than is read of one message (16 MiB, its head 1 MiB)");
  }

  static void tell_request(const HarEntry& entry, const Piece& piece, const Sink& tell,
                           const HeadSink& heads) {
    TrafficEvent event = event_of(Side::client, piece);
    event.exchange = 1;
    if (entry.is_too_long(Side::client)) return tell_lost(std::move(event), tell);
    tell_head(entry, event, heads);
    if (entry.method() != "POST") return;
    event.message = entry.request_body();
    tell(std::move(event));
  }

  static void tell_response(const HarEntry& entry, const Piece& piece, const Sink& tell,
                            const HeadSink& heads) {
    TrafficEvent event = event_of(Side::server, piece);
    event.exchange = 1;
    event.http_status = entry.status();
    if (entry.is_too_long(Side::server)) return tell_lost(std::move(event), tell);
    if (event.http_status != 0) tell_head(entry, event, heads);
    if (entry.method() != "POST") return;
    event.content_type = entry.content_type();
    auto body = entry.response_body();
    if (event.http_status == 0 || !body) return tell_lost(std::move(event), tell);
    event.message = *std::move(body);
    if (wire::is_event_stream(event.content_type)) return tell_events(event, tell);
    tell(std::move(event));
  }

  static void tell_lost(TrafficEvent event, const Sink& tell) {
    event.kind = TrafficEvent::Kind::lost;
    tell(std::move(event));
  }

  static void tell_head(const HarEntry& entry, const TrafficEvent& event, const HeadSink& heads) {
    HttpHead head = entry.head(event.side);
    head.at = event.at;
    head.connection = event.connection;
    heads(head);
  }

  static void tell_events(const TrafficEvent& response, const Sink& tell) {
    EventStreamSide events(dialogue::EventStream::answer, true, response.connection, 1);
    events.feed(response.message.text(), response.at, tell);
    // What a browser keeps of a stream that it has left is no whole one.
    events.end(response.http_status, false, response.at, tell);
  }

  // A request of HTTP is whole, and nobody knows whether all frames were recorded.
  static void tell_opening(const Piece& piece, const Sink& tell, const FramingSink& framings) {
    framings(wire::first_that(&wire::Binding::is_upgrade), piece.connection);
    TrafficEvent event = event_of(Side::client, piece);
    event.note = kCutOff;
    tell_lost(std::move(event), tell);
  }

  static bool holds_bytes(const std::string& value, std::size_t count) {
    const auto bytes = from_base64(value);
    return bytes && bytes->size() == count;
  }

  // What stands in both heads is judged, and no key that somebody has made unreadable: of the rest
  // nobody knows what was left out.
  static void tell_handshake(const HarEntry& entry, const Piece& piece, const Sink& tell) {
    constexpr std::pair<const char*, const char*> kPairs[] = {
        {"Sec-WebSocket-Key", "Sec-WebSocket-Accept"},
        {"Sec-WebSocket-Protocol", "Sec-WebSocket-Protocol"},
        {"Sec-WebSocket-Extensions", "Sec-WebSocket-Extensions"}};
    constexpr int kSwitching = 101;
    wire::HttpMessage request;
    wire::HttpMessage response;
    request.method = "GET";
    response.status = kSwitching;
    const HttpHead asked = entry.head(Side::client);
    const HttpHead agreed = entry.head(Side::server);
    for (const auto& [name, answer] : kPairs) {
      const std::string offered = wire::field_list(asked.fields, name);
      const std::string chosen = wire::field_list(agreed.fields, answer);
      if (offered.empty() || chosen.empty()) continue;
      const bool is_key = name == kPairs[0].first;
      if (is_key && !(holds_bytes(offered, 16) && holds_bytes(chosen, 20))) continue;
      request.fields.emplace_back(name, offered);
      response.fields.emplace_back(answer, chosen);
    }
    if (agreed.status != kSwitching || request.fields.empty()) return;
    TrafficEvent event = event_of(Side::server, piece);
    event.kind = TrafficEvent::Kind::upgraded;
    event.note = handshake_head(request);
    event.message = handshake_head(response);
    tell(std::move(event));
  }

  static bool is_binary(std::string_view frame) {
    return read_scalar(json::member_text(frame, "opcode"), kMostInAHarHead).text() == "2";
  }

  // Nothing where it cannot be read.
  static std::optional<std::string> data_of(std::string_view frame) {
    const std::string data = read_text(json::member_text(frame, "data"), kMostInAHarBody);
    return is_binary(frame) ? from_base64(data) : std::optional(data);
  }

  static bool begins_json_rpc(std::string_view frame) {
    if (frame.size() > kMostInAHarBody) return false;
    auto data = data_of(frame);
    return data && is_of_json_rpc(dialogue::Message(*std::move(data)));
  }

  // Whole messages; what pings and closes there were is not recorded.
  static void tell_frame(std::string_view text, const Piece& piece, const Sink& tell) {
    const bool is_sent = read_text(json::member_text(text, "type"), kMostInAHarHead) == "send";
    TrafficEvent event = event_of(is_sent ? Side::client : Side::server, piece);
    if (text.size() > kMostInAHarBody) return tell_lost(std::move(event), tell);
    event.is_binary = is_binary(text);
    auto message = data_of(text);
    if (!message) return tell_lost(std::move(event), tell);
    event.message = *std::move(message);
    tell(std::move(event));
  }

  static TrafficEvent event_of(Side side, const Piece& piece) {
    return {TrafficEvent::Kind::message, side, piece.at, piece.connection};
  }

  std::string_view text_;
  Capture& capture_;
  std::deque<Piece> pieces_;  // which a vector would hold twice when it grows
  bool is_full_ = false;
  bool has_posts_ = false;
  bool has_frames_ = false;
  microseconds begin_{0};  // of the first entry
  microseconds last_{0};
  std::size_t position_ = 0;  // of an entry among all
  std::uint32_t connection_ = 0;
};

// Read in pieces, so that a file without end is not read to its end.
bool read_all(std::istream& file, std::string& text) {
  constexpr std::size_t kPiece = 64U << 10;
  std::string piece(kPiece, '\0');
  while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())) || file.gcount() > 0) {
    const auto count = static_cast<std::size_t>(file.gcount());
    if (text.size() + count > kMostInADocument) return false;
    text.append(piece, 0, count);
  }
  return true;
}

}  // namespace

std::optional<Result<Capture>> read_har(std::istream& file, const std::string& name,
                                        const std::function<void(const Capture&)>& begin,
                                        const Sink& sink, const HeadSink& heads,
                                        const FramingSink& framings) {
  if (file.peek() != '{') return std::nullopt;
  std::string text;
  if (!read_all(file, text)) {
    return Error{name + ": is larger than 128 MiB, which is more than is read of one document"};
  }
  const auto parsed = json::parse(text, kNoTree);
  if (!parsed) {
    if (text.find("\"log\"") == std::string::npos) return std::nullopt;
    const auto place = json::locate(text, parsed.error.offset);
    return Error{name + ":" + std::to_string(place.line) + ": " + parsed.error.message};
  }
  const auto entries = json::member_text(json::member_text(text, "log"), "entries");
  if (!entries.starts_with('[')) return std::nullopt;
  Capture capture;
  HarReader reader(text, capture);
  if (!reader.note(entries)) {
    return Error{name + ": holds more than " + std::to_string(kMostPieces) +
                 " requests, responses and frames, which is more than is read of one document"};
  }
  capture.format = "HAR";
  const bool has_frames_alone = reader.has_frames() && !reader.has_posts();
  capture.binding = &wire::first_that(has_frames_alone ? &wire::Binding::is_upgrade
                                                       : &wire::Binding::pairs_replies);
  capture.is_from_the_beginning = !has_frames_alone;
  begin(capture);
  reader.tell_all(sink, heads, framings);
  return capture;
}

}  // namespace jrpcheck::traffic
