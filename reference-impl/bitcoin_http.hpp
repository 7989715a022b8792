// What a node of Bitcoin Core makes of HTTP: its paths, its login, and statuses that depend on the
// dialect.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "reference-impl/transport_hooks.hpp"

namespace jrpcheck::reference {

/// The only login that the stand-in knows, as USER:PASSWORD.
inline constexpr std::string_view kBitcoinLogin = "jrpcheck:jrpcheck";

/// The answer to a request; `reply` is asked for the reply to its body.
HttpAnswer answer_of_bitcoin(
    const wire::HttpMessage& request,
    const std::function<std::optional<std::string>(std::string_view message)>& reply);

}  // namespace jrpcheck::reference
