#include "run/control_call.hpp"

#include "corpus/bindings.hpp"
#include "json/parse.hpp"
#include "run/endpoint.hpp"

namespace jrpcheck::run {

session::ControlCall control_call_of(const corpus::Profile& profile) {
  auto call = unknown_control_call(profile.dialect);
  if (!profile.control_method.empty()) call.method = profile.control_method;
  call.params = corpus::params_with_members(profile.control_params, profile.request_members);
  call.not_yet = profile.not_yet;
  return call;
}

bool says_method_is_unknown(const dialogue::Message& answer) {
  const json::Value* error = answer.find("error");
  const json::Value* code = error != nullptr ? error->find("code") : nullptr;
  return code != nullptr && code->is(json::Kind::number) && code->text() == "-32601";
}

session::ControlCall control_call_like(const std::string& message) {
  const auto call = json::parse(message);
  const json::Value* method = call ? call.value->find("method") : nullptr;
  const json::Value* params = call ? call.value->find("params") : nullptr;
  return {method != nullptr ? method->text() : std::string(),
          params != nullptr ? json::write(*params) : std::string()};
}

}  // namespace jrpcheck::run
