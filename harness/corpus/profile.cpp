#include "corpus/profile.hpp"

#include <algorithm>

#include "base/contains.hpp"
#include "corpus/bindings.hpp"
#include "corpus/corpus.hpp"
#include "corpus/load_profile.hpp"
#include "corpus/member_reader.hpp"
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
    if (!contains(known_roles(), role)) {
      complaint.raise(names, "unknown role \"" + role + "\"");
    }
    profile.roles[role].clear();
    if (!names.is(Kind::array)) return complaint.raise(names, "a list of method names is expected");
    for (const auto& name : names.children()) {
      if (!name.is(Kind::string)) return complaint.raise(name, "a method name is a string");
      profile.roles[role].push_back(name.text());
    }
  }
}

// Members of a version take the place of those of the profile; rules, exemptions and other codes
// are added.
void read_protocol(const MemberReader& reader, Complaint& complaint, Profile& profile) {
  if (const json::Value* roles = reader.find("roles", Kind::object)) {
    read_roles(*roles, complaint, profile);
  }
  if (const json::Value* opening = reader.find("opening", Kind::array)) {
    profile.opening.clear();
    for (const auto& message : opening->children()) {
      profile.opening.push_back(json::write(message));
    }
  }
  if (reader.find_any("framing") != nullptr) profile.framing = reader.text("framing");
  const auto* framing = wire::binding_named(profile.framing);
  if (!profile.framing.empty() && (framing == nullptr || !framing->is_framing())) {
    reader.complain("\"framing\" is one of " + wire::framing_names(", "));
  }
  const std::string batches = reader.text("batches");
  if (!batches.empty() && batches != "optional" && batches != "served") {
    reader.complain("\"batches\" is \"optional\" or \"served\"");
  }
  if (!batches.empty()) profile.batches_optional = batches == "optional";
  const std::string params = reader.text("params");
  if (!params.empty() && params != "by-position") reader.complain("\"params\" is \"by-position\"");
  if (!params.empty()) profile.params_by_position = true;
  read_law(reader, complaint, profile);
}

void read_versions(const json::Value& object, Complaint& complaint,
                   std::vector<Profile>& profiles) {
  const Profile base = profiles.front();
  for (std::size_t i = 0; i < object.size(); ++i) {
    Profile one = base;
    one.version = object.names()[i];
    one.name = base.name + "-" + one.version;
    one.title = base.title + ", version " + one.version;
    const MemberReader reader(
        object.children()[i], complaint,
        {"dialect",  "classes",      "opening",         "framing",          "batches",
         "roles",    "control",      "request-members", "answers",          "exempts",
         "declares", "lists",        "selections",      "schemas",          "rules",
         "http",     "safe-methods", "other-codes",     "empty-folder",     "own-options",
         "params",   "silence",      "not-yet",         "errors-without-id"});
    if (complaint.raised()) return;
    if (reader.find_any("dialect") != nullptr) one.dialect = read_dialect(reader);
    if (reader.find_any("classes") != nullptr) one.classes = reader.texts("classes");
    read_protocol(reader, complaint, one);
    profiles.front().versions.push_back(one.version);
    profiles.push_back(std::move(one));
  }
  for (auto& each : profiles) each.versions = profiles.front().versions;
}

bool matches_any(const std::vector<std::string>& patterns, std::string_view id) {
  return std::ranges::any_of(patterns,
                             [&](const auto& pattern) { return matches_glob(pattern, id); });
}

}  // namespace

bool Profile::has_class(std::string_view class_name) const { return contains(classes, class_name); }

bool Profile::applies_class(const wire::Binding* binding, std::string_view class_name) const {
  const auto place = places.find(std::string(class_name));
  return wire::applies_class(binding, place == places.end() ? class_name : place->second) ||
         (place != places.end() && binding != nullptr && place->second == binding->carrier_class);
}

bool Profile::has_place(std::string_view place) const {
  return std::ranges::any_of(places, [&](const auto& each) { return each.second == place; });
}

bool Profile::is_of_clients(std::string_view class_name) const {
  const auto place = places.find(std::string(class_name));
  return place != places.end() && place->second == kPlaceOfClients;
}

bool Profile::is_of(const std::vector<std::string>& of_versions) const {
  return of_versions.empty() || version.empty() || contains(of_versions, version);
}

const Exemption* Profile::exempts_case(std::string_view id) const {
  const auto found = std::ranges::find_if(
      exemptions, [&](const auto& each) { return matches_any(each.cases, id); });
  return found == exemptions.end() ? nullptr : &*found;
}

const Exemption* Profile::exempts_requirement(std::string_view id) const {
  const auto found = std::ranges::find_if(
      exemptions, [&](const auto& each) { return matches_any(each.requirements, id); });
  return found == exemptions.end() ? nullptr : &*found;
}

Result<std::vector<Profile>> load_profiles(const std::string& name, std::string_view text) {
  Complaint complaint(name, text);
  const auto parsed = complaint.parse(text);
  if (!parsed) return complaint.error();
  const MemberReader reader(
      *parsed, complaint,
      {"$schema",          "name",         "title",       "dialect",  "classes",   "roles",
       "opening",          "framing",      "batches",     "versions", "detection", "control",
       "request-members",  "answers",      "exempts",     "declares", "lists",     "selections",
       "schemas",          "rules",        "http",        "places",   "spoken-on", "safe-methods",
       "other-codes",      "empty-folder", "own-options", "params",   "silence",   "not-yet",
       "errors-without-id"});
  if (complaint.raised()) return complaint.error();
  std::vector<Profile> profiles(1);
  Profile& profile = profiles.front();
  profile.name = reader.required_text("name");
  profile.family = profile.name;
  profile.title = reader.required_text("title");
  profile.dialect = read_dialect(reader);
  profile.classes = reader.texts("classes");
  if (profile.classes.empty()) reader.complain("\"classes\" must name at least one");
  if (const json::Value* places = reader.find("places", Kind::object)) {
    for (std::size_t i = 0; i < places->size(); ++i) {
      profile.places[places->names()[i]] = places->children()[i].text();
    }
  }
  profile.spoken_on = reader.texts("spoken-on");
  for (const auto& binding : profile.spoken_on) {
    if (wire::binding_named(binding) == nullptr) {
      reader.complain("\"spoken-on\": there is no binding \"" + binding + "\"");
    }
  }
  read_protocol(reader, complaint, profile);
  read_detection(reader, complaint, profile);
  if (complaint.raised()) return complaint.error();
  if (const json::Value* versions = reader.find("versions", Kind::object)) {
    read_versions(*versions, complaint, profiles);
  }
  if (complaint.raised()) return complaint.error();
  return profiles;
}

Result<Profile> load_profile(const std::string& name, std::string_view text) {
  auto profiles = load_profiles(name, text);
  if (!profiles) return profiles.error();
  return std::move(profiles->front());
}

}  // namespace jrpcheck::corpus
