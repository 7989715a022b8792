// A conversation over HTTP/1.1: each message a POST, each reply the body of its response.
#pragma once

#include <memory>
#include <string>

#include "corpus/profile.hpp"
#include "session/conversation.hpp"
#include "session/cookies.hpp"
#include "session/patience.hpp"
#include "transport/peer.hpp"
#include "transport/target.hpp"
#include "wire/http1.hpp"

namespace jrpcheck::session {

struct HttpSettings {
  transport::Target target;
  wire::HttpFields extra_fields;  ///< --header: added to every request, in place of ours
  Opening opening;
  ControlCall control;
  corpus::HttpHabits habits = {};
  /// A GET of the target opens the stream that says where messages go, and that brings all answers
  /// (MCP 2024-11-05, HTTP with SSE).
  bool has_endpoint_stream = false;
  TellCookie tell_cookie = nullptr;
};

/// One connection at a time, kept alive as long as the server keeps it.
std::unique_ptr<Conversation> make_http_conversation(std::shared_ptr<transport::Peer> peer,
                                                     HttpSettings settings, Patience& patience);

/// The header fields of a request with a body of that size: those of a plain POST, the extra ones
/// in place of ours, and the step's departures.
wire::HttpFields http_request_fields(const transport::Target& target,
                                     const wire::HttpFields& extra_fields,
                                     const corpus::HttpDetails& details, std::size_t body_size);

/// With "..." in place of the credentials, and of the values that the user gave: for transcripts,
/// which end up in reports.
transport::Target without_secrets(transport::Target target);
wire::HttpFields without_secrets(wire::HttpFields extra_fields);

/// The request that carries `message` with the step's departures from a plain POST.
std::string http_request_for(const transport::Target& target, const wire::HttpFields& extra_fields,
                             const corpus::HttpDetails& details, std::string_view message);

}  // namespace jrpcheck::session
