// The batch of JSON-RPC 2.0 §6, for handlers that answer element by element.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "reference-impl/message.hpp"

namespace jrpcheck::reference {

/// The reply to one element; nothing where silence is due.
using AnswerElement = std::function<std::optional<std::string>(Element element)>;

/// The replies to the elements as an Array, in their order; nothing where all are silent.
std::optional<std::string> answer_each(std::vector<Element> elements, const AnswerElement& answer);

/// The reply to a message. `batch_violation` says why a batch is refused; empty: it is served.
std::optional<std::string> answer_message(std::string_view message, const Limits& limits,
                                          std::string_view batch_violation,
                                          const AnswerElement& answer);

}  // namespace jrpcheck::reference
