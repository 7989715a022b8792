#include "reference-impl/dispatcher.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "reference-impl/batch.hpp"
#include "reference-impl/error.hpp"
#include "reference-impl/message.hpp"
#include "reference-impl/request.hpp"
#include "reference-impl/response.hpp"

namespace jrpcheck::reference {

namespace {

using nlohmann::json;

RpcError invalid_request(const std::string& reason) {
  return RpcError(kInvalidRequest, "Invalid Request: " + reason);
}

/// `params` as an Array in the order of `names`; names match exactly, case included (§4.2).
json arrange(const json& params, const std::vector<std::string>& names) {
  if (params.size() != names.size()) {
    throw invalid_params(std::to_string(names.size()) + " expected, " +
                         std::to_string(params.size()) + " given");
  }
  if (!params.is_object()) return params;

  json arguments = json::array();
  for (const std::string& name : names) {
    const auto argument = params.find(name);
    if (argument == params.end()) throw invalid_params(name + " is missing");
    arguments.push_back(*argument);
  }
  return arguments;
}

}  // namespace

void Dispatcher::add(std::string name, std::vector<std::string> parameters, Method method) {
  methods_[std::move(name)] = Entry{std::move(parameters), std::move(method)};
}

void Dispatcher::add_variadic(std::string name, Method method) {
  methods_[std::move(name)] = Entry{std::nullopt, std::move(method)};
}

std::optional<std::string> Dispatcher::handle(std::string_view bytes) const {
  if (bytes.size() > limits_.max_bytes) {
    // Unread, so it may well be JSON, and -32700 would claim that it is not.
    return error_response(invalid_request("the message is too long"));
  }
  Result<Message> message = read_message(bytes, limits_);
  if (!message) return parse_error_response(message.error().message);
  if (message->is_batch) return handle_batch(std::move(message->elements));
  return handle_element(std::move(message->elements.front()));
}

std::optional<std::string> Dispatcher::handle_batch(std::vector<Element> elements) const {
  if (elements.empty()) return error_response(invalid_request("the batch is empty"));
  return answer_each(std::move(elements),
                     [this](Element element) { return handle_element(std::move(element)); });
}

std::optional<std::string> Dispatcher::handle_element(Element element) const {
  const Request request = read_request(std::move(element));
  switch (request.kind) {
    case Request::Kind::call:
      return carry_out(request);
    case Request::Kind::notification:
      carry_out(request);
      return std::nullopt;  // whether it succeeded or failed (§4.1)
    case Request::Kind::response:
      return std::nullopt;  // two peers that answer each other's Responses never stop
    case Request::Kind::invalid:
      break;
  }
  return error_response(invalid_request(request.violation), request.id);
}

std::string Dispatcher::carry_out(const Request& request) const {
  try {
    return success_response(call(request), request.id);
  } catch (const RpcError& error) {
    return error_response(error, request.id);
  } catch (...) {
    // Its text may tell a stranger about paths, queries or addresses, so it stays here.
    return error_response(RpcError(kInternalError, "Internal error"), request.id);
  }
}

json Dispatcher::call(const Request& request) const {
  const auto found = methods_.find(request.method);
  if (found == methods_.end()) throw RpcError(kMethodNotFound, "Method not found");
  if (!request.params_obstacle.empty()) throw invalid_params(request.params_obstacle);

  const Entry& entry = found->second;
  return entry.method(entry.parameters ? arrange(request.params, *entry.parameters)
                                       : request.params);
}

}  // namespace jrpcheck::reference
