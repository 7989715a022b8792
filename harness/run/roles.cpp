#include "run/roles.hpp"

#include <algorithm>

#include "base/bytes.hpp"
#include "corpus/methods_file.hpp"
#include "corpus/read_file.hpp"
#include "json/parse.hpp"
#include "run/role_parts.hpp"

namespace jrpcheck::run {
Result<corpus::RoleBindings> load_methods_file(const std::string& file) {
  const auto text = corpus::read_file(file);
  if (!text) return Error{"the methods file '" + file + "' " + text.error().message};
  return corpus::read_methods(file, *text);
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
  return inert_json(json::write(file, 1)) + "\n";
}

std::string params_not_taken(const corpus::Case& unbound, const corpus::RoleBindings& methods,
                             const std::map<std::string, corpus::ParamsForms>& takes) {
  for (const auto& role : unbound.roles) {
    const auto player = corpus::player_of(role, unbound, methods);
    const auto known = takes.find(player);
    if (known == takes.end() || known->second == corpus::ParamsForms{}) continue;
    const auto sent = corpus::forms_sent(unbound);
    const auto form = sent.find(role);
    if (form == sent.end()) continue;
    const std::string method = "the method in the role '" + player + "' takes its params by ";
    if (form->second.by_name && !known->second.by_name) return method + "position only";
    if (form->second.by_position && !known->second.by_position) return method + "name only";
  }
  return {};
}

}  // namespace jrpcheck::run
