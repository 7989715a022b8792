#include "run/control_call.hpp"

#include "corpus/bindings.hpp"
#include "run/endpoint.hpp"

namespace jrpcheck::run {

session::ControlCall control_call_of(const corpus::Profile& profile) {
  auto call = unknown_control_call(profile.dialect);
  if (!profile.control_method.empty()) call.method = profile.control_method;
  call.params = corpus::params_with_members(profile.control_params, profile.request_members);
  return call;
}

}  // namespace jrpcheck::run
