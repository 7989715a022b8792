#include "reference-impl/batch.hpp"

#include <utility>

#include "reference-impl/response.hpp"

namespace jrpcheck::reference {

std::optional<std::string> answer_each(std::vector<Element> elements, const AnswerElement& answer) {
  std::string replies;
  for (auto& element : elements) {
    const auto reply = answer(std::move(element));
    if (reply) replies += (replies.empty() ? "" : ",") + *reply;
  }
  if (replies.empty()) return std::nullopt;
  return "[" + replies + "]";
}

std::optional<std::string> answer_message(std::string_view message, const Limits& limits,
                                          std::string_view batch_violation,
                                          const AnswerElement& answer) {
  if (message.size() > limits.max_bytes) {
    // Unread, so it may well be JSON, and -32700 would claim that it is not.
    return error_response(invalid_request("the message is too long"));
  }
  auto read = read_message(message, limits);
  if (!read) return parse_error_response(read.error().message);
  if (!read->is_batch) return answer(std::move(read->elements.front()));
  if (!batch_violation.empty()) {
    return error_response(invalid_request(std::string(batch_violation)));
  }
  if (read->elements.empty()) return error_response(invalid_request("the batch is empty"));
  return answer_each(std::move(read->elements), answer);
}

namespace {

std::string reply_to(const Request& request, const CarryOut& carry_out) {
  try {
    return success_response(carry_out(request), request.id);
  } catch (const RpcError& error) {
    return error_response(error, request.id);
  } catch (...) {
    // Its text may tell a stranger about paths, queries or addresses, so it stays here.
    return error_response(RpcError(kInternalError, "Internal error"), request.id);
  }
}

}  // namespace

std::optional<std::string> answer_element(Element element, const CarryOut& carry_out) {
  const Request request = read_request(std::move(element));
  switch (request.kind) {
    case Request::Kind::call:
      return reply_to(request, carry_out);
    case Request::Kind::notification:
      reply_to(request, carry_out);
      return std::nullopt;  // whether it succeeded or failed (§4.1)
    case Request::Kind::response:
      return std::nullopt;  // two peers that answer each other's Responses never stop
    case Request::Kind::invalid:
      break;
  }
  return error_response(invalid_request(request.violation), request.id);
}

std::optional<std::string> answer_requests(std::string_view message, const Limits& limits,
                                           std::string_view batch_violation,
                                           const CarryOut& carry_out) {
  return answer_message(message, limits, batch_violation, [&carry_out](Element element) {
    return answer_element(std::move(element), carry_out);
  });
}

}  // namespace jrpcheck::reference
