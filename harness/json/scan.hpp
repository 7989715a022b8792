// The tokens of JSON whose ends must be searched: strings and numbers.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace jrpcheck::json {

/// Reads the string whose quotation mark stands at `at` (RFC 8259 §7). Gives nullptr and leaves
/// `at` behind the closing mark, or gives what was expected where `at` then stands. `content` gets
/// the string with its escapes resolved, a lone surrogate in its three-byte form.
const char* scan_string(std::string_view text, std::size_t& at, std::string& content);

/// The same of a string whose content nobody wants.
const char* skip_string(std::string_view text, std::size_t& at);

/// Reads the number that begins at `at` with a minus sign or a digit (RFC 8259 §6); gives and moves
/// as scan_string does.
const char* scan_number(std::string_view text, std::size_t& at);

}  // namespace jrpcheck::json
