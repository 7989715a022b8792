// The shell lines with which a person sends a case's messages by hand.
#pragma once

#include <string>
#include <vector>

#include "corpus/case.hpp"
#include "corpus/profile.hpp"
#include "session/conversation.hpp"
#include "session/upgrade.hpp"
#include "transport/target.hpp"
#include "wire/binding.hpp"
#include "wire/http1.hpp"

namespace jrpcheck::run {

/// What a conversation over HTTP takes beside its messages.
struct HttpByHand {
  corpus::HttpHabits habits = {};
  std::vector<std::string> opening = {};  ///< the messages of the handshake
  bool has_endpoint_stream = false;       ///< as in session::HttpSettings
};

/// curl, once for each message; before them the handshake, whose session goes along. What may be a
/// secret stands there as a variable.
std::string curl_lines(const corpus::Case& bound, const transport::Target& target,
                       const wire::HttpFields& extra_fields, const HttpByHand& manner = {});

/// The command that joins its standard streams to the target's: socat(1), or openssl(1) over TLS.
std::string streams_to(const transport::Target& target);

/// Whole messages in the clear are said by python3-websockets. All else, for each connection that
/// the case needs: the handshake, the opening and the messages as frames whose mask is zero, so
/// that they can be read; piped into a command that joins its standard streams to the server's.
/// What may be a secret stands there as a variable.
std::string websocket_lines(const corpus::Case& bound, const session::UpgradeSettings& settings,
                            const session::Opening& opening, const std::string& command);

/// The opening and the messages, piped into a program.
std::string pipe_line(const corpus::Case& bound, const wire::Binding& binding,
                      const session::Opening& opening, const std::string& command);

}  // namespace jrpcheck::run
