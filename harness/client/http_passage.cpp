#include "client/http_passage.hpp"

#include <utility>

#include "client/http_requests.hpp"

namespace jrpcheck::client {
namespace {

class HttpPassage : public Passage {
 public:
  explicit HttpPassage(Destination destination) : destination_(std::move(destination)) {}

  std::string onward(std::string_view bytes) override {
    requests_.feed(bytes);
    std::string out;
    while (auto request = requests_.next()) {
      if (!request->violation.empty()) return out + request->head + request->body;
      out += written(*request);
    }
    return out;
  }

  std::string owed() override { return requests_.owed(); }

  std::vector<Said> back(std::string_view bytes) override {
    responses_.feed(bytes);
    return taken();
  }

  std::vector<Said> back_at_end() override {
    responses_.end_of_input();
    return taken();
  }

  std::vector<std::string> encode(const Answer& answer, const Said& in_place_of) override {
    auto writes = in_place_of.event ? events_of(answer, *in_place_of.event)
                                    : response_of(answer, in_place_of);
    arrange_writes(writes, answer);
    return writes;
  }

 private:
  std::string written(const wire::HttpMessage& request) {
    responses_.expect_response_to(request.method);
    auto fields = fields_onward(request, destination_);
    wire::remove_field(fields, "Expect");
    if (request.field("Transfer-Encoding")) {
      wire::remove_field(fields, "Transfer-Encoding");
      wire::set_field(fields, "Content-Length", std::to_string(request.body.size()));
    }
    return wire::http_request(request.method, request.target, fields, request.body);
  }

  std::vector<Said> taken() {
    std::vector<Said> said;
    for (;;) {
      auto whole = responses_.next();
      const bool is_at_once = whole && !is_streaming_ && is_on_events(*whole);
      if (is_at_once) begin_stream(*whole, said);
      if (whole && !is_streaming_) {
        said.push_back(said_in(*std::move(whole)));
        continue;
      }
      if (whole) {
        add_events(whole->body, said);
        said.push_back(
            {events_.unfinished().empty() ? "" : wire::http_chunk(events_.unfinished())});
        // What was cut short is so for the client, too.
        if (whole->violation.empty()) said.back().bytes += wire::http_chunk("");
        is_streaming_ = false;
        continue;
      }
      const auto* head = responses_.pending_head();
      if (head == nullptr || !is_on_events(*head)) return said;
      if (!is_streaming_) begin_stream(*head, said);
      add_events(responses_.take_pending_body(), said);
      return said;
    }
  }

  static bool is_on_events(const wire::HttpMessage& head) {
    const auto type = head.field("Content-Type");
    return type && wire::is_event_stream(*type);
  }

  void begin_stream(const wire::HttpMessage& head, std::vector<Said>& said) {
    is_streaming_ = true;
    events_ = wire::SseReader();
    auto fields = head.fields;
    wire::remove_field(fields, "Content-Length");
    wire::remove_field(fields, "Transfer-Encoding");
    fields.emplace_back("Transfer-Encoding", "chunked");
    said.push_back({wire::http_response(head.status, fields, {})});
  }

  void add_events(const std::string& body, std::vector<Said>& said) {
    events_.feed(body);
    while (auto event = events_.next()) {
      std::string block = event->block;
      if (block.ends_with('\r')) block += '\n';
      Said one{wire::http_chunk(block)};
      if (event->data) one.message = dialogue::Message(*event->data);
      one.event = *std::move(event);
      said.push_back(std::move(one));
    }
  }

  static Said said_in(wire::HttpMessage response) {
    const bool is_coded = response.field("Content-Encoding").has_value();
    const bool is_chunked = response.field("Transfer-Encoding").has_value();
    const bool tells_its_end =
        !is_chunked && (response.body.empty() || response.field("Content-Length"));
    Said said;
    if (tells_its_end || !response.violation.empty()) {
      said.bytes = response.head + response.body;
    } else {
      auto fields = response.fields;
      wire::remove_field(fields, "Transfer-Encoding");
      fields.emplace_back("Content-Length", std::to_string(response.body.size()));
      said.bytes = wire::http_response(response.status, fields, response.body);
    }
    if (!is_coded && response.violation.empty()) said.message = dialogue::Message(response.body);
    said.response = std::move(response);
    return said;
  }

  std::vector<std::string> response_of(const Answer& answer, const Said& in_place_of) const {
    if (answer.messages.empty() && !answer.then.empty()) return {};
    auto fields = in_place_of.response->fields;
    const std::string body = http_body(answer, requests_.takes_chunks(), fields);
    const bool is_usual = answer.http_type == Answer{}.http_type;
    if (!is_usual) wire::remove_field(fields, "Content-Type");
    if (!is_usual && !answer.http_type.empty())
      wire::set_field(fields, "Content-Type", answer.http_type);
    const bool says_status = answer.http_status != Answer{}.http_status;
    const int status =
        says_status ? static_cast<int>(answer.http_status) : in_place_of.response->status;
    return {wire::http_response(status, fields, body)};
  }

  static std::vector<std::string> events_of(const Answer& answer, wire::ServerSentEvent event) {
    std::vector<std::string> writes;
    for (const auto& each : answer.messages) {
      event.data = each;
      writes.push_back(wire::http_chunk(wire::event_text(event)));
    }
    return writes;
  }

  Destination destination_;
  HttpRequests requests_;
  wire::HttpReader responses_{wire::HttpReader::Role::client};
  wire::SseReader events_;
  bool is_streaming_ = false;
};

}  // namespace

wire::HttpFields fields_onward(const wire::HttpMessage& request, const Destination& destination) {
  wire::HttpFields fields = request.fields;
  if (!destination.authority.empty()) wire::set_field(fields, "Host", destination.authority);
  if (!destination.authorization.empty()) {
    wire::set_field(fields, "Authorization", destination.authorization);
  }
  wire::remove_field(fields, "Accept-Encoding");
  wire::remove_field(fields, "Sec-WebSocket-Extensions");
  return fields;
}

std::unique_ptr<Passage> make_http_passage(const Destination& destination) {
  return std::make_unique<HttpPassage>(destination);
}

}  // namespace jrpcheck::client
