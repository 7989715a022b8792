#include "run/roles.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "corpus/member_reader.hpp"
#include "json/parse.hpp"

namespace jrpcheck::run {
namespace {

bool is_known(const std::string& role) {
  const auto& roles = corpus::known_roles();
  return std::find(roles.begin(), roles.end(), role) != roles.end();
}

}  // namespace

Result<corpus::RoleBindings> load_methods_file(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream out;
  if (!in || !(out << in.rdbuf())) return Error{"the methods file '" + file + "' cannot be read"};
  const std::string text = out.str();
  corpus::Complaint complaint(file, text);
  const auto parsed = json::parse(text);
  corpus::RoleBindings roles;
  if (!parsed) {
    complaint.raise_at(parsed.error.offset, "not JSON: " + parsed.error.message);
  } else if (!parsed.value->is(json::Kind::object)) {
    complaint.raise(*parsed.value, "an object is expected: {\"ROLE\": {\"method\": \"NAME\"}}");
  } else {
    const auto& object = *parsed.value;
    for (std::size_t i = 0; i < object.size(); ++i) {
      const auto& role = object.names()[i];
      if (!is_known(role)) {
        complaint.raise(object.children()[i], "unknown role \"" + role +
                                                  "\"; there are subtract, sum, echo, nothing, "
                                                  "no-params, fails, state-set and state-get");
      }
      if (object.count(role) > 1) {
        complaint.raise(object.children()[i], "role \"" + role + "\" is there twice");
      }
      const corpus::MemberReader members(object.children()[i], complaint, {"method"});
      roles[role] = members.required_text("method");
    }
  }
  if (complaint.raised()) return complaint.error();
  return roles;
}

std::string params_not_taken(const corpus::Case& unbound,
                             const std::map<std::string, corpus::ParamsForms>& takes) {
  for (const auto& role : unbound.roles) {
    const auto known = takes.find(role);
    if (known == takes.end() || known->second == corpus::ParamsForms{}) continue;
    const auto sent = corpus::forms_sent(unbound);
    const auto form = sent.find(role);
    if (form == sent.end()) continue;
    const std::string method = "the method in the role '" + role + "' takes its params by ";
    if (form->second.by_name && !known->second.by_name) return method + "position only";
    if (form->second.by_position && !known->second.by_position) return method + "name only";
  }
  return {};
}

}  // namespace jrpcheck::run
