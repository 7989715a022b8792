// Serving one peer on a pair of descriptors: standard input and output, or any other stream.
#pragma once

#include "reference-impl/handler.hpp"
#include "reference-impl/transport_hooks.hpp"
#include "wire/framing.hpp"

namespace jrpcheck::reference {

/// Answers the messages of `input` on `output`, in their order, until the input ends. Bytes that
/// break the framing are answered like any text that is not JSON, and the stream goes on. False
/// when `output` takes no more replies.
bool serve_stream(const Handler& handler, wire::MakeFraming framing, int input, int output,
                  const TransportHooks& hooks = {});

}  // namespace jrpcheck::reference
