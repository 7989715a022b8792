// What a text holds that servers may rightly refuse, or that their parsers take in different ways.
#pragma once

#include <string_view>

#include "json/value.hpp"

namespace jrpcheck::json {

/// Whether the value holds anything for which RFC 8259 lets a parser refuse the text, and some do:
/// names that stand twice in an Object (§4), Numbers beyond the range of a double or integers of
/// more than 64 bits (§6), lone surrogates (§8.2), deep nesting (§9).
bool is_refusable(const json::Value& value);

/// Likewise, or anything that a parser may alter or that is of great size (§9): Numbers beyond the
/// precision of a double (§6), long texts, many values, and nesting that only small parsers refuse.
bool is_contested(const json::Value& value);

/// Whether no parser of JSON, however lenient, takes this text: an Array or Object that is never
/// closed, or closed by the wrong bracket. False of what some extension of JSON allows (comments,
/// single quotes, a comma too many), and of bytes that are not UTF-8.
bool is_surely_broken(std::string_view text);

}  // namespace jrpcheck::json
