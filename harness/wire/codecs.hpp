// The codecs behind make_framing, one to a file; framing.cpp has their table.
#pragma once

#include <memory>

#include "wire/framing.hpp"

namespace jrpcheck::wire {

/// One message to a line (newline-delimited JSON; the stdio binding of MCP).
std::unique_ptr<Framing> make_lines(FrameLimits limits);

/// A header block with Content-Length before each message (LSP base protocol).
std::unique_ptr<Framing> make_content_length(FrameLimits limits);

/// JSON values one after another; where each ends follows from the JSON itself.
std::unique_ptr<Framing> make_concatenated(FrameLimits limits);

}  // namespace jrpcheck::wire
