#include "run/control_call.hpp"

#include "json/parse.hpp"
#include "run/endpoint.hpp"

namespace jrpcheck::run {

std::string with_request_members(const std::string& params, const std::string& members) {
  if (members.empty() || params.empty()) return params.empty() ? members : params;
  auto own = json::parse(params);
  const auto added = json::parse(members);
  if (!own || !added || !own.value->is(json::Kind::object)) return params;
  for (std::size_t i = 0; i < added.value->size(); ++i) {
    const auto& name = added.value->names()[i];
    if (own.value->find(name) == nullptr) {
      own.value->append(name, added.value->children()[i].clone());
    }
  }
  return json::write(*own.value);
}

session::ControlCall control_call_of(const corpus::Profile& profile) {
  auto call = unknown_control_call(profile.dialect);
  if (!profile.control_method.empty()) call.method = profile.control_method;
  call.params = with_request_members(profile.control_params, profile.request_members);
  return call;
}

}  // namespace jrpcheck::run
