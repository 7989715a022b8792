#include <algorithm>

#include "session/http_conversation.hpp"

#include "base/letter_case.hpp"

namespace jrpcheck::session {
namespace {

// Small enough that a short message takes several chunks.
constexpr std::size_t kChunkBytes = 16;

constexpr const char* kHidden = "...";

// The only one of that name, spelled so, where the first of them stood.
void put_field(wire::HttpFields& fields, const std::string& name, const std::string& value) {
  const auto is_it = [&](const auto& field) { return same_ignoring_case(field.first, name); };
  const auto found = std::ranges::find_if(fields, is_it);
  if (found == fields.end()) {
    fields.emplace_back(name, value);
    return;
  }
  *found = {name, value};
  fields.erase(std::remove_if(found + 1, fields.end(), is_it), fields.end());
}

wire::HttpFields plain_fields(const transport::Target& target,
                              const wire::HttpFields& extra_fields) {
  constexpr std::size_t kOwn = 7;  // with those that come behind
  wire::HttpFields fields;
  fields.reserve(kOwn + extra_fields.size());
  fields.emplace_back("Host", target.authority);
  fields.emplace_back("User-Agent", "jrpcheck");
  fields.emplace_back("Accept", "application/json");
  // Without it any coding of the answer would do (RFC 9110 §12.5.3), and none is read.
  fields.emplace_back("Accept-Encoding", "identity");
  fields.emplace_back("Content-Type", "application/json");
  if (!target.authorization.empty()) fields.emplace_back("Authorization", target.authorization);
  for (const auto& field : extra_fields) wire::remove_field(fields, field.first);
  fields.insert(fields.end(), extra_fields.begin(), extra_fields.end());
  return fields;
}

}  // namespace

transport::Target without_secrets(transport::Target target) {
  if (!target.authorization.empty()) target.authorization = kHidden;
  return target;
}

wire::HttpFields without_secrets(wire::HttpFields extra_fields) {
  for (auto& field : extra_fields) field.second = kHidden;
  return extra_fields;
}

wire::HttpFields http_request_fields(const transport::Target& target,
                                     const wire::HttpFields& extra_fields,
                                     const corpus::HttpDetails& details, std::size_t body_size) {
  auto fields = plain_fields(target, extra_fields);
  if (details.chunked) {
    fields.emplace_back("Transfer-Encoding", "chunked");
  } else if (details.method != "GET" || body_size > 0) {
    fields.emplace_back("Content-Length", std::to_string(body_size));
  }
  for (const auto& [name, value] : details.headers) {
    if (value) {
      put_field(fields, name, *value);
    } else {
      wire::remove_field(fields, name);
    }
  }
  return fields;
}

std::string http_request_for(const transport::Target& target, const wire::HttpFields& extra_fields,
                             const corpus::HttpDetails& details, std::string_view message) {
  const auto fields = http_request_fields(target, extra_fields, details, message.size());
  return wire::http_request(
      details.method, details.path.empty() ? target.path : details.path, fields,
      details.chunked ? wire::http_chunked(message, kChunkBytes) : std::string(message));
}

}  // namespace jrpcheck::session
