// Header fields of HTTP, found whatever the case of their names (RFC 9110 §5.1).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jrpcheck::wire {

/// Header fields in the order and spelling in which they came; values without the white space
/// around them.
using HttpFields = std::vector<std::pair<std::string, std::string>>;

/// The value of the first field of that name; nothing when there is none.
std::optional<std::string_view> field_of(const HttpFields& fields, std::string_view name);

/// The values of all fields of that name, as the list that they are (RFC 9110 §5.3).
std::string field_list(const HttpFields& fields, std::string_view name);

/// Gives the first field of that name this value; one more field when there is none.
void set_field(HttpFields& fields, std::string_view name, const std::string& value);

/// Takes all fields of that name away.
void remove_field(HttpFields& fields, std::string_view name);

}  // namespace jrpcheck::wire
