#include <array>

#include "base/bytes.hpp"
#include "base/contains.hpp"
#include "base/letter_case.hpp"
#include "base/utf8.hpp"
#include "json/writer.hpp"
#include "traffic/capture.hpp"
#include "traffic/capture_line_formats.hpp"

namespace jrpcheck::traffic {
namespace {

using dialogue::TrafficEvent;

constexpr long long kMicrosecondsOfASecond = 1'000'000;

std::string seconds_text(microseconds at) {
  const auto count = at.count();
  std::string fraction = std::to_string(kMicrosecondsOfASecond + count % kMicrosecondsOfASecond);
  return std::to_string(count / kMicrosecondsOfASecond) + "." + fraction.substr(1);
}

void write_fields(const wire::HttpFields& fields, json::Writer& writer) {
  writer.name("fields");
  writer.open(json::Kind::array);
  for (const auto& [name, value] : fields) {
    writer.open(json::Kind::array);
    writer.string(name);
    // What is no UTF-8 is no value that a rule knows.
    writer.string(is_valid_utf8(value) ? value : to_visible(value));
    writer.close();
  }
  writer.close();
}

void write_number(std::string_view name, std::size_t value, json::Writer& writer) {
  writer.name(name);
  writer.token(std::to_string(value));
}

}  // namespace

bool is_recorded(std::string_view field) {
  constexpr std::array<std::string_view, 4> kKnown = {"accept", "content-type", "last-event-id",
                                                      "mcp-protocol-version"};
  const std::string name = in_lower_case(std::string(field));
  return name.starts_with("mcp-") || contains(kKnown, name);
}

std::string capture_line(const HttpHead& head) {
  std::string text;
  json::Writer writer(text);
  const auto text_member = [&](std::string_view name, const std::string& value) {
    if (value.empty()) return;
    writer.name(name);
    writer.string(is_valid_utf8(value) ? value : to_visible(value));
  };
  writer.open(json::Kind::object);
  writer.name("t");
  writer.token(seconds_text(head.at));
  writer.name("dir");
  writer.string(name_of(head.side));
  if (head.connection != 1) write_number("connection", head.connection, writer);
  write_number("exchange", head.exchange, writer);
  writer.name("head");
  writer.open(json::Kind::object);
  text_member("method", head.method);
  text_member("target", head.target);
  if (head.status != 0) write_number("status", static_cast<std::size_t>(head.status), writer);
  if (head.has_query) {
    writer.name("query");
    writer.token("true");
  }
  write_fields(head.fields, writer);
  writer.close();
  writer.close();
  return inert_json(text) + "\n";
}

std::string capture_framing(std::string_view binding, std::size_t connection) {
  std::string text;
  json::Writer writer(text);
  writer.open(json::Kind::object);
  writer.name("schema");
  writer.string(kCaptureSchema);
  write_number("connection", connection, writer);
  writer.name("binding");
  writer.string(binding);
  writer.close();
  return inert_json(text) + "\n";
}

std::string capture_head(std::string_view binding, std::string_view transport,
                         std::string_view target) {
  std::string text;
  json::Writer writer(text);
  writer.open(json::Kind::object);
  writer.name("schema");
  writer.string(kCaptureSchema);
  writer.name("binding");
  writer.string(binding);
  writer.name("transport");
  writer.string(transport);
  writer.name("target");
  writer.string(target);
  writer.close();
  return inert_json(text) + "\n";
}

std::string capture_line(const TrafficEvent& event) {
  std::string text;
  json::Writer writer(text);
  writer.open(json::Kind::object);
  writer.name("t");
  writer.token(seconds_text(event.at));
  writer.name("dir");
  writer.string(name_of(event.side));
  if (event.connection != 1) write_number("connection", event.connection, writer);
  if (event.kind != TrafficEvent::Kind::message) {
    writer.name("event");
    writer.string(name_of(event.kind));
  }
  const std::string& bytes = event.message.text();
  const bool is_message = event.kind == TrafficEvent::Kind::message;
  if (is_message || !bytes.empty()) {
    const bool is_text = is_valid_utf8(bytes);
    writer.name(is_text ? "text" : "base64");
    writer.string(is_text ? bytes : to_base64(bytes));
  }
  if (!event.note.empty()) {
    writer.name("note");
    writer.string(event.note);
  }
  if (event.exchange) write_number("exchange", *event.exchange, writer);
  if (event.http_status != 0) write_number("status", event.http_status, writer);
  if (!event.content_type.empty()) {
    writer.name("content-type");
    writer.string(event.content_type);
  }
  if (event.stream != dialogue::EventStream::none) {
    writer.name("stream");
    writer.string(name_of(event.stream));
  }
  if (event.is_binary) {
    writer.name("binary");
    writer.token("true");
  }
  writer.close();
  return inert_json(text) + "\n";
}

}  // namespace jrpcheck::traffic
