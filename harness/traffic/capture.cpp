#include "traffic/capture.hpp"

#include <algorithm>
#include <cstdlib>
#include <istream>

#include "json/parse.hpp"
#include "json/pointer.hpp"
#include "traffic/capture_har.hpp"
#include "traffic/capture_line_formats.hpp"

namespace jrpcheck::traffic {
namespace {

using dialogue::TrafficEvent;

constexpr std::size_t kMostInALine = 32U << 20;
constexpr std::size_t kSkippedShown = 5;
// A capture may begin with what a program printed before it.
constexpr std::size_t kMostLinesBefore = 100;

enum class LineRead { line, too_long, end };

// The next line without its end. What is longer than can be a line is passed over.
LineRead read_line(std::istream& file, std::string& line) {
  line.clear();
  bool is_any = false;
  bool is_too_long = false;
  std::streambuf& bytes = *file.rdbuf();
  for (int c = bytes.sbumpc(); c != std::char_traits<char>::eof(); c = bytes.sbumpc()) {
    is_any = true;
    if (c == '\n') break;
    if (line.size() >= kMostInALine) is_too_long = true;
    if (!is_too_long) line.push_back(static_cast<char>(c));
  }
  if (!is_any) return LineRead::end;
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return is_too_long ? LineRead::too_long : LineRead::line;
}

// A line and the Object in it, which may stand behind a prefix such as "[LSP - 10:00:00] ".
struct ParsedLine {
  explicit ParsedLine(std::string_view text) {
    line.text = text;
    constexpr std::size_t kLongestPrefix = 80;
    const auto brace = text.find('{');
    if (brace > kLongestPrefix) return;
    line.json = text.substr(brace);
    parsed = json::parse(line.json, dialogue::kMessageLimits);
    if (parsed && parsed.value->is(json::Kind::object)) line.value = &*parsed.value;
  }
  json::ParseResult parsed;
  CaptureLine line;
};

class LineCapture {
 public:
  LineCapture(const CaptureLineFormat& format, const Sink& sink, const HeadSink& heads,
              const FramingSink& framings)
      : format_(format), sink_(sink), heads_(heads), framings_(framings) {}

  // Null: the line is too long to be read.
  void take(const std::string* text, std::size_t number, Capture& capture) {
    const std::string line = "line " + std::to_string(number) + ": ";
    if (text == nullptr) return skip(line + "longer than 32 MiB", capture);
    if (text->find_first_not_of(" \t") == std::string::npos) return;
    const ParsedLine parsed(*text);
    if (Capture head; read_capture_head(parsed.line, head)) return tell_framing(*parsed.line.value);
    if (format_.has_heads) {
      if (auto head = read_http_head(parsed.line)) {
        if (*head) return tell(**std::move(head));
        return skip(line + head->error().message, capture);
      }
    }
    auto event = format_.read(parsed.line);
    if (!event) return skip(line + event.error().message, capture);
    if (!*event) return;
    tell(**std::move(event), capture);
  }

 private:
  // What was passed over may have been a message of whatever connection: what is missing afterwards
  // is not charged.
  void skip(std::string what, Capture& capture) {
    capture.pass_over(std::move(what));
    sink_({TrafficEvent::Kind::lost, dialogue::Side::client, last_, dialogue::kAnyConnection});
  }

  microseconds since_begin(microseconds at) {
    if (!begin_) begin_ = at;
    last_ = std::max(at - *begin_, last_);
    return last_;
  }

  // The head of the whole names no connection.
  void tell_framing(const json::Value& head) {
    const json::Value* connection = head.find("connection");
    const auto* binding = wire::binding_named(json::text_at(head, "/binding"));
    if (connection == nullptr || !connection->is(json::Kind::number) || binding == nullptr) return;
    framings_(*binding, std::strtoul(connection->text().c_str(), nullptr, 10));
  }

  void tell(HttpHead head) {
    head.at = since_begin(head.at);
    heads_(head);
  }

  void tell(TrafficEvent event, Capture& capture) {
    event.at = since_begin(event.at);
    const bool is_handshake = event.kind == TrafficEvent::Kind::upgraded;
    if (event.kind == TrafficEvent::Kind::message || is_handshake) ++capture.messages;
    sink_(std::move(event));
  }

  const CaptureLineFormat& format_;
  const Sink& sink_;
  const HeadSink& heads_;
  const FramingSink& framings_;
  std::optional<microseconds> begin_;
  microseconds last_{0};
};

const CaptureLineFormat* format_of(const CaptureLine& line) {
  const auto formats = line_formats();
  const auto found =
      std::ranges::find_if(formats, [&](const auto& each) { return each.recognises(line); });
  return found == formats.end() ? nullptr : &*found;
}

Error unknown_format(const std::string& name) {
  return Error{name +
               ": neither a run that --report json=FILE has written nor a capture that is "
               "known: " +
               capture_formats()};
}

// It is ignored (HAR 1.2, RFC 8259 §8.1).
void skip_byte_order_mark(std::istream& file) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  const auto start = file.tellg();
  std::string begin(kMark.size(), '\0');
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  if (begin == kMark) return;
  file.clear();
  file.seekg(start);
}

// The text up to the first line that a format knows; what stands before it is passed over, and
// holds no more than one line may.
struct Opening {
  const CaptureLineFormat* format = nullptr;
  std::vector<std::optional<std::string>> lines;  // nothing in place of one that is too long
};

Opening open_lines(std::istream& file) {
  Opening opening;
  std::string line;
  std::size_t held = 0;
  while (opening.lines.size() < kMostLinesBefore && held < kMostInALine) {
    const auto read = read_line(file, line);
    if (read == LineRead::end) break;
    const bool is_whole = read == LineRead::line;
    opening.lines.push_back(is_whole ? std::optional(line) : std::nullopt);
    held += is_whole ? line.size() : 0;
    opening.format = format_of(ParsedLine(line).line);
    if (opening.format != nullptr) break;
  }
  return opening;
}

}  // namespace

void Capture::pass_over(std::string what) {
  ++skipped_count;
  if (skipped.size() < kSkippedShown) skipped.push_back(std::move(what));
}

std::string capture_formats() {
  std::string names = "HAR 1.2";
  for (const auto& each : line_formats()) names += ", " + std::string(each.name);
  return names;
}

Result<Capture> read_capture(std::istream& file, const std::string& name,
                             const std::function<void(const Capture&)>& begin, const Sink& sink,
                             const HeadSink& heads, const FramingSink& framings) {
  skip_byte_order_mark(file);
  file >> std::ws;
  const auto start = file.tellg();
  Opening opening = open_lines(file);
  if (opening.format == nullptr) {
    opening.lines.clear();
    file.clear();
    file.seekg(start);
    return read_har(file, name, begin, sink, heads, framings).value_or(unknown_format(name));
  }
  Capture capture;
  capture.format = opening.format->name;
  capture.binding = &wire::known_binding(opening.format->binding);
  capture.is_from_the_beginning = opening.format->is_from_the_beginning;
  for (const auto& text : opening.lines) {
    if (text && read_capture_head(ParsedLine(*text).line, capture)) break;
  }
  begin(capture);
  LineCapture lines(*opening.format, sink, heads, framings);
  std::size_t number = 0;
  for (const auto& text : opening.lines) lines.take(text ? &*text : nullptr, ++number, capture);
  opening.lines.clear();
  std::string line;
  for (auto read = read_line(file, line); read != LineRead::end; read = read_line(file, line)) {
    lines.take(read == LineRead::line ? &line : nullptr, ++number, capture);
  }
  return capture;
}

}  // namespace jrpcheck::traffic
