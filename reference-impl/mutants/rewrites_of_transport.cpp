#include <poll.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/letter_case.hpp"
#include "reference-impl/http_answer.hpp"
#include "reference-impl/mutants/decorated_framing.hpp"
#include "reference-impl/mutants/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

/// After so many pieces the rest is written at once: more would only cost the peer seconds.
constexpr std::size_t kMostPieces = 4096;

class FilteredFraming final : public DecoratedFraming {
 public:
  using Encode = std::function<std::string(wire::Framing&, std::string_view)>;
  using Filter = std::function<std::optional<wire::Frame>(wire::Frame)>;

  FilteredFraming(std::unique_ptr<wire::Framing> proper, Encode encode, Filter filter)
      : DecoratedFraming(std::move(proper)),
        encode_(std::move(encode)),
        filter_(std::move(filter)) {}

  std::string encode(std::string_view payload) override {
    return encode_ ? encode_(proper(), payload) : DecoratedFraming::encode(payload);
  }

  std::optional<wire::Frame> next() override {
    while (auto frame = DecoratedFraming::next()) {
      if (filter_) frame = filter_(std::move(*frame));
      if (frame) return frame;
    }
    return std::nullopt;
  }

 private:
  Encode encode_;
  Filter filter_;
};

auto is_named(std::string_view name) {
  return [name](const auto& field) { return same_ignoring_case(field.first, name); };
}

}  // namespace

Behaviour on_http_request(
    std::function<HttpAnswer(const wire::HttpMessage&, const ProperAnswer&)> answer) {
  return {.answer = std::move(answer)};
}

Behaviour on_http_response(
    std::function<void(const wire::HttpMessage&, wire::HttpMessage&)> rewrite) {
  return on_http_request(
      [rewrite = std::move(rewrite)](const wire::HttpMessage& request, const ProperAnswer& proper) {
        HttpAnswer answer = proper(request);
        wire::HttpMessage response = http_message_of(answer);
        const std::string body = response.body;
        rewrite(request, response);
        if (response.body != body && !response.field("Transfer-Encoding")) {
          set_field(response, "Content-Length", std::to_string(response.body.size()));
        }
        answer.bytes = http_text_of(response);
        return answer;
      });
}

Behaviour edit_http_request(std::function<void(wire::HttpMessage&)> edit) {
  return on_http_request(
      [edit = std::move(edit)](wire::HttpMessage request, const ProperAnswer& proper) {
        edit(request);
        return proper(request);
      });
}

Behaviour refuse_http_posts(int status, bool (*applies)(const wire::HttpMessage&)) {
  return on_http_request([=](const wire::HttpMessage& request, const ProperAnswer& proper) {
    if (request.method != "POST" || !applies(request)) return proper(request);
    return refuse(status, request.keep_alive);
  });
}

wire::HttpMessage http_message_of(const HttpAnswer& answer) {
  wire::HttpReader reader(wire::HttpReader::Role::client);
  reader.feed(answer.bytes);
  reader.end_of_input();
  return reader.next().value_or(wire::HttpMessage{});
}

std::string http_text_of(const wire::HttpMessage& response) {
  return wire::http_response(response.status, response.fields, response.body);
}

void set_field(wire::HttpMessage& message, std::string_view name, std::string value) {
  const auto found = std::find_if(message.fields.begin(), message.fields.end(), is_named(name));
  if (found != message.fields.end()) {
    found->second = std::move(value);
  } else {
    message.fields.emplace_back(name, std::move(value));
  }
}

void remove_field(wire::HttpMessage& message, std::string_view name) {
  std::erase_if(message.fields, is_named(name));
}

Behaviour in_pieces_of(std::size_t bytes) {
  return {.writing = [bytes](std::string_view rest, const ProperWrite& write) {
    for (std::size_t pieces = 0; rest.size() > bytes && pieces < kMostPieces; ++pieces) {
      if (!write(rest.substr(0, bytes))) return false;
      rest.remove_prefix(bytes);
    }
    return write(rest);
  }};
}

Behaviour ending_late(int milliseconds) {
  return {.end_of_stream = [milliseconds] { ::poll(nullptr, 0, milliseconds); }};
}

Behaviour on_writing(std::function<std::string(wire::Framing&, std::string_view)> encode) {
  return framed_by<FilteredFraming>(std::move(encode), FilteredFraming::Filter());
}

Behaviour on_frame(std::function<std::optional<wire::Frame>(wire::Frame)> rewrite) {
  return framed_by<FilteredFraming>(FilteredFraming::Encode(), std::move(rewrite));
}

}  // namespace jrpcheck::reference
