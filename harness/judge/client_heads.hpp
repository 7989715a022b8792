// The rules of streamable HTTP for the heads of a client's requests.
#pragma once

#include <string>

#include "json/value.hpp"
#include "judge/client_charges.hpp"
#include "wire/http1.hpp"

namespace jrpcheck::judge {

/// As far as heads have to know it.
struct ClientSession {
  std::string id = {};       ///< that the server has given
  bool is_answered = false;  ///< initialize was
  bool is_renewed = false;   ///< the one before is gone
};

void judge_client_heads(const json::Value& message, const wire::HttpFields& fields,
                        const ClientSession& session, ClientCharges& charges);

}  // namespace jrpcheck::judge
