// Cut: where a message is divided in a way that tells a reader nothing. Some faults show only in
// what is read in parts.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wire/binding.hpp"

namespace jrpcheck::fuzz {

enum class CutInto {
  writes,     ///< two, whose bytes arrive apart
  fragments,  ///< two, of one message of WebSocket, at the head of a write (RFC 6455 §5.4)
  records,    ///< one of TLS that holds a part of it, between two others (RFC 8446 §5.1)
};
std::string_view name_of(CutInto into);

struct Cut {
  std::size_t message = 0;  ///< its place among all that are written
  std::size_t offset = 0;   ///< before this byte of it
  CutInto into = CutInto::writes;
  std::size_t bytes = 0;  ///< how many the record in the middle holds

  /// Whether a message of so many bytes can be cut so.
  bool fits(std::size_t size) const { return offset + (bytes > 0 ? bytes : 1) <= size; }
};

/// Where readers in pieces go wrong.
enum class CutPlace {
  character,   ///< within one of several bytes (RFC 3629 §3)
  escape,      ///< behind its backslash
  token,       ///< within a Number or a literal
  first_byte,  ///< behind it
  last_byte,   ///< before it
  middle,      ///< of the message, and anywhere else
};

/// The first such place of a message; nothing where it has none.
std::optional<std::size_t> cut_at(CutPlace place, std::string_view message);
/// What a message that is cut there, behind its first byte, is cut at.
CutPlace place_of_cut(std::string_view message, std::size_t offset);

/// The same cut of another message; nothing where that has no such place.
std::optional<Cut> same_cut(std::string_view message, Cut cut, std::string_view other);

/// A cut of one of these messages, but never of the first: each turn another of those that this
/// binding knows.
std::optional<Cut> cut_one_of(const std::vector<std::string>& messages,
                              const wire::Binding& binding, std::size_t turn);

/// Where all bytes are cut for it, where so many stand before this message in its framing.
std::vector<std::size_t> cuts_behind(std::size_t before, const std::string& framed,
                                     const std::string& message, const Cut& cut);

/// A message that is cut into fragments: how each is written, and its bytes.
std::array<std::pair<wire::FrameDetails, std::string>, 2> fragments_of(const std::string& message,
                                                                       const Cut& cut);

}  // namespace jrpcheck::fuzz
