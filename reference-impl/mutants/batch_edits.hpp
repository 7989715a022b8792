// The kinds of rewriting that mutants of batches are made of (JSON-RPC 2.0 §6).
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "reference-impl/mutants/rewrites.hpp"

namespace jrpcheck::reference {

/// Elements of a batch, or the Responses to it, as they are spelled.
using Texts = std::vector<std::string>;

/// Answers batches, the empty one included.
Behaviour on_batch(std::function<Reply(const Texts& elements, const ProperReply& proper)> answer);
/// Rewrites the Responses to a batch.
Behaviour on_batch_reply(std::function<Reply(Texts responses)> rewrite);

/// The id of a Response as it is spelled; "null" where there is none.
std::string id_of_response(const std::string& object_text);

}  // namespace jrpcheck::reference
