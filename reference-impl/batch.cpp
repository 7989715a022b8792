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
    return error_response({kInvalidRequest, "the message is too long"});
  }
  auto read = read_message(message, limits);
  if (!read) return parse_error_response(read.error().message);
  if (!read->is_batch) return answer(std::move(read->elements.front()));
  if (!batch_violation.empty()) {
    return error_response({kInvalidRequest, std::string(batch_violation)});
  }
  if (read->elements.empty()) return error_response({kInvalidRequest, "the batch is empty"});
  return answer_each(std::move(read->elements), answer);
}

std::optional<std::string> answer_call(
    Element element, const std::function<nlohmann::json(const Request& call)>& carry_out) {
  const Request request = read_request(std::move(element));
  if (request.kind == Request::Kind::invalid) {
    return error_response({kInvalidRequest, request.violation}, request.id);
  }
  if (request.kind != Request::Kind::call) return std::nullopt;
  try {
    return success_response(carry_out(request), request.id);
  } catch (const RpcError& error) {
    return error_response(error, request.id);
  } catch (const std::exception&) {
    return error_response({kInternalError, "internal error"}, request.id);
  }
}

}  // namespace jrpcheck::reference
