#include "base/bytes.hpp"
#include "base/utf8.hpp"
#include "json/writer.hpp"
#include "traffic/capture.hpp"

namespace jrpcheck::traffic {
namespace {

using dialogue::TrafficEvent;

constexpr long long kMicrosecondsOfASecond = 1'000'000;

std::string seconds_text(microseconds at) {
  const auto count = at.count();
  std::string fraction = std::to_string(kMicrosecondsOfASecond + count % kMicrosecondsOfASecond);
  return std::to_string(count / kMicrosecondsOfASecond) + "." + fraction.substr(1);
}

}  // namespace

std::string capture_head(std::string_view binding, std::string_view transport,
                         std::string_view target) {
  std::string text;
  json::Writer writer(text);
  writer.open(json::Kind::object);
  writer.name("schema");
  writer.string("jrpcheck-traffic-1");
  writer.name("binding");
  writer.string(binding);
  writer.name("transport");
  writer.string(transport);
  writer.name("target");
  writer.string(target);
  writer.close();
  return text + "\n";
}

std::string capture_line(const TrafficEvent& event) {
  std::string text;
  json::Writer writer(text);
  const auto number = [&](std::string_view name, std::size_t value) {
    writer.name(name);
    writer.token(std::to_string(value));
  };
  writer.open(json::Kind::object);
  writer.name("t");
  writer.token(seconds_text(event.at));
  writer.name("dir");
  writer.string(name_of(event.side));
  if (event.connection != 1) number("connection", event.connection);
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
  if (event.exchange) number("exchange", *event.exchange);
  if (event.http_status != 0) number("status", event.http_status);
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
  return text + "\n";
}

}  // namespace jrpcheck::traffic
