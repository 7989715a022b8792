// Carriers: messages of a protocol on top to a server and back, over stdio or streamable HTTP.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/deadline.hpp"
#include "reference-impl/client/link.hpp"
#include "wire/http1.hpp"

namespace jrpcheck::reference {

using SessionJson = nlohmann::ordered_json;

/// How long it waits for an answer.
inline constexpr std::chrono::milliseconds kForAnAnswer{2500};
/// A server that has just been started needs longer, on a busy machine.
inline constexpr std::chrono::milliseconds kForFirstAnswer{8000};
/// The exit code of a client that gives up in the middle.
inline constexpr int kGivenUp = 1;

inline SessionJson refusal(const SessionJson& id, int code, const std::string& message) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}};
}

/// Whether it is a Response of success.
inline bool has_result(const SessionJson& answer) {
  return answer.is_object() && answer.contains("result");
}

/// Messages to the server and back, whatever carries them.
class Carrier {
 public:
  virtual ~Carrier() = default;
  virtual void send(const SessionJson& message) = 0;
  /// The next message; nothing: none has come in time.
  virtual std::optional<SessionJson> receive(Deadline deadline) = 0;
  /// The session is gone, over HTTP.
  virtual bool is_gone() const { return false; }
  virtual void begin_anew() {}
  virtual void agree_on(const std::string&) {}
  virtual void leave() {}
  /// On stdio: whether the server has ended, and a new one.
  virtual bool has_ended() const { return false; }
  virtual bool restart() { return false; }
  /// Over HTTP: closes the stream that answers that request. False where there is none.
  virtual bool close_stream(const SessionJson&) { return false; }
  /// Over HTTP: GETs that of the server, and does without the answer.
  virtual void fetch(const std::string&) {}
  /// Over HTTP: the fields of a request that its message asks for; null: none.
  using Head = std::function<wire::HttpFields(const SessionJson& message)>;
  virtual void head_with(Head) {}
};

/// A client of MCP 2026-07-28, which has no handshake. Nothing: the server is of a version before.
std::optional<bool> run_without_handshake(Carrier& carrier, std::string_view oddity, bool is_http);

/// The version of MCP in which a client goes its own way to a token.
inline constexpr std::string_view kOfMarch = "2025-03-26";

/// Null where the server is not there, or not over stdio or HTTP. `oddity`: the name of a mutant,
/// or empty; it must outlive the carrier.
std::unique_ptr<Carrier> make_carrier(const ServerPlace& place, std::string_view protocol,
                                      std::string_view version, std::string_view oddity);

}  // namespace jrpcheck::reference
