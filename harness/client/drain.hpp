// The end of a connection from the server's side: nothing more is said, and what the client still
// says is heard to its end.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/deadline.hpp"
#include "dialogue/traffic.hpp"
#include "transport/byte_stream.hpp"

namespace jrpcheck::client {

/// Closes one's own direction and hears the other one out, as a clean end of TCP is had (RFC 6455
/// §7.1.1): whoever closes with bytes unread resets the connection, and takes what it has said
/// back. Nothing where the client had not ended by `most`, or said more than anybody does; else how
/// it did, as of end_told_by.
std::optional<std::string> drain(transport::ByteStream& stream, microseconds most,
                                 const std::function<void(std::string_view)>& hear);

/// How the client has ended its side, in the words of a tap: dialogue::kReset, or none. Whoever
/// closes before it has read all resets.
inline std::string end_told_by(const transport::Transfer& done) {
  return done.reset ? std::string(dialogue::kReset) : std::string();
}

/// That a client which still lives closes as well.
constexpr microseconds kForTheirEnd{500'000};
/// That what has been said comes through, where the client itself has ended.
constexpr microseconds kForTheRest{100'000};

}  // namespace jrpcheck::client
