// What OAuth puts on the wire: parameters of a query or a form, and the challenge of PKCE.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jrpcheck::wire {

/// In the order in which they stand (application/x-www-form-urlencoded, WHATWG URL §5).
using Parameters = std::vector<std::pair<std::string, std::string>>;

Parameters read_parameters(std::string_view text);
std::string write_parameters(const Parameters& parameters);
/// The first of that name.
std::optional<std::string> parameter(const Parameters& parameters, std::string_view name);

/// The challenge that a verifier of PKCE makes by S256 (RFC 7636 §4.2).
std::string pkce_challenge(std::string_view verifier);

}  // namespace jrpcheck::wire
