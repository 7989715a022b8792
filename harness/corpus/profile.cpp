#include "corpus/profile.hpp"

#include <algorithm>

#include "corpus/bindings.hpp"
#include "corpus/member_reader.hpp"
#include "json/parse.hpp"
#include "wire/binding.hpp"

namespace jrpcheck::corpus {
namespace {

using json::Kind;

Dialect read_dialect(const MemberReader& reader) {
  const std::string name = reader.required_text("dialect");
  if (name != "1.0" && name != "2.0") reader.complain("\"dialect\" is \"1.0\" or \"2.0\"");
  return name == "1.0" ? Dialect::json_rpc_1_0 : Dialect::json_rpc_2_0;
}

void read_roles(const json::Value& object, Complaint& complaint, Profile& profile) {
  for (std::size_t i = 0; i < object.size(); ++i) {
    const std::string& role = object.names()[i];
    const json::Value& names = object.children()[i];
    const auto& known = known_roles();
    if (std::find(known.begin(), known.end(), role) == known.end()) {
      complaint.raise(names, "unknown role \"" + role + "\"");
    }
    if (!names.is(Kind::array)) return complaint.raise(names, "a list of method names is expected");
    for (const auto& name : names.children()) {
      if (!name.is(Kind::string)) return complaint.raise(name, "a method name is a string");
      profile.roles[role].push_back(name.text());
    }
  }
}

// What the protocol on top of JSON-RPC says.
void read_protocol(const MemberReader& reader, Profile& profile) {
  if (const json::Value* opening = reader.find("opening", Kind::array)) {
    for (const auto& message : opening->children()) {
      profile.opening.push_back(json::write(message));
    }
  }
  profile.framing = reader.text("framing");
  const auto* framing = wire::binding_named(profile.framing);
  if (!profile.framing.empty() && (framing == nullptr || !framing->is_framing())) {
    reader.complain("\"framing\" is one of " + wire::framing_names(", "));
  }
  const std::string batches = reader.text("batches");
  if (!batches.empty() && batches != "optional") reader.complain("\"batches\" is \"optional\"");
  profile.batches_optional = batches == "optional";
}

}  // namespace

bool Profile::has_class(std::string_view class_name) const {
  return std::find(classes.begin(), classes.end(), class_name) != classes.end();
}

Result<Profile> load_profile(const std::string& name, std::string_view text) {
  const auto parsed = json::parse(text);
  Complaint complaint(name, text);
  Profile profile;
  if (!parsed) {
    complaint.raise_at(parsed.error.offset, "not JSON: " + parsed.error.message);
    return complaint.error();
  }
  const MemberReader reader(
      *parsed.value, complaint,
      {"$schema", "name", "title", "dialect", "classes", "roles", "opening", "framing", "batches"});
  if (complaint.raised()) return complaint.error();
  profile.name = reader.required_text("name");
  profile.title = reader.required_text("title");
  profile.dialect = read_dialect(reader);
  profile.classes = reader.texts("classes");
  if (profile.classes.empty()) reader.complain("\"classes\" must name at least one");
  if (const json::Value* roles = reader.find("roles", Kind::object)) {
    read_roles(*roles, complaint, profile);
  }
  read_protocol(reader, profile);
  if (complaint.raised()) return complaint.error();
  return profile;
}

}  // namespace jrpcheck::corpus
