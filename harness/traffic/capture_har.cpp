#include "traffic/capture_har.hpp"

#include <algorithm>
#include <istream>
#include <string>

#include "base/base64.hpp"
#include "base/letter_case.hpp"
#include "json/parse.hpp"
#include "traffic/capture_line_formats.hpp"
#include "traffic/event_stream.hpp"

namespace jrpcheck::traffic {
namespace {

using dialogue::Side;
using dialogue::TrafficEvent;
using json::Kind;
using json::Value;

// As long as a browser records in a day; what is nested deeper than messages is left out.
constexpr json::ParseOptions kHarLimits{.max_depth = 10'000, .max_values = 20'000'000};

const Value* at(const Value& value, std::initializer_list<std::string_view> path) {
  const Value* here = &value;
  for (const auto name : path) {
    here = here->is(Kind::object) ? here->find(name) : nullptr;
    if (here == nullptr) return nullptr;
  }
  return here;
}

std::string text_at(const Value& value, std::initializer_list<std::string_view> path) {
  const Value* found = at(value, path);
  return found != nullptr && found->is(Kind::string) ? found->text() : std::string();
}

// Pages ask for much that is no JSON-RPC.
bool is_json_rpc(const std::string& body) {
  const dialogue::Message message(body);
  const auto is_request = [](const Value& value) {
    return value.find("jsonrpc") != nullptr && value.find("method") != nullptr;
  };
  if (message.value() == nullptr) return false;
  if (!message.value()->is(Kind::array)) return is_request(*message.value());
  const auto& elements = message.value()->children();
  return std::any_of(elements.begin(), elements.end(), is_request);
}

class HarReader {
 public:
  HarReader(Capture& capture, const Sink& sink) : capture_(capture), sink_(sink) {}

  void take(const Value& entry) {
    const auto start = read_time(entry.find("startedDateTime"), 1).value_or(last_);
    if (connection_ == 0) begin_ = start;
    const Value* messages = entry.find("_webSocketMessages");
    ++connection_;
    if (messages != nullptr && messages->is(Kind::array)) return take_frames(*messages);
    take_exchange(entry, start);
  }

 private:
  void take_exchange(const Value& entry, microseconds start) {
    if (text_at(entry, {"request", "method"}) != "POST") return;
    std::string body = text_at(entry, {"request", "postData", "text"});
    if (!is_json_rpc(body)) return;
    TrafficEvent event = at_time(Side::client, start);
    event.exchange = 1;
    event.message = std::move(body);
    tell(std::move(event));
    constexpr long long kMilliseconds = 1000;
    const auto took = read_time(entry.find("time"), kMilliseconds).value_or(microseconds(0));
    event = at_time(Side::server, start + took);
    event.exchange = 1;
    const Value* status = at(entry, {"response", "status"});
    event.http_status =
        status != nullptr && status->is(Kind::number)
            ? static_cast<std::size_t>(std::strtoul(status->text().c_str(), nullptr, 10))
            : 0;
    event.content_type = text_at(entry, {"response", "content", "mimeType"});
    const Value* content = at(entry, {"response", "content", "text"});
    if (event.http_status == 0 || (content == nullptr && has_body(entry))) {
      event.kind = TrafficEvent::Kind::lost;  // the browser did not keep it
    } else if (content != nullptr) {
      const bool is_base64 = text_at(entry, {"response", "content", "encoding"}) == "base64";
      event.message = is_base64 ? from_base64(content->text()).value_or("") : content->text();
      if (is_event_stream(event.content_type)) return tell_events(event);
    }
    tell(std::move(event));
  }

  void tell_events(const TrafficEvent& response) {
    EventStreamSide events(dialogue::EventStream::answer, response.connection, 1);
    const auto tell_each = [this](TrafficEvent event) { tell(std::move(event)); };
    events.feed(response.message.text(), response.at, tell_each);
    // What a browser keeps of a stream that it has left is no whole one.
    events.end(response.http_status, false, response.at, tell_each);
  }

  static bool has_body(const Value& entry) {
    const Value* size = at(entry, {"response", "content", "size"});
    return size == nullptr || size->text() != "0";
  }

  // Whole messages; what pings and closes there were is not recorded.
  void take_frames(const Value& messages) {
    capture_.binding = "websocket";
    for (const auto& each : messages.children()) {
      const std::string type = text_at(each, {"type"});
      const auto time = read_time(each.find("time"), 1).value_or(last_);
      TrafficEvent event = at_time(type == "send" ? Side::client : Side::server, time);
      const Value* opcode = each.find("opcode");
      event.is_binary = opcode != nullptr && opcode->text() == "2";
      const std::string data = text_at(each, {"data"});
      event.message = event.is_binary ? from_base64(data).value_or(data) : data;
      tell(std::move(event));
    }
  }

  TrafficEvent at_time(Side side, microseconds time) const {
    TrafficEvent event{TrafficEvent::Kind::message, side};
    event.at = std::max(time - begin_, microseconds(0));
    event.connection = connection_;
    return event;
  }

  void tell(TrafficEvent event) {
    last_ = begin_ + event.at;
    if (event.kind == TrafficEvent::Kind::message) ++capture_.messages;
    sink_(std::move(event));
  }

  Capture& capture_;
  const Sink& sink_;
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
  return std::any_of(entries.begin(), entries.end(), [](const Value& each) {
    const Value* messages = each.find("_webSocketMessages");
    return messages != nullptr && messages->size() > 0;
  });
}

}  // namespace

std::optional<Result<Capture>> read_har(std::istream& file, const std::string& name,
                                        std::size_t most_bytes,
                                        const std::function<void(const Capture&)>& begin,
                                        const Sink& sink) {
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
  const Value* entries = at(*parsed.value, {"log", "entries"});
  if (entries == nullptr || !entries->is(Kind::array)) return std::nullopt;
  Capture capture;
  capture.format = "HAR";
  capture.binding = has_frames(entries->children()) ? "websocket" : "http";
  capture.is_from_the_beginning = capture.binding == "http";
  begin(capture);
  HarReader reader(capture, sink);
  for (const auto& entry : entries->children()) {
    if (entry.is(Kind::object)) reader.take(entry);
  }
  return capture;
}

}  // namespace jrpcheck::traffic
