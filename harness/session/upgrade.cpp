#include "session/upgrade.hpp"

#include "base/bytes.hpp"
#include "base/join.hpp"
#include "session/framed_stream.hpp"
#include "session/http_conversation.hpp"
#include "wire/websocket.hpp"

namespace jrpcheck::session {
namespace {

constexpr std::string_view kHeadEnd = "\r\n\r\n";

void replace_field(wire::HttpFields& fields, const std::string& name,
                   const std::optional<std::string>& value) {
  wire::remove_field(fields, name);
  if (value) fields.emplace_back(name, *value);
}

std::string request_of(const UpgradeSettings& settings, const std::string& key) {
  return wire::http_request("GET", settings.target.path, upgrade_fields(settings, key), {});
}

bool is_switch(std::string_view head) {
  return head.starts_with("HTTP/1.1 101") || head.starts_with("HTTP/1.0 101");
}

// Whether all of the response has come. Behind the head of one that switches everything belongs to
// the other protocol.
bool take_response(std::string& heard, bool ended, Upgrade& upgrade) {
  const auto head_end = heard.find(kHeadEnd);
  wire::HttpReader reader(wire::HttpReader::Role::client, kReplyLimits);
  reader.expect_response_to("GET");
  if (is_switch(heard)) {
    if (head_end == std::string::npos) return false;
    const auto size = head_end + kHeadEnd.size();
    reader.feed(std::string_view(heard).substr(0, size));
    upgrade.response = reader.next();
    heard.erase(0, size);
    return true;
  }
  reader.feed(heard);
  if (ended) reader.end_of_input();
  auto response = reader.next();
  if (!response) return false;
  // Who does not speak HTTP is not waited for.
  if (!response->violation.empty()) return true;
  upgrade.response = std::move(response);
  heard.clear();
  return true;
}

}  // namespace

std::string Upgrade::refusal() const {
  constexpr std::size_t kShown = 100;
  if (response) {
    std::string text =
        "the upgrade to WebSocket was refused: HTTP " + std::to_string(response->status);
    if (!response->body.empty()) text += ": " + to_visible(response->body, kShown);
    return text;
  }
  if (!heard.empty()) {
    return "the request for WebSocket was not answered in HTTP, but by " +
           to_visible(heard, kShown);
  }
  return ended ? "the connection was closed at the request for WebSocket"
               : "the request for WebSocket was not answered";
}

wire::HttpFields upgrade_fields(const UpgradeSettings& settings, const std::string& key) {
  wire::HttpFields fields = {{"Host", settings.target.authority},
                             {"User-Agent", "jrpcheck"},
                             {"Upgrade", "websocket"},
                             {"Connection", "Upgrade"},
                             {"Sec-WebSocket-Key", key},
                             {"Sec-WebSocket-Version", "13"}};
  if (!settings.subprotocols.empty()) {
    fields.emplace_back("Sec-WebSocket-Protocol", joined(settings.subprotocols));
  }
  if (!settings.target.authorization.empty()) {
    fields.emplace_back("Authorization", settings.target.authorization);
  }
  for (const auto& [name, value] : settings.extra_fields) replace_field(fields, name, {});
  fields.insert(fields.end(), settings.extra_fields.begin(), settings.extra_fields.end());
  for (const auto& [name, value] : settings.departures) replace_field(fields, name, value);
  return fields;
}

Upgrade upgrade(transport::ByteStream& stream, const UpgradeSettings& settings,
                std::uint64_t number, Deadline deadline) {
  const std::string key = wire::websocket_key(number);
  std::string request = request_of(settings, key);
  UpgradeSettings shown = settings;
  shown.target = without_secrets(settings.target);
  shown.extra_fields = without_secrets(settings.extra_fields);
  Upgrade upgrade{request_of(shown, key)};
  std::string_view out = request;
  while (!deadline.passed()) {
    const auto done = stream.transfer(out, upgrade.heard, deadline);
    out.remove_prefix(done.written);
    if (take_response(upgrade.heard, done.ended, upgrade)) break;
    upgrade.ended = done.ended;
    if (done.ended || upgrade.heard.size() > kReplyLimits.max_head_bytes * 2) break;
  }
  if (upgrade.response) tell_cookies(*upgrade.response, settings.tell_cookie);
  return upgrade;
}

}  // namespace jrpcheck::session
