// What every framing promises of every stream.
#pragma once

#include <string_view>

#include "wire/framing.hpp"

namespace jrpcheck::fuzz {

/// However the stream is cut, its frames are the same; they hold no more bytes than came, and no
/// message is longer than the limit.
void check_frames(wire::MakeFraming kind, std::string_view stream, wire::FrameLimits limits);
/// The same within limits that no input reaches, and within small ones.
void check_frames(wire::MakeFraming kind, std::string_view stream);

/// What `encode` writes is read back as that payload alone.
void check_round_trip(wire::MakeFraming kind, std::string_view payload);

}  // namespace jrpcheck::fuzz
