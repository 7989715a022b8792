// Other spellings of the same message: what RFC 8259 says makes no difference.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jrpcheck::properties {

/// White space between tokens (RFC 8259 §2), a piece for each edit. `message` is JSON. Line ends
/// are left to framings that do not read them themselves.
std::string with_white_space(std::string_view message, const std::vector<std::size_t>& edits,
                             bool line_ends);

/// Characters of Strings as escapes (RFC 8259 §7), one for each edit, names of members among them.
std::string with_escapes(std::string_view message, const std::vector<std::size_t>& edits);

/// Members of the message's Object in another order (RFC 8259 §4), two for each edit.
std::string with_members_swapped(std::string_view message, const std::vector<std::size_t>& edits);
/// The same for its params, where they are an Object.
std::string with_params_swapped(std::string_view message, const std::vector<std::size_t>& edits);

/// The message with this JSON text as its id.
std::string with_id(std::string_view message, std::string_view id);
/// The message with usual ids in place of null, 0 and "", also in its elements; nothing where it
/// has no such.
std::optional<std::string> with_usual_ids(std::string_view message);
/// The message with one member more.
std::string with_member(std::string_view message, std::string name, std::string_view value);

}  // namespace jrpcheck::properties
