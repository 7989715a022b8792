// What handlers that answer element by element do alike: batches (JSON-RPC 2.0 §6), and Requests.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "reference-impl/message.hpp"
#include "reference-impl/request.hpp"

namespace jrpcheck::reference {

/// The reply to one element; nothing where silence is due.
using AnswerElement = std::function<std::optional<std::string>(Element element)>;

/// The replies to the elements as an Array, in their order; nothing, and no
/// empty Array, where all are silent.
std::optional<std::string> answer_each(std::vector<Element> elements, const AnswerElement& answer);

/// The reply to a message. `batch_violation` says why a batch is refused; empty: it is served.
std::optional<std::string> answer_message(std::string_view message, const Limits& limits,
                                          std::string_view batch_violation,
                                          const AnswerElement& answer);

/// The result of a call; an RpcError that it throws is its error, and anything else -32603 without
/// a word of detail. Notifications are carried out by it too.
using CarryOut = std::function<nlohmann::json(const Request& request)>;

std::optional<std::string> answer_element(Element element, const CarryOut& carry_out);

/// The reply to a message whose elements are answered so.
std::optional<std::string> answer_requests(std::string_view message, const Limits& limits,
                                           std::string_view batch_violation,
                                           const CarryOut& carry_out);

}  // namespace jrpcheck::reference
