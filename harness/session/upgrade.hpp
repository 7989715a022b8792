// The handshake with which a connection becomes one of WebSocket (RFC 6455 §4).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/deadline.hpp"
#include "session/cookies.hpp"
#include "transport/byte_stream.hpp"
#include "transport/target.hpp"
#include "wire/http1.hpp"

namespace jrpcheck::session {

struct UpgradeSettings {
  transport::Target target;
  wire::HttpFields extra_fields;          ///< --header
  std::vector<std::string> subprotocols;  ///< --subprotocol: those that are offered
  /// Departures of one step: in place of ours, or left out.
  std::vector<std::pair<std::string, std::optional<std::string>>> departures = {};
  bool is_told = false;  ///< the handshake is what a step is about
  TellCookie tell_cookie = nullptr;
};

/// What came of it.
struct Upgrade {
  std::string request;  ///< as it may be shown
  std::optional<wire::HttpMessage> response = {};
  std::string heard = {};  ///< what came that is no HTTP response, or behind its head
  bool ended = false;      ///< the connection did, without a response

  bool is_done() const { return response && response->status == 101; }
  /// Why it was not upgraded, for people: "the upgrade to WebSocket was refused: HTTP 401".
  std::string refusal() const;
};

/// The number of a conversation's n-th connection, made while control calls begin at that id: no
/// two cases or connections of a run have the same, and another run has them again.
constexpr std::uint64_t connection_number(long long first_control_id, std::uint64_t nth) {
  constexpr unsigned kBitsForConnections = 24;
  return (static_cast<std::uint64_t>(first_control_id) << kBitsForConnections) + nth;
}

/// Asks for it. The key is that of the connection with this number: who answers each client with
/// the Accept of another is found only where their keys differ (RFC 6455 §4.1).
Upgrade upgrade(transport::ByteStream& stream, const UpgradeSettings& settings,
                std::uint64_t number, Deadline deadline);

/// The fields of the request.
wire::HttpFields upgrade_fields(const UpgradeSettings& settings, const std::string& key);

}  // namespace jrpcheck::session
