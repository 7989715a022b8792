// The end of a connection from the server's side: nothing more is said, and what the client still
// says is heard to its end.
#pragma once

#include <functional>
#include <string_view>

#include "base/deadline.hpp"
#include "transport/byte_stream.hpp"

namespace jrpcheck::client {

/// Closes one's own direction and hears the other one out, as a clean end of TCP is had (RFC 6455
/// §7.1.1): whoever closes with bytes unread resets the connection, and takes what it has said
/// back. False where the client had not ended by `most`, or said more than anybody does.
bool drain(transport::ByteStream& stream, microseconds most,
           const std::function<void(std::string_view)>& hear);

/// That a client which still lives closes as well.
constexpr microseconds kForTheirEnd{500'000};
/// That what has been said comes through, where the client itself has ended.
constexpr microseconds kForTheRest{100'000};

}  // namespace jrpcheck::client
