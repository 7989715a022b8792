#include "corpus/methods_file.hpp"

#include "base/contains.hpp"
#include "base/join.hpp"
#include "corpus/member_reader.hpp"

namespace jrpcheck::corpus {
namespace {

RoleBindings read_roles(const json::Value& object, Complaint& complaint) {
  RoleBindings roles;
  const auto twice = first_repeated(object);
  for (std::size_t i = 0; i < object.size(); ++i) {
    const auto& role = object.names()[i];
    const auto& entry = object.children()[i];
    if (!contains(known_roles(), role)) {
      complaint.raise(entry, "unknown role \"" + role + "\"; there are " + joined(known_roles()));
    }
    if (i == twice) complaint.raise(entry, "role \"" + role + "\" is there twice");
    const MemberReader members(entry, complaint, {"method", "does", "refused"});
    const json::Value* method = entry.find("method");
    const bool has_none = method != nullptr && method->is(json::Kind::null);
    if (!has_none) roles[role] = members.required_text("method");
  }
  return roles;
}

}  // namespace

Result<RoleBindings> read_methods(const std::string& name, std::string_view text) {
  Complaint complaint(name, text);
  const auto parsed = complaint.parse(text);
  RoleBindings roles;
  if (parsed && !parsed->is(json::Kind::object)) {
    complaint.raise(*parsed, "an object is expected: {\"ROLE\": {\"method\": \"NAME\"}}");
  } else if (parsed) {
    roles = read_roles(*parsed, complaint);
  }
  if (complaint.raised()) return complaint.error();
  return roles;
}

}  // namespace jrpcheck::corpus
