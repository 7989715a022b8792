// The HTTP/1.1 reader: as a client's where the input begins like a response, else as a server's.
#include "fuzz/targets/pieces.hpp"
#include "fuzz/targets/promise.hpp"
#include "wire/stream_for_testing.hpp"

using namespace jrpcheck;
using wire::FrameLimits;
using wire::HttpFields;
using wire::HttpMessage;
using wire::HttpReader;
using wire::testing::http_messages_of;
using wire::testing::HttpStream;
using wire::testing::whole;

namespace {

void check_messages(std::string_view text, const HttpStream& reading) {
  const auto at_once = http_messages_of(reading, {std::string(text)});
  const std::string shown = whole(at_once);
  fuzz::promise(shown == whole(http_messages_of(reading, fuzz::cut(text))),
                "the messages of a connection do not depend on how it is cut", shown);

  std::size_t bytes = 0;
  for (const auto& message : at_once) {
    bytes += message.head.size() + message.body.size();
    fuzz::promise(text.find(message.head) != std::string_view::npos, "a head is kept as it came",
                  shown);
    fuzz::promise(message.body.size() <= reading.limits.max_message_bytes,
                  "no body is longer than the limit", shown);
    const bool last = &message == &at_once.back();
    fuzz::promise(message.violation.empty() || last, "nothing comes after a violation", shown);
  }
  fuzz::promise(bytes <= text.size(), "messages hold no more bytes than came", shown);
}

bool frames_the_body(std::string_view name) {
  HttpMessage probe;
  probe.fields = {{std::string(name), ""}};
  return probe.field("content-length") || probe.field("transfer-encoding");
}

/// A request that was read and is written again is read as the same.
void check_round_trip(const HttpMessage& request) {
  HttpFields fields = {{"Content-Length", std::to_string(request.body.size())}};
  for (const auto& field : request.fields) {
    if (!frames_the_body(field.first)) fields.push_back(field);
  }
  const std::string written =
      wire::http_request(request.method, request.target, fields, request.body);
  const auto again = http_messages_of({HttpReader::Role::server}, {written});
  fuzz::promise(again.size() == 1 && again.front().violation.empty() &&
                    again.front().method == request.method &&
                    again.front().target == request.target && again.front().fields == fields &&
                    again.front().body == request.body,
                "a request that is written again reads the same", written);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text = fuzz::text_of(bytes, size);
  const bool response = text.substr(0, 5) == "HTTP/";
  HttpStream reading;
  reading.role = response ? HttpReader::Role::client : HttpReader::Role::server;
  check_messages(text, reading);
  reading.limits = FrameLimits{10, 60};
  reading.answered_methods = {"POST", "HEAD"};
  check_messages(text, reading);
  if (response) return 0;
  for (const auto& request : http_messages_of({HttpReader::Role::server}, {std::string(text)})) {
    if (request.violation.empty()) check_round_trip(request);
  }
  return 0;
}
