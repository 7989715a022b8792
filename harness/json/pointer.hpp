// JSON pointers (RFC 6901).
#pragma once

#include <string>
#include <string_view>

#include "json/value.hpp"

namespace jrpcheck::json {

/// What stands at the pointer; null where nothing does. An empty pointer is the value itself.
const Value* at(const Value& value, std::string_view pointer);

/// The pointer with one more name behind it.
std::string joined(std::string_view pointer, std::string_view name);

}  // namespace jrpcheck::json
