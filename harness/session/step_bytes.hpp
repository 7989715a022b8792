// What a step sends, as bytes of a stream.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "corpus/case.hpp"
#include "dialogue/transcript.hpp"
#include "session/framed_stream.hpp"

namespace jrpcheck::session {

/// Encodes the messages of the step and tells what is sent: where bytes cannot be read, each
/// message and each frame by itself.
std::string encode_step(const corpus::Step& step, FramedStream& stream,
                        dialogue::Transcript& transcript);

/// How much a server reads when it is sent that: of compressed messages more than what is sent.
std::size_t bytes_to_read(const std::string& sent, const std::vector<dialogue::Message>& messages);

}  // namespace jrpcheck::session
