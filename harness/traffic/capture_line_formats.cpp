#include "traffic/capture_line_formats.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <ctime>

#include "base/base64.hpp"
#include "base/names.hpp"
#include "json/pointer.hpp"

namespace jrpcheck::traffic {
namespace {

using dialogue::Side;
using dialogue::TrafficEvent;
using json::Kind;
using json::Value;
using LineResult = Result<std::optional<TrafficEvent>>;

std::optional<std::size_t> number_in(const Value& object, std::string_view name) {
  const Value* member = object.find(name);
  if (member == nullptr || !member->is(Kind::number)) return std::nullopt;
  std::size_t number = 0;
  const auto& text = member->text();
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

// The text of a value as it stands in the line: numbers and duplicates as they were.
std::string raw_text(const CaptureLine& line, const Value& value) {
  return std::string(line.json.substr(value.begin(), value.end() - value.begin()));
}

bool is_true(const Value& object, std::string_view name) {
  const Value* member = object.find(name);
  return member != nullptr && member->is(Kind::boolean) && member->as_boolean();
}

std::optional<Side> side_named(std::string_view client, std::string_view server,
                               std::string_view name) {
  if (name == client) return Side::client;
  if (name == server) return Side::server;
  return std::nullopt;
}

// --- jrpcheck's own

bool is_own(const CaptureLine& line) {
  return line.value != nullptr &&
         (json::text_at(*line.value, "/schema") == kCaptureSchema ||
          (line.value->find("dir") != nullptr &&
           (line.value->find("text") != nullptr || line.value->find("base64") != nullptr ||
            line.value->find("event") != nullptr || line.value->find("head") != nullptr)));
}

// [["Accept", "application/json"], ...]
bool read_fields(const Value* list, wire::HttpFields& fields) {
  if (list == nullptr || !list->is(Kind::array)) return false;
  for (const auto& each : list->children()) {
    const bool is_pair = each.is(Kind::array) && each.size() == 2 &&
                         each.children()[0].is(Kind::string) && each.children()[1].is(Kind::string);
    if (!is_pair) return false;
    fields.emplace_back(each.children()[0].text(), each.children()[1].text());
  }
  return true;
}

LineResult read_own(const CaptureLine& line) {
  if (line.value == nullptr) return Error{"not a JSON Object"};
  const Value& object = *line.value;
  const auto side = side_named("client", "server", json::text_at(object, "/dir"));
  if (!side) return Error{"\"dir\" is neither \"client\" nor \"server\""};
  TrafficEvent event{TrafficEvent::Kind::message, *side};
  if (object.find("event") != nullptr) {
    const auto kind = value_named<TrafficEvent::Kind>(json::text_at(object, "/event"));
    if (!kind) return Error{"\"event\" is none that is known"};
    event.kind = *kind;
  }
  const Value* base64 = object.find("base64");
  if (base64 != nullptr) {
    auto bytes = from_base64(base64->text());
    if (!bytes) return Error{"\"base64\" is none"};
    event.message = *std::move(bytes);
  } else {
    event.message = json::text_at(object, "/text");
  }
  event.at = read_time(object.find("t"), 1).value_or(microseconds(0));
  event.connection = number_in(object, "connection").value_or(1);
  event.exchange = number_in(object, "exchange");
  event.http_status = number_in(object, "status").value_or(0);
  event.content_type = json::text_at(object, "/content-type");
  event.note = json::text_at(object, "/note");
  event.is_binary = is_true(object, "binary");
  if (object.find("stream") != nullptr) {
    const auto stream = value_named<dialogue::EventStream>(json::text_at(object, "/stream"));
    if (!stream) return Error{"\"stream\" is none that is known"};
    event.stream = *stream;
  }
  return std::optional(std::move(event));
}

// --- mcpsnoop: an envelope a line

bool is_mcpsnoop(const CaptureLine& line) {
  return line.value != nullptr && line.value->find("direction") != nullptr &&
         (line.value->find("session_id") != nullptr || line.value->find("ts") != nullptr);
}

LineResult read_mcpsnoop(const CaptureLine& line) {
  if (line.value == nullptr) return Error{"not a JSON Object"};
  const Value& object = *line.value;
  const std::string direction = json::text_at(object, "/direction");
  if (direction == "stderr" || direction == "meta") return std::optional<TrafficEvent>();
  const auto side = side_named("c2s", "s2c", direction);
  if (!side) return Error{"\"direction\" is none that is known"};
  TrafficEvent event{TrafficEvent::Kind::message, *side};
  event.at = read_time(object.find("ts"), 1).value_or(microseconds(0));
  const Value* raw = object.find("raw");
  // What was cut, changed or taken out of a batch is not what has passed.
  const bool is_changed =
      is_true(object, "truncated") || is_true(object, "redacted") || is_true(object, "batch");
  if (is_changed) {
    event.kind = TrafficEvent::Kind::lost;
  } else if (raw != nullptr) {
    event.message = raw_text(line, *raw);
  } else {
    event.kind = TrafficEvent::Kind::noise;
    event.message = json::text_at(object, "/text");
  }
  return std::optional(std::move(event));
}

// --- lsptrace: the message within what is known of it

bool is_lsptrace(const CaptureLine& line) {
  return line.value != nullptr && line.value->find("msgKind") != nullptr &&
         line.value->find("msg") != nullptr;
}

LineResult read_lsptrace(const CaptureLine& line) {
  if (line.value == nullptr) return Error{"not a JSON Object"};
  const auto side = side_named("client", "server", json::text_at(*line.value, "/from"));
  const Value* message = line.value->find("msg");
  if (!side || message == nullptr) return Error{"\"from\" or \"msg\" is missing"};
  TrafficEvent event{TrafficEvent::Kind::message, *side};
  event.at = read_time(line.value->find("timestamp"), 1).value_or(microseconds(0));
  event.message = raw_text(line, *message);
  return std::optional(std::move(event));
}

// --- the trace that editors write: [LSP - 10:00:00] {"isLSPMessage":true,...}

bool is_lsp_log(const CaptureLine& line) {
  return line.value != nullptr && line.value->find("message") != nullptr &&
         (json::text_at(*line.value, "/type").starts_with("send-") ||
          json::text_at(*line.value, "/type").starts_with("receive-"));
}

LineResult read_lsp_log(const CaptureLine& line) {
  if (line.value == nullptr) return Error{"no JSON Object"};
  const std::string type = json::text_at(*line.value, "/type");
  const Value* message = line.value->find("message");
  const bool is_sent = type.starts_with("send-");
  if ((!is_sent && !type.starts_with("receive-")) || message == nullptr) {
    return Error{"\"type\" or \"message\" is none that is known"};
  }
  TrafficEvent event{TrafficEvent::Kind::message, is_sent ? Side::client : Side::server};
  constexpr long long kMilliseconds = 1000;
  event.at = read_time(line.value->find("timestamp"), kMilliseconds).value_or(microseconds(0));
  event.message = raw_text(line, *message);
  return std::optional(std::move(event));
}

// --- vectors: >> what is sent, << what comes back, // what is said about it

bool is_vector(const CaptureLine& line) {
  return line.text.starts_with(">>") || line.text.starts_with("<<") || line.text.starts_with("//");
}

LineResult read_vector(const CaptureLine& line) {
  if (line.text.starts_with("//")) return std::optional<TrafficEvent>();
  const bool is_sent = line.text.starts_with(">>");
  if (!is_sent && !line.text.starts_with("<<")) return Error{"begins with none of >>, << and //"};
  TrafficEvent event{TrafficEvent::Kind::message, is_sent ? Side::client : Side::server};
  auto text = line.text.substr(2);
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  event.message = std::string(text);
  return std::optional(std::move(event));
}

constexpr std::array kFormats = {
    CaptureLineFormat{"jrpcheck's JSON lines", "lines", true, &is_own, &read_own, true},
    CaptureLineFormat{"mcpsnoop's JSON lines", "lines", false, &is_mcpsnoop, &read_mcpsnoop},
    CaptureLineFormat{"lsptrace's JSON lines", "content-length", false, &is_lsptrace,
                      &read_lsptrace},
    CaptureLineFormat{"an editor's LSP trace", "content-length", false, &is_lsp_log, &read_lsp_log},
    CaptureLineFormat{".io vectors", "lines", true, &is_vector, &read_vector},
};

std::optional<microseconds> read_rfc3339(const std::string& text) {
  std::tm moment{};
  int consumed = 0;
  const int fields =
      std::sscanf(text.c_str(), "%4d-%2d-%2dT%2d:%2d:%2d%n", &moment.tm_year, &moment.tm_mon,
                  &moment.tm_mday, &moment.tm_hour, &moment.tm_min, &moment.tm_sec, &consumed);
  constexpr int kFields = 6;
  if (fields != kFields || moment.tm_year < 1970) return std::nullopt;
  moment.tm_year -= 1900;
  moment.tm_mon -= 1;
  long long micros = static_cast<long long>(::timegm(&moment)) * 1'000'000;
  long long unit = 100'000;
  const auto* at = text.c_str() + consumed;
  if (*at == '.') ++at;
  for (; *at >= '0' && *at <= '9' && unit > 0; ++at, unit /= 10) micros += (*at - '0') * unit;
  return microseconds(micros);
}

}  // namespace

std::span<const CaptureLineFormat> line_formats() { return kFormats; }

std::optional<Result<HttpHead>> read_http_head(const CaptureLine& line) {
  const Value* said = line.value == nullptr ? nullptr : line.value->find("head");
  if (said == nullptr || line.value->find("dir") == nullptr) return std::nullopt;
  const auto side = side_named("client", "server", json::text_at(*line.value, "/dir"));
  const auto exchange = number_in(*line.value, "exchange");
  if (!side || !exchange) return Error{"a head names its side and its exchange"};
  HttpHead head{*side};
  head.exchange = *exchange;
  head.at = read_time(line.value->find("t"), 1).value_or(microseconds(0));
  head.connection = number_in(*line.value, "connection").value_or(1);
  head.method = json::text_at(*said, "/method");
  head.target = json::text_at(*said, "/target");
  head.has_query = is_true(*said, "query");
  head.status = static_cast<int>(number_in(*said, "status").value_or(0));
  if (!read_fields(said->find("fields"), head.fields)) {
    return Error{"\"fields\" of a head are pairs of texts"};
  }
  return head;
}

bool read_capture_head(const CaptureLine& line, Capture& capture) {
  if (line.value == nullptr || json::text_at(*line.value, "/schema") != kCaptureSchema)
    return false;
  const auto* binding = wire::binding_named(json::text_at(*line.value, "/binding"));
  if (binding != nullptr) capture.binding = binding;
  const std::string transport = json::text_at(*line.value, "/transport");
  if (!transport.empty()) capture.transport = transport;
  capture.target = json::text_at(*line.value, "/target");
  return true;
}

std::optional<microseconds> read_time(const Value* time, long long units_per_second) {
  if (time == nullptr) return std::nullopt;
  if (time->is(Kind::string)) return read_rfc3339(time->text());
  if (!time->is(Kind::number)) return std::nullopt;
  const double seconds =
      std::strtod(time->text().c_str(), nullptr) / static_cast<double>(units_per_second);
  constexpr double kMost = 1e12;
  if (!std::isfinite(seconds) || seconds < 0 || seconds > kMost) return std::nullopt;
  return microseconds(static_cast<long long>(seconds * 1e6));
}

}  // namespace jrpcheck::traffic
