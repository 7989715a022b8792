// What an error gives away about the program that made it.
#pragma once

#include <string>
#include <string_view>

#include "json/value.hpp"

namespace jrpcheck::judge {

/// The part of a text that is a stack trace, a place in source code or an address in memory; empty
/// when there is none. Only forms that a runtime prints and no caller has a use for are named: a
/// message may well speak of lines, columns, paths and hexadecimal numbers.
std::string find_leak(std::string_view text);

/// The same in any string of a value.
std::string find_leak(const json::Value& value);

}  // namespace jrpcheck::judge
