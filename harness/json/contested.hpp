// What a text holds that servers may rightly refuse, or that their parsers take in different ways.
#pragma once

#include <string_view>

#include "json/value.hpp"

namespace jrpcheck::json {

/// Whether the value holds anything that RFC 8259 lets a parser refuse or alter: names that stand
/// twice in an Object (§4), Numbers beyond the precision or range of a double (§6), lone surrogates
/// (§8.2), deep nesting and great size (§9).
bool is_contested(const json::Value& value);

/// Whether no parser of JSON, however lenient, takes this text: an Array or Object that is never
/// closed, or closed by the wrong bracket. False of what some extension of JSON allows (comments,
/// single quotes, a comma too many), and of bytes that are not UTF-8.
bool is_surely_broken(std::string_view text);

}  // namespace jrpcheck::json
