#pragma once

#include <string_view>

namespace jrpcheck::dialogue {

/// Begins the note of what was sent in pieces, where a step is about that.
inline constexpr std::string_view kPiecesNote = "in pieces";

}  // namespace jrpcheck::dialogue
