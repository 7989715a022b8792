// What a step sends, as bytes of a stream.
#pragma once

#include <string>

#include "corpus/case.hpp"
#include "dialogue/transcript.hpp"
#include "session/framed_stream.hpp"

namespace jrpcheck::session {

/// Encodes the messages of the step and tells what is sent: where bytes cannot be read, each
/// message and each frame by itself.
std::string encode_step(const corpus::Step& step, FramedStream& stream,
                        dialogue::Transcript& transcript);

}  // namespace jrpcheck::session
