// JSON pointers (RFC 6901).
#pragma once

#include <string>
#include <string_view>

#include "json/value.hpp"

namespace jrpcheck::json {

/// What stands at the pointer; null where nothing does. An empty pointer is the value itself.
const Value* at(const Value& value, std::string_view pointer);

/// The text of a String; empty where there is none, or something else.
const std::string& text_of(const Value* value);

/// The text of the String that stands at the pointer; empty where none does.
const std::string& text_at(const Value& value, std::string_view pointer);

/// The pointer with one more name behind it.
std::string joined(std::string_view pointer, std::string_view name);

}  // namespace jrpcheck::json
