#include "targets/target.hpp"

#include "base/names.hpp"
#include "corpus/member_reader.hpp"
#include "json/parse.hpp"

namespace jrpcheck::targets {
namespace {

using corpus::Complaint;
using corpus::MemberReader;
using JsonKind = json::Kind;

constexpr std::string_view kSchema = "target.schema.json";

template <typename Enum>
Enum read_choice(const MemberReader& members, std::string_view name) {
  const std::string text = members.required_text(name);
  const auto known = value_named<Enum>(text);
  if (!known && !text.empty()) members.complain("\"" + text + "\" is no " + std::string(name));
  return known.value_or(Enum{});
}

void read_packages(const MemberReader& members, Complaint& complaint, Target& target) {
  const json::Value* install = members.find("install", JsonKind::object);
  if (install == nullptr) return;
  const MemberReader packages(*install, complaint, {"npm", "apt"});
  target.npm = packages.texts("npm");
  target.apt = packages.texts("apt");
}

}  // namespace

std::string_view name_of(Kind kind) { return name_at({"server", "client"}, kind); }

std::string_view name_of(Group group) {
  return name_at({"library", "product", "mcp", "lsp", "ethereum", "client"}, group);
}

bool is_target_file(std::string_view path, std::string_view text) {
  if (path.ends_with(kSchema)) return false;
  const auto slash = path.rfind('/');
  const auto folder = slash == std::string_view::npos ? "" : path.substr(0, slash);
  if (folder == "targets" || folder.ends_with("/targets")) return true;
  const auto parsed = json::parse(text);
  if (!parsed || !parsed.value->is(JsonKind::object)) return false;
  const json::Value* schema = parsed.value->find("$schema");
  return schema != nullptr && schema->is(JsonKind::string) && schema->text().ends_with(kSchema);
}

std::string target_name(std::string_view path) {
  path.remove_prefix(path.rfind('/') + 1);  // npos + 1 is 0
  for (const std::string_view ending : {".json", ".target"}) {
    if (path.ends_with(ending)) path.remove_suffix(ending.size());
  }
  return std::string(path);
}

Result<Target> read_target(const std::string& path, std::string_view text) {
  Complaint complaint(path, text);
  const auto parsed = complaint.parse(text);
  if (!parsed) return complaint.error();
  const MemberReader members(*parsed, complaint,
                             {"$schema", "name", "kind", "group", "about", "home", "licence",
                              "version", "install", "wrapper", "start", "door", "target", "profile",
                              "methods", "options", "limits", "found", "not-judged"});
  Target target;
  target.name = target_name(path);
  target.kind = read_choice<Kind>(members, "kind");
  target.group = read_choice<Group>(members, "group");
  target.about = members.required_text("about");
  target.home = members.required_text("home");
  target.licence = members.required_text("licence");
  target.version = members.required_text("version");
  read_packages(members, complaint, target);
  target.wrapper = members.text("wrapper");
  members.require("start", JsonKind::array);
  target.start = members.texts("start");
  target.door = members.required_text("door");
  target.target = members.text("target");
  target.profile = members.text("profile");
  target.methods = members.text("methods");
  target.options = members.texts("options");
  target.limits = members.texts("limits");
  target.found = members.text("found");
  target.not_judged = members.text("not-judged");
  if (complaint.raised()) return complaint.error();
  return target;
}

}  // namespace jrpcheck::targets
