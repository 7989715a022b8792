#include "reference-impl/dispatcher.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "reference-impl/batch.hpp"
#include "reference-impl/error.hpp"
#include "reference-impl/request.hpp"

namespace jrpcheck::reference {

namespace {

using nlohmann::json;

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
  return answer_requests(bytes, limits_, "",
                         [this](const Request& request) { return call(request); });
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
