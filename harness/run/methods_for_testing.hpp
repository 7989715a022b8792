// Small servers by what their methods answer, and what discovery makes of them.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>

#include "run/fake_server_for_testing.hpp"
#include "run/roles.hpp"

namespace jrpcheck::run {

// What a method answers for these params (JSON text; empty for none), as members of a Response.
using Method = std::function<std::string(const std::string& params)>;
using Methods = std::map<std::string, Method>;

inline FakeServer server_with(Methods methods) {
  return answering([methods = std::move(methods)](const json::Value& request) {
    const json::Value* method = request.find("method");
    const json::Value* params = request.find("params");
    const auto found = methods.find(method != nullptr ? method->text() : "");
    if (found == methods.end()) return error_member(-32601);
    return found->second(params != nullptr ? json::write(*params) : "");
  });
}

inline Method always(const std::string& members) {
  return [members](const std::string&) { return members; };
}

// These results for these params, and an error for all others.
inline Method table(std::map<std::string, std::string> results) {
  return [results = std::move(results)](const std::string& params) {
    const auto found = results.find(params);
    return found == results.end() ? error_member(-32602) : R"("result":)" + found->second;
  };
}

inline long long number(const json::Value& value) { return std::stoll(value.text()); }

// By position only.
inline const Method kSubtract = [](const std::string& params) {
  const auto parsed = json::parse(params);
  if (!parsed || !parsed.value->is(json::Kind::array)) return error_member(-32602);
  const auto& values = parsed.value->children();
  return R"("result":)" + std::to_string(number(values[0]) - number(values[1]));
};
inline const Method kSubtractByName = [](const std::string& params) {
  const auto parsed = json::parse(params);
  if (!parsed || !parsed.value->is(json::Kind::object)) return error_member(-32602);
  return R"("result":)" + std::to_string(number(*parsed.value->find("minuend")) -
                                         number(*parsed.value->find("subtrahend")));
};
inline const Method kSum = [](const std::string& params) {
  const auto parsed = json::parse(params);
  long long sum = 0;
  for (const auto& each : parsed.value->children()) sum += number(each);
  return R"("result":)" + std::to_string(sum) + ".0";
};
inline const Method kEcho = [](const std::string& params) { return R"("result":)" + params; };

inline corpus::RoleBindings discovered(FakeServer server, corpus::RoleBindings bound = {},
                                       const corpus::Profile& profile = {}) {
  FakeConversation conversation(std::move(server));
  return discover_roles({profile, std::move(bound), false}, conversation).methods;
}

// What discovery tells about methods that the user has given, or has not.
inline Roles search(FakeServer server, corpus::RoleBindings given = {}) {
  FakeConversation conversation(std::move(server));
  return discover_roles({{}, std::move(given)}, conversation);
}

}  // namespace jrpcheck::run
