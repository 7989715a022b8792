#include "traffic/capture_har.hpp"

#include <algorithm>
#include <istream>
#include <string>

#include "base/base64.hpp"
#include "base/letter_case.hpp"
#include "json/parse.hpp"
#include "json/pointer.hpp"
#include "traffic/capture_line_formats.hpp"
#include "traffic/endpoints.hpp"
#include "traffic/event_stream.hpp"

namespace jrpcheck::traffic {
namespace {

using dialogue::Side;
using dialogue::TrafficEvent;
using json::Kind;
using json::Value;

// As long as a browser records in a day; what is nested deeper than messages is left out.
constexpr json::ParseOptions kHarLimits{.max_depth = 10'000, .max_values = 20'000'000};

class HarReader {
 public:
  HarReader(Capture& capture, const Sink& sink, const HeadSink& heads)
      : capture_(capture), sink_(sink), heads_(heads) {}

  void take(const Value& entry) {
    const auto start = read_time(entry.find("startedDateTime"), 1).value_or(last_);
    if (connection_ == 0) begin_ = start;
    const Value* messages = entry.find("_webSocketMessages");
    ++connection_;
    if (messages != nullptr && messages->is(Kind::array)) return take_frames(*messages);
    take_exchange(entry, start);
  }

  // Entries stand in the order in which they began: what was answered meanwhile comes in its own.
  void finish() {
    std::ranges::stable_sort(waiting_,
                             [](const Waiting& a, const Waiting& b) { return a.at < b.at; });
    for (auto& each : waiting_) {
      if (each.head) {
        heads_(*each.head);
      } else {
        tell(std::move(each.event));
      }
    }
  }

 private:
  // A head, or what stands behind it.
  struct Waiting {
    microseconds at{0};
    std::optional<HttpHead> head = {};
    TrafficEvent event = {};
  };

  void take_head(const Value& entry, Side side, microseconds time) {
    HttpHead head{side, std::max(time - begin_, microseconds(0)), connection_};
    if (side == Side::client) {
      head.method = json::text_at(entry, "/request/method");
      const std::string url = json::text_at(entry, "/request/url");
      const auto authority = url.find("://");
      head.target = url.substr(authority == url.npos ? 0 : authority + 3);
      head.has_query = head.target.find('?') != std::string::npos;
      head.target = head.target.substr(0, head.target.find_first_of("?#"));
    } else {
      head.status = static_cast<int>(status_of(entry));
    }
    const Value* fields =
        json::at(entry, side == Side::client ? "/request/headers" : "/response/headers");
    for (std::size_t i = 0; fields != nullptr && fields->is(Kind::array) && i < fields->size();
         ++i) {
      const Value& each = fields->children()[i];
      head.fields.emplace_back(json::text_at(each, "/name"), json::text_at(each, "/value"));
    }
    waiting_.push_back({head.at, std::move(head)});
  }

  static bool names_session(const Value& entry) {
    const Value* fields = json::at(entry, "/request/headers");
    if (fields == nullptr || !fields->is(Kind::array)) return false;
    const auto& all = fields->children();
    return std::ranges::any_of(all, [](const Value& each) {
      return same_ignoring_case(json::text_at(each, "/name"), "Mcp-Session-Id");
    });
  }

  static std::size_t status_of(const Value& entry) {
    const Value* status = json::at(entry, "/response/status");
    if (status == nullptr || !status->is(Kind::number)) return 0;
    return static_cast<std::size_t>(std::strtoul(status->text().c_str(), nullptr, 10));
  }

  static microseconds end_of(const Value& entry, microseconds start) {
    constexpr long long kMilliseconds = 1000;
    return start + read_time(entry.find("time"), kMilliseconds).value_or(microseconds(0));
  }

  void take_exchange(const Value& entry, microseconds start) {
    const std::string method = json::text_at(entry, "/request/method");
    dialogue::Message body = json::text_at(entry, "/request/postData/text");
    // Pages ask for much that is no JSON-RPC.
    const bool has_message = method == "POST" && is_json_rpc(body);
    // What ends a session of MCP, or asks for its stream, has none; pages ask for much else.
    const bool is_of_session = (method == "GET" || method == "DELETE") && names_session(entry);
    if (!has_message && !is_of_session) return;
    take_head(entry, Side::client, start);
    if (has_message) take_message(entry, start, std::move(body));
    if (!has_message && status_of(entry) != 0) {
      take_head(entry, Side::server, end_of(entry, start));
    }
  }

  void take_message(const Value& entry, microseconds start, dialogue::Message body) {
    TrafficEvent event = at_time(Side::client, start);
    event.exchange = 1;
    event.message = std::move(body);
    later(std::move(event));
    event = at_time(Side::server, end_of(entry, start));
    event.exchange = 1;
    event.http_status = status_of(entry);
    if (event.http_status != 0) take_head(entry, Side::server, end_of(entry, start));
    event.content_type = json::text_at(entry, "/response/content/mimeType");
    const Value* content = json::at(entry, "/response/content/text");
    if (event.http_status == 0 || (content == nullptr && has_body(entry))) {
      event.kind = TrafficEvent::Kind::lost;  // the browser did not keep it
    } else if (content != nullptr) {
      const bool is_base64 = json::text_at(entry, "/response/content/encoding") == "base64";
      event.message = is_base64 ? from_base64(content->text()).value_or("") : content->text();
      if (wire::is_event_stream(event.content_type)) return tell_events(event);
    }
    later(std::move(event));
  }

  void tell_events(const TrafficEvent& response) {
    EventStreamSide events(dialogue::EventStream::answer, true, response.connection, 1);
    const auto tell_each = [this](TrafficEvent event) { later(std::move(event)); };
    events.feed(response.message.text(), response.at, tell_each);
    // What a browser keeps of a stream that it has left is no whole one.
    events.end(response.http_status, false, response.at, tell_each);
  }

  static bool has_body(const Value& entry) {
    const Value* size = json::at(entry, "/response/content/size");
    return size == nullptr || size->text() != "0";
  }

  // Whole messages; what pings and closes there were is not recorded.
  void take_frames(const Value& messages) {
    capture_.binding = "websocket";
    for (const auto& each : messages.children()) {
      const std::string type = json::text_at(each, "/type");
      const auto time = read_time(each.find("time"), 1).value_or(last_);
      TrafficEvent event = at_time(type == "send" ? Side::client : Side::server, time);
      const Value* opcode = each.find("opcode");
      event.is_binary = opcode != nullptr && opcode->text() == "2";
      const std::string data = json::text_at(each, "/data");
      event.message = event.is_binary ? from_base64(data).value_or(data) : data;
      later(std::move(event));
    }
  }

  TrafficEvent at_time(Side side, microseconds time) const {
    TrafficEvent event{TrafficEvent::Kind::message, side};
    event.at = std::max(time - begin_, microseconds(0));
    event.connection = connection_;
    return event;
  }

  void later(TrafficEvent event) {
    last_ = begin_ + event.at;
    waiting_.push_back({event.at, std::nullopt, std::move(event)});
  }

  void tell(TrafficEvent event) {
    if (event.kind == TrafficEvent::Kind::message) ++capture_.messages;
    sink_(std::move(event));
  }

  Capture& capture_;
  const Sink& sink_;
  const HeadSink& heads_;
  std::vector<Waiting> waiting_;
  microseconds begin_{0};  // of the first entry
  microseconds last_{0};
  std::size_t connection_ = 0;
};

// Read in pieces, so that a file without end is not read to its end.
bool read_all(std::istream& file, std::size_t most_bytes, std::string& text) {
  constexpr std::size_t kPiece = 64U << 10;
  std::string piece(kPiece, '\0');
  while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())) || file.gcount() > 0) {
    text.append(piece, 0, static_cast<std::size_t>(file.gcount()));
    if (text.size() > most_bytes) return false;
  }
  return true;
}

bool has_frames(const std::vector<Value>& entries) {
  return std::ranges::any_of(entries, [](const Value& each) {
    const Value* messages = each.find("_webSocketMessages");
    return messages != nullptr && messages->size() > 0;
  });
}

}  // namespace

std::optional<Result<Capture>> read_har(std::istream& file, const std::string& name,
                                        std::size_t most_bytes,
                                        const std::function<void(const Capture&)>& begin,
                                        const Sink& sink, const HeadSink& heads) {
  if (file.peek() != '{') return std::nullopt;
  std::string text;
  if (!read_all(file, most_bytes, text)) {
    return Error{name + ": is larger than 512 MiB, which is more than is read of one document"};
  }
  const auto parsed = json::parse(text, kHarLimits);
  if (!parsed) {
    if (text.find("\"log\"") == std::string::npos) return std::nullopt;
    const auto place = json::locate(text, parsed.error.offset);
    return Error{name + ":" + std::to_string(place.line) + ": " + parsed.error.message};
  }
  const Value* entries = json::at(*parsed.value, "/log/entries");
  if (entries == nullptr || !entries->is(Kind::array)) return std::nullopt;
  Capture capture;
  capture.format = "HAR";
  capture.binding = has_frames(entries->children()) ? "websocket" : "http";
  capture.is_from_the_beginning = capture.binding == "http";
  begin(capture);
  HarReader reader(capture, sink, heads);
  for (const auto& entry : entries->children()) {
    if (entry.is(Kind::object)) reader.take(entry);
  }
  reader.finish();
  return capture;
}

}  // namespace jrpcheck::traffic
