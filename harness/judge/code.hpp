// The code of an error, as a number.
#pragma once

#include <optional>

#include "json/value.hpp"

namespace jrpcheck::judge {

/// The error's code as a whole number, whatever its spelling (-32601.0 and -3.2601e4 are -32601);
/// an extreme of the type where it does not fit. Nothing when there is no integer code, which is
/// for the envelope rules to charge.
std::optional<long long> code_of(const json::Value& error);

/// The same of the error of a Response; nothing where it has none, too.
std::optional<long long> error_code_of(const json::Value& response);

}  // namespace jrpcheck::judge
