#include "run/roles.hpp"

#include <algorithm>

#include "corpus/member_reader.hpp"
#include "corpus/read_file.hpp"
#include "json/parse.hpp"
#include "run/role_parts.hpp"

namespace jrpcheck::run {
namespace {

bool is_known(const std::string& role) {
  const auto& roles = corpus::known_roles();
  return std::find(roles.begin(), roles.end(), role) != roles.end();
}

}  // namespace

Result<corpus::RoleBindings> load_methods_file(const std::string& file) {
  const auto text = corpus::read_file(file);
  if (!text) return Error{"the methods file '" + file + "' " + text.error().message};
  corpus::Complaint complaint(file, *text);
  const auto parsed = json::parse(*text);
  corpus::RoleBindings roles;
  if (!parsed) {
    complaint.raise_at(parsed.error.offset, "not JSON: " + parsed.error.message);
  } else if (!parsed.value->is(json::Kind::object)) {
    complaint.raise(*parsed.value, "an object is expected: {\"ROLE\": {\"method\": \"NAME\"}}");
  } else {
    const auto& object = *parsed.value;
    const auto twice = corpus::first_repeated(object);
    for (std::size_t i = 0; i < object.size(); ++i) {
      const auto& role = object.names()[i];
      if (!is_known(role)) {
        complaint.raise(object.children()[i], "unknown role \"" + role +
                                                  "\"; there are subtract, sum, echo, nothing, "
                                                  "no-params, fails, state-set and state-get");
      }
      if (i == twice) {
        complaint.raise(object.children()[i], "role \"" + role + "\" is there twice");
      }
      const corpus::MemberReader members(object.children()[i], complaint,
                                         {"method", "does", "refused"});
      const json::Value* method = object.children()[i].find("method");
      const bool has_none = method != nullptr && method->is(json::Kind::null);
      if (!has_none) roles[role] = members.required_text("method");
    }
  }
  if (complaint.raised()) return complaint.error();
  return roles;
}

std::string roles_file(const corpus::RoleBindings& found,
                       const std::vector<result::TriedMethod>& tried) {
  auto file = json::Value::object();
  for (const auto& role : corpus::known_roles()) {
    auto& entry = file.append(role, json::Value::object());
    const auto known = found.find(role);
    entry.append("method",
                 known == found.end() ? json::Value::null() : json::Value::string(known->second));
    entry.append("does", json::Value::string(std::string(duty_of(role))));
    auto refused = json::Value::array();
    for (const auto& each : tried) {
      if (each.role != role) continue;
      const std::string answer = each.received.empty() ? "nothing" : each.received;
      refused.append(json::Value::string(each.method + ": " + each.sent + " got " + answer));
    }
    if (refused.size() > 0) entry.append("refused", std::move(refused));
  }
  return json::write(file, 1) + "\n";
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
