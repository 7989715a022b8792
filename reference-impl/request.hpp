// What an element of a message asks for (JSON-RPC 2.0 §4).
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "reference-impl/message.hpp"

namespace jrpcheck::reference {

struct Request {
  enum class Kind {
    call,          ///< has an id: answered, whatever happens
    notification,  ///< has none: never answered (§4.1)
    response,      ///< a Response of the peer, which asks for nothing
    invalid,       ///< not a Request: answered with -32600, even without an id (§7)
  };

  Kind kind = Kind::invalid;
  std::string violation;  ///< what makes it invalid

  std::string id = "null";  ///< what the reply's id must be, as JSON text
  std::string method;
  nlohmann::json params;        ///< an Array or an Object; null when left out
  std::string params_obstacle;  ///< why params could not be taken in; else empty
};

/// Reads an element. Nothing but the four members of §4 is looked at; others are ignored.
///
/// Where the specification leaves a choice: an invalid Request is answered with its id when that
/// is of a legal type, else with null; `"params": null` is invalid, because null is not a
/// structured value (§4.2); and what has no method but a result or an error is a Response.
Request read_request(Element element);

}  // namespace jrpcheck::reference
