// Letters of ASCII whatever their case.
#pragma once

#include <string>
#include <string_view>

namespace jrpcheck {

std::string in_lower_case(std::string_view text);

bool same_ignoring_case(std::string_view one, std::string_view other);

bool begins_ignoring_case(std::string_view text, std::string_view beginning);

}  // namespace jrpcheck
