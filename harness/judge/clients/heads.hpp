// The rules of streamable HTTP for the heads of a client's requests.
#pragma once

#include <string>
#include <string_view>

#include "json/value.hpp"
#include "judge/clients/charges.hpp"
#include "wire/http_fields.hpp"

namespace jrpcheck::judge {

/// As far as heads have to know it.
struct ClientSession {
  std::string id = {};       ///< that the server has given
  bool is_answered = false;  ///< initialize was
  bool is_renewed = false;   ///< the one before is gone
  std::string asked = {};    ///< the version that the client has asked for
  bool is_ready = false;     ///< the client has said so
};

void judge_client_heads(const json::Value& message, const wire::HttpFields& fields,
                        const ClientSession& session, ClientCharges& charges);

/// A GET, which opens a stream of the server's or resumes one, or a DELETE, which ends the session.
void judge_bare_head(std::string_view method, const wire::HttpFields& fields,
                     const ClientSession& session, ClientCharges& charges);

/// A request of a version without a handshake: its head says again what its body does.
void judge_stateless_heads(const json::Value& message, const wire::HttpFields& fields,
                           ClientCharges& charges);

}  // namespace jrpcheck::judge
